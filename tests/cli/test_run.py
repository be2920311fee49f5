from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from commandline import (
    RAGGED,
    ROUND_ROBIN,
    SECONDS,
    as_json,
    path_file,
    radproof,
    user,
)

from radproof import leap
from radproof.traces.workload import poisson

pytestmark = pytest.mark.usefixtures("here")


HOUR = Path(__file__).resolve().parents[3] / "shared/data/traces/azure_2023_conv.csv"


def test_run_draws_the_page_s_workload_and_prints_its_table_and_figures() -> None:
    result = radproof("run", "--rate", "20", "--horizon", "100s", "--seed", "1")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    expected = leap(poisson(20, 100 * SECONDS, 1), horizon=100 * SECONDS)
    assert lines[0].split() == ["claim", "kind", "result", "iterations", "paths"]
    row = ["every", "iteration", "holds", f"{expected.iterations:,}", "1"]
    assert lines[2].split() == ["token_rate", *row]
    assert lines[3].split() == ["optimal_tiling", *row]
    assert lines[4].startswith("note: the path has 1,934 sessions; the two claims are stated for ")
    assert f"iterations  {expected.iterations:,}" in lines
    assert "arrivals    1,934" in lines
    assert f"ended       {expected.ended:,}" in lines
    assert lines[-1].startswith("response    mean 1.295 s, p99 3.896 s")


def test_the_counts_of_a_drawn_run_stay_what_they_are() -> None:
    """A change here is a change of the draw or of the machine: neither may happen unsaid."""
    found = as_json("run", "--rate", "20", "--horizon", "100s", "--seed", "1")
    assert (found["iterations"], found["arrivals"], found["ended"]) == (23189, 1934, 1903)
    assert found["response"]["p99"] == 3895908


def test_run_json_has_the_fields_of_the_design() -> None:
    file = path_file("[[0, 128, 1], [4640, 128, 1], [100000, 1, 1]]")
    found = as_json("run", file, "--horizon", "13290us")
    assert found["claims"]["token_rate"] == {
        "kind": "every iteration",
        "result": "holds",
        "checked": 3,
        "failures": 0,
        "first": None,
    }
    assert found["claims"]["optimal_tiling"]["result"] == "out of scope"
    assert found["completions"] == [13290, 13290, None]
    assert (found["iterations"], found["arrivals"], found["ended"]) == (3, 2, 2)
    assert found["engine"] == "leap"
    assert found["response"] == {"mean": (13290 + 13290 - 4640) / 2, "p99": 13290}


@pytest.mark.parametrize("engine", ["leap", "step"])
def test_both_engines_say_the_same(engine: str) -> None:
    found = as_json("run", path_file(RAGGED), "--engine", engine)
    assert found.pop("engine") == engine
    other = as_json("run", path_file(RAGGED))
    other.pop("engine")
    assert found == other


def test_run_reads_what_a_file_says_and_options_go_first() -> None:
    name = user(ROUND_ROBIN)
    file = path_file(
        json.dumps(
            {
                "schema": "radproof.path/1",
                "sessions": [[0, 4, 1]],
                "deployment": {"b_col": 2, "t_lin": 10, "t_nl": 1},
                "scheduler": f"{name}:one_token",
                "horizon": 22,
            }
        )
    )
    assert as_json("run", file, code=1)["iterations"] == 3  # 11 us each
    assert as_json("run", file, "--scheduler", "rad")["iterations"] == 2  # 12 us each
    assert as_json("run", file, "--scheduler", "rad", "--horizon", "1s")["iterations"] == 3


def test_run_exits_1_where_a_claim_fails() -> None:
    result = radproof(
        "run", path_file("[[0, 128, 1]]"), "--scheduler", "radproof.mutants:chunk_127"
    )
    assert result.exit_code == 1
    assert "fails at 0" in result.output


def test_run_exits_3_where_nothing_was_evaluated() -> None:
    result = radproof("run", path_file("[[0, 0, 0]]"))
    assert result.exit_code == 3
    assert "token_rate: no iteration" in result.output
    assert result.output.count("not evaluated") == 2


def test_run_says_what_is_out_of_scope_and_what_padding_cost() -> None:
    kept = radproof("run", path_file(RAGGED))
    assert kept.exit_code == 0
    assert "optimal_tiling: session 1, (0, 129, 1), is outside the claim's given" in kept.output
    padded = radproof("run", path_file(RAGGED), "--tile", "pad")
    assert padded.exit_code == 0
    assert (
        "note: 1 prompts rounded up to the tile: 127 tokens more than 257, 49.42 %" in padded.output
    )
    assert "out of scope" not in padded.output


def test_run_says_that_a_chunk_larger_than_the_budget_is_bounded_by_it() -> None:
    file = path_file(
        '{"schema": "radproof.path/1", "sessions": [[0, 1, 1]], "deployment": {"chunk": 300}}'
    )
    assert (
        "note: chunk is 300, larger than a prefill batch: the budget of 128 tokens limits it"
        in radproof("run", file).output
    )


@pytest.mark.skipif(not HOUR.exists(), reason="no ../shared/data/traces here")
def test_run_reads_the_azure_hour() -> None:
    found = as_json("run", str(HOUR), "--tile", "pad")
    assert (found["arrivals"], found["ended"]) == (19_366, 19_366)
    assert {c["result"] for c in found["claims"].values()} == {"holds"}


@pytest.mark.parametrize("digits", [20, 400, 4299])
def test_run_shows_lengths_of_any_size(digits: int) -> None:
    file = path_file(f"[[0, 0, {10**digits}]]")
    text = radproof("run", file, "--json").output
    bound = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # for the reader; the command printed under its own bound
    try:
        found = json.loads(text)
    finally:
        sys.set_int_max_str_digits(bound)
    assert found["iterations"] == 10**digits
    assert found["claims"]["token_rate"]["checked"] == 10**digits
    assert found["completions"] == [4005 * 10**digits]
    result = radproof("run", file)
    assert result.exit_code == 0, result.exception
    assert f"iterations  {10**digits:,}" in result.output
