"""Engines with one thing wrong: each breaks its own law, and the correct one breaks none."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radproof import Deployment, View
from radproof.claims import Result
from radproof.laws import asked_of, laws_of
from radproof.model import PREFILL, Job
from radproof.mutants import CATALOGUE, TILE_OF_TWO, engines
from radproof.mutants.matrix import plan
from radproof.schedulers.loading import Loaded
from radproof.search.search import broken_names, search

LAWS = {law.name: law.claim for law in laws_of(["engine"])}
MUTANTS = [name for name in CATALOGUE if name in vars(engines)]


def test_the_engine_that_they_are_made_of_keeps_every_law() -> None:
    correct = Loaded.of(engines.Engine)
    asked, reasons = asked_of(["engine"], correct.call, TILE_OF_TWO)
    assert reasons == {}
    some = attrs.evolve(plan(CATALOGUE["one_admission"]), examples=30)
    assert {finding.result for finding in search(asked, correct, some)} == {Result.HOLDS}


# what is not computed of a prompt leaves room in a batch
ALSO = {"half_a_prompt": ["work_conserving"]}


@pytest.mark.parametrize("name", MUTANTS)
def test_each_breaks_its_own_law_alone(name: str) -> None:
    mutant = CATALOGUE[name]
    broken = broken_names(LAWS, mutant.loaded, attrs.evolve(plan(mutant), examples=30))
    assert sorted(broken) == sorted([mutant.killed_by, *ALSO.get(name, [])])


def first_batch(name: str, *prompts: int, b_col: int = 4) -> list[tuple[int, int]]:
    """The (session, tokens) of the first batch with these prompts waiting."""
    jobs = tuple(Job(n, PREFILL, n, prompt) for n, prompt in enumerate(prompts))
    scheduler: Any = CATALOGUE[name].scheduler
    batch, _ = scheduler(View(9, jobs, Deployment(b_col=b_col)))
    return [(entry.session, entry.tokens) for entry in batch]


def test_what_each_decides() -> None:
    assert first_batch("one_admission", 1, 1) == [(0, 1)]
    assert first_batch("newest_request_first", 1, 1, 1) == [(2, 1), (1, 1), (0, 1)]
    assert first_batch("shortest_request_first", 3, 1, 2) == [(1, 1), (2, 2), (0, 1)]
    assert first_batch("half_a_prompt", 6, 4) == [(0, 3), (1, 1)]
