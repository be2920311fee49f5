"""What the compositions speak of, as it happens in a run of the product's own code.

A run is watched, not foreseen: which job the scheduler's loop comes to, and what each rule was
asked and gave, is what `RuleScheduler` did; the rest is read off `machine.step`'s states and
records. Only what the code never asks (the want of a job that is not served) is asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from radproof import machine
from radproof.errors import SchedulerError
from radproof.lemmas.obligations import World
from radproof.model import DECODE, Deployment, Iteration, Job, Path, Session, State
from radproof.rules import SIGNATURES, Rules
from radproof.schedulers import RuleScheduler

LONGEST = 40
"""The most moves of a run: some changed rules never come to an end."""


class Seen:
    """A job that tells when its phase is read: the scheduler's loop comes to it."""

    def __init__(self, job: Job, log: list[tuple[str, Any, Any]]) -> None:
        self.job, self.log = job, log

    def __getattr__(self, name: str) -> Any:
        if name == "phase":
            self.log.append(("job", self.job, None))
        return getattr(self.job, name)


class Watched(RuleScheduler):
    """A scheduler in rule form, and what its last call did."""

    def __call__(self, view):
        self.log.clear()
        jobs = tuple(Seen(job, self.log) for job in view.jobs)
        answer = super().__call__(attrs.evolve(view, jobs=jobs))
        object.__setattr__(self, "called", tuple(self.log))
        return answer


def watched(scheduler: RuleScheduler) -> Watched:
    log: list[tuple[str, Any, Any]] = []

    def telling(name):
        rule = getattr(scheduler.rules, name)

        def told(*arguments):
            value = rule(*arguments)
            log.append((name, arguments, value))
            return value

        return told

    rules = Rules(**{name: telling(name) for name in SIGNATURES})
    key = scheduler.order
    made = Watched(rules, None if key is None else lambda seen: key(seen.job))
    object.__setattr__(made, "log", log)
    return made


@attrs.frozen
class Turn:
    """A job as the fill passes it."""

    job: Job
    session: Session
    served: bool
    asked: int
    wanted: int
    remaining: int
    offer: int
    share: int
    done: int
    """What it has done of its phase when the batch ends."""
    after: Job | None
    """The job afterwards, where its session has one."""

    @property
    def decoding(self) -> bool:
        return self.job.phase is DECODE

    @property
    def total(self) -> int:
        return self.session.output if self.decoding else self.session.prompt

    @property
    def stays(self) -> bool:
        return self.after is not None and self.after.phase is self.job.phase

    @property
    def rejoins(self) -> bool:
        return self.after is not None and not self.stays


@attrs.frozen(slots=False)
class Fill:
    """A call of the scheduler, and what became of its jobs."""

    world: World
    node: Deployment
    mode: bool
    decodes: int
    residents: int
    limit: int
    listed: tuple[Job, ...]
    """The job list."""
    turns: tuple[Turn, ...]
    """Its jobs in the order in which they are passed."""
    reached: int
    """How many jobs the loop came to."""

    def __iter__(self) -> Iterator[tuple[int, Turn]]:
        return iter(enumerate(self.turns))

    @cached_property
    def place(self) -> dict[int, int]:
        """By session, when its job is passed."""
        return {turn.job.session: place for place, turn in self}

    def point(self, passed: int) -> dict[str, Any]:
        """The fill where so many jobs are passed: POINT, COUNTS and `unfinished`."""
        turns = self.turns[:passed]
        prompts = [turn for turn in turns if not turn.decoding]
        tokens = sum(turn.share for turn in turns)
        asks = passed < self.reached and self.turns[passed].served
        first = prompts[0].asked if prompts else self.node.b_lcm
        broke = self.reached and self.turns[self.reached - 1]
        stopped = bool(broke) and broke.served and broke.share == 0
        return {
            "filling": passed < self.reached or (passed == self.reached and not stopped),
            # what the code itself hands to `take`, where it does
            "remaining": self.turns[passed].remaining if asks else self.limit - tokens,
            "tokens": tokens,
            "decoders": sum(turn.decoding and turn.share > 0 for turn in turns),
            "seen": len(turns) - len(prompts),
            "waiting": len(prompts),
            "first": first,
            "first_k": first // self.node.b_lcm,
            "rest": sum(turn.wanted for turn in prompts[1:]),
            "flight": sum(turn.job.done > 0 for turn in prompts),
            "decodes_after": sum(
                turn.after is not None and turn.after.phase is DECODE for turn in turns
            ),
            "flight_after": sum(turn.stays and turn.after.done > 0 for turn in prompts),
            "unfinished": any(
                turn.stays and self.world.rules.left(turn.total, turn.done) > 0 for turn in prompts
            ),
        }


@attrs.frozen
class Move:
    """One move of the machine."""

    before: State
    record: Iteration | None
    after: State
    fill: Fill | None
    """The scheduler's call, where a job was resident."""

    @property
    def admitted(self) -> tuple[int, ...]:
        """The sessions that arrive in it, as they stood in the queue."""
        count = len(self.before.pending) - len(self.after.pending)
        assert self.before.pending[count:] == self.after.pending
        return self.before.pending[:count]

    @property
    def listed(self) -> list[tuple[int, Any]]:
        """The jobs of its list, by session and phase."""
        return [(job.session, job.phase) for job in self.before.jobs]


