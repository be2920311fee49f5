"""What happened in a run, worked out once for all its pictures.

A run is a sequence of stretches; a picture needs rows: when each session waited, took its chunks
and decoded, and which iteration the picture is about. All of it is read from the records (the
scheduler is not called again), exactly, in microseconds and tokens.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

import attrs

from radproof.claims import Claim, Result, Verdict, token_rate
from radproof.errors import SchedulerError
from radproof.model import (
    DECODE,
    DEPLOYMENT_NAMES,
    PREFILL,
    SCALARS,
    Batch,
    Iteration,
    Session,
)
from radproof.number import ceil_div
from radproof.readers.terms import Term
from radproof.runs import Run, Stretch
from radproof.schedulers.loading import Loaded


@attrs.frozen
class Mark:
    """The iteration that a picture is about."""

    index: int
    """Its number, from 0."""
    start: int
    """Microseconds."""
    end: int
    """Microseconds; equal to `start` where the scheduler is at fault, and returned no batch."""
    label: str
    """A few words."""
    claim: Claim | None = None
    """The claim whose verdict marks it, if any."""


@attrs.frozen
class Life:
    """One session from its arrival to its end; times in microseconds, None if not reached."""

    number: int
    session: Session
    first: int | None
    """The start of the first iteration that took tokens of its prompt."""
    joined: int | None
    """When its decode joined the job list."""
    ended: int | None
    chunks: tuple[tuple[int, int], ...] = ()
    """(place of a stretch, tokens of the prompt that each of its iterations took), in order."""


@attrs.frozen
class Story:
    """A run, its verdicts, the marked iteration, and the scheduler's fault, if any."""

    run: Run
    scheduler: Loaded
    verdicts: tuple[Verdict, ...]
    mark: Mark | None
    error: SchedulerError | None = None

    @cached_property
    def _firsts(self) -> list[int]:
        """The number of the first iteration of each stretch."""
        counts = self.run.stretches.column("count")
        return list(itertools.accumulate(counts, initial=0))[: len(counts)]

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """The run's stretches, read once."""
        return tuple(self.run.stretches)

    @property
    def end(self) -> int:
        """When the picture ends: the last iteration's end, or the last arrival or the mark."""
        arrivals = (s.arrive for s in self.run.path if self._arrived(s))
        marked = 0 if self.mark is None else self.mark.end
        return max(self.run.end, marked, max(arrivals, default=0))

    def _arrived(self, session: Session) -> bool:
        if self.error is not None and self.mark is not None:
            return session.arrive <= self.mark.start
        return self.run.horizon is None or session.arrive <= self.run.horizon

    def place(self, index: int) -> int:
        """The place of the stretch that iteration `index` is in."""
        return max(0, bisect.bisect_right(self._firsts, index) - 1)

    def first_of(self, place: int) -> int:
        """The number of the first iteration of the stretch at `place`."""
        return self._firsts[place]

    def records(self, low: int, high: int) -> Iterator[tuple[int, Iteration]]:
        """The run's iterations among low .. high - 1, with their numbers."""
        for index in range(max(0, low), min(high, self.run.iterations)):
            place = self.place(index)
            yield index, self.stretches[place].record(index - self._firsts[place])

    @cached_property
    def lives(self) -> tuple[Life, ...]:
        """The sessions that arrived, in order of arrival."""
        path = self.run.path
        left = [session.prompt for session in path]
        first: list[int | None] = [None] * len(path)
        joined: list[int | None] = [None if s.prompt else s.arrive for s in path]
        chunks: list[list[tuple[int, int]]] = [[] for _ in path]
        for place, stretch in enumerate(self.stretches):
            if not stretch.first.prefilled:
                continue  # and its batch, which may be long, need not be read
            for entry in stretch.first.batch:
                if entry.phase is not PREFILL:
                    continue
                number = entry.session
                chunks[number].append((place, entry.tokens))
                if first[number] is None:
                    first[number] = stretch.first.start
                left[number] -= entry.tokens * stretch.count
                if left[number] <= 0:
                    joined[number] = stretch.end
        numbers = sorted(
            (number for number, s in enumerate(path) if self._arrived(s)),
            key=lambda number: (path[number].arrive, number),
        )
        ended = self.run.completions
        return tuple(
            Life(n, path[n], first[n], joined[n], ended[n], tuple(chunks[n])) for n in numbers
        )

    def chosen(self, place: int) -> tuple[int, ...] | None:
        """The decodes in the batch of a stretch that took some decodes and left others.

        None if it took all or none, which the record's numbers show.
        """
        record = self.stretches[place].first
        if not 0 < record.decoders < record.decoding:
            return None
        return tuple(entry.session for entry in record.batch if entry.phase is DECODE)

    def serves(self, place: int, life: Life) -> bool:
        """Whether the batch of a stretch has this session's decode in it."""
        stretch = self.stretches[place]
        start, ended = stretch.first.start, life.ended
        if not stretch.first.decoders or life.joined is None or start < life.joined:
            return False
        chosen = self.chosen(place)
        return (ended is None or start < ended) and (chosen is None or life.number in chosen)

    def spare(self, record: Iteration) -> int:
        """The slack of token_rate at a record: the right side of its inequality minus the left.

        Both sides are read from the claim itself (Theorem 1); below 0 it fails.
        """
        low, high = _sides()
        names = {name: getattr(record, name) for name in SCALARS} | self._numbers
        return int(high.value(names) - low.value(names))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: getattr(self.run.deployment, name) for name in DEPLOYMENT_NAMES}

    @cached_property
    def slack(self) -> tuple[tuple[int, int], ...]:
        """The slack of token_rate at the first and the last record of each stretch."""
        return tuple(
            (self.spare(s.first), self.spare(s.record(s.count - 1))) for s in self.stretches
        )


