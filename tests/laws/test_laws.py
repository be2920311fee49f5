"""The laws as a whole: RAD keeps them, both evaluators agree, and each can be broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from radproof.strategies import cases, paths

from radproof import SEED, BadInput, Deployment, leap, rad, run
from radproof.claims import FAMILIES, Result, check
from radproof.laws import GROUPS, LAWS, broken_by, checks, laws_of
from radproof.laws.law import PROVED_BY
from radproof.mutants import CATALOGUE

QUICK = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("family", FAMILIES)
def test_rad_keeps_every_law(family: Any) -> None:
    @given(cases(family))
    @QUICK
    def property_(case: Any) -> None:
        deployment, path = case
        result = leap(path, deployment)
        broken = {
            name: (verdict.first, verdict.reason)
            for name, law in LAWS.items()
            if (verdict := check(result, law.claim)).result in (Result.FAILS, Result.UNKNOWN)
        }
        assert broken == {}

    property_()


def test_rad_keeps_every_law_with_a_crowd_of_tiles_at_the_seed_s_deployment() -> None:
    path = [(900 * n, 128 * (1 + n % 3), n % 7) for n in range(300)]
    result = leap(path)
    results = {name: check(result, law.claim).result for name, law in LAWS.items()}
    assert set(results.values()) == {Result.HOLDS}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_verdicts_on_stretches_are_those_on_iterations(family: Any) -> None:
    @given(cases(family, max_sessions=12))
    @QUICK
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


def test_a_long_run_is_unknown_where_the_budget_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radproof.laws.ledger.BUDGET", 10)
    verdict = check(run([(0, 0, 30)]), LAWS["served_recomputed"].claim)
    assert verdict.result is Result.UNKNOWN
    assert verdict.reason == "the law was followed for 10 iterations, and no further"


def test_a_law_costs_as_much_on_a_long_stretch_as_on_a_short_one() -> None:
    long = leap([(0, 128 * 10**12, 10**15), (5, 0, 10**18)])
    results = {name: check(long, law.claim).result for name, law in LAWS.items()}
    assert Result.FAILS not in results.values()
    assert results["conservation"] is Result.HOLDS
    assert check(long, LAWS["clock"].claim).checked == long.iterations


def test_a_law_s_definition_is_a_formula_where_it_is_about_one_record() -> None:
    symbolic = {name for name, law in LAWS.items() if law.symbolic}
    assert symbolic == {n for n, law in LAWS.items() if law.claim.kind == "every iteration"}
    assert len(symbolic) >= 10


def test_the_groups() -> None:
    assert [law.name for law in laws_of(GROUPS)] == list(LAWS)
    assert {law.group for law in laws_of(["engine"])} == {"engine"}
    with pytest.raises(BadInput, match=r"unknown laws 'engin'. Did you mean 'engine'"):
        laws_of(["engin"])


def test_what_stands_behind_a_law_is_said() -> None:
    for law in LAWS.values():
        assert law.statement
        assert law.source
        assert (Path(__file__).parents[2] / law.tested).is_file()
        assert law.evidence.endswith(f"tested by {law.tested}")


def test_the_two_claims_and_the_laws_have_names_of_their_own() -> None:
    assert len(checks()) == len(LAWS) + 2


def test_a_fault_breaks_a_law() -> None:
    assert {broken_by(kind) for kind in ("stuck", "impure", "decode", "tokens", "raised")} == {
        "progress",
        "pure",
        "one_token_per_decode",
        "batch_not_empty",
        "well_formed",
    }


def test_paths_of_the_positive_family_have_no_empty_prompt() -> None:
    @given(paths("positive", SEED, max_sessions=40))
    @QUICK
    def property_(path: Any) -> None:
        assert all(session.prompt and session.prompt % 128 == 0 for session in path)

    property_()
    assert rad.leaps


def test_the_lemmas_that_a_law_follows_from_are_lemmas() -> None:
    from radproof.proof.catalogue import LEMMAS

    names = {lemma.name for lemma in LEMMAS}
    assert set(PROVED_BY) <= set(LAWS)
    for lemmas in PROVED_BY.values():
        assert set(lemmas) <= names
    assert LAWS["active_bound"].evidence == (
        "proved by decodes_fit, one_part_filled; tested by tests/laws/test_path.py"
    )
