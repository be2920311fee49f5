"""Going along a run once, for every law of a path at the same time.

A law looks at the ledger as a stretch starts, or when the books are closed. It says nothing (None)
where it is about nothing, True where it holds, or a `Breach`.
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
    """Why a law is broken; `after`: in which repetition of the stretch, from 0, it is first;
    `first`: the time (microseconds), where it is not the start of that iteration.
    """

    reason: str
    after: int = 0
    first: int | None = None


Said: TypeAlias = Breach | Literal[True] | None
AtMoment: TypeAlias = Callable[[Moment], Said]
AtClose: TypeAlias = Callable[[Moment, Run], Said]

AT_MOMENT: dict[str, AtMoment] = {}
AT_CLOSE: dict[str, AtClose] = {}
"""What is asked along a run, by the name of the law; `law.law` enters it."""


@attrs.define
class _Tally:
    """What one law has said along one run."""

    checked: int = 0
    failures: int = 0
    first: int | None = None
    index: int | None = None
    record: Iteration | None = None
    reason: str = ""

    def found(self, cut: int | None) -> Found:
        reason = self.reason
        if cut is not None and not self.failures:
            reason = f"the law was followed for {cut} iterations, and no further"
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
    tallies = {name: _Tally() for name in (*AT_MOMENT, *AT_CLOSE)}
    read, cut = 0, None
    for m in ledger.moments(run):
        if not m.batch:
            _close(m, run, tallies)
            break
        read += len(m.batch) + len(run.path) // 8
        if read > ledger.BUDGET:
            cut = m.index
            break
        for name, at_moment in AT_MOMENT.items():
            said = at_moment(m)
            if said is None:
                continue
            tally, count = tallies[name], m.stretch.count
            tally.checked += count
            if said is True:
                continue
            if not tally.failures:
                tally.index = m.index + said.after
                tally.record = m.stretch.record(said.after)
                tally.first = tally.record.start if said.first is None else said.first
                tally.reason = said.reason
            tally.failures += count - said.after
    return {name: tally.found(cut) for name, tally in tallies.items()}


def _close(m: Moment, run: Run, tallies: dict[str, _Tally]) -> None:
    for name, at_close in AT_CLOSE.items():
        said = at_close(m, run)
        if said is None:
            continue
        tally = tallies[name]
        tally.checked += 1
        if isinstance(said, Breach):
            if not tally.failures:
                tally.first, tally.reason = said.first, said.reason
            tally.failures += 1


_last: tuple[weakref.ref[Run], dict[str, Found]] | None = None


def _followed(run: Run) -> dict[str, Found]:
    """`follow`, remembered for the run that was asked about last: one walk for all laws."""
    global _last
    if _last is None or _last[0]() is not run:
        _last = weakref.ref(run), follow(run)
    return _last[1]


def reader(name: str) -> Callable[[Run, Deployment], Found]:
    """What a claim asks of a run: what the law of this name says of it."""

    def holds(run: Run, deployment: Deployment) -> Found:
        return _followed(run)[name]

    return holds
