"""A lemma: a builder of hypotheses and a goal, which several readers call.

`Lemma.build` is arithmetic over numbers, as the rules are. Called with z3 terms, it gives what the
solvers are asked; with the ints of a model, whether that model is a counterexample; with numpy
columns, the truth in every case of a small range. All it knows of the scheduler it gets by calling
the functions of `world.rules` and the `holds` and `given` of `world`'s claims.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from types import ModuleType
from typing import Any, TypeAlias

import attrs

from radproof.claims import Claim, optimal_tiling, token_rate
from radproof.errors import BadInput
from radproof.invariants import left_ok
from radproof.model import Node
from radproof.number import Num, Truth, both, either, negate
from radproof.readers.terms import Names
from radproof.rules import Rules, Signature
from radproof.schedulers import RuleScheduler, rad
from radproof.schedulers.loading import Loaded
from radproof.schedulers.rule_form import in_rule_form

TRUTH, NUMBER = bool, int
"""The sorts of a lemma's variables: a truth, or a whole number (which may be negative)."""

Sort: TypeAlias = "type | Signature"
"""The sort of a lemma's variable; one with the signature of a rule is a rule left open."""

USUAL_BUDGET = 500_000
"""Z3's rlimit for a lemma that sets none; most lemmas need a hundredth of it."""


@attrs.frozen
class World:
    """What the lemmas are about: a scheduler in rule form, and the two claims.

    Where a claim's `given` is None, the lemmas use it without its hypothesis.
    """

    scheduler: RuleScheduler = rad
    rate: Claim = token_rate
    tiling: Claim = optimal_tiling

    @property
    def rules(self) -> Rules:
        """The scheduler's rules."""
        return self.scheduler.rules

    def offered_first(self, one: Names, other: Names) -> Truth:
        """Whether prefill `one`, which is before `other` in the list, is offered tokens first."""
        order: Callable[..., Any] | None = self.scheduler.order
        if order is None:
            return True
        key, other_key = order(one), order(other)
        if isinstance(key, tuple):
            return _not_after(key, other_key)
        first: Truth = key <= other_key
        return first

    def tiled(self, tokens: Num, d: Node, output: Num = 0, arrive: Num = 0) -> Truth:
        """Whether a session with a prompt of `tokens` meets what the tiling claim demands."""
        if self.tiling.given is None:
            return True
        return self.tiling.given(Names({"prompt": tokens, "output": output, "arrive": arrive}), d)

    def job_ok(self, left: Num, decoding: Truth, d: Node) -> Truth:
        """R1, with what the tiling claim demands of a prompt for the multiple of b_lcm."""
        return left_ok(left, decoding, self.tiled(left, d))

    def keeps_rate(self, served: Num, now: Num, d: Node) -> Truth:
        """The rate claim of an iteration that starts at `now`, after `served` tokens."""
        kept: Truth = self.rate.holds(Names({"served": served, "start": now}), d)
        return kept


def _not_after(key: tuple[Num, ...], other: tuple[Num, ...]) -> Truth:
    """Key <= other, place by place, as Python compares tuples."""
    if not key:
        return True
    rest = _not_after(key[1:], other[1:])
    return either(key[0] < other[0], both(key[0] == other[0], rest))


WORLD = World()


def world_of(loaded: Loaded) -> World:
    """The world of a scheduler in rule form. Raises BadInput for any other scheduler."""
    scheduler, name = loaded.call, loaded.name
    if not in_rule_form(scheduler):
        raise BadInput(
            f"{name} is plain Python code: it can only be tested, not proved. Test it with "
            f"`radproof check --scheduler {name}`; to prove it, write it in rule form, as "
            "radproof.RuleScheduler(attrs.evolve(RULES, decode_mode=..., want=...))."
        )
    return World(scheduler)


@attrs.frozen
class Part:
    """One conjunct of a goal: where `when` holds, `holds` does; `text` names it to the reader.

    The vacuity check of a part: `when` and every disjunct of `holds` can be reached together.
    """

    text: str
    holds: Truth
    when: Truth = True
    invariant: str = ""
    """The invariant of which it is a part, in a composition."""

    @property
    def truth(self) -> Truth:
        """The part as one truth."""
        return either(negate(self.when), self.holds)


class Source(StrEnum):
    """Where a hypothesis of a composition comes from. There are no others."""

    DEPLOYMENT = "the deployment"
    PATH = "the path"
    PREMISE = "the premise"
    INVARIANT = "the induction hypothesis"
    LOOP = "the loop"


@attrs.frozen
class Fact:
    """One hypothesis of a composition, and where it comes from."""

    source: Source
    text: str
    """In words; an equation of the loop has its name in `lemmas.loop`."""
    holds: Truth
    invariant: str = ""
    """The invariant of which it is a part."""
    defines: str = ""
    """The variable that it gives a value, where it is an equation, ..."""
    value: Num = 0
    """... and that value."""


