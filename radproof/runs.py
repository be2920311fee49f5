"""A run: what an evaluator makes of a path, with every iteration's record.

`run` iterates the definition, `machine.step`. Every evaluator returns a `Run`, whose records are
grouped in stretches, (first record, repetitions); a stretch of the step evaluator is one iteration
long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import attrs

from radproof.errors import BadInput, SchedulerError
from radproof.machine import initial, states
from radproof.model import (
    SCALARS,
    SEED,
    Deployment,
    Iteration,
    Path,
    Session,
    State,
    as_path,
    is_not_whole,
)
from radproof.schedulers.protocol import Scheduler
from radproof.schedulers.rad import rad

if TYPE_CHECKING:
    from radproof.readers.arrays import Column, Ends

Engine: TypeAlias = Literal["step", "leap"]

GROWS = {"start": "duration", "end": "duration", "served": "tokens", "demand": "demand_step"}
"""The numbers of a record that change with each repetition, and what `Stretch` adds to them."""


EACH = 100
"""The work of a stretch, beside one for each resident: radproof's own, as measured."""


class OverBudget(Exception):
    """More records of a run were asked for than there is time for."""


@attrs.define
class Budget:
    """How many more records inside of stretches may be made, while `at_most` counts them."""

    left: int
    over: bool = False
    """Whether more were asked for."""

    def take(self) -> None:
        """Count a record. Raises OverBudget."""
        self.left -= 1
        if self.left < 0:
            self.over = True
            raise OverBudget


_budget: Budget | None = None


@contextmanager
def at_most(records: int) -> Iterator[Budget]:
    """Inside, the records that `Stretch.record` makes are counted, and `OverBudget` ends them."""
    global _budget
    before, _budget = _budget, Budget(records)
    try:
        yield _budget
    finally:
        _budget = before


@attrs.frozen
class Stretch:
    """`count` consecutive iterations with the same batch.

    demand_step: the change of the demand with each repetition.
    """

    first: Iteration
    count: int = 1
    demand_step: int = 0

    @property
    def duration(self) -> int:
        """Microseconds of one repetition."""
        return self.first.end - self.first.start

    @property
    def end(self) -> int:
        """When the last repetition ends, microseconds."""
        return self.first.start + self.count * self.duration

    def record(self, index: int) -> Iteration:
        """The record of repetition `index`, from 0."""
        if index == 0:
            return self.first
        if _budget is not None:
            _budget.take()
        return self.grown(lambda number, each: number + index * each)

    def grown(self, number: Callable[[int, int], Any]) -> Iteration:
        """The first record, its growing numbers (`GROWS`) replaced by ``number(first, each)``.

        first: the number in the first record; each: what a repetition adds to it.
        """
        first, each = self.first, self.duration
        return Iteration(
            start=number(first.start, each),
            end=number(first.end, each),
            served=number(first.served, first.tokens),
            tokens=first.tokens,
            prefilled=first.prefilled,
            decoders=first.decoders,
            decoding=first.decoding,
            residents=first.residents,
            demand=number(first.demand, self.demand_step),
            batch=first.batch,
        )

    def records(self) -> Iterator[Iteration]:
        """The records of all repetitions, in order."""
        return map(self.record, range(self.count))


_NUMBERS: dict[str, Callable[[Stretch], int]] = {
    **{name: attrgetter(name) for name in ("count", "duration", "demand_step")},
    **{name: attrgetter(f"first.{name}") for name in SCALARS},
}


class Stretches(Sequence[Stretch]):
    """The stretches of a run in order, which answer for any one number of all of them."""

    def column(self, name: str) -> list[int]:
        """The `count`, `duration` or `demand_step` of each, or one of `SCALARS` in its record.

        The record is the first one of the stretch. Raises KeyError for another name.
        """
        return list(map(_NUMBERS[name], self))

    def ends(self, name: str) -> Ends:
        """One of `SCALARS` in the first and the last record of every stretch."""
        from radproof.readers.arrays import Ends

        if name not in self._ends:
            numbers: Any = self._array(name)
            each = self._array(GROWS[name]) if name in GROWS else None
            if each is not None and each.bound:
                numbers = numbers + self._first_and_last * each
            self._ends[name] = Ends(numbers)
        return self._ends[name]

    # Each number is converted to numpy once: many claims read the same few numbers of a run.

    @cached_property
    def _ends(self) -> dict[str, Ends]:
        return {}

    @cached_property
    def _arrays(self) -> dict[str, Column]:
        return {}

    def _array(self, name: str) -> Column:
        from radproof.readers.arrays import Column

        if name not in self._arrays:
            self._arrays[name] = Column.of(self.column(name))
        return self._arrays[name]

    @cached_property
    def _first_and_last(self) -> Column:
        from radproof.readers.arrays import first_and_last

        return first_and_last(self._array("count"))


