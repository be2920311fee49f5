"""The laws as a whole: RAD keeps them, and each has a name and a group."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import in_order, quick
from hypothesis import given
from radproof.strategies import cases, paths

from radproof import SEED, BadInput, leap, rad
from radproof.claims import FAMILIES, Result, check
from radproof.laws import GROUPS, LAWS, asked_of, checks, claim_named, laws_of
from radproof.mutants.engines import Engine
from radproof.schedulers import slai
from radproof.schedulers.adapters import adapt


@pytest.mark.parametrize("family", FAMILIES)
def test_rad_keeps_every_law(family: Any) -> None:
    @given(cases(family))
    @quick(60)
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
    asked, _ = asked_of(GROUPS, rad, SEED)
    assert {check(result, claim).result for claim in asked.values()} == {Result.HOLDS}


def test_the_laws_that_a_scheduler_cannot_be_asked_are_named_with_the_reason() -> None:
    asked, reasons = asked_of(["engine"], in_order, SEED)
    assert set(reasons) == {"work_conserving", "own_count"}
    assert list(asked) == [law.name for law in laws_of(["engine"]) if law.name not in reasons]
    assert asked_of(["rad"], in_order, SEED)[1] == {}
    assert asked_of(["engine"], adapt(Engine), SEED)[1] == {}
    assert set(asked_of(["engine"], slai, SEED)[1]) == {*reasons, "no_starvation"}


def test_the_groups() -> None:
    assert [law.name for law in laws_of(GROUPS)] == list(LAWS)
    assert {law.group for law in laws_of(["engine"])} == {"engine"}
    with pytest.raises(BadInput, match=r"unknown laws 'engin'. Did you mean 'engine'"):
        laws_of(["engin"])


def test_the_two_claims_and_the_laws_have_names_of_their_own() -> None:
    assert len(checks()) == len(LAWS) + 2


def test_a_law_is_found_by_its_name() -> None:
    assert claim_named("clock") is LAWS["clock"].claim
    with pytest.raises(BadInput, match=r"unknown claim 'clok'. Did you mean 'clock'"):
        claim_named("clok")
    with pytest.raises(BadInput, match=r"'radproof.rules:RULES' is Rules, not a radproof.Claim"):
        claim_named("radproof.rules:RULES")


def test_paths_of_the_positive_family_have_no_empty_prompt() -> None:
    @given(paths("positive", SEED, max_sessions=40))
    @quick(60)
    def property_(path: Any) -> None:
        assert all(session.prompt and session.prompt % 128 == 0 for session in path)

    property_()
