"""Walking along a run once, for every law of a path at the same time.

A law looks at the ledger as a stretch starts, or at the end of the run. It answers None where it
does not apply, True where it holds, or a `Breach`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Literal, TypeAlias

import attrs

from radproof.claims import Found
from radproof.laws import ledger
from radproof.laws.ledger import Moment
from radproof.model import Deployment, Iteration
from radproof.runs import Run


@attrs.frozen
class Breach:
    """Why a law is broken, and where it is first."""

    reason: str
    after: int = 0
    """The repetition of the stretch, from 0."""
    first: int | None = None
    """The time (microseconds), where it is not the start of that iteration."""


Judgement: TypeAlias = Breach | Literal[True] | None
AtMoment: TypeAlias = Callable[[Moment], Judgement]
AtEnd: TypeAlias = Callable[[Moment, Run], Judgement]

AT_MOMENT: dict[str, AtMoment] = {}
AT_END: dict[str, AtEnd] = {}
"""What is asked along a run, by the name of the law; `law.law` enters it."""


@attrs.define
class _Tally:
    """How often one law was asked along one run, and how often it was broken."""

    checked: int = 0
    failures: int = 0
    first: int | None = None
    index: int | None = None
    record: Iteration | None = None
    reason: str = ""

    def at_moment(self, m: Moment, answer: Judgement) -> None:
        """Count an answer for every iteration of a stretch."""
        if answer is None:
            return
        count = m.stretch.count
        self.checked += count
        if answer is True:
            return
        if not self.failures:
            self.index = m.index + answer.after
            self.record = m.stretch.record(answer.after)
            self.first = self.record.start if answer.first is None else answer.first
            self.reason = answer.reason
        self.failures += count - answer.after

    def at_end(self, answer: Judgement) -> None:
        """Count an answer for the run."""
        if answer is None:
            return
        self.checked += 1
        if answer is True:
            return
        if not self.failures:
            self.first, self.reason = answer.first, answer.reason
        self.failures += 1

    def found(self, cut: int | None) -> Found:
        reason = self.reason
        if cut is not None and not self.failures:
            reason = f"the law was checked for the first {cut} iterations only"
        return Found(
            checked=self.checked,
            failures=self.failures,
            first=self.first,
            index=self.index,
            record=self.record,
            reason=reason,
            cut=cut is not None,
        )


def follow(run: Run) -> dict[str, Found]:
    """What every law of a path says of this run, by name."""
    tallies = {name: _Tally() for name in (*AT_MOMENT, *AT_END)}
    read, cut = 0, None
    for m in ledger.moments(run):
        if not m.batch:
            for name, at_end in AT_END.items():
                tallies[name].at_end(at_end(m, run))
            break
        read += len(m.batch) + len(run.path) // 8
        if read > ledger.MOST_ENTRIES:
            cut = m.index
            break
        for name, at_moment in AT_MOMENT.items():
            tallies[name].at_moment(m, at_moment(m))
    return {name: tally.found(cut) for name, tally in tallies.items()}


_last: tuple[weakref.ref[Run], dict[str, Found]] | None = None


def _followed(run: Run) -> dict[str, Found]:
    """`follow`, remembered for the last run that was asked about: one walk for all laws."""
    global _last
    if _last is None or _last[0]() is not run:
        _last = weakref.ref(run), follow(run)
    return _last[1]


def reader(name: str) -> Callable[[Run, Deployment], Found]:
    """The `holds` of a claim: what the law of this name says of a run."""

    def holds(run: Run, deployment: Deployment) -> Found:
        return _followed(run)[name]

    return holds
