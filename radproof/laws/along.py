"""Walking along a run once, for every law of a path at the same time.

A law looks at the ledger as each iteration starts, or at the end of the run. It answers None where
it does not apply, True where it holds, or a `Breach`. A stretch of many iterations is asked about
at once, and again in parts where the law says that its answers differ (`ledger.Moment`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection
from functools import cache, partial
from typing import Literal, TypeAlias

import attrs

from radproof.claims import Found
from radproof.laws import ledger
from radproof.laws.ledger import Ledger, Moment
from radproof.model import Deployment, Iteration
from radproof.readers.affine import pieces
from radproof.runs import Run


@attrs.frozen
class Breach:
    """Why a law is broken, and where it is first."""

    reason: str | Callable[[], str]
    """Or what gives it: called for one iteration alone, whose numbers can be shown."""
    after: int = 0
    """How many iterations of those asked about come before the first breach."""
    failures: int | None = None
    """How many of them break the law; None: all from the first breach on."""
    first: int | None = None
    """The time (microseconds), where it is not the start of that iteration."""

    @property
    def text(self) -> str:
        """The reason."""
        return self.reason if isinstance(self.reason, str) else self.reason()


Judgement: TypeAlias = Breach | Literal[True] | None
AtMoment: TypeAlias = Callable[[Moment], Judgement]
AtEnd: TypeAlias = Callable[[Ledger, Run], Judgement]

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

    def at_moments(
        self, ledger: Ledger, ask: AtMoment, moment: Callable[[int, int], Moment]
    ) -> None:
        """Count the answers for every iteration of a stretch, of which `moment` makes parts."""
        for low, high, found in pieces(
            lambda low, size: ask(moment(low, size)), ledger.stretch.count
        ):
            if found is None:
                continue
            self.checked += high - low
            if found is True:
                continue
            if not self.failures:
                self._broken_at(ledger, low + found.after, ask)
            failing = high - low - found.after if found.failures is None else found.failures
            self.failures += failing

    def _broken_at(self, ledger: Ledger, repetition: int, ask: AtMoment) -> None:
        """Keep the first breach, asked for again of its iteration alone."""
        moment = Moment(ledger, repetition)
        breach = ask(moment)
        assert isinstance(breach, Breach)
        self.index, self.record = ledger.index + repetition, moment.record
        self.first = moment.record.start if breach.first is None else breach.first
        self.reason = breach.text

    def at_end(self, answer: Judgement) -> None:
        """Count an answer for the run."""
        if answer is None:
            return
        self.checked += 1
        if answer is True:
            return
        if not self.failures:
            self.first, self.reason = answer.first, answer.text
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


def follow(run: Run, names: Collection[str]) -> dict[str, Found]:
    """What each of these laws says of this run, by name."""
    tallies = {name: _Tally() for name in names}
    at_moments = [(AT_MOMENT[name], tallies[name]) for name in names if name in AT_MOMENT]
    at_ends = [(AT_END[name], tallies[name]) for name in names if name in AT_END]
    read, cut = 0, None
    for m in ledger.moments(run):
        if m.batch:
            read += len(m.batch) + len(run.path) // 8
            if read > ledger.MOST_ENTRIES:
                cut = m.index
                break
            moment = cache(partial(Moment, m))  # the same for every law
            for at_moment, tally in at_moments:
                tally.at_moments(m, at_moment, moment)
        else:
            for at_end, tally in at_ends:
                tally.at_end(at_end(m, run))
    return {name: tally.found(cut) for name, tally in tallies.items()}


class _Followed:
    """What has been found of the run that was asked about last.

    The laws of one run are asked one after the other, and mostly those of the run before it: these
    are followed in one walk.
    """

    def __init__(self) -> None:
        self.run: weakref.ref[Run] | None = None
        self.found: dict[str, Found] = {}
        self.asked: set[str] = set()

    def __call__(self, run: Run, name: str) -> Found:
        if self.run is None or self.run() is not run:
            together = self.asked | {name}
            self.run, self.found, self.asked = weakref.ref(run), {}, set()
        else:
            together = {name}
        if name not in self.found:
            self.found |= follow(run, sorted(together))
        self.asked.add(name)
        return self.found[name]


_followed = _Followed()


def reader(name: str) -> Callable[[Run, Deployment], Found]:
    """The `holds` of a claim: what the law of this name says of a run."""

    def holds(run: Run, deployment: Deployment) -> Found:
        return _followed(run, name)

    return holds
