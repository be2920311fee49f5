"""A mutant is declared above its function, and is a scheduler by its name."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

import radproof.mutants
from radproof import RULES, Job, RuleScheduler, rad, run
from radproof.mutants import (
    CATALOGUE,
    FREE,
    MUTANTS,
    TILE_OF_TWO,
    changed_rules,
    decisions,
    engines,
)
from radproof.mutants.catalogue import mutant
from radproof.schedulers.loading import load


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test enters is forgotten after it."""
    monkeypatch.setattr("radproof.mutants.catalogue.CATALOGUE", dict(CATALOGUE))


def entered(name: str) -> Any:
    from radproof.mutants import catalogue

    return catalogue.CATALOGUE[name]


def test_a_changed_rule_stands_in_a_scheduler_in_rule_form() -> None:
    @mutant(changes="budget", killed_by="optimal_tiling", source="a report", deployment=FREE)
    def budget_0(mode: Any, d: Any) -> Any:
        """There is nothing
        to spend.

        Never.
        """
        return 0

    found = entered("budget_0")
    assert budget_0 is found.scheduler
    assert attrs.evolve(found.scheduler.rules, budget=RULES.budget) == RULES
    assert found.scheduler.rules.budget(True, None) == 0
    assert (found.about, found.source) == ("there is nothing to spend", "a report")
    assert (found.killed_by, found.deployment) == ("optimal_tiling", FREE)
    assert found.spec == "radproof.mutants:budget_0"


def test_more_than_one_rule_can_be_changed() -> None:
    def everything(wanted: Any, remaining: Any) -> Any:
        return wanted

    @mutant(changes="want", killed_by="batch_budget", take=everything)
    def all_of_it(decoding: Any, left: Any, d: Any) -> Any:
        """All of it."""
        return left

    rules = entered("all_of_it").scheduler.rules
    assert rules.take is everything
    assert attrs.evolve(rules, want=RULES.want, take=RULES.take) == RULES


def test_a_changed_order_leaves_the_rules() -> None:
    @mutant(changes="order", killed_by="prefill_order")
    def by_prompt(job: Job) -> int:
        """The shortest prompt goes first."""
        return job.prompt

    scheduler = entered("by_prompt").scheduler
    assert scheduler.rules == RULES
    assert scheduler.order.__name__ == "by_prompt"


def test_a_decision_is_a_scheduler_itself() -> None:
    @mutant(killed_by="mode")
    def as_rad(view: Any) -> Any:
        """It decides as RAD."""
        return rad(view)

    assert entered("as_rad").scheduler is as_rad
    assert not isinstance(as_rad, RuleScheduler)
    assert entered("as_rad").deployment is TILE_OF_TWO


def test_an_engine_s_class_is_a_scheduler_itself() -> None:
    class Correct(engines.Engine):
        """Nothing is wrong."""

    entered_class = mutant(killed_by="own_count")(Correct)
    found = entered("Correct")
    assert entered_class is found.scheduler
    assert run([(0, 3, 1)], TILE_OF_TWO, found.scheduler).iterations == 3
    assert found.about == "nothing is wrong"


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_mutant_stands_in_its_module_under_its_name(name: str) -> None:
    modules = [m for m in (changed_rules, decisions, engines) if name in vars(m)]
    assert [vars(module)[name] for module in modules] == [CATALOGUE[name].scheduler]
    assert CATALOGUE[name].about


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_named_as_a_user_s_scheduler_would_be(name: str) -> None:
    assert load(f"radproof.mutants:{name}").call is MUTANTS[name]
    assert MUTANTS[name] != rad


def test_a_mutant_is_a_scheduler_by_its_name() -> None:
    assert load("radproof.mutants:mixed").call is CATALOGUE["mixed"].scheduler
    assert radproof.mutants.tail_alone is CATALOGUE["tail_alone"].scheduler
    assert all(isinstance(mutant, RuleScheduler) for mutant in MUTANTS.values())


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chunk_128'"):
        _ = radproof.mutants.chunk_128
