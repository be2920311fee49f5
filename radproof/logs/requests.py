"""Request rows of a benchmark on vLLM: JSON lines, one a request, float seconds.

    {"request_id": "a", "input_toks": 9, "output_toks": 3, "queued_ts": 1.5, "scheduled_ts": 1.6,
     "first_token_ts": 1.9, "last_token_ts": 2.0}

`arrival_time`, where there is one, is on another clock and is not read. There are no iterations,
so no claim about one is evaluated; the laws of order are. Rows may stand in any order: they are
put in the order of `queued_ts`, so five numbers a request are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import attrs

from radproof.logs.lines import bad, json_lines, text_of, whole
from radproof.logs.log import Log, Step

STAMPS = ("queued_ts", "scheduled_ts", "first_token_ts", "last_token_ts")
_NANOSECONDS = 10**9


@attrs.frozen
class _Row:
    """One request; stamps in nanoseconds of the engine's own clock."""

    stamps: tuple[int, ...]
    line: int


def read(log: Log) -> Iterator[Step]:
    """No steps; the laws of order. Raises BadInput with the line of whatever is wrong."""
    log.silent = "the log has requests, and no iterations"
    log.untimed = log.silent
    log.why["request_tokens"] = "no per-request tokens of a batch are logged"
    log.why["computed_once"] = "no per-request tokens of a batch are logged"
    log.why["one_at_a_time"] = log.silent
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
        name = text_of(found, "request_id", log.file, line)
        if name in lines:
            raise bad(
                log.file, line, f"is request {name!r} again, which line {lines[name]} has "
                "already; leave one of the two out",
            )  # fmt: skip
        lines[name] = line
        for field in ("input_toks", "output_toks"):
            whole(found, field, log.file, line)
        stamps = []
        for field in STAMPS:
            value = found.get(field)
            if isinstance(value, bool) or not isinstance(value, int | Decimal) or value < 0:
                raise bad(
                    log.file, line, f'has a wrong field: "{field}" is {value!s}; it must be a '
                    "time in seconds",
                )  # fmt: skip
            stamps.append(int(value * _NANOSECONDS))
        names = [field.removesuffix("_ts") for field in STAMPS]
        fault = None
        for place in range(3):
            if stamps[place] > stamps[place + 1]:
                fault = f"{name}: {names[place]} comes after {names[place + 1]}"
                break
        life.add(fault, line)
        yield _Row(tuple(stamps), line)


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
