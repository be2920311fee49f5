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
from typing import Any, TypeGuard

import attrs

from radproof.logs.lines import bad, in_order, json_lines, text_field, whole_field
from radproof.logs.log import Log, Step, Tally
from radproof.logs.requests_alive import Alive

SCHEMA = "radproof.trace/1"
EVENTS = ("add", "iteration", "gone", "lines")


@attrs.define
class RadproofTrace:
    """Gives the steps of the trace. Raises BadInput with the line of whatever is wrong."""

    log: Log
    alive: Alive = attrs.field(init=False)
    clock: Tally = attrs.field(init=False)
    life: Tally = attrs.field(init=False)
    came: dict[str, int] = attrs.field(factory=dict)
    """When each request was added, until it is first served."""
    number: int | None = None
    """The number of the last iteration."""
    served: int = 0
    """Tokens of the iterations so far."""
    ended: int = 0
    """The latest end of an iteration so far."""
    seen: int = 0
    """Lines that were read."""
    closed: bool = False

    def __attrs_post_init__(self) -> None:
        self.alive = Alive(self.log)
        self.clock = self.log.tally("one_at_a_time")
        self.life = self.log.tally("request_lifecycle")

    def __iter__(self) -> Iterator[Step]:
        log = self.log
        log.cannot_answer("the format does not repeat what was computed before", "computed_once")
        log.cannot_answer(
            "first tokens are not logged apart from the iterations", "first_token_order"
        )
        for line, found in json_lines(log.file):
            self.seen += 1
            if self.seen == 1:
                self._header(line, found)
                continue
            match self._kind(line, found):
                case "add":
                    self._add(line, found)
                case "iteration":
                    yield self._iteration(line, found)
                case "gone":
                    self._gone(line, found)
                case _:
                    self._lines(line, found)
        if not self.closed:
            log.partial = 'the trace ends without its closing "lines": it may be cut'

    def _header(self, line: int, found: dict[str, Any]) -> None:
        log = self.log
        if found.get("schema") != SCHEMA:
            raise bad(
                log.file, line, f'must be {{"schema": "{SCHEMA}"}}; it is {str(found)[:60]}. '
                "Is the format another one?",
            )  # fmt: skip
        if found.get("budget") is not None:
            log.budget = whole_field(found, "budget", log.file, line, 1)

    def _kind(self, line: int, found: dict[str, Any]) -> str:
        """The kind of an event: the one name of `EVENTS` among its fields."""
        kinds = [event for event in EVENTS if event in found]
        if len(kinds) != 1:
            raise bad(
                self.log.file, line, f"is not an event; it must have one of: {', '.join(EVENTS)}"
            )  # fmt: skip
        if self.closed:
            raise bad(
                self.log.file, line, 'comes after the closing "lines"; two traces in one file?'
            )  # fmt: skip
        return kinds[0]

    def _add(self, line: int, found: dict[str, Any]) -> None:
        file = self.log.file
        name, at = self._name_and_time(line, found, "add")
        output = found.get("output")
        if output is not None:
            whole_field(found, "output", file, line)
        prompt = whole_field(found, "prompt", file, line)
        if fault := self.alive.join(name, line, prompt, output=output):
            raise bad(file, line, fault)
        self.came[name] = at

    def _iteration(self, line: int, found: dict[str, Any]) -> Step:
        log = self.log
        number = whole_field(found, "iteration", log.file, line)
        in_order(log.file, line, "iteration", number, self.number)
        if self.number is None and number:
            log.notes.append(f"the trace starts at iteration {number}")
        self.number = number
        start, end = (whole_field(found, name, log.file, line) for name in ("start", "end"))
        fault = None
        if start < self.ended:
            fault = f"iteration {number} starts at {start}, and the one before ends at {self.ended}"
        elif end < start:
            fault = f"iteration {number} starts at {start} and ends at {end}"
        self.clock.add(fault, line)
        shares = self._shares(line, found)
        for name in shares:
            at = self.came.pop(name, None)
            if at is not None:
                late = f"{name} comes at {at}, and is served at {start}" if at > start else None
                self.life.add(late, line)
        record = self.alive.record(shares, start, end, self.served)
        self.served += record.tokens
        self.alive.serve(shares, line)
        self.ended = max(self.ended, end)
        return Step(line, number, record, duration=end - start)

    def _shares(self, line: int, found: dict[str, Any]) -> dict[str, int]:
        """The tokens of each request in the batch."""
        file, batch = self.log.file, found.get("batch")
        shares: dict[str, int] = {}
        for entry in batch if isinstance(batch, list) else [None]:
            if not _is_share(entry):
                raise bad(file, line, f"has no batch of [request, tokens] pairs: {batch!s:.60}")
            name, tokens = entry
            if name in shares:
                raise bad(file, line, f"has {name!r} twice in its batch")
            if name not in self.alive.requests:
                raise self._stranger(line, "serves", name)
            shares[name] = tokens
        return shares

    def _gone(self, line: int, found: dict[str, Any]) -> None:
        name, at = self._name_and_time(line, found, "gone")
        if name not in self.alive.requests:
            raise self._stranger(line, "ends", name)
        if found.get("output") is not None:
            output = whole_field(found, "output", self.log.file, line)
            self.alive.requests[name].output = output
        early = f"{name} ends at {at}, served until {self.ended}" if at < self.ended else None
        self.life.add(early, line)
        self.came.pop(name, None)
        self.alive.leave(name, line)

    def _lines(self, line: int, found: dict[str, Any]) -> None:
        self.closed = True
        if whole_field(found, "lines", self.log.file, line) != self.seen:
            raise bad(
                self.log.file, line, f"says that the trace has {found['lines']} lines; it has "
                f"{self.seen}: lines are missing or duplicated",
            )  # fmt: skip

    def _name_and_time(self, line: int, found: dict[str, Any], kind: str) -> tuple[str, int]:
        file = self.log.file
        return text_field(found, kind, file, line), whole_field(found, "at", file, line)

    def _stranger(self, line: int, does: str, name: str) -> Exception:
        return bad(
            self.log.file, line, f"{does} {name!r}, which is not resident: a line is missing or "
            "out of place",
        )  # fmt: skip


def _is_share(entry: object) -> TypeGuard[list[Any]]:
    """Whether an entry of a batch is a [request, tokens] pair."""
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and type(entry[1]) is int
        and entry[1] >= 0
    )
