"""The kill matrix: which claims, laws and lemmas catch a mutant, how fast, on how small a path."""

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
"""A hunt draws 400 paths of up to 12 sessions: with a tile of two tokens that is a crowd."""

ALSO = 60
"""Paths of each family on which every other claim and law is asked about a mutant."""

HUNT_SEED = 0


@attrs.frozen
class Kill:
    """What caught a mutant."""

    mutant: Mutant
    killed_by: str | None
    """The claim or law that must; None where it did not."""
    path: Path | None
    """The smallest path found."""
    minimal: bool
    """Whether it is 1-minimal."""
    seconds: float
    """Until the path was minimal."""
    also: tuple[str, ...] = ()
    """Every other claim and law that broke."""
    refuted: str | None = None
    """The first lemma that Z3 refutes; None: it refutes none, or is not asked, since a scheduler
    that is not in rule form can only be tested."""


def plan(mutant: Mutant) -> Plan:
    """How a mutant is hunted."""
    return Plan(mutant.deployment, examples=EXAMPLES, max_sessions=SESSIONS, seed=HUNT_SEED)


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
    """Every mutant's kill, one at a time, with all else that breaks on a few drawn paths."""
    from radproof.proof.prove import first_refuted

    for mutant in mutants:
        kill = hunt(mutant)
        found = broken_names(checks(), mutant.loaded, attrs.evolve(plan(mutant), examples=ALSO))
        also = tuple(name for name in found if name != kill.killed_by)
        yield attrs.evolve(kill, also=also, refuted=first_refuted(mutant.loaded))
