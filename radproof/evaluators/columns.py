"""The stretches of a leap, kept as rows of numbers and read as records when asked.

A leap of ten thousand sessions makes tens of thousands of stretches, and most readers want a
column of numbers, or nothing. So a row holds what the leap knew, and the rest is derived: what
was served before it, and, for a batch of decodes, who was in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import add, mul
from typing import Any, overload

from radproof.model import DECODE, PREFILL, Batch, Entry, Iteration
from radproof.runs import Stretch

FIELDS = ("start", "count", "tokens", "decoding", "residents", "wanted", "batch")
"""What a row holds; `wanted` is the prefills' part of the demand. The batch is -1 for the first
decodes of the list, the session for a whole chunk of its prompt, or -2 - k for the k-th batch
that several prefills share."""

WIDTH = len(FIELDS)


class Decodes(Sequence[Entry]):
    """The batch of the decodes at an instant: the first b_col of those that had joined."""

    __slots__ = ("_columns", "_now")

    def __init__(self, columns: Columns, now: int) -> None:
        self._columns = columns
        self._now = now

    def _entries(self) -> tuple[Entry, ...]:
        columns, now = self._columns, self._now
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


class Columns(Sequence[Stretch]):
    """The stretches as a sequence.

    rows: what the leap wrote, `FIELDS` of every stretch on end in one flat list, which costs
    Python's collector nothing; joined, joined_at: every decode in job-list order, and when it
    joined; ended: the completions; lasts: the batch times.
    """

    def __init__(
        self, ended: Sequence[int | None], b_col: int, chunk: int, lasts: Mapping[int, int]
    ) -> None:
        self.ended = ended
        self.b_col = b_col
        self.chunk = chunk
        self.lasts = lasts
        self.rows: list[int] = []
        self.joined: list[int] = []
        self.joined_at: list[int] = []
        self._shares: list[list[tuple[int, int]]] = []
        self._served: list[int] = []

    def shared(self, shares: list[tuple[int, int]]) -> int:
        """Keep the (session, share) pairs of a batch of several prefills; its number."""
        self._shares.append(shares)
        return -1 - len(self._shares)

    def column(self, name: str) -> list[int]:
        """One of `FIELDS` for every stretch, or what derives from them."""
        if name in FIELDS:
            return self.rows[FIELDS.index(name) :: WIDTH]
        if name == "duration":
            return [self.lasts[tokens] for tokens in self.column("tokens")]
        if name == "demand":
            return list(map(add, self.column("decoding"), self.column("wanted")))
        if name == "prefilled":
            bodies = zip(self.column("tokens"), self.column("batch"), strict=True)
            return [0 if body == -1 else tokens for tokens, body in bodies]
        if name == "decoders":
            bodies = zip(self.column("tokens"), self.column("batch"), strict=True)
            return [tokens if body == -1 else 0 for tokens, body in bodies]
        raise KeyError(name)

    def largest(self) -> int:
        """No number of any record is larger than this, nor any sum of tokens and time."""
        if not self.rows:
            return 0
        start, count, tokens = self.rows[-WIDTH : 3 - WIDTH]
        end = start + count * self.lasts[tokens]
        return end + self.served[-1] + count * tokens + max(self.rows[4::WIDTH]) * self.chunk

    def arrays(self, dtype: Any, names: Iterable[str]) -> dict[str, tuple[Any, Any]]:
        """The named numbers of every stretch's first and last record, as numpy arrays."""
        import numpy as np

        table = np.array(self.rows, dtype=dtype).reshape(-1, WIDTH).T
        start, count, tokens, decoding, residents, wanted, batch = table
        made: dict[str, tuple[Any, Any]] = {}
        for name in names:
            if name in ("start", "end"):
                each = np.array(self.column("duration"), dtype=dtype)
                first = start + each if name == "end" else start
                made[name] = first, first + (count - 1) * each
            elif name == "served":
                after = np.cumsum(count * tokens)
                first = after - count * tokens
                made[name] = first, after - tokens
            else:
                column = {
                    "tokens": tokens,
                    "prefilled": np.where(batch == -1, 0, tokens),
                    "decoders": np.where(batch == -1, tokens, 0),
                    "decoding": decoding,
                    "residents": residents,
                    "demand": decoding + wanted,
                }[name]
                made[name] = column, column
        return made

    @property
    def served(self) -> list[int]:
        """The tokens served before each stretch."""
        if len(self._served) != len(self):
            done = map(mul, self.column("count")[:-1], self.column("tokens")[:-1])
            self._served = list(itertools.accumulate(done, initial=0))[: len(self)]
        return self._served

    def __len__(self) -> int:
        return len(self.rows) // WIDTH

    @overload
    def __getitem__(self, index: int) -> Stretch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Stretch]: ...
    def __getitem__(self, index: int | slice) -> Stretch | Sequence[Stretch]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]  # a negative index, or IndexError
        row = self.rows[place * WIDTH : (place + 1) * WIDTH]
        start, count, tokens, decoding, residents, wanted, body = row
        batch: Batch
        if body == -1:
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
            prefilled=0 if body == -1 else tokens,
            decoders=tokens if body == -1 else 0,
            decoding=decoding,
            residents=residents,
            demand=decoding + wanted,
            batch=batch,
        )
        return Stretch(record, count)
