"""The twin of the mirror in Python: the machine event by event, function by function.

`machine.step`, the definition, goes from iteration to iteration; the twin stops at every event, as
Lean's states do. A property test checks that both give the same iterations, and an emitted file
states that Lean's text gives these states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import attrs

from radproof.model import DECODE, PREFILL, Deployment, Path, Session
from radproof.model import Job as ModelJob
from radproof.rules import RULES, Rules
from radproof.schedulers import RuleScheduler


@attrs.frozen
class Arrival:
    """A pending session, and its place in the path."""

    number: int
    session: Session


@attrs.frozen
class Job:
    """What a resident session is doing, and how many tokens of it are done."""

    number: int
    session: Session
    decoding: bool
    done: int

    @property
    def total(self) -> int:
        """The tokens of its phase."""
        return self.session.output if self.decoding else self.session.prompt

    @property
    def model(self) -> ModelJob:
        """The job as a scheduler sees it."""
        phase = DECODE if self.decoding else PREFILL
        return ModelJob(self.number, phase, self.session.arrive, self.session.prompt, self.done)


@attrs.frozen
class Entry:
    """A job's share of a batch."""

    number: int
    decoding: bool
    tokens: int


@attrs.frozen
class Record:
    """An iteration as read when it starts: the numbers of `radproof.Iteration`."""

    start: int
    end: int
    served: int
    tokens: int
    prefilled: int
    decoders: int
    decoding: int
    residents: int
    demand: int


@attrs.frozen
class State:
    """The machine after an event, every start of that instant done."""

    now: int
    """Microseconds."""
    pending: tuple[Arrival, ...]
    jobs: tuple[Job, ...]
    iter: tuple[Entry, ...]
    """The running batch."""
    iter_end: int | None
    """When it ends (microseconds); None: no batch runs."""
    served: int
    """Tokens, those of the running batch included."""
    last: Record | None
    """The latest iteration's record."""
    ended: tuple[int, ...]
    """The sessions that this event ended."""


@attrs.frozen
class Config:
    """A deployment, the rules, and the order to serve in: a scheduler in rule form."""

    deployment: Deployment
    rules: Rules = RULES
    order: Callable[[Sequence[Job]], Sequence[Job]] = lambda jobs: jobs

    @classmethod
    def of(cls, deployment: Deployment, scheduler: RuleScheduler) -> Config:
        """The configuration of a scheduler in rule form."""
        key = scheduler.order
        if key is None:
            return cls(deployment, scheduler.rules)
        return cls(
            deployment, scheduler.rules, lambda jobs: sorted(jobs, key=lambda job: key(job.model))
        )


def start(c: Config, path: Path) -> State:
    """Time 0, with what arrives then (Exec.lean: start)."""
    arrivals = [Arrival(number, session) for number, session in enumerate(path)]
    arrivals.sort(key=lambda arrival: arrival.session.arrive)
    due = tuple(arrival for arrival in arrivals if arrival.session.arrive == 0)
    later = tuple(arrivals[len(due) :])
    return after_event(c, State(0, later, _admitted(due), (), None, 0, None, _ending(due)))


def step(c: Config, s: State) -> State:
    """One event, an arrival before an iteration's end; where none is left, the same state."""
    if s.pending and (s.iter_end is None or s.pending[0].session.arrive <= s.iter_end):
        due = s.pending[:1]
        after = attrs.evolve(
            s,
            now=due[0].session.arrive,
            pending=s.pending[1:],
            jobs=s.jobs + _admitted(due),
            ended=_ending(due),
        )
    elif s.iter_end is not None:
        jobs, ended = _end(c, s)
        after = attrs.evolve(s, now=s.iter_end, jobs=jobs, iter=(), iter_end=None, ended=ended)
    else:
        return s
    return after_event(c, after)


def over(s: State) -> bool:
    """Whether no event is left."""
    return s.iter_end is None and not s.pending


def event_states(c: Config, path: Path, horizon: int | None = None) -> Iterator[State]:
    """The state at time 0 and the one after every event, to the end or the horizon (inclusive)."""
    state = start(c, path)
    yield state
    while not over(state):
        state = step(c, state)
        if horizon is not None and state.now > horizon:
            return
        yield state


def records(found: list[State]) -> list[Record]:
    """The records of the iterations, each once."""
    new = []
    for before, after in zip([None, *found], found, strict=False):
        if after.last is not None and (before is None or before.last is not after.last):
            new.append(after.last)
    return new


def _admitted(arrivals: tuple[Arrival, ...]) -> tuple[Job, ...]:
    return tuple(
        Job(a.number, a.session, a.session.prompt == 0, 0)
        for a in arrivals
        if a.session.prompt > 0 or a.session.output > 0
    )


def _ending(arrivals: tuple[Arrival, ...]) -> tuple[int, ...]:
    return tuple(a.number for a in arrivals if a.session.prompt == a.session.output == 0)


def _end(c: Config, s: State) -> tuple[tuple[Job, ...], tuple[int, ...]]:
    """The job list after the running iteration, and the sessions that it ends."""
    shares = {entry.number: entry.tokens for entry in s.iter}
    staying, rejoining, ended = [], [], []
    for job in s.jobs:
        share = shares.get(job.number, 0)
        done = c.rules.done_after(job.done, share) if share else job.done
        if not share or c.rules.left(job.total, done) > 0:
            staying.append(attrs.evolve(job, done=done))
        elif not job.decoding and job.session.output > 0:
            rejoining.append(Job(job.number, job.session, True, 0))
        else:
            ended.append(job.number)
    return tuple(staying + rejoining), tuple(ended)


def _want(c: Config, job: Job) -> int:
    prompt = job.session.prompt
    left = c.rules.left(prompt, prompt if job.decoding else job.done)
    return int(c.rules.want(job.decoding, left, c.deployment))


def batch_of(c: Config, jobs: tuple[Job, ...]) -> tuple[Entry, ...]:
    """Serve the jobs greedily, in list order or sorted (Exec.lean: fillIter)."""
    mode = c.rules.decode_mode(sum(job.decoding for job in jobs), len(jobs), c.deployment)
    remaining = c.rules.budget(mode, c.deployment)
    batch = []
    for job in c.order(jobs):
        if not c.rules.serves(mode, job.decoding):
            continue
        tokens = c.rules.take(_want(c, job), remaining)
        if tokens <= 0:
            break
        batch.append(Entry(job.number, job.decoding, tokens))
        remaining = max(remaining - tokens, 0)
    return tuple(batch)


def after_event(c: Config, s: State) -> State:
    """Start an iteration if none runs and nothing else is pending now (Exec.lean: afterEvent)."""
    if s.iter_end is not None or (s.pending and s.pending[0].session.arrive <= s.now):
        return s
    batch = batch_of(c, s.jobs) if s.jobs else ()
    if not batch:
        return s
    tokens = sum(entry.tokens for entry in batch)
    end = s.now + c.rules.duration(tokens, c.deployment)
    record = Record(
        start=s.now,
        end=end,
        served=s.served,
        tokens=tokens,
        prefilled=sum(entry.tokens for entry in batch if not entry.decoding),
        decoders=sum(entry.decoding for entry in batch),
        decoding=sum(job.decoding for job in s.jobs),
        residents=len(s.jobs),
        demand=sum(_want(c, job) for job in s.jobs),
    )
    served = c.rules.served_after(s.served, tokens)
    return attrs.evolve(s, iter=batch, iter_end=end, served=served, last=record)
