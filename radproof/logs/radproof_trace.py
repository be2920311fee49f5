"""radproof's own trace format, `radproof.trace/1`: JSON lines that any engine can write.

    {"schema": "radproof.trace/1", "budget": 512}
    {"add": "a", "at": 0, "prompt": 30, "output": 2}
    {"iteration": 0, "start": 5, "end": 90, "batch": [["a", 30]]}
    {"iteration": 1, "start": 95, "end": 120, "batch": [["a", 1]]}
    {"gone": "a", "at": 120, "output": 2}
    {"lines": 6}

docs/trace-format.md describes it, with a writer. Only live requests are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from radproof.logs.lines import bad, in_order, json_lines, text_of, whole
from radproof.logs.log import Log, Step, record
from radproof.logs.requests_alive import Alive
from radproof.logs.vllm_steps import NO_CHUNK
from radproof.model import DECODE
from radproof.readers.intervals import Unseen

SCHEMA = "radproof.trace/1"
EVENTS = ("add", "iteration", "gone", "lines")


def read(log: Log) -> Iterator[Step]:
    """The steps of the trace. Raises BadInput with the line of whatever is wrong."""
    file = log.file
    alive = Alive(log)
    log.why["computed_once"] = "the format does not repeat what was computed before"
    log.why["first_token_order"] = "first tokens are not logged apart from the iterations"
    clock, life = log.tally("one_at_a_time"), log.tally("request_lifecycle")
    number: int | None = None
    served = ended = seen = 0
    came: dict[str, int] = {}
    closed = False
    line = 0
    for line, found in json_lines(file):
        seen += 1
        if seen == 1:
            _header(log, found, line)
            continue
        kinds = [event for event in EVENTS if event in found]
        if len(kinds) != 1:
            raise bad(file, line, f"is no event; it must have one of: {', '.join(EVENTS)}")
        if closed:
            raise bad(file, line, 'comes after the closing "lines"; two traces in one file?')
        kind = kinds[0]
        if kind == "lines":
            closed = True
            if whole(found, "lines", file, line) != seen:
                raise bad(
                    file, line, f"says that the trace has {found['lines']} lines; it has {seen}: "
                    "lines are lost, or stand twice",
                )  # fmt: skip
        elif kind == "iteration":
            count = whole(found, "iteration", file, line)
            in_order(file, line, "iteration", count, number)
            if number is None and count:
                log.notes.append(f"the trace starts at iteration {count}")
            number = count
            start, end = (whole(found, name, file, line) for name in ("start", "end"))
            fault = None
            if start < ended:
                fault = f"iteration {count} starts at {start}, and the one before ends at {ended}"
            elif end < start:
                fault = f"iteration {count} starts at {start} and ends at {end}"
            clock.add(fault, line)
            shares = _shares(log, alive, found, line)
            for name in shares:
                early = came.pop(name, None)
                if early is not None:
                    life.add(
                        f"{name} comes at {early}, and is served at {start}"
                        if early > start
                        else None,
                        line,
                    )
            yield _step(alive, line, count, (start, end), served, shares)
            served += sum(shares.values())
            alive.served(shares.items(), line)
            ended = max(ended, end)
        else:
            name, at = text_of(found, kind, file, line), whole(found, "at", file, line)
            if kind == "add":
                output = found.get("output")
                if output is not None:
                    whole(found, "output", file, line)
                if fault := alive.come(name, line, whole(found, "prompt", file, line), 0, output):
                    raise bad(file, line, fault)
                came[name] = at
                continue
            if name not in alive.requests:
                raise bad(file, line, f"ends {name!r}, which is not there: a line is lost or moved")
            if found.get("output") is not None:
                alive.requests[name].output = whole(found, "output", file, line)
            life.add(f"{name} ends at {at}, served until {ended}" if at < ended else None, line)
            came.pop(name, None)
            alive.gone(name, line)
    if not closed:
        log.partial = 'the trace ends without its closing "lines": it may be cut'


def _header(log: Log, found: dict[str, Any], line: int) -> None:
    if found.get("schema") != SCHEMA:
        raise bad(
            log.file, line, f'must be {{"schema": "{SCHEMA}"}}; it is {str(found)[:60]}. '
            "Is the format another one?",
        )  # fmt: skip
    if found.get("budget") is not None:
        log.budget = whole(found, "budget", log.file, line, 1)


def _shares(log: Log, alive: Alive, found: dict[str, Any], line: int) -> dict[str, int]:
    batch = found.get("batch")
    shares: dict[str, int] = {}
    for entry in batch if isinstance(batch, list) else [None]:
        if (
            not isinstance(entry, list)
            or len(entry) != 2
            or not isinstance(entry[0], str)
            or type(entry[1]) is not int
            or entry[1] < 0
        ):
            raise bad(log.file, line, f"has no batch of [request, tokens] pairs: {batch!s:.60}")
        name, tokens = entry
        if name in shares:
            raise bad(log.file, line, f"has {name!r} twice in its batch")
        if name not in alive.requests:
            raise bad(
                log.file, line, f"serves {name!r}, which is not there: a line is lost or moved"
            )  # fmt: skip
        shares[name] = tokens
    return shares


def _step(
    alive: Alive,
    line: int,
    number: int,
    times: tuple[int, int],
    served: int,
    shares: dict[str, int],
) -> Step:
    batch = tuple(alive.entry(name, tokens) for name, tokens in shares.items())
    tokens = sum(shares.values())
    return Step(
        line=line,
        number=number,
        record=record(
            start=times[0],
            end=times[1],
            served=served,
            tokens=tokens,
            prefilled=sum(entry.tokens for entry in batch if entry.phase is not DECODE),
            decoders=sum(entry.phase is DECODE for entry in batch),
            decoding=alive.decoding,
            residents=len(alive.requests),
            demand=Unseen.at_least(tokens, NO_CHUNK),
            batch=batch,
        ),
        duration=times[1] - times[0],
    )
