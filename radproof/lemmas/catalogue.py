"""Every lemma, in the order of the argument, and the theorems they compose to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs

from radproof.errors import BadInput, did_you_mean
from radproof.lemmas import (
    bounds,
    composed_clock,
    composed_decodes,
    composed_leap,
    composed_order,
    composed_rate,
    composed_run,
    composed_tiling,
    fill,
    jobs,
    leap,
    lists,
    machine_code,
    rate,
    tiling,
)
from radproof.lemmas.composition import Invariant
from radproof.lemmas.obligations import COMPOSITION, WORLD, Lemma, Source, World, lemmas_in

SUBJECTS = (fill, rate, tiling, jobs, bounds, leap, lists, machine_code)
"""The modules of the lemmas, in the order of the argument."""

ARGUMENTS = (
    composed_run,
    composed_rate,
    composed_tiling,
    composed_order,
    composed_decodes,
    composed_clock,
    composed_leap,
)
"""The modules of their compositions."""

LEMMAS: tuple[Lemma, ...] = tuple(
    one for subject in (*SUBJECTS, *ARGUMENTS) for one in lemmas_in(subject)
)

COMPOSITIONS = tuple(one for one in LEMMAS if one.encoding == COMPOSITION)

INVARIANTS: dict[str, Invariant] = {
    one.name: one
    for argument in ARGUMENTS
    for one in vars(argument).values()
    if isinstance(one, Invariant)
}
"""By name, every invariant that a composition may assume."""


def shown_by(composition: Lemma) -> frozenset[str]:
    """The invariants that a composition shows after its event."""
    goal = composition.at_ones(WORLD).goal
    return frozenset(part.invariant for part in goal if part.invariant)


def assumed_by(composition: Lemma) -> frozenset[str]:
    """The invariants that a composition assumes."""
    facts = composition.at_ones(WORLD).facts
    return frozenset(fact.invariant for fact in facts if fact.invariant)


_SHOWN = {one.name: shown_by(one) for one in COMPOSITIONS}


@attrs.frozen(slots=False)
class Theorem:
    """What the lemmas compose to, by the induction principles of `trusted`.

    It is what the compositions in `claims` claim, of a run that goes on: so it rests on those of
    the run too. Whatever invariant one of them assumes is shown by others, and so on: these are
    found by program.
    """

    name: str
    lean: str
    claims: tuple[Lemma, ...]
    claim: str = ""
    """What a path breaks that breaks it, as a path's file says: a claim or law, or "scheduler"
    where the machine is stuck or refuses a batch; "" where no file says so."""

    @cached_property
    def compositions(self) -> tuple[Lemma, ...]:
        """All the cases of its proof: what it claims, and every case of each invariant."""
        todo = [*self.claims, *composed_run.CLAIMS]
        found = dict.fromkeys(one.name for one in todo)
        while todo:
            assumed = assumed_by(todo.pop(0))
            more = [one for one in COMPOSITIONS if _SHOWN[one.name] & assumed]
            todo += [one for one in more if one.name not in found]
            found |= dict.fromkeys(one.name for one in more)
        known = {one.name: one for one in (*COMPOSITIONS, *self.claims)}
        return tuple(one for name, one in known.items() if name in found)

    @cached_property
    def uncovered(self) -> tuple[str, ...]:
        """What its inductions lack: an invariant, and an event after which nothing shows it."""
        return tuple(
            f"{name} after: {event}"
            for name in sorted({name for one in self.compositions for name in assumed_by(one)})
            for event in INVARIANTS[name].events
            if not any(one.event == event and name in shown_by(one) for one in self.compositions)
        )

    @cached_property
    def rests_on(self) -> tuple[str, ...]:
        """The lemmas that its compositions use, each once, and those about the loop."""
        used = (name for one in self.compositions for name in one.rests_on)
        return tuple(dict.fromkeys((*used, *LOOP)))

    @cached_property
    def tree(self) -> tuple[str, ...]:
        """Its compositions, and every lemma below them or about the loop."""
        return below((*(one.name for one in self.compositions), *LOOP))

    def premises(self, world: World = WORLD) -> tuple[str, ...]:
        """What it assumes of the path and the deployment beyond their ranges."""
        return tuple(self._texts(Source.PREMISE, world))

    def statement(self, world: World = WORLD) -> str:
        """The theorem in words: its claims, and for what."""
        claims = (
            part.text
            for one in self.claims
            for part in one.at_ones(world).goal
            if not part.invariant or INVARIANTS[part.invariant].claimed
        )
        ranges = ", ".join(self._texts(Source.DEPLOYMENT, world))
        premises = ", ".join(self.premises(world))
        return f"{'; '.join(dict.fromkeys(claims))}. For {ranges}; if {premises}"

    def _texts(self, source: Source, world: World) -> Iterator[str]:
        facts = (fact for one in self.compositions for fact in one.at_ones(world).facts)
        yield from dict.fromkeys(fact.text for fact in facts if fact.source is source)


LOOP = tuple(one.name for one in lemmas_in(machine_code))
"""Every theorem takes the loop's equations from the lemmas that run the machine's own code."""

THEOREMS = (
    Theorem("run", "", composed_run.CLAIMS, "scheduler"),
    Theorem("token_rate", "BariRad.token_rate", composed_rate.CLAIMS, "token_rate"),
    Theorem("optimal_tiling", "BariRad.optimal_tiling", composed_tiling.CLAIMS, "optimal_tiling"),
    Theorem("arrival order", "", composed_order.CLAIMS),
    Theorem("decodes_fit", "", composed_decodes.CLAIMS, "decode_bound"),
    Theorem("clock", "", composed_clock.CLAIMS),
    Theorem("leap", "", composed_leap.CLAIMS),
)


def below(names: tuple[str, ...]) -> tuple[str, ...]:
    """These lemmas and all of which they use an instance, each once."""
    known = {lemma.name: lemma for lemma in LEMMAS}
    found: dict[str, None] = {}
    todo = list(names)
    while todo:
        name = todo.pop(0)
        if name not in found:
            found[name] = None
            todo += known[name].rests_on
    return tuple(found)


BESIDE = tuple(
    one.name for one in LEMMAS if not any(one.name in theorem.tree for theorem in THEOREMS)
)
"""The lemmas that restate serQ's, or are about whole lists: no theorem rests on them."""


def lemmas_named(name: str) -> tuple[Lemma, ...]:
    """The lemmas of this name: one, or a family that shares it before a bracket.

    A Lean name gives all that restate it. Raises BadInput, with the nearest name, for any other.
    """
    found = tuple(one for one in LEMMAS if name in (one.name, one.lean, one.name.split("[")[0]))
    if found:
        return found
    names = sorted({one.name for one in LEMMAS} | {one.lean for one in LEMMAS if one.lean})
    raise BadInput(
        f"unknown lemma {name!r}.{did_you_mean(name, names)} "
        "`radproof prove` without --lemma lists them all."
    )
