"""A lemma: a builder of hypotheses and a goal, which several readers call.

`Lemma.build` is arithmetic over numbers, as the rules are. Called with z3 terms it gives what the
solvers are asked; with the ints of a model it says whether that model is a counterexample; with
numpy columns it goes through every case of a small range. Whatever it knows of the scheduler it
gets by calling the functions of `world.rules` and the `holds` and `given` of `world`'s claims.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from radproof.claims import Claim, optimal_tiling, token_rate
from radproof.number import Truth, both, either, negate
from radproof.readers.terms import Names
from radproof.rules import RULES, Rules
from radproof.schedulers import RuleScheduler

TRUTH, NUMBER = bool, int
"""The sorts of a lemma's variables: a truth, or a whole number (which may be negative)."""

BUDGET = 500_000
"""Z3's rlimit for a lemma unless it says otherwise; most lemmas need a hundredth of it."""


@attrs.frozen
class World:
    """What the lemmas are about: the rules and the order of a scheduler, and the two claims.

    A changed rule or claim is ``attrs.evolve(WORLD, rules=...)``; a claim whose `given` is None
    has its hypothesis dropped wherever the lemmas use it.
    """

    rules: Rules = RULES
    rate: Claim = token_rate
    tiling: Claim = optimal_tiling
    order: Callable[[Any], Any] | None = None

    @property
    def scheduler(self) -> RuleScheduler:
        """The scheduler in rule form that the lemmas are about."""
        return RuleScheduler(self.rules, self.order)

    def offered_first(self, one: Any, other: Any) -> Truth:
        """Whether prefill `one`, standing before `other` in the list, is offered tokens first."""
        return True if self.order is None else _not_after(self.order(one), self.order(other))

    def tiled(self, tokens: Any, d: Any) -> Truth:
        """What the tiling claim demands of a prompt's length, asked of `tokens`."""
        if self.tiling.given is None:
            return True
        return self.tiling.given(Names({"prompt": tokens, "output": 0, "arrive": 0}), d)

    def keeps_rate(self, served: Any, now: Any, d: Any) -> Truth:
        """The rate claim where an iteration would start at `now`, after `served` tokens."""
        kept: Truth = self.rate.holds(Names({"served": served, "start": now}), d)
        return kept


def _not_after(key: Any, other: Any) -> Truth:
    """Key <= other; tuples are compared as Python does, place by place."""
    if not isinstance(key, tuple):
        first: Truth = key <= other
        return first
    if not key:
        return True
    rest = _not_after(key[1:], other[1:])
    return either(key[0] < other[0], both(key[0] == other[0], rest))


WORLD = World()


@attrs.frozen
class Part:
    """One conjunct of a goal. `when` holds, then `holds`; `text` names it in a counterexample.

    Vacuity is asked of each part: that `when` and every disjunct of `holds` can be reached.
    """

    text: str
    holds: Truth
    when: Truth = True

    @property
    def truth(self) -> Truth:
        """The part as one truth."""
        return either(negate(self.when), self.holds)


@attrs.frozen
class Sequent:
    """`given` and `uses` together imply every part of `goal`.

    `given` is what the lemma assumes; `uses` are instances of other lemmas, which are theorems
    and so restrict nothing: they only spare a solver the search for them.
    """

    given: tuple[Truth, ...]
    goal: tuple[Part, ...]
    uses: tuple[Truth, ...] = ()

    @property
    def hypotheses(self) -> Truth:
        """All that is assumed, as one truth."""
        return both(*self.given, *self.uses)

    @property
    def conclusion(self) -> Truth:
        """All that is to be shown, as one truth."""
        return both(*(part.truth for part in self.goal))

    @property
    def truth(self) -> Truth:
        """The lemma itself: what it assumes implies what it shows."""
        return either(negate(both(*self.given)), self.conclusion)


@attrs.frozen
class Lemma:
    """One obligation.

    name: unique; lean: the theorem of serQ's Lean files that it restates, "" where it has none;
    statement: in one line; sorts: its variables; build: (values, world) -> Sequent; encoding: how
    it is put to the solver; depends_on: the lemmas it uses or that it is the step of; scene:
    (the ints of a model, world) -> a `scenes.Scene` for `machine.step`, where there is one;
    watch: the laws of `audit` that break there with it;
    grid: the variables that numpy enumerates over 0..b_col; budget: Z3's rlimit.
    """

    name: str
    lean: str
    statement: str
    encoding: str
    sorts: Mapping[str, type] = attrs.field(repr=False)
    build: Callable[[Any, World], Sequent] = attrs.field(repr=False)
    depends_on: tuple[str, ...] = ()
    scene: Callable[[Any, World], Any] | None = attrs.field(default=None, repr=False)
    watch: tuple[str, ...] = ()
    grid: tuple[str, ...] = ()
    budget: int = BUDGET

    def at(self, world: World, **values: Any) -> Truth:
        """The lemma at given values, for another to use. All its sorts must be named."""
        return self.build(Names(values), world).truth


def numbers(names: str) -> dict[str, type]:
    """The sorts of whole-number variables, from their names with spaces between."""
    return dict.fromkeys(names.split(), NUMBER)


def truths(names: str) -> dict[str, type]:
    """The sorts of truth variables, from their names with spaces between."""
    return dict.fromkeys(names.split(), TRUTH)
