"""A run: a path gone through by an evaluator, with every iteration's record.

`run` iterates the definition, `machine.step`. Whatever evaluates, the result is a `Run`: its
records stand in stretches, (first record, repetitions); a stretch of the step evaluator is one
iteration long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import attrs

from radproof.errors import BadInput, SchedulerError
from radproof.machine import initial, step
from radproof.model import (
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

Engine: TypeAlias = Literal["step", "leap"]


@attrs.frozen
class Stretch:
    """The same batch `count` times on end: each record is the one before, one batch later.

    demand_step: what the demand changes by with each repetition.
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
        return attrs.evolve(
            self.first,
            start=self.first.start + index * self.duration,
            end=self.first.end + index * self.duration,
            served=self.first.served + index * self.first.tokens,
            demand=self.first.demand + index * self.demand_step,
        )

    def records(self) -> Iterator[Iteration]:
        """The records of all repetitions, in order."""
        return map(self.record, range(self.count))


@attrs.frozen
class Run:
    """One path gone through under one scheduler.

    completions: each session's end in session order, None where it had not ended by the horizon;
    engine: the evaluator that ran ("step" or "leap"); iterations: those that started by the
    horizon; whole: whether the run went to the end of the path, or to the horizon.
    """

    path: Path = attrs.field(repr=False)
    deployment: Deployment
    scheduler: Scheduler = attrs.field(repr=False)
    horizon: int | None
    engine: Engine
    iterations: int
    stretches: Sequence[Stretch] = attrs.field(repr=False)
    completions: tuple[int | None, ...] = attrs.field(repr=False)
    whole: bool = True

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
        """The end of the last iteration, or 0 where there was none."""
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
) -> Run:
    """Go through `path` step by step, to its end or to the horizon (microseconds, inclusive).

    Arrivals, completions and iteration starts at the horizon count. `limit` stops after so many
    iterations, for paths that are longer than one cares to wait; the run is then not `whole`.
    Raises BadInput for a path or a horizon that is none, SchedulerError as `machine.step` does.
    """
    sessions = as_path(path)
    check_horizon(horizon)
    stretches: list[Stretch] = []
    completions: list[int | None] = [None] * len(sessions)
    state = initial(sessions)

    def so_far() -> Run:
        return gone(sessions, deployment, scheduler, horizon, "step", stretches, completions, state)

    try:
        while not state.over and (horizon is None or state.now <= horizon):
            if limit is not None and len(stretches) >= limit:
                break
            state, record = step(state, sessions, deployment, scheduler)
            if record is not None:
                stretches.append(Stretch(record))
            for session, time in state.ended:
                if horizon is None or time <= horizon:
                    completions[session] = time
    except SchedulerError as error:
        error.so_far, error.at = so_far(), state.now
        raise
    return so_far()


def gone(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    engine: Engine,
    stretches: list[Stretch],
    completions: list[int | None],
    state: State,
) -> Run:
    """The run of an evaluator that has come to this state."""
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
    )


def check_horizon(horizon: object) -> None:
    """Raises BadInput where the horizon is neither None nor a whole number of microseconds."""
    if horizon is not None and (type(horizon) is not int or horizon < 0):
        raise BadInput(f"horizon {is_not_whole(horizon, 0)}, in microseconds, or None")
