"""Decide a claim on stretches: exactly, and at a cost that does not grow with their lengths.

A stretch is decided by evaluating the claim once on a record whose numbers are `Affine`, and again
on each part where a comparison changes its truth. Where a run has many stretches and the claim is
a term, all of them are decided at once on numpy columns, at their first and last records; the few
on which a comparison differs between the two are then decided one by one. A claim that works with
neither, that swallows a refusal of such a number, or that looks at a number's type, is evaluated
iteration by iteration, up to `BUDGET`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from radproof.errors import OF_A_USER
from radproof.model import SCALARS, Deployment, Iteration
from radproof.readers.affine import affine, pieces
from radproof.readers.base import NoAttribute, Refusal, believed, truth
from radproof.readers.looks import TYPE, asks
from radproof.readers.terms import Term
from radproof.runs import OverBudget, Stretch, Stretches

if TYPE_CHECKING:
    from radproof.readers.arrays import Ends

BUDGET = 1_000_000
"""The most iterations of one run on which a claim is evaluated one by one, where it cannot be
decided on stretches. For a longer run the result is *unknown*."""

_FEW = 16
"""Stretches up to which setting up numpy costs more than it saves."""


@attrs.define
class Count:
    """How often a claim was true and false, and where first: (iteration, from 0; record)."""

    checked: int = 0
    failures: int = 0
    first_true: tuple[int, Iteration] | None = None
    first_false: tuple[int, Iteration] | None = None

    def add(self, first: Callable[[], Iteration], repetitions: int, truth: bool) -> None:
        """Count so many repetitions, all with this truth, in order of time.

        first: makes the record of the first of them.
        """
        if truth and self.first_true is None:
            self.first_true = (self.checked, first())
        if not truth and self.first_false is None:
            self.first_false = (self.checked, first())
        self.checked += repetitions
        self.failures += 0 if truth else repetitions


Holds: TypeAlias = Callable[[Any, Any], Any]
"""A claim's `holds`, of a record and a deployment; it returns a truth (`readers.base.truth`)."""


def count(holds: Holds, term: Term | None, stretches: Stretches, deployment: Deployment) -> Count:
    """Evaluate a claim on every iteration. Raises OverBudget, and what the claim raises."""
    if term is not None and len(stretches) > _FEW:
        found = _on_columns(holds, stretches, deployment)
        if found is not None:
            return found
    total = Count()
    # the search through the code costs more than an iteration: only where one repeats
    repeats = term is None and any(count > 1 for count in stretches.column("count"))
    whole = not (repeats and asks(holds, TYPE))
    for stretch in stretches:
        _one(holds, stretch, deployment, total, whole)
    return total


def _one(
    holds: Holds, stretch: Stretch, deployment: Deployment, total: Count, whole: bool = True
) -> None:
    """Count a stretch; `whole`: decide it with numbers that cover all of it, where they can."""
    if stretch.count == 1:
        total.add(lambda: stretch.first, 1, truth(holds(stretch.first, deployment)))
        return

    def decide(low: int, size: int) -> bool:
        some = stretch.grown(lambda first, each: affine(first + low * each, each, size))
        return truth(holds(some, deployment))

    try:
        found = list(pieces(decide, stretch.count)) if whole else []
    except OF_A_USER:  # plain Python may raise anything on a number that is not an int
        found = []
    for low, high, is_so in found:
        total.add(partial(stretch.record, low), high - low, is_so)
    if found:
        return
    if total.checked + stretch.count > BUDGET:
        raise OverBudget
    for index, record in enumerate(stretch.records()):
        total.add(partial(stretch.record, index), 1, truth(holds(record, deployment)))


def _on_columns(holds: Holds, stretches: Stretches, deployment: Deployment) -> Count | None:
    """Decide a term on all stretches at once, then one by one on those that this leaves open.

    None where the claim, other than as a term, does not work with columns.
    """
    import numpy as np

    from radproof.readers.arrays import Ends

    try:
        found = believed(lambda: holds(_Records(stretches), deployment))
    except Refusal:
        return None
    if not isinstance(found, bool | Ends):
        return None
    values: Any = found
    mixed: Any = False
    if isinstance(found, Ends):  # else the claim reads only the deployment
        values, mixed = found.numbers.values, found.uneven
    everywhere = np.broadcast_to(values, len(stretches))
    counts = stretches.column("count")
    total = Count()

    def first(place: int) -> Iteration:
        return stretches[place].first

    if not np.any(mixed) and (everywhere.all() or not everywhere.any()):
        # the usual case: one truth for the whole run
        total.add(partial(first, 0), sum(counts), bool(everywhere.all()))
        return total
    truths = everywhere.tolist()
    for place, open_ in enumerate(np.broadcast_to(mixed, len(stretches)).tolist()):
        if open_:
            _one(holds, stretches[place], deployment, total)
        else:
            total.add(partial(first, place), counts[place], truths[place])
    return total


class _Records:
    """The records of all stretches as one record, whose numbers are `Ends`."""

    def __init__(self, stretches: Stretches) -> None:
        self._stretches = stretches

    def __getattr__(self, name: str) -> Ends:
        if name not in SCALARS:
            raise NoAttribute(name)
        return self._stretches.ends(name)
