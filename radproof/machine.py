"""The machine: `step` is THE definition of what an iteration does.

Read it beside the semantics in README.md. A state lies between two iterations, with every event up
to `now` handled. One step is one iteration and the arrivals during it; or, where no job is
resident, the idle time up to the next arrival.

Restated from serQ's Exec.lean (startIteration, handle, settle): an arrival precedes an iteration's
end at the same instant, and the next iteration starts once every event of its instant is handled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar, overload

from radproof.errors import OF_A_USER, SchedulerError, where_raised
from radproof.model import (
    DECODE,
    PREFILL,
    Batch,
    Deployment,
    Entry,
    Iteration,
    Job,
    Path,
    State,
)
from radproof.rules import Rules
from radproof.schedulers.protocol import Scheduler, View, rules_of

T = TypeVar("T")
Advance: TypeAlias = Callable[[State, Path, Deployment, Scheduler], tuple[State, T]]
"""Moves the machine on from a state: the next state, and what happened in between."""


def initial(path: Path) -> State:
    """Time 0, before any arrival. Ties between arrivals go by session number."""
    order = sorted(range(len(path)), key=lambda session: path[session].arrive)
    return State(now=0, jobs=(), pending=tuple(order))


@overload
def states(
    path: Path, deployment: Deployment, scheduler: Scheduler
) -> Iterator[tuple[State, Iteration | None, State]]: ...
@overload
def states(
    path: Path, deployment: Deployment, scheduler: Scheduler, advance: Advance[T]
) -> Iterator[tuple[State, T, State]]: ...
def states(
    path: Path, deployment: Deployment, scheduler: Scheduler, advance: Advance[Any] | None = None
) -> Iterator[tuple[State, Any, State]]:
    """Run a path to its end: for each move a state, what happened next, and the state after it.

    advance: makes one move, `step` unless given; what happened is then the iteration, or None
    where the machine idled. Raises SchedulerError as `step` does.
    """
    state = initial(path)
    while not state.over:
        after, happened = (advance or step)(state, path, deployment, scheduler)
        yield state, happened, after
        state = after


def step(
    state: State, path: Path, deployment: Deployment, scheduler: Scheduler
) -> tuple[State, Iteration | None]:
    """The next state, and the iteration that leads to it (None: idle, or over).

    With an empty batch the machine idles until the next arrival. Raises SchedulerError where the
    scheduler raises, returns something that is not a batch of these jobs, or idles while jobs are
    resident and no arrivals remain.
    """
    if state.over:
        return state, None
    batch, memory = decide(state, path, deployment, scheduler)
    rules = rules_of(scheduler)
    record = start(state, batch, deployment, rules) if batch else None
    return finish(state, path, batch, memory, record, rules), record


def start(state: State, batch: Batch, deployment: Deployment, rules: Rules) -> Iteration:
    """The record of the iteration that starts with this batch."""
    tokens = sum(entry.tokens for entry in batch)
    return Iteration(
        start=state.now,
        end=state.now + rules.duration(tokens, deployment),
        served=state.served,
        tokens=tokens,
        prefilled=sum(entry.tokens for entry in batch if entry.phase is PREFILL),
        decoders=sum(entry.phase is DECODE for entry in batch),
        decoding=sum(job.phase is DECODE for job in state.jobs),
        residents=len(state.jobs),
        demand=_demand(state.jobs, rules, deployment),
        batch=batch,
    )


def finish(
    state: State, path: Path, batch: Batch, memory: object, record: Iteration | None, rules: Rules
) -> State:
    """The state at the iteration's end (without one: at the next arrival), all events handled."""
    if record is not None:
        end, tokens = record.end, record.tokens
    elif state.pending:
        end, tokens = max(state.now, path[state.pending[0]].arrive), 0
    else:
        raise SchedulerError(
            "stuck",
            f"the scheduler never makes progress: at t = {state.now} it returned an empty batch "
            f"while {_resident(len(state.jobs))} and no arrivals remain. "
            "Return at least one entry while a job is resident.",
        )
    arrivals, pending, ended = _admit(state.pending, path, end)
    stay, rejoin, finished = _apply(state.jobs + arrivals, batch, path, rules)
    return State(
        now=end,
        jobs=stay + rejoin,
        pending=pending,
        served=rules.served_after(state.served, tokens),
        memory=memory,
        ended=ended + tuple((session, end) for session in finished),
    )


