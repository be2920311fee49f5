"""What a log comes to: steps with their lines, law tallies, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.claims import Found
from radproof.model import Iteration


@attrs.frozen
class Step:
    """One iteration that a log shows.

    line: where, from 1; number: as the engine counts it; record: its numbers, some of them
    `Unseen`; duration: microseconds that the engine was at it, None where that is not shown.
    """

    line: int
    number: int | None
    record: Iteration
    duration: int | None = None


@attrs.define
class Tally:
    """What one law has said along a log."""

    checked: int = 0
    failures: int = 0
    line: int | None = None
    reason: str = ""

    def add(self, fault: str | None, line: int) -> None:
        """One more answer: None where the law is kept, else what is wrong on this line."""
        self.checked += 1
        if fault is not None:
            if not self.failures:
                self.line, self.reason = line, f"line {line}: {fault}"
            self.failures += 1

    def found(self) -> Found:
        """As a claim of a whole run answers."""
        return Found(self.checked, self.failures, first=self.line, reason=self.reason)


@attrs.define
class Log:
    """A log that is gone through once.

    read: yields its steps, and fills the rest as it goes; budget: the most tokens of a batch, where
    the log names it; partial: why not every iteration is in it, or ""; silent: why it shows no
    iteration, or ""; untimed: why its durations are none, or ""; laws: the tallies of the laws that
    it can answer; why: for a law that it cannot, the reason; notes: what the user should be told.
    """

    file: FilePath
    format: str
    read: Callable[[Log], Iterator[Step]]
    budget: int | None = None
    partial: str = ""
    silent: str = ""
    untimed: str = ""
    laws: dict[str, Tally] = attrs.field(factory=dict)
    why: dict[str, str] = attrs.field(factory=dict)
    notes: list[str] = attrs.field(factory=list)
    steps_seen: int = 0

    def steps(self) -> Iterator[Step]:
        """The steps, one at a time. Raises BadInput with the line of whatever is wrong."""
        for step in self.read(self):
            self.steps_seen += 1
            yield step

    def tally(self, name: str) -> Tally:
        """The tally of a law, which this log can therefore answer."""
        return self.laws.setdefault(name, Tally())


def record(**numbers: Any) -> Iteration:
    """A record some of whose numbers may be `Unseen`; no batch unless given."""
    return Iteration(**({"batch": ()} | numbers))
