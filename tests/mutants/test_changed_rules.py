"""RAD with one rule changed: what the two claims see of each, at the seed's deployment."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from helpers import quick
from hypothesis import Phase, find, settings
from radproof.strategies import cases

from radproof import RULES, RuleScheduler, SchedulerError, leap, rad
from radproof.cli.main import main
from radproof.files.paths import read
from radproof.mutants import MUTANTS

CAUGHT_BY = {
    "chunk_127": ("optimal_tiling", 1),
    "budget_127": ("optimal_tiling", 1),
    "budget_256": ("optimal_tiling", 2),
    "threshold_127": ("optimal_tiling", 128),
    "decode_first": ("optimal_tiling", 2),
    "mixed": ("optimal_tiling", 2),
    "floor_for_ceil": ("token_rate", 1),
    "no_t_nl": ("token_rate", 1),
    "one_too_small": ("token_rate", 1),
    "served_twice": ("token_rate", 1),
}
"""The claim that catches a mutant at the seed's deployment, the sessions of its minimal path."""

NOT_CAUGHT = {
    "threshold_129": "a 129th prefill still fills its tile",
    "greater": "as threshold_129",
    "shortest_first": "both claims are blind to the order of service",
}
"""Mutants on which both claims hold, and why."""


def test_the_mutants_judged_by_the_two_claims_are_all_there() -> None:
    assert set(MUTANTS) >= set(CAUGHT_BY) | set(NOT_CAUGHT)


def outcome(scheduler: RuleScheduler, case: Any) -> Any:
    deployment, path = case
    try:
        result = leap(path, deployment, scheduler, limit=2_000)
    except SchedulerError as error:
        return str(error)
    return result.completions, [s.first for s in result.stretches], result.iterations


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_differs_from_rad_on_some_path(name: str) -> None:
    drawn = cases(max_sessions=6).map(
        lambda case: (case[0], tuple(type(s)(s.arrive, s.prompt, s.output % 20) for s in case[1]))
    )
    found = find(
        drawn.filter(lambda case: sum(s.prompt for s in case[1]) < 1_000),
        lambda case: outcome(MUTANTS[name], case) != outcome(rad, case),
        settings=settings(quick(2_000), phases=[Phase.generate]),
    )
    assert found


@pytest.mark.parametrize("name", [*CAUGHT_BY, *NOT_CAUGHT])
def test_a_mutant_has_one_thing_changed(name: str) -> None:
    fields = type(RULES).__attrs_attrs__  # type: ignore[attr-defined]
    rules = MUTANTS[name].rules
    changed = [a.name for a in fields if getattr(rules, a.name) is not getattr(RULES, a.name)]
    assert len(changed) + (MUTANTS[name].order is not None) == 1


def test_a_prompt_that_is_prefilled_whole_takes_two_rules() -> None:
    rules = MUTANTS["whole_prompts"].rules
    assert rules.want(False, 300, None) == 300
    assert rules.take(300, 128) == 300
    assert attrs.evolve(rules, want=RULES.want, take=RULES.take) == RULES


@pytest.mark.parametrize("name", CAUGHT_BY)
def test_a_mutant_is_caught_with_exit_code_1_and_its_smallest_path(
    name: str, tmp_path: Any
) -> None:
    claim, sessions = CAUGHT_BY[name]
    arguments = ["check", "--scheduler", f"radproof.mutants:{name}", "--claim", claim]
    result = CliRunner().invoke(main, [*arguments, "--examples", "300", "--out", str(tmp_path)])
    assert result.exit_code == 1, result.output
    (file,) = tmp_path.glob("*.json")
    found = read(file)
    assert len(found.sessions) == sessions
    assert found.breaks is not None
    assert (found.breaks.name, found.breaks.minimal) == (claim, True)
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert (replayed.exit_code, "\nreproduced." in replayed.output) == (1, True)


@pytest.mark.parametrize("name", NOT_CAUGHT)
def test_a_mutant_that_both_claims_hold_on_is_not_said_to_fail(name: str, tmp_path: Any) -> None:
    arguments = ["check", "--scheduler", f"radproof.mutants:{name}", "--examples", "25"]
    result = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path)])
    assert result.exit_code in (0, 3), result.output
    assert list(tmp_path.iterdir()) == []
