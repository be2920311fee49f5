"""Make a failing path 1-minimal, over sessions and over numbers.

Hypothesis shrinks the choices from which a path was drawn, and stops after 500 successful shrinks.
`minimise` then works on the path itself, until no session can be removed and no number lowered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from radproof.model import Path, Session

BUDGET = 20_000
"""The most paths to run. It is a count, not a time, so that a seed gives the same result on any
machine."""

WORK = 60_000_000
"""The most work (`Run.work`) of all candidates from the drawn path to the minimal one, about a
minute. Under an engine that goes step by step a path costs much, where the leap costs little."""

_FIELDS = ("arrive", "prompt", "output")


@attrs.frozen
class Minimised:
    """The smaller path; `minimal`: whether it is 1-minimal; `evaluations`: how many paths ran."""

    path: Path
    minimal: bool
    evaluations: int


def minimise(
    path: Path, fails: Callable[[Path], bool], tile: int = 1, budget: int = BUDGET
) -> Minimised:
    """A smaller path that still `fails`; it is 1-minimal unless the budget runs out.

    `fails` may raise OutOfBudget where it has a budget of its own.

    1-minimal: the failure vanishes if any one session is removed, or any one number is lowered to
    zero, by half, a quarter ... or by one (a prompt also in whole `tile`s).
    """
    work = _Minimiser(path, fails, tile, budget)
    try:
        work.minimise()
    except OutOfBudget:
        return Minimised(work.path, minimal=False, evaluations=work.evaluations)
    return Minimised(work.path, minimal=True, evaluations=work.evaluations)


class OutOfBudget(Exception):
    """Looking for a smaller path has cost as much as it may."""


class _Minimiser:
    def __init__(self, path: Path, fails: Callable[[Path], bool], tile: int, budget: int) -> None:
        self.path = path
        self.fails = fails
        self.tile = tile
        self.budget = budget
        self.evaluations = 0
        self.passing: set[Path] = set()

    def minimise(self) -> None:
        # A whole pass that changes nothing proves 1-minimality.
        before = None
        while before != self.path:
            before = self.path
            self._sort()
            self._remove()
            self._lower_together()
            self._lower_each()

    def _try(self, candidate: Path) -> bool:
        if candidate == self.path or candidate in self.passing:
            return False
        if self.evaluations >= self.budget:
            raise OutOfBudget
        self.evaluations += 1
        if self.fails(candidate):
            self.path = candidate
            self.passing.clear()
            return True
        self.passing.add(candidate)
        return False

    def _sort(self) -> None:
        self._try(tuple(sorted(self.path, key=lambda session: session.arrive)))

    def _remove(self) -> None:
        """Remove runs of sessions, from halves down to single ones."""
        size = max(1, len(self.path) // 2)
        while True:
            start, removed = 0, False
            while start < len(self.path):
                if self._try(self.path[:start] + self.path[start + size :]):
                    removed = True
                else:
                    start += size
            if size == 1 and not removed:
                return
            size = max(1, size // 2)

    def _lower_together(self) -> None:
        """Lower a number wherever it occurs, and every arrival from an instant on."""
        for field in _FIELDS:
            for value in sorted({getattr(s, field) for s in self.path}, reverse=True):
                for delta in self._deltas(value, field):
                    if self._try(tuple(_lowered(s, field, value, delta) for s in self.path)):
                        break  # the next pass goes on from the lower value

    def _lower_each(self) -> None:
        for field in _FIELDS:
            for place in range(len(self.path)):
                while self._lower(place, field):
                    pass

    def _lower(self, place: int, field: str) -> bool:
        session = self.path[place]
        value = getattr(session, field)
        for delta in self._deltas(value, field):
            lowered: Session = attrs.evolve(session, **{field: value - delta})
            if self._try(self.path[:place] + (lowered,) + self.path[place + 1 :]):
                return True
        return False

    def _deltas(self, value: int, field: str) -> Iterator[int]:
        """The amounts to lower a number by: all of it, half, ..., one; a prompt first in tiles."""
        for unit in (self.tile, 1) if field == "prompt" else (1,):
            count = value // unit
            while count > 0:
                yield count * unit
                count //= 2


def _lowered(session: Session, field: str, value: int, delta: int) -> Session:
    has = getattr(session, field)
    if has == value or (field == "arrive" and has > value):
        return attrs.evolve(session, **{field: has - delta})
    return session
