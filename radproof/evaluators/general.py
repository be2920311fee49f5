"""The leap: a run computed stretch by stretch, at a cost that does not grow with the lengths.

Between two events the same batch repeats. `leap` gives the same `Run` as `runs.run`, whose records
stand in stretches, (first record, repetitions). RAD goes through a loop of its own, O(log n) an
event; a scheduler that declares ``leaps = True`` through `general`, O(residents) an event; any
other step by step, and the run's `engine` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import attrs

from radproof.evaluators.rad import leap_rad
from radproof.machine import decide, finish, start, states
from radproof.model import (
    DECODE,
    PREFILL,
    SEED,
    Batch,
    Deployment,
    Iteration,
    Job,
    Path,
    Phase,
    Session,
    State,
    as_path,
)
from radproof.readers.affine import Affine, NotAffine, Split, affine
from radproof.rules import RULES
from radproof.runs import Run, Stretch, check_horizon, collect, run
from radproof.schedulers.protocol import Scheduler, View, rules_of
from radproof.schedulers.rad import rad


def leap(
    path: Iterable[Session | Sequence[int]],
    deployment: Deployment = SEED,
    scheduler: Scheduler = rad,
    horizon: int | None = None,
    limit: int | None = None,
) -> Run:
    """The same result as `runs.run`, stretch by stretch where the scheduler allows it.

    `limit` counts iterations for the schedulers that go step by step, and tens of stretches for
    those that leap, some of which change their batch each time. RAD's own leap needs none. Raises
    BadInput and SchedulerError as `runs.run` does.
    """
    sessions = as_path(path)
    check_horizon(horizon)
    if not leapable(scheduler):
        return run(sessions, deployment, scheduler, horizon, limit)
    if scheduler == rad and deployment.chunk == deployment.b_lcm:
        return leap_rad(sessions, deployment, scheduler, horizon)
    return general(sessions, deployment, scheduler, horizon, None if limit is None else 10 * limit)


def leapable(scheduler: Scheduler) -> bool:
    """Whether it declares `leaps`, and the machine counts its tokens as RAD's does."""
    rules = rules_of(scheduler)
    return getattr(scheduler, "leaps", False) is True and rules.accounting == RULES.accounting


def general(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    bound: int | None = None,
) -> Run:
    """Leap by the parts of the definition: decide, start, jump over the repetitions, finish.

    After `bound` stretches it stops; the run is then not `whole`.
    """
    steps = (
        (stretch, after)
        for _, stretch, after in states(
            path, deployment, scheduler, partial(advance, horizon=horizon)
        )
    )
    return collect(steps, path, deployment, scheduler, horizon, bound, "leap")


def advance(
    state: State,
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None = None,
) -> tuple[State, Stretch | None]:
    """As `machine.step` with as many repetitions of the batch as the scheduler gives (None: idle).

    The scheduler must be `leapable`. No iteration of the stretch but its first starts after the
    horizon (microseconds), where one is given. Raises SchedulerError as `machine.step` does.
    """
    rules = rules_of(scheduler)
    batch, memory = decide(state, path, deployment, scheduler)
    if not batch:
        return finish(state, path, batch, memory, None, rules), None
    record = start(state, batch, deployment, rules)
    same = memory is state.memory or memory == state.memory
    most = _repetitions(state, record, path, horizon) if same else 1
    stretch = _stretch(state, record, most, deployment, scheduler)
    state = _jump(state, stretch, stretch.count - 1)
    last = stretch.record(stretch.count - 1)
    return finish(state, path, batch, memory, last, rules), stretch


def _repetitions(state: State, record: Iteration, path: Path, horizon: int | None) -> int:
    """How often the batch can be given before a job ends or falls short, or one arrives."""
    duration = record.end - record.start
    done = {job.session: job.done for job in state.jobs}
    count = min(
        (_total(path[entry.session], entry.phase) - done[entry.session]) // entry.tokens
        for entry in record.batch
    )
    moves = duration > 0  # under a clock of the scheduler's own it may not, and nothing comes then
    if moves and state.pending:
        count = min(count, -((state.now - path[state.pending[0]].arrive) // duration))
    if moves and horizon is not None:
        count = min(count, (horizon - state.now) // duration + 1)
    return count


def _total(session: Session, phase: Phase) -> int:
    return session.output if phase is DECODE else session.prompt


def _stretch(
    state: State, record: Iteration, most: int, deployment: Deployment, scheduler: Scheduler
) -> Stretch:
    """As many repetitions, `most` at the most, as the scheduler gives this very batch.

    It is asked once, with numbers that grow with the repetition, and again for the part before
    one of its comparisons changes.
    """
    count = most
    while count > 1:
        try:
            return Stretch(record, count, _growth(state, record, count, deployment, scheduler))
        except Split as split:
            count = split.at
        except Exception:  # whatever the scheduler does with what is not one number
            break
    return Stretch(record)


def _growth(
    state: State, record: Iteration, count: int, deployment: Deployment, scheduler: Scheduler
) -> int:
    """What the demand grows by with each repetition. NotAffine: the batch does not stay."""
    each = record.end - record.start
    shares = {entry.session: entry.tokens for entry in record.batch}
    jobs = tuple(
        _job(job, affine(job.done, shares[job.session], count)) if job.session in shares else job
        for job in state.jobs
    )
    now: Any = affine(state.now, each, count)
    batch, memory = scheduler(View(now, jobs, deployment, state.memory))
    if _plain(batch) != record.batch:
        raise NotAffine("the batch changes with the repetition")
    if memory is not state.memory and memory != state.memory:
        raise NotAffine("the memory changes with the repetition")
    rules = rules_of(scheduler)
    wants = (
        rules.want(False, rules.left(job.prompt, job.done), deployment)
        for job in jobs
        if job.phase is PREFILL and job.session in shares
    )
    return sum(want.step for want in wants if isinstance(want, Affine))


def _plain(batch: Iterable[Any]) -> Batch:
    entries = tuple(batch)
    if not all(type(entry.tokens) is int for entry in entries):
        raise NotAffine("a share changes with the repetition")
    return entries


def _job(job: Job, done: Any) -> Job:
    return Job(job.session, job.phase, job.arrive, job.prompt, done)


def _jump(state: State, stretch: Stretch, repetitions: int) -> State:
    """The state after so many repetitions in which nothing else happens."""
    if not repetitions:
        return state
    record = stretch.first
    shares = {entry.session: repetitions * entry.tokens for entry in record.batch}
    return attrs.evolve(
        state,
        now=state.now + repetitions * stretch.duration,
        served=state.served + repetitions * record.tokens,
        jobs=tuple(
            _job(job, job.done + shares[job.session]) if job.session in shares else job
            for job in state.jobs
        ),
        ended=(),
    )
