"""Who discharges each hypothesis of each lemma that a theorem uses, found by asking Z3.

A lemma enters a composition as an instance, its hypotheses and its goal at the terms of the use.
Each of these hypotheses must follow from the composition's own facts and from the instances of
other lemmas; here it is asked from which.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import attrs
import z3

from radproof.lemmas.obligations import Fact, Lemma, Sequent, Source, Use, World
from radproof.lemmas.opaque import as_asked, opaque
from radproof.lemmas.symbols import NODE, boolean, node, variables
from radproof.readers.terms import Names

BUDGET = 2_000_000
"""Z3's rlimit for one question; the hardest needs a hundredth of it."""


@attrs.frozen
class Discharge:
    """One hypothesis of one use of a lemma, and what it follows from."""

    composition: str
    place: int
    """The use's place among those of the composition."""
    lemma: str
    where: str
    """When the use is needed, in words; "": always."""
    hypothesis: str
    """The hypothesis, in the lemma's own variables."""
    by: tuple[str, ...] | None
    """The facts and the lemmas that it follows from, none of which can be left out; None: open."""


@attrs.frozen
class _Ground:
    """Something that a hypothesis may follow from."""

    name: str
    level: int
    """How soon it is tried."""
    term: z3.BoolRef


_LEVELS = tuple(Source)


def discharges(composition: Lemma, world: World) -> Iterator[Discharge]:
    """Each hypothesis of each lemma that the composition uses."""
    sequent = as_asked(composition, world)
    for place, use in enumerate(sequent.uses):
        others = [one for other, one in enumerate(sequent.uses) if other != place]
        grounds = _grounds(sequent, others)
        texts = hypotheses(use.lemma, world)
        for text, fact in zip(texts, use.sequent.given, strict=True):
            if fact is not True:
                by = _minimal(grounds, use, boolean(fact))
                yield Discharge(composition.name, place, use.lemma.name, use.where, text, by)


def left_open(composition: Lemma, world: World, without: Collection[str]) -> str | None:
    """What is open in the composition without these lemmas: the first hypothesis, or a goal.

    None: it follows without them.
    """
    sequent = as_asked(composition, world)
    uses = [use for use in sequent.uses if use.lemma.name not in without]
    facts = [boolean(fact) for fact in sequent.given]
    for place, use in enumerate(uses):
        others = [boolean(one.truth) for other, one in enumerate(uses) if other != place]
        known = [*facts, *others, boolean(use.when)]
        for text, fact in zip(hypotheses(use.lemma, world), use.sequent.given, strict=True):
            if not _follows(known, boolean(fact)):
                return f"{composition.name}, lemma {use.lemma.name}, hypothesis {text}"
    known = [*facts, *(boolean(use.truth) for use in uses)]
    for part in sequent.goal:
        if not _follows(known, boolean(part.truth)):
            return f"{composition.name}, {part.text}"
    return None


def hypotheses(lemma: Lemma, world: World) -> tuple[str, ...]:
    """The text of each hypothesis of a lemma, in its own variables; rules by their names."""
    v = Names(variables({**NODE, **lemma.sorts}))
    d = node(v, v.b_lcm if "b_lcm" in lemma.sorts else None)
    return tuple(_text(boolean(fact)) for fact in lemma.build(v, opaque(world, d)).given)


def _text(term: z3.BoolRef) -> str:
    text = re.sub(r"\s+", " ", str(term))
    return text.replace("tiles*b_col", "b_lcm").replace("b_lcm + slack", "chunk")


def _grounds(sequent: Sequent, uses: Sequence[Use]) -> list[_Ground]:
    found = [
        _Ground(_name(fact), _LEVELS.index(fact.source), boolean(fact.holds))
        for fact in sequent.facts
    ]
    return found + [_Ground(use.lemma.name, len(_LEVELS), boolean(use.truth)) for use in uses]


def _name(fact: Fact) -> str:
    of = f" ({fact.invariant})" if fact.invariant else ""
    return f"{fact.source.value}{of}: {fact.text}"


def _minimal(grounds: Sequence[_Ground], use: Use, goal: z3.BoolRef) -> tuple[str, ...] | None:
    """The names of grounds that give the goal, none of which can be left out; None: none do."""
    solver = z3.Solver()
    solver.set("rlimit", BUDGET)
    solver.add(boolean(use.when), z3.Not(goal))
    switches = [z3.Bool(f"ground {place}") for place in range(len(grounds))]
    solver.add(*(z3.Implies(on, one.term) for on, one in zip(switches, grounds, strict=True)))

    def give(kept: list[int]) -> bool:
        return bool(solver.check(*(switches[place] for place in kept)) == z3.unsat)

    for level in range(-1, len(_LEVELS) + 1):
        kept = [place for place, one in enumerate(grounds) if one.level <= level]
        if give(kept):
            break
    else:
        return None
    for place in reversed(kept):
        rest = [other for other in kept if other != place]
        if give(rest):
            kept = rest
    return tuple(dict.fromkeys(grounds[place].name for place in kept))


def _follows(known: Sequence[z3.BoolRef], goal: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", BUDGET)
    solver.add(*known, z3.Not(goal))
    return bool(solver.check() == z3.unsat)
