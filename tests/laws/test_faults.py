"""The laws that the machine keeps: a scheduler that breaks one is named, with the law."""

from __future__ import annotations

import pytest

from radproof.laws import LAWS
from radproof.laws.faults import broken_by
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
