"""The ledger: what a run's batches did to its sessions, counted again from the path alone.

It asks neither the scheduler nor the machine what happened: it reads the sessions, who was in each
batch and how long that lasted. Inside a stretch no session joins, and none ends before its last
batch, so a stretch is written in one step, however long it is. A law along a path looks at a
`Moment`, what the ledger says as an iteration starts, or at the `Ledger` at the end of the run.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from functools import cached_property

import attrs

from radproof.model import DECODE, PREFILL, Deployment, Entry, Iteration, Path, Phase
from radproof.number import Num, ceil_div
from radproof.readers.affine import Split, affine
from radproof.rules import Rules
from radproof.runs import Run, Stretch
from radproof.schedulers.declared import limits_of, overtakes, rules_that_decide
from radproof.schedulers.protocol import Limits

MOST_ENTRIES = 2_000_000
"""Batch entries (and, for each batch, sessions) read along one run before a law is *unknown*."""


@attrs.define
class Ledger:
    """The ledger when a stretch starts, before its batches are written into it."""

    path: Path
    deployment: Deployment
    rules: Rules | None = None
    """Those that decide the batch, where the scheduler is in rule form."""
    limits: Limits | None = None
    """What the scheduler declares as its limits."""
    overtakes: str = ""
    """What it declares as the reason to serve a session before one that has waited longer."""
    stretch: Stretch = attrs.field(init=False)
    batch: tuple[Entry, ...] = ()
    """The batch of the stretch; empty at the end of the run."""
    tokens: int = 0
    """Tokens of the batch."""
    index: int = 0
    """The stretch's first iteration, from 0."""
    due: int | None = None
    """When the stretch should have started; None where no session had work left."""
    end: int = 0
    """When the stretch before ended."""
    prefills: dict[int, int] = attrs.field(factory=dict)
    """The residents that prefill, in the order in which they joined: the tokens each has had."""
    decodes: dict[int, int] = attrs.field(factory=dict)
    """The same of the residents that decode."""
    partial: set[int] = attrs.field(factory=set)
    """Prompts begun and not finished."""
    started: dict[int, int] = attrs.field(factory=dict)
    """When each session was first in a batch."""
    first_token: dict[int, int] = attrs.field(factory=dict)
    """When each session had its first token."""
    ended: dict[int, int] = attrs.field(factory=dict)
    """When each session had had all its tokens."""
    joined: dict[int, int] = attrs.field(factory=dict)
    """When each resident joined its phase."""
    passes: list[int] = attrs.field(factory=list)
    """The residents that the batch passes: it serves one that came after them."""
    passed: dict[int, int] = attrs.field(factory=dict)
    """How many batches have passed each resident since it was last served."""
    served: int = 0
    """Tokens so far."""
    idle: int = 0
    """Microseconds without a resident so far."""
    waste: int = 0
    """Unfilled tokens of tiles so far."""
    arrived_work: int = 0
    """Tokens that the sessions asked for that have arrived."""
    prefill_run: int = 0
    """Consecutive prefill batches before this stretch."""
    run_decodes: int = 0
    """The decodes when those began."""
    run_ended: int = 0
    """The prompts without an output that they have finished."""
    pending: deque[int] = attrs.field(factory=deque)
    """The sessions still to arrive, in arrival order."""

    @property
    def residents(self) -> int:
        """Sessions that have arrived, have work left, and may be in a batch."""
        return len(self.prefills) + len(self.decodes)

    def shares(self, phase: Phase) -> list[Entry]:
        """The entries of the batch that are in this phase, in order."""
        return [entry for entry in self.batch if entry.phase is phase]

    def had(self, entry: Entry) -> int | None:
        """The tokens that its session has had in the entry's phase; None where it is not in it."""
        return self.queue(entry.phase).get(entry.session)

    def queue(self, phase: Phase) -> dict[int, int]:
        """The residents of this phase, in the order in which they joined it."""
        return self.prefills if phase is PREFILL else self.decodes

    @property
    def running(self) -> set[int]:
        """The residents that have been in a batch, or are in this one."""
        here = {entry.session for entry in self.batch}
        both = itertools.chain(self.prefills, self.decodes)
        return {session for session in both if session in self.started or session in here}

    @property
    def waste_of_one(self) -> int:
        """What the batch adds to `waste` each time."""
        b_col = self.deployment.b_col
        return b_col * ceil_div(self.tokens, b_col) - self.tokens


