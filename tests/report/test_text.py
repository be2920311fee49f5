from __future__ import annotations

import json
import math
from typing import Any

import pytest
from helpers import every

from radproof import CLAIMS, Claim, Result, check, leap, optimal_tiling, rad, run, token_rate
from radproof.mutants import MUTANTS
from radproof.report.text import (
    figure_lines,
    figures,
    finding_row,
    finding_table,
    result_text,
    seconds,
    sometimes_table,
    table,
    verdict_json,
    verdict_table,
)
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding, Plan, search
from radproof.search.situations import SITUATIONS

PATH = [(0, 128, 1), (4640, 129, 1)]


def test_the_claim_table_of_a_run() -> None:
    result = leap(PATH)
    text = verdict_table([check(result, claim) for claim in CLAIMS.values()])
    lines = text.splitlines()
    assert [line.rstrip() for line in lines if "─" not in line] == [
        " claim            kind              result         iterations   paths",
        " token_rate       every iteration   holds                   4       1",
        " optimal_tiling   every iteration   out of scope            0       1",
        "optimal_tiling: session 1, (4640, 129, 1), is outside the claim's given",
    ]


def test_a_failing_claim_says_when_and_counts_have_commas() -> None:
    claim = every(lambda i, d: i.served < 1234)
    text = verdict_table([check(leap([(0, 0, 5_000_000)]), claim)])
    assert "fails at 4,941,170"[:8] in text
    assert f"fails at {1234 * 4005:,}" in text
    assert "5,000,000" in text


@pytest.mark.parametrize("name", ["tokens[max]", "a[/b]", "[bold]x", ":smile:", "x" * 60])
def test_a_name_is_shown_as_it_is(name: str) -> None:
    claim = Claim(name, "every iteration", lambda i, d: True)
    assert name in verdict_table([check(leap(PATH), claim)])


def test_numbers_stand_to_the_right() -> None:
    lines = table(("a", "n"), [("x", "1"), ("y", "1000")], ("n",)).splitlines()
    assert lines[-2].endswith("    1")
    assert lines[-1].endswith(" 1000")


def test_the_figures_of_a_run() -> None:
    result = run([(0, 128, 1), (4640, 128, 1), (10**9, 1, 1)], horizon=20_000)
    assert figures(result) == {
        "iterations": 3,
        "arrivals": 2,
        "ended": 2,
        "engine": "step",
        "response": {"mean": (13290 + 8650) / 2, "p99": 13290},
    }
    assert figure_lines(result).splitlines() == [
        "iterations  3",
        "arrivals    2",
        "ended       2",
        "evaluator   step",
        "response    mean 0.011 s, p99 0.013 s",
    ]


def test_no_session_ended_has_no_response() -> None:
    result = leap([(0, 128, 1)], horizon=5)
    assert figures(result)["response"] == {"mean": None, "p99": None}
    assert figure_lines(result).splitlines()[-1] == "response    no session ended"


@pytest.mark.parametrize("count", [1, 2, 50, 99, 100, 101, 199, 200, 201, 700, 1000, 1900])
def test_p99_is_the_smallest_response_that_99_in_100_do_not_exceed(count: int) -> None:
    # session i of no tokens but one decode each: responses 4005 x 1 .. count, apart from each other
    result = leap([(10**9 * i, 0, i + 1) for i in range(count)])
    rank = -(-99 * count // 100)
    assert figures(result)["response"]["p99"] == 4005 * rank


def test_p99_of_a_long_run_is_exact() -> None:
    for count in range(100, 100_001, 100):
        assert math.ceil(0.99 * count) == 99 * count // 100, count


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (0, "0.000 s"),
        (1_295_190.68, "1.295 s"),
        (10**12, "1,000,000.000 s"),
        (10**18, "1.000e+12 s"),
    ],
)
def test_a_time_for_a_person_is_in_seconds(microseconds: float, text: str) -> None:
    assert seconds(microseconds) == text


@pytest.mark.parametrize("power", [20, 310, 4000])
def test_a_time_of_any_length_can_be_shown(power: int) -> None:
    assert seconds(10**power) == f"1.000e+{power - 6} s"
    assert "response" in figure_lines(leap([(0, 0, 10**power)]))


def test_the_json_of_a_verdict_has_the_fields_of_the_design() -> None:
    verdict = check(leap([(0, 129, 1)]), optimal_tiling, given=False)
    assert verdict_json(verdict) == {
        "kind": "every iteration",
        "result": "fails",
        "checked": 3,
        "failures": 1,
        "first": 4640,
    }