def _admit(
    pending: tuple[int, ...], path: Path, until: int
) -> tuple[tuple[Job, ...], tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The jobs that arrive by `until`, the sessions still pending, and those that end at once."""
    jobs, ended = [], []
    count = 0
    for session in pending:
        arrive, prompt, output = path[session].arrive, path[session].prompt, path[session].output
        if arrive > until:
            break
        count += 1
        if prompt > 0:
            jobs.append(Job(session, PREFILL, arrive, prompt))
        elif output > 0:
            jobs.append(Job(session, DECODE, arrive, prompt))
        else:
            ended.append((session, arrive))
    return tuple(jobs), pending[count:], tuple(ended)


def _apply(
    jobs: tuple[Job, ...], batch: Batch, path: Path, rules: Rules
) -> tuple[tuple[Job, ...], tuple[Job, ...], tuple[int, ...]]:
    """An iteration's end: the jobs that stay, those that rejoin as decodes, the sessions ended."""
    shares = {entry.session: entry.tokens for entry in batch}
    stay, rejoin, finished = [], [], []
    for job in jobs:
        share = shares.get(job.session, 0)
        if share == 0:
            stay.append(job)
            continue
        session = path[job.session]
        done = rules.done_after(job.done, share)
        if rules.left(session.prompt if job.phase is PREFILL else session.output, done) > 0:
            stay.append(Job(job.session, job.phase, job.arrive, job.prompt, done))
        elif job.phase is PREFILL and session.output > 0:
            rejoin.append(Job(job.session, DECODE, job.arrive, job.prompt))
        else:
            finished.append(job.session)
    return tuple(stay), tuple(rejoin), tuple(finished)


def _demand(jobs: Iterable[Job], rules: Rules, deployment: Deployment) -> int:
    """Tokens that all jobs would take without a budget; jobs alike are computed once."""
    alike = Counter((job.phase, job.prompt, job.prefilled) for job in jobs)
    return sum(
        count * rules.want(phase is DECODE, rules.left(prompt, prefilled), deployment)
        for (phase, prompt, prefilled), count in alike.items()
    )


def decide(
    state: State, path: Path, deployment: Deployment, scheduler: Scheduler
) -> tuple[Batch, Any]:
    """The scheduler's batch, checked, and its memory. With no job resident it is not called."""
    if not state.jobs:
        return (), state.memory
    try:
        answer = scheduler(View(state.now, state.jobs, deployment, state.memory))
    except SchedulerError:
        raise
    except OF_A_USER as error:
        raise SchedulerError(
            "raised",
            f"the scheduler raised at t = {state.now}, while "
            f"{_resident(len(state.jobs))}: {where_raised(error)}",
        ) from error
    if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], Iterable):
        raise SchedulerError(
            "shape",
            f"the scheduler returned {_short(answer)} at t = {state.now}; it must return a pair: "
            "(the entries of the batch, its next memory).",
        )
    batch, memory = tuple(answer[0]), answer[1]
    _check(batch, state, path)
    return batch, memory


def _check(batch: tuple[Any, ...], state: State, path: Path) -> None:
    """Raises SchedulerError, naming the entry, where a batch is not one of these jobs.

    Each entry names a resident job, at most once and in its phase, and gives it one or more
    tokens, no more than are left of its prompt; a decode takes exactly one.
    """
    jobs = {job.session: job for job in state.jobs}
    seen: set[int] = set()
    for place, entry in enumerate(batch):
        job = jobs.get(entry.session) if isinstance(entry, Entry) else None
        if not isinstance(entry, Entry):
            kind, wrong = "shape", "is not a radproof.Entry(session, phase, tokens)"
        elif job is None:
            kind = "unknown"
            wrong = f"names session {entry.session}, which is not resident"
        elif entry.session in seen:
            kind, wrong = "duplicate", f"names session {entry.session} a second time"
        elif entry.phase is not job.phase:
            kind = "phase"
            wrong = (
                f"has phase {_short(entry.phase)}, but session {entry.session} is at {job.phase}"
            )
        elif type(entry.tokens) is not type(job.prompt) or entry.tokens < 1:
            kind, wrong = "tokens", f"has {_short(entry.tokens)} tokens; it must have 1 or more"
        elif job.phase is DECODE and entry.tokens != 1:
            kind, wrong = "decode", f"gives a decode {entry.tokens} tokens; a decode takes one"
        elif job.phase is PREFILL and entry.tokens > job.prompt - job.done:
            kind = "too many"
            wrong = (
                f"gives session {entry.session} {entry.tokens} tokens, more than the "
                f"{job.prompt - job.done} left of its prompt"
            )
        else:
            seen.add(entry.session)
            continue
        raise SchedulerError(
            kind, f"the scheduler's batch at t = {state.now}: entry {place} {wrong}."
        )


def _resident(count: int) -> str:
    return "1 job is resident" if count == 1 else f"{count} jobs are resident"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