@attrs.frozen
class Use:
    """An instance of a lemma: its hypotheses there give its goal, and without them it says nothing.

    `where` says in words when it is needed; elsewhere its hypotheses may be false.
    """

    lemma: Lemma
    sequent: Sequent
    where: str = ""
    when: Truth = True

    @property
    def truth(self) -> Truth:
        """The instance as one truth."""
        return self.sequent.truth

    def needed(self, where: str, when: Truth) -> Use:
        """The same instance, which is needed only where `when` is true."""
        return attrs.evolve(self, where=where, when=when)


@attrs.frozen
class Sequent:
    """`given` and `uses` together imply every part of `goal`.

    `given` is what the lemma assumes; `uses` are instances of other lemmas, which are theorems
    and so restrict nothing: they only save a solver the search for them, or, where the rules are
    opaque, say all that is known of these.
    """

    given: tuple[Truth, ...]
    goal: tuple[Part, ...]
    uses: tuple[Use, ...] = ()
    facts: tuple[Fact, ...] = ()
    """For a composition: each of `given`, in the same order, with its source."""

    @property
    def hypotheses(self) -> Truth:
        """`given` and `uses` as one truth."""
        return both(*self.given, *(use.truth for use in self.uses))

    @property
    def conclusion(self) -> Truth:
        """The goal as one truth."""
        return both(*(part.truth for part in self.goal))

    @property
    def truth(self) -> Truth:
        """The lemma itself: `given` implies the goal."""
        return either(negate(both(*self.given)), self.conclusion)


Build: TypeAlias = Callable[[Names, World], Sequent]
"""A lemma's builder: from the values of its variables."""

WITNESS, PARAMETRIC = "QF witness", "QF parametric"
LIST_BASE, LIST_STEP = "list induction: base", "list induction: step"
STEPS_BASE, STEPS_STEP = "step induction: base", "step induction: step"
COMPOSITION = "composition"
"""How a lemma is put to the solver: one case that stands for all, without quantifiers (and, where
it is parametric, at every deployment), one half of an induction over the job list or the steps, or
a composition, where rules and claims are opaque and only instances of lemmas say what they are.
"""


@attrs.frozen(slots=False)
class Lemma:
    """One obligation."""

    name: str
    """Unique among the lemmas."""
    lean: str
    """The theorem of serQ's Lean files that it restates, "" where there is none."""
    statement: str
    """The lemma in one line."""
    encoding: str
    """How it is put to the solver."""
    sorts: Mapping[str, Sort] = attrs.field(repr=False)
    """Its variables."""
    build: Build = attrs.field(repr=False)
    scene: Callable[[Names, World], Any] | None = attrs.field(default=None, repr=False)
    """From the ints of a model: a `scenes.Scene` for `machine.step`, None where there is none."""
    watch: tuple[str, ...] = ()
    """The laws (`audit.STEP_LAWS`) of which that step breaks one where the lemma is false."""
    grid: tuple[str, ...] = ()
    """The variables that numpy enumerates over 0..b_col."""
    budget: int = USUAL_BUDGET
    """Z3's rlimit."""
    event: str = ""
    """The case of an induction that it is, where it is a composition."""

    def at(self, world: World, **values: Num) -> Use:
        """The lemma at given values, for another lemma to use. All its sorts must be named."""
        return Use(self, self.build(Names(values), world))

    @cached_property
    def rests_on(self) -> tuple[str, ...]:
        """The lemmas of which it uses an instance, each once."""
        if any(isinstance(sort, Signature) for sort in self.sorts.values()):
            return ()  # it runs code, under rules that are left open
        return tuple(dict.fromkeys(use.lemma.name for use in self.at_ones(WORLD).uses))

    def at_ones(self, world: World) -> Sequent:
        """The sequent where every number is 1 and every truth true: for its words alone."""
        ones = {name: 1 if sort is NUMBER else True for name, sort in self.sorts.items()}
        return self.build(Names(ones), world)


def lemma(
    encoding: str,
    sorts: Mapping[str, Sort],
    *,
    name: str = "",
    lean: str = "",
    scene: Callable[[Names, World], Any] | None = None,
    watch: tuple[str, ...] = (),
    grid: tuple[str, ...] = (),
    budget: int = USUAL_BUDGET,
) -> Callable[[Build], Lemma]:
    """Make a `Lemma` from the builder below.

    The first line of the builder's docstring is the statement, word for word; its name is the
    lemma's, unless `name` is given.
    """

    def made(build: Build) -> Lemma:
        return Lemma(
            name or build.__name__,
            lean,
            (build.__doc__ or "").partition("\n")[0],
            encoding,
            sorts,
            build,
            scene=scene,
            watch=watch,
            grid=grid,
            budget=budget,
        )

    return made


def lemmas_in(module: ModuleType) -> tuple[Lemma, ...]:
    """The lemmas that a module states, each once and in its order, without those it imports."""
    found: dict[str, Lemma] = {}
    for value in vars(module).values():
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Lemma) and one.build.__module__ == module.__name__:
                found[one.name] = one
    return tuple(found.values())


def numbers(names: str) -> dict[str, type]:
    """The sorts of whole-number variables, from their names separated by spaces."""
    return dict.fromkeys(names.split(), NUMBER)


def truths(names: str) -> dict[str, type]:
    """The sorts of truth variables, from their names separated by spaces."""
    return dict.fromkeys(names.split(), TRUTH)