def row(claim: Claim = token_rate, scheduler: Any = rad, **more: Any) -> dict[str, Any]:
    plan = Plan(**({"examples": 1, "seed": 3} | more))
    (finding,) = search(
        {claim.name: claim}, Loaded(name="x", call=scheduler, source=scheduler), plan
    )
    return finding_row(finding)


def test_a_row_is_plain_data_that_says_the_same_twice() -> None:
    one = row()
    assert json.loads(json.dumps(one)) == one
    assert one == row()
    assert (one["claim"], one["kind"], one["seed"]) == ("token_rate", "every iteration", 3)
    assert (one["result"], one["first"], one["error"]) == ("not evaluated", None, None)


def test_the_table_of_a_search_says_what_was_not_reached() -> None:
    found = row()
    lines = finding_table([found]).splitlines()
    assert "not evaluated" in lines[2]
    missing = [name for name in SITUATIONS if not found["sometimes"][name]]
    assert lines[-1] == f"token_rate: no path reached: {', '.join(missing)}"


def test_the_table_of_a_search_says_when_it_fails() -> None:
    found = row(optimal_tiling, MUTANTS["chunk_127"])
    lines = finding_table([found]).splitlines()
    assert len(lines) == 3
    assert lines[2].split() == [
        *("optimal_tiling", "every", "iteration", "fails", "at", "0"),
        f"{found['iterations']:,}",
        f"{found['paths']:,}",
    ]


@pytest.mark.parametrize(
    ("cut", "unknown", "cell", "notes"),
    [
        (0, 0, "holds", []),
        (
            3,
            0,
            "holds as far as checked (7 of 10 paths in full)",
            ["token_rate: 3 of 10 paths were not run to their end"],
        ),
        (
            0,
            2,
            "holds as far as checked (8 of 10 paths in full)",
            ["token_rate: unknown on 2 of 10 paths; the first: too long"],
        ),
        (
            3,
            2,
            "holds as far as checked (5 of 10 paths in full)",
            [
                "token_rate: 3 of 10 paths were not run to their end",
                "token_rate: unknown on 2 of 10 paths; the first: too long",
            ],
        ),
    ],
)
def test_a_result_with_an_open_path_is_never_a_plain_holds(
    cut: int, unknown: int, cell: str, notes: list[str]
) -> None:
    found = Finding(
        claim=token_rate,
        result=Result.HOLDS,
        iterations=5,
        paths=10,
        sometimes=dict.fromkeys(SITUATIONS, 1),
        seed=0,
        scaled=False,
        left_out=0,
        cut=cut,
        unknown=unknown,
        reason="too long" if unknown else "",
    )
    data = finding_row(found)
    assert (data["cut"], data["unknown"], data["reason"]) == (cut, unknown, found.reason)
    assert data["result"] == ("holds as far as checked" if cut or unknown else "holds")
    lines = finding_table([data]).splitlines()
    assert lines[2].split("   ")[2].strip() == cell
    assert lines[3:] == notes


def test_a_failure_stays_one_whatever_was_cut() -> None:
    found = row(optimal_tiling, MUTANTS["chunk_127"]) | {"cut": 3}
    text = finding_table([found])
    assert "fails at 0" in text
    assert "as far as checked" not in text


def test_a_scaled_down_search_is_named_so() -> None:
    found = row(scaled=True)
    assert "token_rate (scaled down)" in finding_table([found])
    header = sometimes_table([found]).splitlines()[0]
    assert "token_rate (scaled down)" in header


def test_the_situations_table_has_a_row_for_each() -> None:
    found = row()
    text = sometimes_table([found])
    for name, count in found["sometimes"].items():
        assert any(
            line.strip().startswith(name) and line.rstrip().endswith(f" {count:,}")
            for line in text.splitlines()
        )


def test_results_are_the_words_of_the_design() -> None:
    assert {r.value for r in Result} == {
        *("holds", "fails", "witnessed", "not evaluated", "out of scope", "unknown")
    }


def test_a_failure_that_is_not_seen_again_is_said_to_be_one() -> None:
    row = {"result": "fails", "first": 7, "again": "holds"}
    assert result_text(row) == "fails at 7 (not reproducible)"
    assert result_text(row | {"again": None}) == "fails at 7"
