"""Adapt schedulers of other shapes to the function of a view that radproof runs.

- A function ``scheduler(view) -> (batch, memory)`` needs no adapter.
- An object (or its class) with ``schedule(view)`` is that function under another name; it may
  return the entries alone, and then has no memory.
- A class with ``add_request``, ``schedule`` and ``update`` keeps its state inside, as engines do.
  It is driven call by call; when an earlier state is queried again, a fresh instance replays the
  calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any, ClassVar, Protocol

import attrs

from radproof.errors import OF_A_USER, BadInput, SchedulerError
from radproof.model import PREFILL, Deployment, Entry, Job
from radproof.schedulers.protocol import Scheduler, View

IMPERATIVE = ("add_request", "schedule", "update")


class ImperativeEngine(Protocol):
    """An engine with its state inside; `Imperative` says when each method is called.

    It may have more attributes, for the laws that need them:

    - ``budget`` and ``max_num_seqs``, and ``one_phase``: as in `protocol.Limits`, read once from a
      new engine, and taken only where it has both of the first two;
    - ``left`` and ``computed``: its own counts, mappings from request number to tokens, of the
      prompt still to be computed, and of prompt and output computed so far. They are read before
      each `schedule`; a request that is not in a mapping is not compared.
    """

    def add_request(self, number: int, prompt_tokens: int, /) -> object: ...
    def schedule(self) -> Iterable[tuple[int, int]] | Mapping[int, int]: ...
    def update(self, number: int, tokens: int, finished: bool, /) -> object: ...


@attrs.frozen
class Scheduling:
    """A function of the view that calls an object's ``schedule(view)``."""

    inner: Any

    @property
    def leaps(self) -> bool:
        """Whether the object may be leapt over."""
        return getattr(self.inner, "leaps", True) is not False

    def __call__(self, view: View) -> Any:
        answer = self.inner.schedule(view)
        if isinstance(answer, tuple) and len(answer) == 2 and not isinstance(answer[0], Entry):
            return answer
        return answer, view.memory


COUNTS: dict[str, Callable[[Job], int]] = {
    "left": lambda job: job.prompt - job.prefilled,
    "computed": lambda job: job.prefilled + job.generated,
}
"""The counts that an engine may keep of each request, and what the machine makes of them."""


@attrs.frozen
class Counted:
    """An engine's own counts beside the machine's, over the calls so far."""

    compared: int = 0
    """Calls before which they were compared."""
    off: int = 0
    """Those of them before which they differed."""
    at: int = 0
    """The time of the first of these, microseconds."""
    difference: str = ""
    """What differed then."""

    def and_then(self, now: int, engine: ImperativeEngine, jobs: Iterable[Job]) -> Counted:
        """With the engine's counts before one more call, at which these jobs are resident."""
        pairs = list(_compared(engine, jobs))
        if not pairs:
            return self
        one_more = attrs.evolve(self, compared=self.compared + 1)
        for job, count, said, is_so in pairs:
            if said != is_so:
                text = f"the engine's {count} of session {job.session} is {said}, not {is_so}"
                first = (self.at, self.difference) if self.off else (now, text)
                return attrs.evolve(one_more, off=self.off + 1, at=first[0], difference=first[1])
        return one_more


def _compared(
    engine: ImperativeEngine, jobs: Iterable[Job]
) -> Iterator[tuple[Job, str, Integral, int]]:
    """Each count that the engine offers of a job: its name, what the engine says, what is so."""
    counts = [(name, own) for name in COUNTS if (own := own_count(engine, name)) is not None]
    for job in jobs:
        for name, own in counts:
            said = own.get(job.session)
            if isinstance(said, Integral):
                yield job, name, said, COUNTS[name](job)


def own_count(engine: object, name: str) -> Mapping[int, object] | None:
    """What an engine offers under the name of one of the `COUNTS`; None: no count."""
    found = getattr(engine, name, None)
    return found if isinstance(found, Mapping) else None


@attrs.frozen(eq=False)
class _Calls:
    """The calls of an engine in one iteration, after those of the iterations `before`."""

    before: _Calls | None
    number: int  # of this iteration, from 1
    start: int
    added: tuple[tuple[int, int], ...]
    updated: tuple[tuple[int, int, bool], ...]
    known: frozenset[int]
    batch: tuple[tuple[int, int], ...]
    counted: Counted


def counted(memory: object) -> Counted:
    """The counts compared along a run with this memory at its end: none where no engine ran."""
    return memory.counted if isinstance(memory, _Calls) else Counted()


