"""The laws that the machine keeps: a scheduler that breaks one is named, with the law."""

from __future__ import annotations

import pytest

from radproof import Result, check, leap
from radproof.laws import LAWS, broken_by
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.schedulers.loading import Loaded
from radproof.search.search import Plan, search

FAULTY = {
    "session_duplicated": ("well_formed", "duplicate"),
    "empty_prompt_raises": ("well_formed", "raised"),
    "zero_tokens": ("batch_not_empty", "tokens"),
    "negative_chunk": ("batch_not_empty", "tokens"),
    "two_tokens_asked": ("one_token_per_decode", "decode"),
    "turns_by_a_counter": ("pure", "impure"),
    "changes_its_memory": ("pure", "impure"),
    "never_chunks": ("progress", "stuck"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_breaks_its_law_although_nobody_asked(name: str) -> None:
    law, kind = FAULTY[name]
    asked = {"clock": LAWS["clock"].claim}
    plan = Plan(TILE_OF_TWO, examples=200, max_sessions=8)
    findings = search(asked, Loaded.of(CATALOGUE[name].scheduler, name), plan)
    named = {finding.claim.name: finding for finding in findings}
    found = named[law].counterexample
    assert found is not None
    assert found.error is not None
    assert found.error.kind == kind
    assert broken_by(kind) == law


def test_a_fault_breaks_a_law() -> None:
    assert {broken_by(kind) for kind in ("stuck", "impure", "decode", "tokens", "raised")} == {
        "progress",
        "pure",
        "one_token_per_decode",
        "batch_not_empty",
        "well_formed",
    }


def test_a_kind_of_fault_breaks_one_law() -> None:
    kinds = [kind for law in LAWS.values() for kind in law.faults]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("name", ["well_formed", "pure"])
def test_a_run_that_exists_has_kept_them(name: str) -> None:
    result = leap([(0, 300, 3), (100, 128, 0)])
    verdict = check(result, LAWS[name].claim)
    assert (verdict.result, verdict.checked) == (Result.HOLDS, result.iterations)
