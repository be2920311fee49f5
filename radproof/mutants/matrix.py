"""The kill matrix: which claims, laws and proofs catch which mutant, how fast and on how little."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import attrs

from radproof.claims import Result
from radproof.laws import checks
from radproof.model import Path
from radproof.mutants.catalogue import Mutant
from radproof.search.search import Plan, broken_names, search

EXAMPLES = 400
SESSIONS = 12
"""A hunt draws so many paths of so many sessions: with a tile of two tokens that is a crowd."""

ALSO = 60
"""Paths of each family on which everything else is asked what it sees of a mutant."""

SEED = 0


@attrs.frozen
class Kill:
    """What caught a mutant.

    killed_by: the claim or law that must, None where it did not; path: the minimal path, minimal:
    whether it is 1-minimal; seconds: until it was minimal; also: everything else that broke;
    refuted: the first lemma that Z3 refutes, None where it refutes none or is not asked: a
    scheduler in other Python code than rule form can only be tested.
    """

    mutant: Mutant
    killed_by: str | None
    path: Path | None
    minimal: bool
    seconds: float
    also: tuple[str, ...] = ()
    refuted: str | None = None


def plan(mutant: Mutant) -> Plan:
    """How a mutant is hunted."""
    return Plan(mutant.deployment, examples=EXAMPLES, max_sessions=SESSIONS, seed=SEED)


def hunt(mutant: Mutant) -> Kill:
    """Hunt one mutant with the claim or law that must catch it."""
    started = time.perf_counter()
    claim = checks()[mutant.killed_by]
    finding, *_ = search({claim.name: claim}, mutant.loaded, plan(mutant))
    seconds = time.perf_counter() - started
    found = finding.counterexample
    killed = finding.result is Result.FAILS and found is not None
    return Kill(
        mutant=mutant,
        killed_by=mutant.killed_by if killed else None,
        path=found.path if found is not None else None,
        minimal=found is not None and found.minimal,
        seconds=seconds,
    )


def matrix(mutants: Iterable[Mutant]) -> Iterator[Kill]:
    """Every mutant's kill, and all else that breaks on the same paths. One at a time."""
    from radproof.proof.prove import first_refuted

    for mutant in mutants:
        kill = hunt(mutant)
        found = broken_names(checks(), mutant.loaded, attrs.evolve(plan(mutant), examples=ALSO))
        also = tuple(name for name in found if name != kill.killed_by)
        yield attrs.evolve(kill, also=also, refuted=first_refuted(mutant.loaded))
