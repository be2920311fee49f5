"""The leap: a run computed stretch by stretch, at a cost that does not grow with the lengths.

Between two events the same batch repeats. `leap` gives the same `Run` as `runs.run`, whose records
stand in stretches, (first record, repetitions). RAD goes through a loop of its own, O(log n) an
event; a scheduler that declares ``leaps = True`` through `general`, O(residents) an event; any
other step by step, and the run's `engine` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from radproof.affine import NotAffine, Split, affine
from radproof.leap_rad import leap_rad
from radproof.machine import initial, step
from radproof.model import (
    DECODE,
    SEED,
    Batch,
    Deployment,
    Iteration,
    Job,
    Path,
    Session,
    State,
    as_path,
)
from radproof.rules import RULES
from radproof.runs import Run, Stretch, check_horizon, run
from radproof.scheduler import Scheduler, View, rules_of
from radproof.schedulers.rad import rad


def leap(
    path: Iterable[Session | Sequence[int]],
    deployment: Deployment = SEED,
    scheduler: Scheduler = rad,
    horizon: int | None = None,
    limit: int | None = None,
) -> Run:
    """The same result as `runs.run`, stretch by stretch where the scheduler allows it.

    `limit` is for the schedulers that go step by step, and counts for those alone. Raises
    BadInput and SchedulerError as `runs.run` does.
    """
    sessions = as_path(path)
    check_horizon(horizon)
    if not leapable(scheduler):
        return run(sessions, deployment, scheduler, horizon, limit)
    if scheduler == rad and deployment.chunk == deployment.b_lcm:
        return leap_rad(sessions, deployment, scheduler, horizon)
    return general(sessions, deployment, scheduler, horizon)


def leapable(scheduler: Scheduler) -> bool:
    """Whether it declares `leaps`, and the machine counts its tokens as RAD's does."""
    rules = rules_of(scheduler)
    return (
        getattr(scheduler, "leaps", False) is True
        and rules.done_after is RULES.done_after
        and rules.served_after is RULES.served_after
        and rules.left is RULES.left
    )


def general(path: Path, deployment: Deployment, scheduler: Scheduler, horizon: int | None) -> Run:
    """Leap by the definition itself: one step, a jump over its repetitions, and one more step."""
    stretches = []
    completions: list[int | None] = [None] * len(path)
    state = initial(path)
    while not state.over and (horizon is None or state.now <= horizon):
        after, record = step(state, path, deployment, scheduler)
        if record is not None:
            stretch = _stretch(state, after, record, path, deployment, scheduler, horizon)
            if stretch.count > 1:
                jumped = _jump(state, stretch, stretch.count - 1)
                after, last = step(jumped, path, deployment, scheduler)
                if last != stretch.record(stretch.count - 1):  # its declaration is not true of it
                    return run(path, deployment, scheduler, horizon)
            stretches.append(stretch)
        for session, time in after.ended:
            if horizon is None or time <= horizon:
                completions[session] = time
        state = after
    return Run(
        path=path,
        deployment=deployment,
        scheduler=scheduler,
        horizon=horizon,
        engine="leap",
        iterations=sum(stretch.count for stretch in stretches),
        stretches=stretches,
        completions=tuple(completions),
    )


def _stretch(
    state: State,
    after: State,
    record: Iteration,
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
) -> Stretch:
    """As many repetitions of the record's batch as there are before anything can change.

    No job ends before the last of them, none arrives before the last one's end, and the scheduler
    is asked, with numbers that grow with the repetition, whether it gives this batch all along.
    """
    duration = record.end - record.start
    done = {job.session: job.done for job in state.jobs}
    count = min(
        (
            (path[e.session].output if e.phase is DECODE else path[e.session].prompt)
            - done[e.session]
        )
        // e.tokens
        for e in record.batch
    )
    if state.pending:
        count = min(count, -((state.now - path[state.pending[0]].arrive) // duration))
    if horizon is not None:
        count = min(count, (horizon - state.now) // duration + 1)
    if after.memory is not state.memory and after.memory != state.memory:
        count = 1
    while count > 1:
        try:
            demand = _repeated(state, record, duration, count, deployment, scheduler)
        except Split as split:
            count = split.at
        except (NotAffine, TypeError):
            break
        else:
            return Stretch(record, count, demand)
    return Stretch(record)


def _repeated(
    state: State,
    record: Iteration,
    duration: int,
    count: int,
    deployment: Deployment,
    scheduler: Scheduler,
) -> int:
    """How the demand grows with the repetition. NotAffine: the batch is not the same all along."""
    shares = {entry.session: entry.tokens for entry in record.batch}
    jobs = tuple(
        _job(job, affine(job.done, shares.get(job.session, 0), count)) for job in state.jobs
    )
    view = View(affine(state.now, duration, count), jobs, deployment, state.memory)  # type: ignore[arg-type]
    batch, _ = scheduler(view)
    if _plain(batch) != record.batch:
        raise NotAffine("the batch changes with the repetition")
    rules = rules_of(scheduler)
    demand = sum(
        rules.want(job.phase is DECODE, rules.left(job.prompt, job.prefilled), deployment)
        for job in jobs
    )
    return 0 if isinstance(demand, int) else int(demand.step)


def _plain(batch: Iterable[Any]) -> Batch:
    entries = tuple(batch)
    if not all(type(entry.tokens) is int for entry in entries):
        raise NotAffine("a share changes with the repetition")
    return entries


def _job(job: Job, done: Any) -> Job:
    return Job(job.session, job.phase, job.arrive, job.prompt, done)


def _jump(state: State, stretch: Stretch, repetitions: int) -> State:
    """The state after so many repetitions in which nothing else happens."""
    record = stretch.first
    shares = {entry.session: repetitions * entry.tokens for entry in record.batch}
    return attrs.evolve(
        state,
        now=state.now + repetitions * stretch.duration,
        served=state.served + repetitions * record.tokens,
        jobs=tuple(_job(job, job.done + shares.get(job.session, 0)) for job in state.jobs),
        ended=(),
    )
