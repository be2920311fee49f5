"""What a reader makes of a log: steps with their lines, law tallies, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.claims import Found
from radproof.model import Iteration


@attrs.frozen
class Step:
    """One iteration that a log shows."""

    line: int
    """Where it stands in the file, from 1."""
    number: int | None
    """As the engine counts it."""
    record: Iteration
    """Its numbers, some of them `Unseen`."""
    duration: int | None = None
    """Microseconds that the engine spent on it; None where the log does not show them."""


@attrs.define
class Tally:
    """How often one law was asked along a log, and how often it was broken."""

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
        """As a claim of a whole run answers; `first` is a line here, not a time."""
        return Found(self.checked, self.failures, first=self.line, reason=self.reason)


@attrs.define
class Log:
    """A log that is read once, by `steps`; the fields after `read` are filled on the way."""

    file: FilePath
    format: str
    read: Callable[[Log], Iterable[Step]]
    """The reader: gives the steps of the log, and fills the fields below."""
    budget: int | None = None
    """The most tokens of a batch, where the log names it."""
    partial: str = ""
    """Why some iterations are not in the log, or ""."""
    silent: str = ""
    """Why the log shows no iterations, or ""."""
    untimed: str = ""
    """Why the log shows no usable durations, or ""."""
    laws: dict[str, Tally] = attrs.field(factory=dict)
    """The tallies of the laws that the log can answer."""
    why: dict[str, str] = attrs.field(factory=dict)
    """The reason, for each law that the log cannot answer."""
    notes: list[str] = attrs.field(factory=list)
    """What the user should know."""
    steps_seen: int = 0

    def steps(self) -> Iterator[Step]:
        """The steps, one at a time. Raises BadInput with the line of whatever is wrong."""
        for step in self.read(self):
            self.steps_seen += 1
            yield step

    def tally(self, name: str) -> Tally:
        """The tally of a law, which this log can therefore answer."""
        return self.laws.setdefault(name, Tally())

    def found(self, name: str) -> Found:
        """What the tally of a law says so far; without a tally, nothing was checked."""
        return self.laws[name].found() if name in self.laws else Found(0)

    def cannot_answer(self, reason: str, *laws: str) -> None:
        """The log does not show what these laws are about."""
        self.why |= dict.fromkeys(laws, reason)


def record(**numbers: Any) -> Iteration:
    """A record some of whose numbers may be `Unseen`; no batch unless given."""
    return Iteration(**({"batch": ()} | numbers))