@attrs.frozen
class Run:
    """A path under a scheduler, move by move."""

    world: World
    node: Deployment
    path: Path
    queue: tuple[int, ...]
    """The sessions in the order in which the machine admits them."""
    moves: tuple[Move, ...]
    fault: str
    """Why it ended before its time."""

    @property
    def stretches(self) -> Iterator[tuple[Move, ...]]:
        """Iterations in a row that the leap's premise lets repeat."""
        row: list[Move] = []
        for move in self.moves:
            if row and not (move.record and self._may_follow(row[-1], move)):
                yield tuple(row)
                row = []
            if move.record is not None:
                row.append(move)
        if row:
            yield tuple(row)

    def _may_follow(self, move: Move, later: Move) -> bool:
        """Whether nobody came or went, and what is left of each prompt covers its share again."""
        assert move.fill is not None
        covered = all(
            self.world.rules.left(turn.total, turn.done) >= turn.share
            for turn in move.fill.turns
            if not turn.decoding
        )
        return later.listed == move.listed and not move.admitted and covered


def run(world: World, node: Deployment, path: Path) -> Run:
    """Run a path by `machine.step`, watched, and check what it says of its lists."""
    scheduler = watched(world.scheduler)
    state = machine.initial(path)
    queue, moves, fault = state.pending, [], ""
    while not state.over and len(moves) < LONGEST:
        try:
            after, record = machine.step(state, path, node, scheduler)
        except SchedulerError as error:
            fault = error.kind
            break
        fill = None
        if state.jobs:
            batch = {entry.session: entry.tokens for entry in record.batch} if record else {}
            applied = scheduler.log[len(scheduler.called) :]
            fill = _fill(world, node, path, state, after, batch, scheduler.called, applied)
        moves.append(Move(state, record, after, fill))
        _check_list(moves[-1])
        state = after
    return Run(world, node, path, queue, tuple(moves), fault)


def _fill(
    world: World,
    node: Deployment,
    path: Path,
    state: State,
    after: State,
    batch: dict[int, int],
    called: tuple[tuple[str, Any, Any], ...],
    applied: list[tuple[str, Any, Any]],
) -> Fill:
    gained = [value for name, _, value in applied if name == "done_after"]
    gainers = [job.session for job in state.jobs if job.session in batch]
    assert len(gainers) == len(gained), "each share is applied once"
    done = dict(zip(gainers, gained, strict=True))
    names = [name for name, _, _ in called]
    start = names.index("budget")
    decodes, residents, _ = called[names.index("decode_mode")][1]
    heads: list[tuple[Job, dict[str, Any]]] = []
    job: Job | None = None
    for name, told, value in called[start + 1 :]:
        if name == "job":
            job = told
        elif name == "serves":
            heads.append((job, {"serves": value}))
        elif name == "take":
            heads[-1][1].update(take=value, remaining=told[1])
        elif heads:
            heads[-1][1][name] = value
    reached = [one for one, _ in heads]
    key = world.scheduler.order
    in_order = list(state.jobs) if key is None else sorted(state.jobs, key=key)
    assert in_order[: len(reached)] == reached, "the fill passes its jobs in the order"
    then = {one.session: one for one in after.jobs}
    mode, limit = called[names.index("decode_mode")][2], called[start][2]
    rules, turns, left = world.rules, [], limit
    for place, one in enumerate(in_order):
        seen = heads[place][1] if place < len(heads) else {}
        decoding, session = one.phase is DECODE, path[one.session]
        asked = seen.get("left", rules.left(session.prompt, one.prefilled))
        wanted = seen.get("want", rules.want(decoding, asked, node))
        remaining = seen.get("remaining", left)
        share = batch.get(one.session, 0)
        turns.append(
            Turn(
                one,
                session,
                seen.get("serves", rules.serves(mode, decoding)),
                asked,
                wanted,
                remaining,
                seen.get("take", rules.take(wanted, remaining)),
                share,
                done.get(one.session, one.done),
                then.get(one.session),
            )
        )
        left -= share
    return Fill(
        world, node, mode, decodes, residents, limit, state.jobs, tuple(turns), len(reached)
    )


def _check_list(move: Move) -> None:
    """Everyone in the list once: who stays, who arrives, who goes on to decode, each in order."""
    before, after = move.before.jobs, {job.session: job for job in move.after.jobs}
    assert len(after) == len(move.after.jobs), "one job for each session"
    if move.fill is not None:
        passed = sorted(turn.job.session for turn in move.fill.turns)
        assert passed == sorted(job.session for job in before), "the fill passes each job once"
    listed = [job for job in before if job.session in after]
    stay = [job.session for job in listed if after[job.session].phase is job.phase]
    rejoin = [job.session for job in listed if job.session not in stay]
    new = [session for session in move.admitted if session in after]
    assert list(after) == stay + new + rejoin, "who stays, who arrives, who goes on to decode"
