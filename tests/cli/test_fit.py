from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from judged import ENGINE, needs_logs

from radproof.cli.main import main
from radproof.files.deployments import read_deployment
from radproof.model import Deployment


def radproof(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["fit", *map(str, arguments)])


def pairs(file: Path, constant: int) -> Path:
    rows = [f"{n},{constant + 4000 * -(-n // 128) + 5 * n}" for n in range(16, 1025, 16)]
    file.write_text("\n".join(["tokens,microseconds", *rows]))
    return file


def test_a_deployment_comes_out_that_can_be_run(tmp_path: Path) -> None:
    out = tmp_path / "fitted.json"
    result = radproof(pairs(tmp_path / "x.csv", 0), "--format", "pairs", "--out", out)
    assert result.exit_code == 0, result.output
    assert read_deployment(out) == Deployment()
    assert "equation (7), without a constant, fits: 100 % of the iterations" in result.output
    numbers = json.loads(out.read_text())["deployment"]
    assert all(type(number) is int for number in numbers.values())


def test_a_needed_constant_is_reported_with_exit_code_1(tmp_path: Path) -> None:
    out = tmp_path / "fitted.json"
    file = pairs(tmp_path / "x.csv", 9000)
    result = radproof(file, "--format", "pairs", "--b-col", 128, "--out", out)
    assert result.exit_code == 1
    assert "a constant of 9,000 us reduces the residuals from " in result.output
    assert "does not fit" in json.loads(out.read_text())["note"]
    data = json.loads(radproof(file, "--format", "pairs", "--json").stdout)
    assert (data["fits"], data["needs_constant"]) == (False, True)
    assert data["with_constant"]["constant"] == pytest.approx(9000, abs=1)
    assert data["with_constant"]["b_col"] == 128


def iterations(*pairs: tuple[int, float], asynchronous: bool = False) -> str:
    lines = [f"non-default args: {{'async_scheduling': {asynchronous}}}"]
    lines += [
        f"Iteration({n}): 1 context requests, {tokens} context tokens, 0 generation requests, "
        f"0 generation tokens, iteration elapsed time: {ms:.2f} ms"
        for n, (tokens, ms) in enumerate(pairs)
    ]
    return "\n".join(lines)


def test_the_first_iterations_can_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "engine.log"
    file.write_text(iterations((512, 40_000), *((n, 4 * -(-n // 128)) for n in range(8, 513, 8))))
    skipped = radproof(file, "--format", "vllm-iterations", "--skip", 1, "--json")
    assert json.loads(skipped.stdout)["deployment"]["t_lin"] == 4000
    whole = radproof(file, "--format", "vllm-iterations", "--json")
    assert json.loads(whole.stdout)["equation_7"]["worst"] == {
        "tokens": 512, "duration": 40_000_000, "line": 2
    }  # fmt: skip
    few = radproof(file, "--format", "vllm-iterations", "--skip", 1, "--limit", 20, "--json")
    assert json.loads(few.stdout)["iterations"] == 20


def test_asynchronous_scheduling_leaves_it_undecided(tmp_path: Path) -> None:
    file = tmp_path / "engine.log"
    file.write_text(iterations((1, 1), (2, 2), (3, 3), asynchronous=True))
    result = radproof(file, "--format", "vllm-iterations")
    assert result.exit_code == 3
    assert "scheduling is asynchronous, so elapsed times overlap" in result.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2", "line 1 must be the header tokens,microseconds."),
        ("tokens,microseconds\n1,2.5", "line 2: microseconds is '2.5'; it must be a natural "),
        ("tokens,microseconds\n1", "line 2 has 1 fields, not 2"),
        ("tokens,microseconds\n0,5", "line 2: a batch of 0 tokens took 5 us"),
    ],
)
def test_bad_pairs_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    result = radproof(tmp_path / "x.csv", "--format", "pairs")
    assert result.exit_code == 2
    assert message in result.stderr


@needs_logs
@pytest.mark.parametrize("run", ["pilot", "longprefill0", "longprefill256", "fcfs"])
def test_equation_7_does_not_fit_a_cpu_that_compiles_as_it_goes(run: str, tmp_path: Path) -> None:
    """Batches of one size differ by five times there: no cost of tokens alone can fit."""
    out = tmp_path / "fitted.json"
    file = ENGINE / f"vllm_0.27_{run}_engine.log"
    result = radproof(file, "--format", "vllm-iterations", "--skip", 1, "--out", out, "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 1
    assert data["equation_7"]["close"] < 0.5
    assert data["with_constant"]["close"] < 0.5
    assert read_deployment(out).t_lin > 0
