"""The loop: what the code of the machine does to a list is what the lemmas see.

The code is run, not read: `machine.step` and `RuleScheduler`, on every list up to a length, whose
numbers are symbols (`branching`), and compared with `foreseen`. The rules are left open, and so are
the keys of an order: what is proved here holds under any rules and any order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import attrs

from radproof import machine
from radproof.lemmas.as_foreseen import OF_BATCH, OF_STEP, batch_as_foreseen, step_as_foreseen
from radproof.lemmas.branching import Script, always, explore, plain
from radproof.lemmas.foreseen import Asked, Before, foresee
from radproof.lemmas.obligations import Lemma, Part, Sequent, Sort, World, lemma, numbers, truths
from radproof.lemmas.scenes import Scene
from radproof.model import DECODE, PREFILL, Deployment, Job, Node, Session, State
from radproof.number import Truth, both
from radproof.readers.terms import Names
from radproof.rules import SIGNATURES, Rules
from radproof.schedulers import RuleScheduler

LOOP_BUDGET = 1_000_000


@attrs.frozen
class Lists:
    """The lists of one lemma: how long they are, and what of the machine is compared on them."""

    jobs: int
    coming: int = 0
    """The sessions yet to arrive."""
    ordered: bool = False
    """Whether the scheduler has an order; its keys are any numbers."""
    whole: bool = True
    """Whether the whole step is compared; else the batch alone."""

    @property
    def sorts(self) -> dict[str, Sort]:
        """The variables: the state, the sessions, and the rules."""
        found: dict[str, Sort] = {**numbers("now served")}
        for i in range(self.jobs):
            found |= truths(f"decoding_{i}") | numbers(f"done_{i}")
            if self.ordered:
                found |= numbers(f"key_{i}")
        for i in range(self.jobs + self.coming):
            found |= numbers(f"session_{i} arrive_{i} prompt_{i} output_{i}")
        return found | SIGNATURES

    def build(self, v: Names, world: World) -> Sequent:
        """The code of the machine on every such list, and that each part of it is as foreseen."""
        d, given = Names({}), self._given(v)

        def called(script: Script) -> dict[str, Truth]:
            before = self._before(v, script.number)
            left_open = self._world(v, world, before, d, script)
            state, path = _state(before), _Sessions(before.sessions)
            compare = step_as_foreseen if self.whole else batch_as_foreseen
            told = partial(foresee, before, left_open, d)
            return compare(told, state, path, d, left_open.scheduler)

        tree = explore(called, given)

        def part(text: str) -> Part:
            return Part(text, always(tree, lambda parts: plain(parts[text])))

        return Sequent(given, tuple(map(part, OF_STEP if self.whole else OF_BATCH)))

    def scene(self, v: Names, world: World) -> Scene | None:
        """The state of a model, with its rules and order; None where two sessions have a number."""
        before, deployment = self._before(v), Deployment()
        sessions = dict(before.sessions)
        if set(sessions) != set(range(self.jobs + self.coming)):
            return None
        path = tuple(Session(*attrs.astuple(sessions[number])) for number in range(len(sessions)))
        left_open = self._world(v, world, before, deployment)
        return Scene(_state(before), path, deployment, left_open)

    def _given(self, v: Names) -> tuple[Truth, ...]:
        """Every number but a key is natural, and every session has a number of its own."""
        size = self.jobs + self.coming
        sessions = [getattr(v, f"session_{i}") for i in range(size)]
        naturals = (
            getattr(v, name)
            for name, sort in self.sorts.items()
            if sort is int and not name.startswith("key")
        )
        return (
            *(value >= 0 for value in naturals),
            *(session < size for session in sessions),
            *(one != other for one, other in itertools.combinations(sessions, 2)),
        )

    def _before(self, v: Names, number: Callable[[Any], Any] = plain) -> Before:
        """The state of a lemma's values; the phase of each job is asked for."""

        def value(name: str, place: int) -> Any:
            return number(getattr(v, f"{name}_{place}"))

        def phase(place: int) -> Any:
            return DECODE if value("decoding", place) else PREFILL

        sessions: tuple[tuple[Any, Any], ...] = tuple(
            (value("session", i), Asked(value("arrive", i), value("prompt", i), value("output", i)))
            for i in range(self.jobs + self.coming)
        )
        jobs = tuple(
            (Job(session, phase(i), asked.arrive, asked.prompt, value("done", i)), asked)
            for i, (session, asked) in enumerate(sessions[: self.jobs])
        )
        return Before(number(v.now), number(v.served), jobs, sessions[self.jobs :])

    def _world(
        self, v: Names, world: World, before: Before, d: Any, script: Script | None = None
    ) -> World:
        """The world whose rules, and whose order's keys, are a lemma's values."""
        number = script.number if script else plain
        keys = tuple(
            (job.session, number(getattr(v, f"key_{i}")))
            for i, (job, _) in enumerate(before.jobs)
            if self.ordered
        )
        order = (lambda job: _Sessions(keys)[job.session]) if self.ordered else None
        return attrs.evolve(world, scheduler=RuleScheduler(_open_rules(v, d, script), order))


