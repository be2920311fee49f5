from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from radproof.cli.main import main
from radproof.files.deployments import write_deployment
from radproof.model import Deployment

HEAD = '{"schema": "radproof.trace/1", "budget": 8}'
LINES = (
    HEAD,
    '{"add": "a", "at": 0, "prompt": 12}',
    '{"iteration": 0, "start": 0, "end": 30, "batch": [["a", 8]]}',
    '{"iteration": 1, "start": 30, "end": 60, "batch": [["a", 4]]}',
    '{"gone": "a", "at": 60}',
    '{"lines": 6}',
)


@pytest.fixture
def trace(tmp_path: Path) -> str:
    (tmp_path / "mine.jsonl").write_text("\n".join(LINES))
    return str(tmp_path / "mine.jsonl")


def radproof(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["trace", *arguments])


def test_the_table_has_the_line_that_breaks_a_claim_and_the_reasons(trace: str) -> None:
    result = radproof(trace, "--format", "radproof")
    assert result.exit_code == 1
    rows = {line.split()[0]: line.split()[1:] for line in result.output.splitlines() if line[1:]}
    assert rows["optimal_tiling"] == ["fails", "2", "1", "4"]
    assert rows["batch_budget"] == ["holds", "2", "0"]
    assert (
        "optimal_tiling: line 4: iteration 1: 4 tokens, 4 of them prefill, 0 decodes served, 1 "
        "residents\n" in result.output
    )
    assert "token_rate: true on 1 of 2 iterations, none false; t_lin and t_nl are" in result.output


def test_a_deployment_lets_token_rate_be_judged(trace: str, tmp_path: Path) -> None:
    for t_nl, result, code in ((1, "holds", 0), (9, "fails", 1)):
        file = tmp_path / "fitted.json"
        write_deployment(file, Deployment(b_col=8, t_lin=2, t_nl=t_nl), "by hand")
        options = ["--deployment", str(file), "--claim", "token_rate", "--json"]
        found = radproof(trace, "--format", "radproof", *options)
        data = json.loads(found.stdout)
        assert (found.exit_code, data["iterations"]) == (code, 2)
        assert data["claims"]["token_rate"]["result"] == result
        if code:
            assert data["claims"]["token_rate"]["line"] == 4
            assert data["claims"]["token_rate"]["first"] == 30
            assert data["claims"]["token_rate"]["record"]["served"] == 8


def test_a_number_that_is_not_shown_is_bounds_in_json(trace: str) -> None:
    found = radproof(trace, "--format", "radproof", "--claim", "optimal_tiling", "--json")
    record = json.loads(found.stdout)["claims"]["optimal_tiling"]["record"]
    assert record["demand"] == {"from": 4, "to": None}


def test_not_evaluated_alone_is_3_and_all_holding_0(trace: str) -> None:
    assert radproof(trace, "--format", "radproof", "--claim", "computed_once").exit_code == 3
    assert radproof(trace, "--format", "radproof", "--claim", "batch_budget").exit_code == 0


def test_the_tile_can_be_named(trace: str) -> None:
    arguments = [trace, "--format", "radproof", "--claim", "optimal_tiling"]
    assert radproof(*arguments, "--b-col", "4").exit_code == 1  # 8 tokens are not one tile of 4
    assert radproof(*arguments, "--b-col", "8").exit_code == 1
    assert "line 3: " in radproof(*arguments, "--b-col", "4").output


def test_the_laws_of_rad_are_judged_where_they_are_asked_for(trace: str) -> None:
    assert "unmixed" not in radproof(trace, "--format", "radproof").output
    found = radproof(trace, "--format", "radproof", "--laws", "engine,rad").output
    assert "unmixed" in found
    assert "prefill_filled" in found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "vllm"], "Invalid value for '--format'"),
        ([], "Missing option '--format'"),
        (["--format", "radproof", "--claim", "tiling"], "claim 'tiling'"),
        (["--format", "radproof", "--laws", "engines"], "unknown laws 'engines'. Did you mean"),
        (["--format", "radproof", "--deployment", "none.json"], "none.json: there is no such file"),
        (["--format", "vllm-steps"], 'mine.jsonl: line 1 has "ev" None; it must be add, sched'),
    ],
)
def test_bad_input_is_one_message(trace: str, arguments: list[str], message: str) -> None:
    result = radproof(trace, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for file, message in ((tmp_path, "is a folder"), (tmp_path / "x", "cannot be read: No such")):
        result = radproof(str(file), "--format", "sglang")
        assert result.exit_code == 2
        assert message in result.stderr


def test_a_file_of_another_kind_has_no_iteration_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text("INFO hello\n")
    result = radproof(str(tmp_path / "x.log"), "--format", "vllm-iterations")
    assert result.exit_code == 3
    assert "no line is an iteration; is the format another one?" in result.output
