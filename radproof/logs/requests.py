"""Request rows of a benchmark on vLLM: JSON lines, one a request, float seconds.

    {"request_id": "a", "input_toks": 9, "output_toks": 3, "queued_ts": 1.5, "scheduled_ts": 1.6,
     "first_token_ts": 1.9, "last_token_ts": 2.0}

`arrival_time`, where there is one, is on another clock and is not read. There are no iterations,
so no claim about one is evaluated; the laws of order are. Rows may stand in any order: they are
put in the order of `queued_ts`, so five numbers a request are held in memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import attrs

from radproof.logs.lines import bad, json_lines, text_field, whole_field
from radproof.logs.log import Log, Step

STAMPS = ("queued_ts", "scheduled_ts", "first_token_ts", "last_token_ts")
_NANOSECONDS = 10**9


@attrs.frozen
class _Row:
    """One request; stamps in nanoseconds of the engine's own clock."""

    stamps: tuple[int, ...]
    line: int


def read_requests(log: Log) -> Iterator[Step]:
    """No steps; the laws of order. Raises BadInput with the line of whatever is wrong."""
    log.silent = "the log has requests, and no iterations"
    log.untimed = log.silent
    log.cannot_answer(
        "no per-request tokens of a batch are logged", "request_tokens", "computed_once"
    )
    log.cannot_answer(log.silent, "one_at_a_time")
    rows = sorted(_rows(log), key=lambda row: row.stamps[0])
    _order(log, "admission_order", "scheduled", rows, 1)
    _order(log, "first_token_order", "given its first token", rows, 2)
    first_tokens = {row.stamps[2] for row in rows}
    if len(first_tokens) < len(rows):
        log.notes.append(
            f"{len(rows) - len(first_tokens):,} of {len(rows):,} requests share the stamp of their "
            "first token with another: they were in one iteration"
        )
    yield from ()


def _rows(log: Log) -> Iterator[_Row]:
    lines: dict[str, int] = {}
    life = log.tally("request_lifecycle")
    for line, found in json_lines(log.file, parse_float=Decimal):
        name = text_field(found, "request_id", log.file, line)
        if name in lines:
            raise bad(
                log.file, line, f"duplicates request {name!r} of line {lines[name]}; remove one"
            )
        lines[name] = line
        for field in ("input_toks", "output_toks"):
            whole_field(found, field, log.file, line)
        stamps = tuple(_stamp(log, line, found, field) for field in STAMPS)
        life.add(_run_back(name, stamps), line)
        yield _Row(stamps, line)


def _stamp(log: Log, line: int, found: dict[str, Any], field: str) -> int:
    """Nanoseconds of a field of seconds."""
    value = found.get(field)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0:
        raise bad(
            log.file, line, f'has a wrong field: "{field}" is {value!s}; it must be a time in '
            "seconds",
        )  # fmt: skip
    return int(value * _NANOSECONDS)


def _run_back(name: str, stamps: tuple[int, ...]) -> str | None:
    """What is wrong where a stamp of a request is later than the next one."""
    stamped = [
        (field.removesuffix("_ts"), time) for field, time in zip(STAMPS, stamps, strict=True)
    ]
    for (what, time), (then, later) in itertools.pairwise(stamped):
        if time > later:
            return f"{name}: {what} comes after {then}"
    return None


def _order(log: Log, law: str, what: str, rows: list[_Row], place: int) -> None:
    """Whether a stamp never runs back along the queue; equal stamps are one iteration."""
    tally = log.tally(law)
    latest: _Row | None = None
    for row in rows:
        if latest is not None:
            fault = None
            if row.stamps[place] < latest.stamps[place] and row.stamps[0] > latest.stamps[0]:
                fault = f"this request is {what} before that of line {latest.line}, queued earlier"
            tally.add(fault, row.line)
        if latest is None or row.stamps[place] >= latest.stamps[place]:
            latest = row
