"""The stretches of a leap, kept as rows of numbers and read as records when asked.

A leap of ten thousand sessions makes tens of thousands of stretches, and most readers want one
column of numbers, or nothing. So a row holds the numbers that the leap had at hand; the tokens
served before it and the sessions of a batch of decodes are derived when asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import add, mul
from typing import overload

from radproof.model import DECODE, PREFILL, Batch, Entry, Iteration
from radproof.runs import Stretch, Stretches

ROW = ("start", "count", "tokens", "decoding", "residents", "wanted", "batch")
"""The numbers of a row; `wanted` is the prefills' part of the demand. The batch is `DECODES`, the
session for a whole chunk of its prompt, or -2 - k for the k-th batch that several prefills share.
"""

DECODES = -1
"""The batch of the first b_col decodes of the list."""


class Decodes(Sequence[Entry]):
    """The batch of decodes at an instant: the first b_col of those that had joined."""

    # It is built when it is read: a leap makes tens of thousands of such batches, each of up to
    # b_col entries, and most readers read none. When each decode joined and ended is kept once
    # for all of them, in `Columns`.

    __slots__ = ("_columns", "_now")

    def __init__(self, columns: Columns, now: int) -> None:
        self._columns = columns
        self._now = now

    def _entries(self) -> tuple[Entry, ...]:
        columns, now = self._columns, self._now
        # A decode keeps its place in the job list until it ends, so the list at `now` is the order
        # of joining without the decodes that have ended. A decode that joins at `now` is in it,
        # one that ends at `now` is not: a stretch starts once every event of its instant is
        # handled.
        there = (
            Entry(session, DECODE, 1)
            for joined, session in zip(columns.joined_at, columns.joined, strict=True)
            if joined <= now and not _over(columns.ended[session], now)
        )
        return tuple(itertools.islice(there, min(columns.b_col, len(columns.joined))))

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        return self._entries()[index]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Decodes):
            other = other._entries()
        return self._entries() == other

    def __hash__(self) -> int:
        return hash(self._entries())

    def __repr__(self) -> str:
        return repr(self._entries())


def _over(ended: int | None, now: int) -> bool:
    return ended is not None and ended <= now


def _prefilled(tokens: int, body: int) -> int:
    return 0 if body == DECODES else tokens


def _decoders(tokens: int, body: int) -> int:
    return tokens if body == DECODES else 0


_DERIVED: dict[str, tuple[Callable[[int, int], int], tuple[str, str]]] = {
    "end": (add, ("start", "duration")),
    "prefilled": (_prefilled, ("tokens", "batch")),
    "decoders": (_decoders, ("tokens", "batch")),
    "demand": (add, ("decoding", "wanted")),
}


class Columns(Stretches):
    """The stretches of RAD's leap.

    rows: the `ROW` of each stretch, one after the other in a flat list (the garbage collector
    would visit a tuple per stretch again and again while the leap runs); joined, joined_at: every
    decode in job-list order, and when it joined; ended: the completions; lasts: the duration of a
    batch by its tokens, microseconds.
    """

    def __init__(self, ended: Sequence[int | None], b_col: int, lasts: Mapping[int, int]) -> None:
        self.ended = ended
        self.b_col = b_col
        self.lasts = lasts
        self.rows: list[int] = []
        self.joined: list[int] = []
        self.joined_at: list[int] = []
        self._shares: list[list[tuple[int, int]]] = []
        self._served: list[int] = []

    def shared(self, shares: list[tuple[int, int]]) -> int:
        """Keep the (session, share) pairs of a batch of several prefills; returns its number."""
        self._shares.append(shares)
        return -1 - len(self._shares)

    def column(self, name: str) -> list[int]:
        """As `Stretches.column`, for `ROW` too. Raises KeyError for another name."""
        if name in ROW:
            return self.rows[ROW.index(name) :: len(ROW)]
        if name == "duration":
            return [self.lasts[tokens] for tokens in self.column("tokens")]
        if name == "served":
            return self.served
        if name == "demand_step":
            return [0] * len(self)  # a leap's stretch ends where the demand changes
        derive, fields = _DERIVED[name]
        return list(map(derive, *map(self.column, fields)))

    @property
    def served(self) -> list[int]:
        """The tokens served before each stretch."""
        if len(self._served) != len(self):
            done = map(mul, self.column("count")[:-1], self.column("tokens")[:-1])
            self._served = list(itertools.accumulate(done, initial=0))[: len(self)]
        return self._served

    def __len__(self) -> int:
        return len(self.rows) // len(ROW)

    @overload
    def __getitem__(self, index: int) -> Stretch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Stretch]: ...
    def __getitem__(self, index: int | slice) -> Stretch | Sequence[Stretch]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]  # a negative index, or IndexError
        row = self.rows[place * len(ROW) : (place + 1) * len(ROW)]
        start, count, tokens, decoding, residents, wanted, body = row
        batch: Batch
        if body == DECODES:
            batch = Decodes(self, start)
        elif body >= 0:
            batch = (Entry(body, PREFILL, tokens),)
        else:
            batch = tuple(Entry(s, PREFILL, share) for s, share in self._shares[-2 - body])
        record = Iteration(
            start=start,
            end=start + self.lasts[tokens],
            served=self.served[place],
            tokens=tokens,
            prefilled=_prefilled(tokens, body),
            decoders=_decoders(tokens, body),
            decoding=decoding,
            residents=residents,
            demand=decoding + wanted,
            batch=batch,
        )
        return Stretch(record, count)
