"""Compositions: how lemmas make a theorem, each step of it asked of a solver too.

A theorem's proof is an induction over the events of a path, and inside an iteration over the jobs
of its list. A composition is one case of it: from the invariants before an event to those after
it, and to what the theorem claims there. Rules and claims are opaque in it (`opaque`), so it says
nothing of them but what its instances of lemmas do, and an instance is of use only where its
hypotheses follow from the deployment's ranges, the path's, the theorem's premise, the induction
hypothesis and the loop's equations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from radproof.lemmas.obligations import (
    COMPOSITION,
    USUAL_BUDGET,
    Build,
    Fact,
    Lemma,
    Part,
    Sequent,
    Source,
    Use,
    World,
    lemma,
)
from radproof.number import Num, Truth
from radproof.readers.terms import Names

STATE = ("at time 0", "an iteration", "an idle time")
"""The events of a path, for an invariant about its clock and counts."""

RESIDENT = ("a session arrives", "a job stays", "a prompt rejoins as a decode")
"""How a job comes to be in the list after an event, for an invariant about every resident."""

FILL = ("before the first job", "a job is passed")
"""The events of a fill, for an invariant of it."""

PASSED = ("a job is passed",)
EACH_BATCH = ("an iteration",)
"""For what is shown of every job, or of every batch, rather than carried on."""


@attrs.frozen
class Invariant:
    """A statement that an induction carries on: assumed before an event, shown after it."""

    name: str
    events: tuple[str, ...]
    """The events that must keep it: a theorem that assumes it shows it after each of them."""
    parts: Callable[[Names, World], tuple[Part, ...]] = attrs.field(repr=False)
    claimed: bool = False
    """Whether the theorem claims it, rather than only needs it."""

    def given(self, v: Names, world: World) -> tuple[Fact, ...]:
        """The invariant as hypotheses."""
        return tuple(
            Fact(Source.INVARIANT, part.text, part.truth, self.name)
            for part in self.parts(v, world)
        )

    def goal(self, v: Names, world: World) -> tuple[Part, ...]:
        """The invariant as a goal."""
        return tuple(attrs.evolve(part, invariant=self.name) for part in self.parts(v, world))


def composed(
    facts: tuple[Fact, ...], goal: tuple[Part, ...], uses: tuple[Use, ...] = ()
) -> Sequent:
    """The sequent of a composition."""
    return Sequent(tuple(fact.holds for fact in facts), goal, uses, facts)


def composition(
    event: str, sorts: Mapping[str, type], *, name: str, lean: str = "", budget: int = USUAL_BUDGET
) -> Callable[[Build], Lemma]:
    """Make a composition, as `obligations.lemma` does a lemma; `event` is its case."""

    def made(build: Build) -> Lemma:
        found = lemma(COMPOSITION, sorts, name=name, lean=lean, budget=budget)(build)
        return attrs.evolve(found, event=event)

    return made


def equation(v: Names, variable: str, function: Callable[..., Num], *arguments: Any) -> Fact:
    """The variable is what a function of `loop` gives."""
    value = function(*arguments)
    holds: Truth = getattr(v, variable) == value
    return Fact(Source.LOOP, function.__name__, holds, defines=variable, value=value)


def looped(text: str, holds: Truth) -> Fact:
    """Another fact of the loop: which branch it took, or what its list is."""
    return Fact(Source.LOOP, text, holds)


def deployment(v: Names) -> tuple[Fact, ...]:
    """The ranges of every deployment (`symbols.any_node`), and the premise about its chunk."""
    return (
        Fact(Source.DEPLOYMENT, "b_col >= 1", v.b_col >= 1),
        Fact(Source.DEPLOYMENT, "b_lcm a positive multiple of b_col", v.tiles >= 1),
        Fact(Source.PREMISE, "chunk >= b_lcm", v.slack >= 0),
        Fact(Source.DEPLOYMENT, "t_lin >= 0", v.t_lin >= 0),
        Fact(Source.DEPLOYMENT, "t_nl >= 0", v.t_nl >= 0),
    )
