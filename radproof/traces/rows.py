"""What the formats share: rows, whole numbers, decimal times, one origin, unique ids."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

import attrs

from radproof.errors import BadInput
from radproof.model import Path, Session

_DECIMAL = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?", re.ASCII)
_NOISE = Fraction(1, 1000)
"""Microseconds: what writing a time as a float may add to it."""

IDS = ("request_id", "id")
"""The columns that name a request, where a trace has one."""


@attrs.frozen
class Row:
    """One request of a trace before the origin is known."""

    where: str
    """As in "line 2"."""
    stamp: int | Fraction
    """Its arrival, in microseconds from the format's own origin; whole unless the file is finer."""
    prompt: int
    """Tokens."""
    output: int
    """Tokens."""
    name: str | None = None
    """Its id, where it has one."""


def csv_rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """("line 2", fields) of every row after the header; empty lines are skipped.

    Raises BadInput for malformed CSV.
    """
    rows = csv.reader(io.StringIO(text))
    try:
        next(rows)
        for row in rows:
            if row:
                yield f"line {rows.line_num}", row
    except csv.Error as error:
        raise BadInput(f"line {rows.line_num}: {error}.") from None


def named_rows(text: str, header: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """("line 2", value by column) of every row after the header.

    Raises BadInput for a row that has more or fewer fields than the header.
    """
    for where, row in csv_rows(text):
        if len(row) != len(header):
            raise BadInput(
                f"{where} has {len(row)} fields, not {len(header)} ({','.join(header)})."
            )
        yield where, dict(zip(header, row, strict=True))


def timed_rows(
    rows: Iterable[tuple[str, dict[str, str]]], columns: tuple[str, str, str], unit: int
) -> Iterator[Row]:
    """The requests of named rows whose columns are a time, the prompt and the output.

    `unit`: microseconds of 1 in the column of the time. Raises BadInput, naming line and field.
    """
    time, *lengths = columns
    for where, row in rows:
        stamp = decimal_time(row[time], unit, time, where)
        prompt, output = (natural(row[name], name, where) for name in lengths)
        yield Row(where, stamp, prompt, output, name_of(row))


def natural(value: str, name: str, where: str) -> int:
    """The number of a field of digits. Raises BadInput, naming line and field, for any other."""
    if not (value.isascii() and value.isdigit()):
        raise BadInput(f"{where}: {name} is {value[:60]!r}; it must be a natural number.")
    try:
        return int(value)
    except ValueError as error:
        raise BadInput(f"{where}: {name} cannot be read: {error}.") from None


def decimal_time(value: str, unit: int, name: str, where: str) -> int | Fraction:
    """Microseconds of a decimal number of `unit` microseconds, without a float on the way.

    Raises BadInput, naming line and field, for a negative number and for other text.
    """
    if _DECIMAL.fullmatch(value) is None:
        what = "seconds" if unit == 1_000_000 else "milliseconds"
        raise BadInput(f"{where}: {name} is {value[:60]!r}; it must be a number of {what}, >= 0.")
    try:
        time = Fraction(Decimal(value)) * unit
    except ValueError as error:  # more digits than Python reads
        raise BadInput(f"{where}: {name} cannot be read: {error}.") from None
    return time.numerator if time.denominator == 1 else time  # most are whole, and ints are quick


def name_of(row: dict[str, str]) -> str | None:
    """The request's id, where the trace has such a column and this row fills it."""
    return next((row[name] for name in IDS if row.get(name)), None)


@attrs.frozen
class Gathered:
    """The sessions of a trace, and how many of its rows were special."""

    path: Path
    ties: int
    """Rows with the stamp of an earlier one."""
    empty: int
    """Rows that ask for no tokens at all."""
    without_output: int
    """Rows that ask for a prompt only."""
    rounded: int
    """Stamps finer than a microsecond, by more than a float's noise (1 ns): rounded to the nearest
    one."""


def gather(rows: Iterable[Row]) -> Gathered:
    """The rows as sessions, in the file's order, the earliest arriving at 0.

    The order inside a tie is the file's: a session's place breaks ties between arrivals.
    Raises BadInput for no rows, and for a duplicate id, with both lines.
    """
    found = list(rows)
    if not found:
        raise BadInput("the trace has a header and no rows.")
    _unique(found)
    origin = min(row.stamp for row in found)
    path, rounded = [], 0
    for row in found:
        exact = row.stamp - origin
        arrive = round(exact)
        if exact != arrive:
            rounded += abs(Fraction(exact) - arrive) > _NOISE
        path.append(Session(arrive, row.prompt, row.output))
    return Gathered(
        path=tuple(path),
        ties=len(path) - len({session.arrive for session in path}),
        empty=sum(not row.prompt and not row.output for row in found),
        without_output=sum(row.prompt > 0 and not row.output for row in found),
        rounded=rounded,
    )


def _unique(rows: Iterable[Row]) -> None:
    """Raises BadInput where two rows have one id."""
    seen: dict[str, str] = {}
    for row in rows:
        if row.name is None:
            continue
        if row.name in seen:
            raise BadInput(
                f"{row.where} duplicates the request {row.name[:60]!r} of {seen[row.name]}; "
                "remove one."
            )
        seen[row.name] = row.where