@attrs.frozen(slots=False)
class Moment:
    """What the ledger says as an iteration starts: repetition `low` of its stretch, from 0.

    It stands for `size` repetitions at once. What differs between them is then a number that covers
    all of them (`affine.Affine`), and raises `Split` where a law's answer about them differs too.
    So a law is a statement about one iteration, and its answers are exact on a stretch of any
    length.
    """

    ledger: Ledger
    """As the stretch starts."""
    low: int
    size: int = 1

    def _grown(self, first: int, each: int) -> Num:
        """`first` as the stretch starts, and `each` more with each repetition."""
        return affine(first + self.low * each, each, self.size)

    @cached_property
    def record(self) -> Iteration:
        """The record of the iteration."""
        return self.ledger.stretch.grown(self._grown)

    @property
    def index(self) -> Num:
        """The iteration, from 0."""
        return self._grown(self.ledger.index, 1)

    @property
    def served(self) -> Num:
        """Tokens before it."""
        return self._grown(self.ledger.served, self.ledger.tokens)

    @property
    def waste(self) -> Num:
        """Unfilled tokens of tiles before it."""
        return self._grown(self.ledger.waste, self.ledger.waste_of_one)

    @property
    def due(self) -> Num | None:
        """When it should start; None where no session has work left."""
        if not self.low:
            if self.size > 1 and self.ledger.due != self.ledger.stretch.first.start:
                raise Split(1)
            if self.size == 1:
                return self.ledger.due
        # a repetition is due as the one before it ends
        return self.record.start if self.ledger.residents else self.ledger.due

    @property
    def prefill_run(self) -> Num:
        """Consecutive prefill batches before it, where it is one."""
        return self._grown(self.ledger.prefill_run, 1)

    @property
    def passed(self) -> Num:
        """How often the resident that was passed most of those that it passes has been, with it."""
        ledger = self.ledger
        return self._grown(1 + max(ledger.passed.get(s, 0) for s in ledger.passes), 1)

    @property
    def begun(self) -> set[int]:
        """Prompts begun and not finished, as it starts."""
        ledger = self.ledger
        new = {e.session for e in ledger.shares(PREFILL) if e.session in ledger.prefills}
        if self.size > 1 and not self.low and new - ledger.partial:
            raise Split(1)
        return ledger.partial | new if self.low else ledger.partial

    def had(self, entry: Entry) -> Num | None:
        """The tokens that its session has had in the entry's phase; None where it is not in it."""
        had = self.ledger.had(entry)
        return None if had is None else self._grown(had, entry.tokens)


def moments(run: Run) -> Iterator[Ledger]:
    """The ledger at the start of every stretch, and once more, at the end of the run.

    It is one object that changes: read it before the next is drawn.
    """
    path, d, scheduler = run.path, run.deployment, run.scheduler
    m = Ledger(
        path,
        d,
        rules_that_decide(scheduler),
        limits_of(scheduler, d),
        overtakes(scheduler, d),
    )
    m.pending = deque(sorted(range(len(path)), key=lambda s: path[s].arrive))
    for stretch in run.stretches:
        _begin(m, stretch)
        yield m
        _write(m, stretch)
    m.due = _due(m)
    m.batch, m.tokens = (), 0
    if run.horizon is not None and run.whole:
        _admit(m, run.horizon)
    elif run.whole:
        _admit(m, max((path[s].arrive for s in m.pending), default=m.end))
    yield m


def _begin(m: Ledger, stretch: Stretch) -> None:
    """Bring the ledger to the start of a stretch."""
    first = stretch.first
    m.due = _due(m)
    if m.due is not None:
        m.idle += m.due - m.end  # 0 where a session has work left
    _admit(m, first.start)
    m.stretch, m.batch = stretch, tuple(first.batch)
    m.tokens = sum(entry.tokens for entry in m.batch)
    m.passes = [session for phase in Phase for session in _passes(m, phase)]
    if not first.prefilled:
        m.prefill_run = 0
    elif not m.prefill_run:
        m.run_decodes, m.run_ended = len(m.decodes), 0


def _passes(m: Ledger, phase: Phase) -> Iterator[int]:
    """The residents of a phase that the batch passes.

    It serves another one of the phase that arrived later, and joined the phase later.
    """
    queue = m.queue(phase)
    served = {entry.session for entry in m.shares(phase) if entry.session in queue}
    if served == set(itertools.islice(queue, len(served))):
        return  # whoever waits joined after all of these

    def joined(session: int) -> int:
        return m.joined[session]

    latest, later = -1, sorted(served, key=joined)
    for session in sorted((s for s in queue if s not in served), key=joined, reverse=True):
        while later and joined(later[-1]) > joined(session):
            latest = max(latest, m.path[later.pop()].arrive)
        if latest > m.path[session].arrive:
            yield session


def _due(m: Ledger) -> int | None:
    """When the next iteration is to start: at once, or when a session with work arrives."""
    if m.residents:
        return m.end
    for session in m.pending:
        if m.path[session].prompt or m.path[session].output:
            return max(m.end, m.path[session].arrive)
    return None


def _admit(m: Ledger, until: int) -> None:
    while m.pending and m.path[m.pending[0]].arrive <= until:
        number = m.pending.popleft()
        session = m.path[number]
        m.arrived_work += session.prompt + session.output
        m.joined[number] = session.arrive
        if session.prompt:
            m.prefills[number] = 0
        elif session.output:
            m.decodes[number] = 0
        else:
            m.ended[number] = session.arrive


def _write(m: Ledger, stretch: Stretch) -> None:
    """Write the batches of a stretch into the ledger: who got what, who finished."""
    first, count = stretch.first, stretch.count
    end = first.end + (count - 1) * stretch.duration
    _admit(m, end)
    for session in m.passes:
        m.passed[session] = m.passed.get(session, 0) + count
    for entry in m.batch:
        session, got = entry.session, entry.tokens * count
        m.started.setdefault(session, first.start)
        m.passed.pop(session, None)
        queue = m.queue(entry.phase)
        if session not in queue:
            continue
        queue[session] += got
        if entry.phase is DECODE:
            m.first_token.setdefault(session, first.end)
            if queue[session] >= m.path[session].output:
                del queue[session]
                m.ended[session] = end
        elif queue[session] < m.path[session].prompt:
            m.partial.add(session)
        else:
            del queue[session]
            m.partial.discard(session)
            if m.path[session].output:
                m.decodes[session], m.joined[session] = 0, end
            else:
                m.ended[session] = end
                m.run_ended += 1
    m.served += m.tokens * count
    m.waste += m.waste_of_one * count
    m.prefill_run += count if first.prefilled else 0
    m.index += count
    m.end = end