@attrs.frozen(slots=False)
class Listed(Stretches):
    """Stretches kept in a list."""

    stretches: list[Stretch]

    @overload
    def __getitem__(self, index: int) -> Stretch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Stretch]: ...
    def __getitem__(self, index: int | slice) -> Stretch | Sequence[Stretch]:
        return self.stretches[index]

    def __iter__(self) -> Iterator[Stretch]:
        return iter(self.stretches)

    def __len__(self) -> int:
        return len(self.stretches)


def _as_stretches(stretches: Sequence[Stretch]) -> Stretches:
    return stretches if isinstance(stretches, Stretches) else Listed(list(stretches))


@attrs.frozen
class Run:
    """One path, run under one scheduler."""

    path: Path = attrs.field(repr=False)
    deployment: Deployment
    scheduler: Scheduler = attrs.field(repr=False)
    horizon: int | None
    """Microseconds, inclusive; None: to the end of the path."""

    engine: Engine
    """The evaluator that ran it."""

    iterations: int
    """Iterations that started by the horizon."""

    stretches: Stretches = attrs.field(repr=False, converter=_as_stretches)
    completions: tuple[int | None, ...] = attrs.field(repr=False)
    """The end of each session, in session order; None where it had not ended by the horizon."""

    whole: bool = True
    """Whether it reached the end of the path, or the horizon."""

    memory: Any = attrs.field(default=None, repr=False, eq=False)
    """The scheduler's memory at the end."""

    @property
    def work(self) -> int:
        """What it cost, in jobs shown to the scheduler, of which a second has about a million.

        It is counted and not timed, so that a search that is given so much ends at the same path
        on every machine.
        """
        return sum(self.stretches.column("residents")) + EACH * len(self.stretches)

    @property
    def records(self) -> Iterator[Iteration]:
        """Every iteration's record, in order."""
        return (record for stretch in self.stretches for record in stretch.records())

    @property
    def arrivals(self) -> int:
        """Sessions that arrived by the horizon."""
        if self.horizon is None:
            return len(self.path)
        return sum(session.arrive <= self.horizon for session in self.path)

    @property
    def ended(self) -> int:
        """Sessions that ended by the horizon."""
        return sum(time is not None for time in self.completions)

    @property
    def end(self) -> int:
        """The end of the last iteration, 0 without one."""
        if not self.stretches:
            return 0
        return self.stretches[-1].end

    @property
    def responses(self) -> list[int]:
        """Completion minus arrival of the sessions that ended, in session order."""
        return [
            time - session.arrive
            for session, time in zip(self.path, self.completions, strict=True)
            if time is not None
        ]


def run(
    path: Iterable[Session | Sequence[int]],
    deployment: Deployment = SEED,
    scheduler: Scheduler = rad,
    horizon: int | None = None,
    limit: int | None = None,
    work: int | None = None,
) -> Run:
    """Run `path` step by step, to its end or to the horizon (microseconds, inclusive).

    Arrivals, completions and iteration starts at the horizon count. `limit` is the most
    iterations and `work` the most work, as `Run.work` counts it; a run that they cut is not
    `whole`. Raises BadInput for an invalid path or horizon, SchedulerError as `machine.step` does.
    """
    sessions = as_path(path)
    check_horizon(horizon)
    steps = (
        (None if record is None else Stretch(record), after)
        for _, record, after in states(sessions, deployment, scheduler)
    )
    return collect(steps, sessions, deployment, scheduler, horizon, limit, work, "step")


def collect(
    steps: Iterable[tuple[Stretch | None, State]],
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    limit: int | None,
    work: int | None,
    engine: Engine,
) -> Run:
    """The run of an evaluator's `steps`, each a stretch and the state after it.

    It ends with the steps, at the horizon, after `limit` stretches, or once it has cost `work`. If
    a step raises SchedulerError, the error carries the run so far, the time and the state.
    """
    stretches: list[Stretch] = []
    left = math.inf if work is None else work
    completions: list[int | None] = [None] * len(path)
    state = initial(path)

    def run_so_far() -> Run:
        return Run(
            path=path,
            deployment=deployment,
            scheduler=scheduler,
            horizon=horizon,
            engine=engine,
            iterations=sum(stretch.count for stretch in stretches),
            stretches=stretches,
            completions=tuple(completions),
            whole=state.over or (horizon is not None and state.now > horizon),
            memory=state.memory,
        )

    try:
        for stretch, state in steps:
            if stretch is not None:
                stretches.append(stretch)
                left -= EACH + stretch.first.residents
            for session, time in state.ended:
                if horizon is None or time <= horizon:
                    completions[session] = time
            if horizon is not None and state.now > horizon:
                break
            if left <= 0 or (limit is not None and len(stretches) >= limit):
                break
    except SchedulerError as error:
        error.so_far, error.at, error.state = run_so_far(), state.now, state
        raise
    return run_so_far()


def check_horizon(horizon: object) -> None:
    """Raises BadInput where the horizon is neither None nor a whole number of microseconds."""
    if horizon is not None and (type(horizon) is not int or horizon < 0):
        raise BadInput(f"horizon {is_not_whole(horizon, 0)}, in microseconds, or None")