@attrs.define(eq=False)
class Imperative:
    """A function of the view that drives an engine with its state inside.

    make: makes the engine, from the deployment if it takes one. For each iteration these calls are
    made, in this order: ``add_request(number, prompt_tokens)`` for every session that arrived
    since the last, in order; ``update(number, tokens, finished)`` for every entry of the last
    batch; and ``schedule()``, which returns the (number, tokens) pairs of the next batch, or a
    mapping.
    """

    leaps: ClassVar[bool] = False  # its memory, the calls, changes with every iteration

    make: Callable[..., ImperativeEngine]
    _live: tuple[ImperativeEngine, _Calls, Deployment] | None = None

    def __call__(self, view: View) -> tuple[tuple[Entry, ...], _Calls]:
        last: _Calls | None = view.memory
        known = frozenset() if last is None else last.known
        jobs = {job.session: job for job in view.jobs}
        new = sorted((j.arrive, j.session, j.prompt) for j in view.jobs if j.session not in known)
        added = tuple((number, prompt) for _, number, prompt in new)
        done = () if last is None else last.batch
        updated = tuple((number, tokens, number not in jobs) for number, tokens in done)
        engine = self._engine(last, view.deployment)
        _drive(engine, added, updated)
        so_far = Counted() if last is None else last.counted
        counts = so_far.and_then(view.now, engine, view.jobs)
        batch = _pairs(engine.schedule(), view.now)
        number = 1 if last is None else last.number + 1
        calls = _Calls(last, number, view.now, added, updated, known | jobs.keys(), batch, counts)
        self._live = engine, calls, view.deployment
        phases = {number: job.phase for number, job in jobs.items()}
        return tuple(Entry(n, phases.get(n, PREFILL), tokens) for n, tokens in batch), calls

    def asked_again(self, view: View) -> bool:
        """Whether `purity` calls it again on this view: after 0, 1, 2, 4, 8, ... calls.

        A fresh engine then replays the path up to there, and each of its batches is compared.
        """
        last: _Calls | None = view.memory
        return last is None or last.number & (last.number - 1) == 0

    def new(self, deployment: Deployment) -> ImperativeEngine:
        """A new engine."""
        return self.make(deployment) if _takes_one(self.make) else self.make()

    def _engine(self, at: _Calls | None, deployment: Deployment) -> ImperativeEngine:
        """The engine after these calls: the live one, or a fresh one that replays them.

        Raises SchedulerError of kind ``impure`` where a fresh one returns another batch.
        """
        if self._live is not None:
            engine, calls, where = self._live
            if calls is at and where == deployment:
                self._live = None
                return engine
        engine = self.new(deployment)
        history = []
        while at is not None:
            history.append(at)
            at = at.before
        for calls in reversed(history):
            _drive(engine, calls.added, calls.updated)
            batch = _pairs(engine.schedule(), calls.start)
            if batch != calls.batch:
                raise SchedulerError(
                    "impure",
                    f"the engine is not a function of its calls: at t = {calls.start} it returned "
                    f"{_shown(calls.batch)}, and a new engine, called in the same way, "
                    f"{_shown(batch)}. It must not depend on the clock, on chance, on the order "
                    "of a set of objects, or on anything that engines share.",
                )
        return engine


def _drive(
    engine: ImperativeEngine,
    added: Iterable[tuple[int, int]],
    updated: Iterable[tuple[int, int, bool]],
) -> None:
    for number, prompt in added:
        engine.add_request(number, prompt)
    for number, tokens, finished in updated:
        engine.update(number, tokens, finished)


def _pairs(
    batch: Iterable[tuple[int, int]] | Mapping[int, int], now: int
) -> tuple[tuple[int, int], ...]:
    try:
        pairs = batch.items() if isinstance(batch, Mapping) else batch
        return tuple((number, tokens) for number, tokens in pairs)
    except (TypeError, ValueError):
        raise SchedulerError(
            "shape",
            f"the engine's schedule() returned {batch!r:.80} at t = {now}; it must return "
            "(request number, tokens) pairs, or a mapping of them.",
        ) from None


def _shown(batch: tuple[tuple[int, int], ...]) -> str:
    text = ", ".join(f"{tokens} of session {number}" for number, tokens in batch)
    return f"{text or 'nothing':.80}"


def _takes_one(make: Callable[..., Any]) -> bool:
    """Whether it needs a positional argument, or has a parameter named ``deployment``."""
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(
        p.name == "deployment"
        or (p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))
        for p in parameters
    )


def adapt(found: object, spec: str = "the scheduler") -> Scheduler:
    """A scheduler from a function, a class or an object of one of the shapes above.

    Raises BadInput, naming `spec`, for any other shape, or where its class cannot be instantiated.
    """
    if all(callable(getattr(found, name, None)) for name in IMPERATIVE):
        if isinstance(found, type):
            return Imperative(found)
        raise BadInput(
            f"scheduler {spec!r} is an engine with state inside, and every path needs a new one: "
            f"name the class ({type(found).__name__}), or a function that makes one."
        )
    if isinstance(found, type):
        try:
            found = found()
        except OF_A_USER as error:
            raise BadInput(
                f"scheduler {spec!r}: the class cannot be instantiated without arguments "
                f"({error}). Name an instance instead, or give every argument a default."
            ) from None
    if callable(found):
        return found
    if callable(getattr(found, "schedule", None)):
        return Scheduling(found)
    raise BadInput(
        f"scheduler {spec!r} is of type {type(found).__name__}, which is not callable. A "
        "scheduler takes a View and returns (batch, memory)."
    )
