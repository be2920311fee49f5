"""One walk along a run for all laws of a path: the same on stretches, and bounded."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from radproof.strategies import cases

from radproof import Deployment, leap, run
from radproof.claims import FAMILIES, Result, check
from radproof.laws import LAWS
from radproof.mutants import CATALOGUE


@pytest.mark.parametrize("family", FAMILIES)
def test_the_verdicts_on_stretches_are_those_on_iterations(family: Any) -> None:
    @given(cases(family, max_sessions=12))
    @quick(60)
    def property_(case: Any) -> None:
        deployment, path = case
        leapt = leap(path, deployment)
        if leapt.iterations > 300:
            return
        stepped = run(path, deployment)
        for law in LAWS.values():
            assert check(stepped, law.claim) == check(leapt, law.claim)

    property_()


@pytest.mark.parametrize("name", ["budget_256", "round_robin", "prefill_first", "threshold_129"])
def test_the_verdicts_under_a_mutant_are_the_same_on_stretches(name: str) -> None:
    scheduler = CATALOGUE[name].scheduler
    path = [(40 * n, 2 * (1 + n % 4), n % 5) for n in range(30)]
    d = Deployment(b_col=2, t_lin=40, t_nl=5)
    stepped, leapt = run(path, d, scheduler), leap(path, d, scheduler)
    for law in LAWS.values():
        assert check(stepped, law.claim) == check(leapt, law.claim)


def test_a_horizon_in_the_middle_breaks_no_law() -> None:
    for horizon in range(0, 30_000, 577):
        result = run([(0, 300, 3), (100, 128, 0), (9_000, 0, 0), (5_000, 0, 2)], horizon=horizon)
        broken = [n for n, law in LAWS.items() if check(result, law.claim).result is Result.FAILS]
        assert broken == []


def test_a_run_that_was_cut_breaks_no_law() -> None:
    for limit in range(12):
        result = run([(0, 300, 3), (100, 128, 0), (9_000, 0, 0), (5_000, 0, 2)], limit=limit)
        broken = [n for n, law in LAWS.items() if check(result, law.claim).result is Result.FAILS]
        assert broken == []


def test_a_law_that_nothing_reached_is_not_evaluated() -> None:
    result = run([(0, 0, 3)])
    assert check(result, LAWS["prefill_order"].claim).result is Result.NOT_EVALUATED
    assert check(result, LAWS["finish_order"].claim).result is Result.NOT_EVALUATED
    assert check(result, LAWS["decode_bound"].claim).result is Result.OUT_OF_SCOPE


def test_a_long_run_is_unknown_past_the_most_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radproof.laws.ledger.MOST_ENTRIES", 10)
    verdict = check(run([(0, 0, 30)]), LAWS["served_recomputed"].claim)
    assert verdict.result is Result.UNKNOWN
    assert verdict.reason == "the law was checked for the first 10 iterations only"


def test_a_law_costs_as_much_on_a_long_stretch_as_on_a_short_one() -> None:
    long = leap([(0, 128 * 10**12, 10**15), (5, 0, 10**18)])
    results = {name: check(long, law.claim).result for name, law in LAWS.items()}
    assert Result.FAILS not in results.values()
    assert results["conservation"] is Result.HOLDS
    assert check(long, LAWS["clock"].claim).checked == long.iterations
