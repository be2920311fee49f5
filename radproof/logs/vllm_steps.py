"""Step records of vLLM's scheduler: JSON lines `add`, `sched` and `done`, clocks in nanoseconds.

    {"ev": "add", "id": "a", "mono": 1, "prompt": 30, "priority": 0, "seq": 1, ...}
    {"ev": "sched", "step": 1, "t0": 2, "t1": 3, "tokens": {"a": 30}, "computed": {"a": 0}, ...}
    {"ev": "done", "step": 1, "t2": 4, "t3": 5, "seq": 3, ...}

`flush` and `terminal` close what a process wrote. The end of a request is not recorded: it is
resident until the last step that serves it, so the file is read twice, and the names of its
requests (not its steps) are held in memory. Times are rounded down to whole microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from radproof.logs.lines import bad, in_order, json_lines, text_field, whole_field
from radproof.logs.log import Log, Step, Tally
from radproof.logs.requests_alive import Alive


@attrs.define
class _Open:
    """A step that is scheduled and not done."""

    line: int
    number: int
    t0: int
    t1: int
    shares: dict[str, int]


@attrs.define
class VLLMSteps:
    """Gives the steps of the log. Raises BadInput with the line of whatever is wrong."""

    log: Log
    alive: Alive = attrs.field(init=False)
    clock: Tally = attrs.field(init=False)
    last: dict[str, int] = attrs.field(init=False)
    """The line of the last step that serves each request; 0: no step does."""
    seq: int = 0
    """The number of the last record."""
    number: int = 0
    """The number of the last step that was scheduled."""
    open: _Open | None = None
    served: int = 0
    """Tokens of the steps that are done."""
    origin: int | None = None
    """The first time stamp (nanoseconds): microsecond 0 of the records."""
    ended: int = 0
    """When the last step ended (nanoseconds)."""
    closed: bool = False

    def __attrs_post_init__(self) -> None:
        self.alive = Alive(self.log)
        self.clock = self.log.tally("one_at_a_time")
        self.last = _last_lines(self.log)

    def __iter__(self) -> Iterator[Step]:
        log = self.log
        log.cannot_answer(
            "first and last tokens are not logged apart from the steps",
            "first_token_order",
            "request_lifecycle",
        )
        line = 0
        for line, found in json_lines(log.file):
            if self.closed:
                raise bad(log.file, line, "comes after the terminal record; two logs in one file?")
            match found.get("ev"):
                case "add":
                    self._add(line, found)
                case "sched":
                    self._sched(line, found)
                case "done":
                    yield self._done(line, found)
                case "flush":
                    self._agree(line, found, "last_seq", self.seq)
                case "terminal":
                    self._terminal(line, found)
                case event:
                    raise bad(
                        log.file, line, f'has "ev" {event!r}; it must be add, sched, done, flush '
                        "or terminal",
                    )  # fmt: skip
        self._end(line)

    def _add(self, line: int, found: dict[str, Any]) -> None:
        file = self.log.file
        self._in_sequence(line, found)
        stamp = whole_field(found, "mono", file, line)
        name = text_field(found, "id", file, line)
        prompt = whole_field(found, "prompt", file, line)
        priority = found.get("priority", 0)
        if type(priority) is not int:
            raise bad(
                file, line, f'has a wrong field: "priority" is {priority!r}; it must be a whole '
                "number",
            )  # fmt: skip
        self.last.setdefault(name, 0)
        fault = self.alive.join(name, line, prompt, priority)
        if fault is not None:
            raise bad(file, line, fault)
        self.origin = stamp if self.origin is None else self.origin

    def _sched(self, line: int, found: dict[str, Any]) -> None:
        log = self.log
        self._in_sequence(line, found)
        if self.open is not None:
            raise bad(
                log.file, line, f"schedules a step before step {self.open.number} is done; the "
                "line that ends it is missing",
            )  # fmt: skip
        step = whole_field(found, "step", log.file, line, 1)
        in_order(log.file, line, "step", step, self.number or None)
        if not self.number and step > 1:
            log.notes.append(f"the log starts at step {step}; it lacks the tokens before")
        self.number = step
        shares = self._shares(line, found)
        t0, t1 = (whole_field(found, name, log.file, line) for name in ("t0", "t1"))
        self.origin = t0 if self.origin is None else self.origin
        fault = None
        if t0 < self.ended:
            fault = f"step {step} starts {self.ended - t0} ns before the one before it ended"
        elif t1 < t0:
            fault = f"step {step} is scheduled before it starts"
        self.clock.add(fault, line)
        self.open = _Open(line, step, t0, t1, shares)

    def _shares(self, line: int, found: dict[str, Any]) -> dict[str, int]:
        """The tokens of each request in the batch, compared with what it has computed."""
        shares, computed = found.get("tokens"), found.get("computed")
        if (
            not isinstance(shares, dict)
            or not isinstance(computed, dict)
            or set(shares) != set(computed)
        ):
            raise bad(
                self.log.file, line, 'must have the same requests in "tokens" and in "computed"'
            )
        once = self.log.tally("computed_once")
        for name, tokens in shares.items():
            once.add(self._recomputed(line, name, tokens, computed[name]), line)
        return shares

    def _recomputed(self, line: int, name: str, tokens: object, computed: object) -> str | None:
        """What is wrong where a request has not computed what it was scheduled before."""
        file, request = self.log.file, self.alive.requests.get(name)
        if request is None:
            raise bad(
                file, line, f"schedules {name!r}, which no earlier line adds (or which has ended); "
                "a line is missing or out of place",
            )  # fmt: skip
        for what in (tokens, computed):
            if type(what) is not int or what < 0:
                raise bad(file, line, f"gives {name!r} {what!r} tokens; it must be a number")
        if computed == request.computed:
            return None
        return (
            f"{name} has computed {computed} tokens, and was scheduled {request.computed} before: "
            "preempted and recomputed, or lost"
        )

    def _done(self, line: int, found: dict[str, Any]) -> Step:
        file, step = self.log.file, self.open
        self._in_sequence(line, found)
        if step is None or whole_field(found, "step", file, line, 1) != step.number:
            raise bad(file, line, f"ends step {found.get('step')}, which is not under way")
        t2, ended = (whole_field(found, name, file, line) for name in ("t2", "t3"))
        if not step.t1 <= t2 <= ended:
            self.clock.add(f"step {step.number} ends before it is scheduled", line)
        assert self.origin is not None
        record = self.alive.record(
            step.shares,
            start=(step.t0 - self.origin) // 1000,
            end=(ended - self.origin) // 1000,
            served=self.served,
        )
        self.served += record.tokens
        self.alive.serve(step.shares, step.line)
        for name in step.shares:
            if self.last[name] == step.line:
                self.alive.leave(name, step.line)
        self.open, self.ended = None, ended
        return Step(step.line, step.number, record, duration=(ended - step.t0) // 1000)

    def _terminal(self, line: int, found: dict[str, Any]) -> None:
        self._agree(line, found, "seq_written", self.seq)
        self._agree(line, found, "last_step", self.number)
        if found.get("seq_produced", self.seq) != self.seq:
            self.log.partial = f"the writer lost records ({found['seq_produced']} were produced)"
        self.closed = True

    def _in_sequence(self, line: int, found: dict[str, Any]) -> None:
        seq = whole_field(found, "seq", self.log.file, line, 1)
        in_order(self.log.file, line, "record", seq, self.seq or None)
        self.seq = seq

    def _agree(self, line: int, found: dict[str, Any], name: str, seen: int) -> None:
        """Raises BadInput where a closing record counts other lines than were read."""
        said = found.get(name)
        if said is not None and said != seen:
            raise bad(
                self.log.file, line, f"says that {name} is {said}; the last one read is {seen}. "
                "Lines are missing; write the log again",
            )  # fmt: skip

    def _end(self, line: int) -> None:
        """The file is read to its end, which is this line."""
        log, step = self.log, self.open
        if step is not None:
            raise bad(
                log.file, line, f"is the last, and step {step.number} (line {step.line}) is not "
                f"done: the log is cut. Remove the lines from {step.line} on, or write it again",
            )  # fmt: skip
        if not self.closed and self.number:
            log.notes.append("the log has no terminal record: it may be cut between steps")
        log.notes.append("outputs are not logged: a request's is counted as its decodes and one")
        if self.alive.requests:
            log.notes.append(f"{len(self.alive.requests):,} requests were never scheduled")


def _last_lines(log: Log) -> dict[str, int]:
    """The line of the last step that serves each request."""
    found: dict[str, int] = {}
    for line, event in json_lines(log.file):
        if event.get("ev") == "sched" and isinstance(event.get("tokens"), dict):
            for name in event["tokens"]:
                found[name] = line
    return found
