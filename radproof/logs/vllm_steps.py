"""Step records of vLLM's scheduler: JSON lines `add`, `sched` and `done`, clocks in nanoseconds.

    {"ev": "add", "id": "a", "mono": 1, "prompt": 30, "priority": 0, "seq": 1, ...}
    {"ev": "sched", "step": 1, "t0": 2, "t1": 3, "tokens": {"a": 30}, "computed": {"a": 0}, ...}
    {"ev": "done", "step": 1, "t2": 4, "t3": 5, "seq": 3, ...}

`flush` and `terminal` close what a process wrote. The end of a request is not recorded: it is
resident until the last step that serves it, so the file is read twice, and the names of its
requests (not its steps) are held in memory. Times are taken down to whole microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from radproof.errors import BadInput
from radproof.logs.lines import bad, in_order, json_lines, text_of, whole
from radproof.logs.log import Log, Step, record
from radproof.logs.requests_alive import Alive
from radproof.model import DECODE
from radproof.readers.intervals import Unseen

NO_CHUNK = "what a job would take without a budget depends on a chunk that the log does not name"


@attrs.define
class _Open:
    """A step that is scheduled and not done."""

    line: int
    number: int
    t0: int
    t1: int
    shares: dict[str, int]


def read(log: Log) -> Iterator[Step]:
    """The steps of the log. Raises BadInput with the line of whatever is wrong."""
    file = log.file
    last = _last_lines(log)
    alive = Alive(log)
    for law in ("first_token_order", "request_lifecycle"):
        log.why[law] = "first and last tokens are not logged apart from the steps"
    clock = log.tally("one_at_a_time")
    origin: int | None = None
    seq = ended = number = served = 0
    open_step: _Open | None = None
    closed = False
    line = 0
    for line, found in json_lines(file):
        event = found.get("ev")
        if closed:
            raise bad(file, line, "comes after the terminal record; two logs in one file?")
        if event in ("add", "sched", "done"):
            following = whole(found, "seq", file, line, 1)
            in_order(file, line, "record", following, seq or None)
            seq = following
        if event == "add":
            stamp, name = whole(found, "mono", file, line), text_of(found, "id", file, line)
            prompt = whole(found, "prompt", file, line)
            priority = found.get("priority", 0)
            if type(priority) is not int:
                raise bad(file, line, f"has a priority that is no whole number: {priority!r}")
            if name not in last:
                last[name] = 0  # never served: it waits to the end
            fault = alive.come(name, line, prompt, priority)
            if fault is not None:
                raise bad(file, line, fault)
            origin = stamp if origin is None else origin
        elif event == "sched":
            if open_step is not None:
                raise bad(
                    file, line, f"schedules a step before step {open_step.number} is done (its "
                    "line is lost)",
                )  # fmt: skip
            step = whole(found, "step", file, line, 1)
            in_order(file, line, "step", step, number or None)
            if not number and step > 1:
                log.notes.append(f"the log starts at step {step}; the tokens before are not in it")
            number = step
            shares = _shares(log, alive, found, line)
            t0, t1 = (whole(found, name, file, line) for name in ("t0", "t1"))
            origin = t0 if origin is None else origin
            clock.add(
                f"step {step} starts {ended - t0} ns before the one before it ended"
                if t0 < ended
                else f"step {step} is scheduled before it starts"
                if t1 < t0
                else None,
                line,
            )
            open_step = _Open(line, step, t0, t1, shares)
        elif event == "done":
            if open_step is None or whole(found, "step", file, line, 1) != open_step.number:
                raise bad(file, line, f"ends step {found.get('step')}, which is not under way")
            t2, ended = (whole(found, name, file, line) for name in ("t2", "t3"))
            if not open_step.t1 <= t2 <= ended:
                clock.add(f"step {open_step.number} ends before it is scheduled", line)
            assert origin is not None
            yield _step(alive, open_step, ended, origin, served)
            served += sum(open_step.shares.values())
            alive.served(open_step.shares.items(), open_step.line)
            for name in open_step.shares:
                if last[name] == open_step.line:
                    alive.gone(name, open_step.line)
            open_step = None
        elif event == "flush":
            _close(log, found, "last_seq", seq, line)
        elif event == "terminal":
            _close(log, found, "seq_written", seq, line)
            _close(log, found, "last_step", number, line)
            if found.get("seq_produced", seq) != seq:
                log.partial = f"the writer lost records ({found['seq_produced']} were produced)"
            closed = True
        else:
            raise bad(file, line, f'has "ev" {event!r}; it must be add, sched, done, flush or term')
    if open_step is not None:
        raise bad(
            file,
            line,
            f"is the last, and step {open_step.number} (line "
            f"{open_step.line}) is not done: the log is cut. Leave out the lines from "
            f"{open_step.line} on, or write it again",
        )
    if not closed and number:
        log.notes.append("the log ends without its terminal record: it may be cut between steps")
    log.notes.append("outputs are not logged: a request's is counted as its decodes and one")
    if alive.requests:
        log.notes.append(f"{len(alive.requests):,} requests were never scheduled")


def _last_lines(log: Log) -> dict[str, int]:
    """The line of the last step that serves each request."""
    found: dict[str, int] = {}
    for line, event in json_lines(log.file):
        if event.get("ev") == "sched" and isinstance(event.get("tokens"), dict):
            for name in event["tokens"]:
                found[name] = line
    return found


def _shares(log: Log, alive: Alive, found: dict[str, Any], line: int) -> dict[str, int]:
    """The tokens of each request in the batch, held against what it has computed."""
    shares, computed = found.get("tokens"), found.get("computed")
    if (
        not isinstance(shares, dict)
        or not isinstance(computed, dict)
        or set(shares) != set(computed)
    ):
        raise bad(log.file, line, 'must have the same requests in "tokens" and in "computed"')
    once = log.tally("computed_once")
    for name, tokens in shares.items():
        request = alive.requests.get(name)
        if request is None:
            raise bad(
                log.file, line, f"schedules {name!r}, which no line before adds (or which has "
                "ended); a line is lost or moved",
            )  # fmt: skip
        for what in (tokens, computed[name]):
            if type(what) is not int or what < 0:
                raise bad(log.file, line, f"gives {name!r} {what!r} tokens; it must be a number")
        fault = None
        if computed[name] != request.computed:
            fault = (
                f"{name} has computed {computed[name]} tokens, and was scheduled "
                f"{request.computed} before: preempted and recomputed, or lost"
            )
        once.add(fault, line)
    return shares


def _step(alive: Alive, step: _Open, ended: int, origin: int, served: int) -> Step:
    batch = tuple(alive.entry(name, tokens) for name, tokens in step.shares.items())
    tokens = sum(entry.tokens for entry in batch)
    decoders = sum(entry.phase is DECODE for entry in batch)
    return Step(
        line=step.line,
        number=step.number,
        record=record(
            start=(step.t0 - origin) // 1000,
            end=(ended - origin) // 1000,
            served=served,
            tokens=tokens,
            prefilled=sum(entry.tokens for entry in batch if entry.phase is not DECODE),
            decoders=decoders,
            decoding=alive.decoding,
            residents=len(alive.requests),
            demand=Unseen.at_least(tokens, NO_CHUNK),
            batch=batch,
        ),
        duration=(ended - step.t0) // 1000,
    )


def _close(log: Log, found: dict[str, Any], name: str, seen: int, line: int) -> None:
    said = found.get(name)
    if said is not None and said != seen:
        raise BadInput(
            f"{log.file}: line {line} says that {name} is {said}; the last one read is {seen}. "
            "Lines are lost; write the log again."
        )