@attrs.frozen
class _Sessions:
    """A path, or the keys of jobs, by a session's number, which may be a symbol."""

    values: tuple[tuple[Any, Any], ...]

    def __getitem__(self, number: Any) -> Any:
        return next(value for session, value in self.values if session == number)


def _state(before: Before) -> State:
    numbers: Any = before  # they may be symbols, where the machine has ints
    jobs = tuple(job for job, _ in numbers.jobs)
    pending = tuple(session for session, _ in numbers.coming)
    return State(numbers.now, jobs, pending, numbers.served)


def _open_rules(v: Names, d: Any, script: Script | None) -> Rules:
    """The rules that a lemma's values leave open; each must be asked about this deployment."""

    def opened(name: str) -> Callable[..., Any]:
        function = getattr(v, name)
        values = partial(_looked_up, function) if isinstance(function, dict) else function
        kinds = SIGNATURES[name].parameters.values()

        def rule(*arguments: Any) -> Any:
            pairs = list(zip(arguments, kinds, strict=True))
            if any(value is not d for value, kind in pairs if kind is Node):
                raise ValueError("a rule is asked about another deployment")
            of = (value for value, kind in pairs if kind is not Node)
            return script.once(values, *of) if script else values(*of)

        return rule

    return Rules(**{name: opened(name) for name in SIGNATURES})


def _looked_up(function: Mapping[str, Any], *arguments: Any) -> Any:
    """The value of a free function in a model (`symbols.ints`)."""
    values = (row[-1] for row in function["at"] if row[:-1] == [*arguments])
    return next(values, function["otherwise"])


def _lemma(name: str, statement: str, lists: Lists) -> Lemma:
    def build(v: Names, world: World) -> Sequent:
        return lists.build(v, world)

    build.__doc__ = statement
    return lemma(
        f"bounded list of {lists.jobs}",
        lists.sorts,
        name=name,
        scene=lists.scene,
        watch=("loop",),
        budget=LOOP_BUDGET,
    )(build)


@lemma("bounded list of 3", numbers("arrive_0 arrive_1 arrive_2"), name="loop.initial[3]")
def loop_initial(v: Names, world: World) -> Sequent:
    """a path starts at 0, with nothing served and its sessions in the order they arrive"""
    arrivals = [getattr(v, f"arrive_{i}") for i in range(3)]

    def called(script: Script) -> State:
        path: Any = tuple(Asked(script.number(arrive), 1, 1) for arrive in arrivals)
        return machine.initial(path)

    def in_order(state: State) -> Truth:
        truths = [
            arrivals[one] < arrivals[other] if one > other else arrivals[one] <= arrivals[other]
            for one, other in itertools.pairwise(state.pending)
        ]
        return both(*truths, sorted(state.pending) == [*range(3)])

    def nothing_yet(state: State) -> Truth:
        return state == State(now=0, jobs=(), pending=state.pending)

    tree = explore(called)
    return Sequent(
        (),
        (
            Part("each session once, by arrival and then by number", always(tree, in_order)),
            Part("at time 0 no job is resident and nothing is served", always(tree, nothing_yet)),
        ),
    )


loop = tuple(
    _lemma(
        f"loop[{jobs}+{coming}]",
        "the machine's step from a list, with sessions to come, is the one that the lemmas "
        "foresee, under any rules",
        Lists(jobs, coming),
    )
    for jobs, coming in ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1))
)

loop_batch = _lemma(
    "loop.batch[3]",
    "the batch that RuleScheduler makes of a list is the one that the lemmas foresee, under any "
    "rules",
    Lists(3, whole=False),
)

loop_order = _lemma(
    "loop.order[2]",
    "with an order, the batch is that of the list sorted by it, under any rules",
    Lists(2, ordered=True, whole=False),
)
