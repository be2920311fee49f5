"""Deciding a claim on stretches: exactly, and at a cost that does not grow with their lengths.

A stretch is decided by evaluating the claim once on a record whose numbers are `Affine`, and again
on the pieces where a comparison changes its truth. Where a run has many stretches and the claim is
a term, all of them are decided at once on numpy columns, at their first and last records; the few
on which some comparison differs between the two are then decided one by one. A claim that is
neither is evaluated iteration by iteration, up to `BUDGET`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from radproof.evaluators.columns import Columns
from radproof.model import SCALARS, Deployment, Iteration
from radproof.readers.affine import affine, pieces
from radproof.readers.terms import COMPARISONS, Term
from radproof.runs import Stretch

if TYPE_CHECKING:
    from collections.abc import Callable

BUDGET = 1_000_000
"""Iterations of one run on which a claim is evaluated one by one, where it cannot be decided on
stretches. A run with more is *unknown*."""

_INT64_SAFE = 2**62

_FEW = 16
"""Stretches up to which setting up numpy costs more than it saves."""


class OverBudget(Exception):
    """More iterations than the claim may be evaluated on."""


@attrs.define
class Count:
    """How often a claim was true and false, and where first: (iteration from 0, record)."""

    checked: int = 0
    failures: int = 0
    first_true: tuple[int, Iteration] | None = None
    first_false: tuple[int, Iteration] | None = None

    def add(self, stretch: Stretch, low: int, high: int, truth: bool) -> None:
        """Repetitions low .. high - 1 of a stretch, all with this truth; in order of time."""
        if truth and self.first_true is None:
            self.first_true = (self.checked, stretch.record(low))
        if not truth and self.first_false is None:
            self.first_false = (self.checked, stretch.record(low))
        self.checked += high - low
        self.failures += 0 if truth else high - low


Holds: TypeAlias = "Callable[[Any, Any], Any]"


def count(
    holds: Holds, term: Term | None, stretches: Sequence[Stretch], deployment: Deployment
) -> Count:
    """Evaluate a claim on every iteration. Raises OverBudget."""
    if term is not None and isinstance(stretches, Columns) and len(stretches) > _FEW:
        return _on_columns(holds, term, stretches, deployment)
    total = Count()
    for stretch in stretches:
        _one(holds, stretch, deployment, total)
    return total


def _one(holds: Holds, stretch: Stretch, deployment: Deployment, total: Count) -> None:
    if stretch.count == 1:
        total.add(stretch, 0, 1, bool(holds(stretch.first, deployment)))
        return

    def decide(low: int, size: int) -> bool:
        return bool(holds(_records(stretch, low, size), deployment))

    try:
        found = list(pieces(decide, stretch.count))
    except Exception:  # whatever plain Python does with what is not one number
        if total.checked + stretch.count > BUDGET:
            raise OverBudget from None
        found = [
            (index, index + 1, bool(holds(record, deployment)))
            for index, record in enumerate(stretch.records())
        ]
    for low, high, truth in found:
        total.add(stretch, low, high, truth)


def _records(stretch: Stretch, low: int, size: int) -> Iteration:
    """The records low .. low + size - 1 of a stretch as one, its numbers affine in the index."""
    first, each = stretch.first, stretch.duration
    return Iteration(
        start=affine(first.start + low * each, each, size),  # type: ignore[arg-type]
        end=affine(first.end + low * each, each, size),  # type: ignore[arg-type]
        served=affine(first.served + low * first.tokens, first.tokens, size),  # type: ignore[arg-type]
        tokens=first.tokens,
        prefilled=first.prefilled,
        decoders=first.decoders,
        decoding=first.decoding,
        residents=first.residents,
        demand=affine(  # type: ignore[arg-type]
            first.demand + low * stretch.demand_step, stretch.demand_step, size
        ),
        batch=first.batch,
    )


def _on_columns(holds: Holds, term: Term, stretches: Columns, deployment: Deployment) -> Count:
    import numpy as np

    reader = _Reader(stretches, deployment, term)
    truth = np.broadcast_to(np.asarray(reader.truth(term)), len(stretches))
    mixed = np.broadcast_to(np.asarray(reader.mixed), len(stretches))
    counts = stretches.column("count")
    total = Count()
    if not mixed.any() and (truth.all() or not truth.any()):
        # the usual case: one truth throughout
        total.add(stretches[0], 0, 1, bool(truth[0]))
        total.checked = sum(counts)
        total.failures = 0 if truth[0] else total.checked
        return total
    for place, (repetitions, true, open_) in enumerate(
        zip(counts, truth.tolist(), mixed.tolist(), strict=True)
    ):
        if open_:
            _one(holds, stretches[place], deployment, total)
        elif (true and total.first_true is None) or (not true and total.first_false is None):
            total.add(stretches[place], 0, repetitions, true)
        else:
            total.checked += repetitions
            total.failures += 0 if true else repetitions
    return total


class _Reader:
    """Reads a term on all stretches at once: its values at their first and last records.

    mixed: the stretches on which some part of the term does not go evenly from the one to the
    other, so that the truth at the first record may not be the truth throughout.
    """

    def __init__(self, columns: Columns, deployment: Deployment, term: Term) -> None:
        self.deployment = deployment
        self.mixed: Any = False
        self.largest = columns.largest()
        # int64 where nothing on the way can overflow, else Python's ints: exact, and slower
        exact = max(self.largest, self._bound(term)) >= _INT64_SAFE
        self.columns = columns.arrays(object if exact else "int64", _names(term) & set(SCALARS))

    def _bound(self, term: Any) -> int:
        """No part of the term is larger than this in absolute value."""
        if term.op == "constant":
            return abs(int(term.args[0]))
        if term.op == "name":
            name = term.args[0]
            return self.largest if name in SCALARS else abs(int(getattr(self.deployment, name)))
        parts = [self._bound(arg) for arg in term.args]
        return max(*parts, parts[0] * parts[1]) if term.op == "*" else sum(parts)

    def value(self, term: Term) -> tuple[Any, Any]:
        """The values of a numeric term at the first and the last records."""
        import numpy as np

        if term.op == "constant":
            return term.args[0], term.args[0]
        if term.op == "name":
            if term.args[0] in SCALARS:
                return self.columns[term.args[0]]
            number = getattr(self.deployment, term.args[0])
            return number, number
        if term.op == "ite":
            condition = self.truth(term.args[0])
            (a, a_last), (b, b_last) = self.value(term.args[1]), self.value(term.args[2])
            return np.where(condition, a, b), np.where(condition, a_last, b_last)
        (a, a_last), (b, b_last) = self.value(term.args[0]), self.value(term.args[1])
        if term.op == "+":
            return a + b, a_last + b_last
        if term.op == "-":
            return a - b, a_last - b_last
        if term.op == "*":
            self._not_even((a != a_last) & (b != b_last))
            return a * b, a_last * b_last
        self._not_even((a != a_last) | (b != b_last))
        return (a // b, a_last // b_last) if term.op == "//" else (a % b, a_last % b_last)

    def truth(self, term: Term) -> Any:
        """The truth of a term at the first records."""
        import numpy as np

        if term.op in COMPARISONS:
            (a, a_last), (b, b_last) = self.value(term.args[0]), self.value(term.args[1])
            gap, gap_last = b - a, b_last - a_last
            if term.op in ("=", "!="):
                # a root between two different ends
                crosses = ((gap <= 0) & (gap_last >= 0)) | ((gap >= 0) & (gap_last <= 0))
                self._not_even((gap != gap_last) & crosses)
                return gap == 0 if term.op == "=" else gap != 0
            at = {"<=": np.greater_equal, "<": np.greater, ">=": np.less_equal, ">": np.less}
            first, last = at[term.op](gap, 0), at[term.op](gap_last, 0)
            self._not_even(first != last)
            return first
        if term.op == "not":
            return np.logical_not(self.truth(term.args[0]))
        if term.op == "constant":
            return term.args[0]
        if term.op == "ite":
            return np.where(*(self.truth(arg) for arg in term.args))
        join = np.logical_or if term.op == "or" else np.logical_and
        return join(self.truth(term.args[0]), self.truth(term.args[1]))

    def _not_even(self, where: Any) -> None:
        self.mixed = self.mixed | where


def _names(term: Any) -> set[str]:
    if not isinstance(term, Term):
        return set()
    if term.op == "name":
        return {term.args[0]}
    return set().union(*(_names(arg) for arg in term.args))
