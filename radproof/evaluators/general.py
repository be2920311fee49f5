"""The leap: a run computed stretch by stretch, at a cost that does not grow with the lengths.

Between two events the same batch repeats. `leap` returns the same `Run` as `runs.run`, its records
grouped in stretches, (first record, repetitions). RAD has a loop of its own, O(log n) per event;
any other scheduler runs in `general`, O(residents) per event. It is asked with numbers that stand
for a whole stretch, and believed only where none of them refused an answer; where one did, or its
memory changes, it goes on by one iteration. Code that looks at the types of numbers runs step by
step, and the run's `engine` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import attrs

from radproof.errors import OF_A_USER
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
from radproof.readers.affine import Affine, NotAffine, Split, affine, answered
from radproof.readers.looks import TYPE, asks
from radproof.rules import RULES
from radproof.runs import Run, Stretch, check_horizon, collect, run
from radproof.schedulers.memory import unchanged
from radproof.schedulers.protocol import Scheduler, View, rules_of
from radproof.schedulers.rad import rad


def leap(
    path: Iterable[Session | Sequence[int]],
    deployment: Deployment = SEED,
    scheduler: Scheduler = rad,
    horizon: int | None = None,
    limit: int | None = None,
    work: int | None = None,
) -> Run:
    """The same result as `runs.run`, stretch by stretch where the scheduler allows it.

    `limit` is the most stretches (a scheduler may still change its batch each time) and `work` the
    most work, as `Run.work` counts it; RAD's own leap ignores both. Raises BadInput and
    SchedulerError as `runs.run` does.
    """
    sessions = as_path(path)
    check_horizon(horizon)
    if not leapable(scheduler):
        return run(sessions, deployment, scheduler, horizon, limit, work)
    if scheduler == rad and deployment.chunk == deployment.b_lcm:
        return leap_rad(sessions, deployment, scheduler, horizon)
    return general(sessions, deployment, scheduler, horizon, limit, work)


def leapable(scheduler: Scheduler) -> bool:
    """Whether its rules count tokens as RAD's do, and its code looks at no number's type.

    A scheduler that sets ``leaps = False`` is not leapt over.
    """
    if getattr(scheduler, "leaps", True) is False:
        return False
    return rules_of(scheduler).accounting == RULES.accounting and not asks(scheduler, TYPE)


def general(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    limit: int | None = None,
    work: int | None = None,
) -> Run:
    """Leap by the parts of the definition: decide, start, skip the repetitions, finish.

    `limit` is the most stretches, `work` the most work; a run that they cut is not `whole`.
    """
    steps = (
        (stretch, after)
        for _, stretch, after in states(
            path, deployment, scheduler, partial(advance, horizon=horizon)
        )
    )
    return collect(steps, path, deployment, scheduler, horizon, limit, work, "leap")


def advance(
    state: State,
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None = None,
) -> tuple[State, Stretch | None]:
    """As `machine.step`, with all consecutive repetitions of the same batch (None: idle).

    The scheduler must be `leapable`. No iteration of the stretch but its first starts after the
    horizon (microseconds), where one is given. Raises SchedulerError as `machine.step` does.
    """
    rules = rules_of(scheduler)
    batch, memory = decide(state, path, deployment, scheduler)
    if not batch:
        return finish(state, path, batch, memory, None, rules), None
    record = start(state, batch, deployment, rules)
    stretch = Stretch(record)
    if unchanged(state.memory, memory):
        most = _repetitions(state, record, path, horizon)
        stretch = _stretch(state, record, most, deployment, scheduler)
    state = _jump(state, stretch, stretch.count - 1)
    last = stretch.record(stretch.count - 1)
    return finish(state, path, batch, memory, last, rules), stretch


def _repetitions(state: State, record: Iteration, path: Path, horizon: int | None) -> int:
    """How often the batch can repeat before a job of it ends or lacks tokens, or one arrives."""
    duration = record.end - record.start
    done = {job.session: job.done for job in state.jobs}
    count = min(
        (_total(path[entry.session], entry.phase) - done[entry.session]) // entry.tokens
        for entry in record.batch
    )
    moves = duration > 0  # a scheduler's own clock may stand still, and then no job arrives
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
    """The repetitions, at most `most`, for which the scheduler returns the same batch.

    It is called once, with numbers that grow with the repetition, and again for the part before
    the truth of one of its comparisons changes.
    """
    count = most
    while count > 1:
        try:
            return Stretch(record, count, _growth(state, record, count, deployment, scheduler))
        except Split as split:
            if split.at >= count:  # of another range, kept and raised again
                break
            count = split.at
        except OF_A_USER:  # a scheduler may raise anything on a number that is not an int
            break
    return Stretch(record)


def _growth(
    state: State, record: Iteration, count: int, deployment: Deployment, scheduler: Scheduler
) -> int:
    """By how much the demand grows with each repetition.

    Raises NotAffine where the batch or the memory changes.
    """
    each = record.end - record.start
    shares = {entry.session: entry.tokens for entry in record.batch}
    jobs = tuple(
        _job(job, affine(job.done, shares[job.session], count)) if job.session in shares else job
        for job in state.jobs
    )
    now: Any = affine(state.now, each, count)
    view = View(now, jobs, deployment, state.memory)
    batch, memory = answered(lambda: _answer(scheduler(view)))
    if batch != record.batch:  # a share that grows raises Split here
        raise NotAffine("the batch changes with the repetition")
    if not unchanged(state.memory, memory):
        raise NotAffine("the memory changes with the repetition")
    rules = rules_of(scheduler)

    job_of = {job.session: job for job in jobs}
    prefilled = [job_of[entry.session] for entry in record.batch if entry.phase is PREFILL]

    def grows() -> int:
        wants = (
            rules.want(False, rules.left(job.prompt, job.done), deployment) for job in prefilled
        )
        return sum(want.step for want in wants if isinstance(want, Affine))

    return answered(grows)


def _answer(answer: Any) -> tuple[Batch, Any]:
    """The scheduler's batch, read to its end, and its memory."""
    batch, memory = answer
    return tuple(batch), memory


def _job(job: Job, done: Any) -> Job:
    return Job(job.session, job.phase, job.arrive, job.prompt, done)


def _jump(state: State, stretch: Stretch, repetitions: int) -> State:
    """The state with so many repetitions of a stretch served; `finish` sets its time."""
    if not repetitions:
        return state
    record = stretch.first
    shares = {entry.session: repetitions * entry.tokens for entry in record.batch}
    return attrs.evolve(
        state,
        served=state.served + repetitions * record.tokens,
        jobs=tuple(
            _job(job, job.done + shares[job.session]) if job.session in shares else job
            for job in state.jobs
        ),
    )