def tell(run: Run, verdicts: Sequence[Verdict], scheduler: Loaded) -> Story:
    """The story of a run: its mark is the first verdict that fails, else the first witness."""
    mark = None
    for result in (Result.FAILS, Result.WITNESSED):
        decided = [v for v in verdicts if v.result is result and v.first is not None]
        if mark is None and decided:
            mark = _mark(decided[0], run)
    return Story(run, scheduler, tuple(verdicts), mark)


def tell_fault(error: SchedulerError, scheduler: Loaded) -> Story:
    """The story of a run that ends at the scheduler's fault, which is marked."""
    run: Run = error.so_far
    mark = Mark(run.iterations, error.at, error.at, "the scheduler is at fault")
    return Story(run, scheduler, (), mark, error)


def _mark(verdict: Verdict, run: Run) -> Mark:
    at, record, index = verdict.first, verdict.record, verdict.index
    assert at is not None
    if index is None or record is None:  # a law of the whole run may give a time alone
        index, record = _iteration_at(run, at)
    return Mark(
        index=index,
        start=at if record is None else record.start,
        end=at if record is None else record.end,
        label=f"{verdict.claim.name} {verdict}",
        claim=verdict.claim,
    )


def _iteration_at(run: Run, at: int) -> tuple[int, Iteration | None]:
    """The last iteration that starts by this time (microseconds), with its number."""
    index, found, seen = 0, None, 0
    for stretch in run.stretches:
        if stretch.first.start > at:
            break
        inside = (at - stretch.first.start) // stretch.duration if stretch.duration else 0
        index = seen + min(inside, stretch.count - 1)
        found = stretch.record(index - seen)
        seen += stretch.count
    return index, found


def slack_text() -> str:
    """The slack as a formula, from the claim itself."""
    low, high = _sides()
    return f"{high.text()} - {low.text()}"


def mode(record: Iteration) -> str:
    """What a batch does: prefill, decode, or both."""
    if not record.prefilled:
        return "decode"
    return "mixed" if record.decoders else "prefill"


def fill(record: Iteration, b_col: int) -> float:
    """The share of its tiles' columns that a batch fills, from 0 to 1."""
    columns: int = ceil_div(record.tokens, b_col) * b_col
    return record.tokens / columns


def batch_text(batch: Batch) -> str:
    """A batch in a few words: up to four entries of each phase, and a count of the rest."""
    parts = []
    for phase, of in ((DECODE, "decode"), (None, "prefill")):
        entries = [e for e in batch if (e.phase is DECODE) == (phase is DECODE)]
        if not entries:
            continue
        shown = ", ".join(
            f"{e.session}" if of == "decode" else f"{e.session} ({e.tokens:,})" for e in entries[:4]
        )
        more = f" and {len(entries) - 4:,} more" if len(entries) > 4 else ""
        parts.append(f"{of} {shown}{more}")
    return "; ".join(parts)


def readable(number: int) -> str:
    """A number for a person: with thousands separators, from 10^24 in scientific notation."""
    return f"{number:,}" if abs(number) < 10**24 else f"{Decimal(number):.6e}"


def _sides() -> tuple[Term, Term]:
    """The two sides of token_rate's inequality, the smaller one first."""
    assert token_rate.term is not None
    [inequality] = token_rate.term.comparisons()
    low, high = inequality.args
    return low, high
