from __future__ import annotations

import attrs

from radproof.report.baseline import Change
from radproof.report.summary import summary
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding


def test_the_summary_has_the_table_and_the_smallest_path(
    findings: list[Finding], tail_alone: Loaded
) -> None:
    text = summary(findings, tail_alone.name)
    assert text.startswith(f"## radproof: {tail_alone.name}: ")
    assert "| `prefill_filled` | rad | **fails** |" in text
    assert "| `clock` | engine | holds |" in text
    assert "Smallest path, (arrive, prompt, output): `2 x (0, 1, 0)`" in text
    assert "Since the baseline" not in text


def test_a_summary_where_all_hold_is_the_table_alone(findings: list[Finding]) -> None:
    (clock,) = [finding for finding in findings if finding.claim.name == "clock"]
    text = summary([clock], "x")
    assert text.startswith("## radproof: x: all hold\n")
    assert "###" not in text


def test_a_summary_of_paths_that_were_cut_says_so(findings: list[Finding]) -> None:
    (clock,) = [finding for finding in findings if finding.claim.name == "clock"]
    text = summary([attrs.evolve(clock, cut=1)], "x")
    assert text.startswith("## radproof: x: all hold as far as checked\n")
    assert "| `clock` | engine | holds as far as checked |" in text


def test_the_summary_lists_the_changes(findings: list[Finding]) -> None:
    change = Change("newly failing", "clock", "holds, now fails", worse=True)
    assert ("\n### Since the baseline\n\n- newly failing: clock (holds, now fails)\n") in summary(
        findings, "x", [change]
    )


def test_a_finding_without_an_answer_has_no_path(undecided: Finding) -> None:
    text = summary([undecided], "few")
    assert "1 of 1 do not hold" in text
    assert "### token_rate\n\ntoken_rate is not evaluated: " in text
    assert "Smallest path" not in text
