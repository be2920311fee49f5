"""Many numbers at once, in numpy: one for each case, or one for each stretch of a run.

A `Column` has one number for each case. `Ends` has one for each stretch, at the stretch's first
and last record: where the number changes by the same step from one to the other, an inequality
that is true at both ends is true in between.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import attrs
import numpy as np
from numpy.typing import ArrayLike

from radproof.readers.base import COMPARISONS, NoValue, Num, Operation, Proposition, Truth

_BEYOND_INT64 = 2**63
"""A number whose absolute value is below this is one of int64."""


@attrs.frozen(eq=False)
class Column(Proposition):
    """One int or truth for each case; arithmetic is case by case, and exact.

    bound: no value is larger than this in absolute value. Where the bound of a result exceeds
    int64, numpy operates on Python's own ints, which is slower and cannot overflow.
    """

    values: Any
    bound: int

    @classmethod
    def of(cls, values: Sequence[int]) -> Column:
        """These numbers; those that are not ints of int64 keep Python's own arithmetic."""
        array = np.array(values)
        if array.dtype == np.int64:
            return cls(array, max(int(array.max()), -int(array.min())))
        return cls(_exact(values), max(map(abs, values), default=0))

    @staticmethod
    def _apply(operation: Operation, a: Num, b: Num) -> Column:
        (left, most), (right, other) = _number(a), _number(b)
        bound = most + other
        if operation is operator.mul:
            bound = max(bound, most * other)
        if bound >= _BEYOND_INT64:
            left, right = _exact(left), _exact(right)
        return Column(operation(left, right), 1 if operation in COMPARISONS else bound)

    def ite(self, then: Num, otherwise: Num) -> Column:
        """`then` in the cases where this is true."""
        bound = max(_bound(then), _bound(otherwise))
        left, right = _values(then), _values(otherwise)
        if bound >= _BEYOND_INT64:
            left, right = _exact(left), _exact(right)
        return Column(np.where(self.values, left, right), bound)

    def negate(self) -> Column:
        """True in the cases where this is false."""
        return Column(np.logical_not(self.values), 1)

    def either(self, *others: Truth) -> Column:
        """True where at least one of these is."""
        return Column(reduce(np.logical_or, map(_values, others), self.values), 1)

    def both(self, *others: Truth) -> Column:
        """True where all of these are."""
        return Column(reduce(np.logical_and, map(_values, others), self.values), 1)

    def __bool__(self) -> bool:
        raise NoValue("a column has no single truth; use radproof.number's helpers")


def _values(value: Num) -> Any:
    return value.values if isinstance(value, Column) else value


def _bound(value: Num) -> int:
    if isinstance(value, Column):
        return value.bound
    if isinstance(value, int):
        return abs(value)
    raise NoValue(f"{value!r} is neither an int nor a column")


def _number(value: Num) -> tuple[Any, int]:
    """The values and their bound; truths as 0 and 1, since numpy adds truths up to a truth."""
    values, bound = _values(value), _bound(value)
    if isinstance(value, Column) and values.dtype.kind == "b":
        values = values.astype("int64")
    return values, bound


def _exact(values: ArrayLike) -> Any:
    return np.asarray(values, dtype=object)


@attrs.frozen(eq=False)
class Ends(Proposition):
    """One number for each stretch at its first and last record, or one truth for all its records.

    numbers: two rows, first and last records, or one row where both are the same. In between the
    number changes by the same step, except in the stretches that `uneven` marks (False: none):
    there it is unknown, and a comparison decides nothing.
    """

    numbers: Column
    uneven: Any = False

    @staticmethod
    def _apply(operation: Operation, a: Num, b: Num) -> Ends:
        found = operation(_numbers(a), _numbers(b))
        uneven = _uneven(a, b)
        if not _moving(found):
            return Ends(found, uneven)
        if operation in COMPARISONS:
            # one row: the truth of the whole stretch, or the stretch is marked
            first, last = found.values
            if operation in (operator.eq, operator.ne):
                turns = _meet(_numbers(a), _numbers(b))
            else:
                turns = first != last
            return Ends(Column(first, 1), uneven | turns)
        if operation is operator.mul:
            uneven = uneven | (_moves(a) & _moves(b))
        elif operation in (operator.floordiv, operator.mod):
            uneven = uneven | _moves(a) | _moves(b)
        return Ends(found, uneven)

    def ite(self, then: Num, otherwise: Num) -> Ends:
        """`then` in the stretches where this is true."""
        chosen = self.numbers.ite(_numbers(then), _numbers(otherwise))
        return Ends(chosen, _uneven(self, then, otherwise))

    def negate(self) -> Ends:
        """True in the stretches where this is false."""
        return Ends(self.numbers.negate(), self.uneven)

    def either(self, *others: Truth) -> Ends:
        """True where at least one of these is."""
        return Ends(self.numbers.either(*map(_numbers, others)), _uneven(self, *others))

    def both(self, *others: Truth) -> Ends:
        """True where all of these are."""
        return Ends(self.numbers.both(*map(_numbers, others)), _uneven(self, *others))

    def __bool__(self) -> bool:
        raise NoValue("many stretches have no single truth; use radproof.number's helpers")


def _numbers(value: Num) -> Any:
    return value.numbers if isinstance(value, Ends) else value


def _uneven(*parts: Num) -> Any:
    return reduce(operator.or_, (part.uneven for part in parts if isinstance(part, Ends)), False)


def _moving(number: object) -> bool:
    return isinstance(number, Column) and number.values.ndim == 2


def _moves(value: Num) -> Any:
    """The stretches on which a number differs between its ends."""
    number = _numbers(value)
    return number.values[0] != number.values[1] if _moving(number) else False


def _meet(a: Num, b: Num) -> Any:
    """The stretches on which one number meets or crosses the other without staying equal to it."""
    below, above = _values(a <= b), _values(a >= b)
    crosses = (below[0] & above[1]) | (above[0] & below[1])
    stays = (below & above).all(axis=0)
    return crosses & ~stays


def first_and_last(counts: Column) -> Column:
    """The index of the first and of the last of so many repetitions, in two rows, for `Ends`."""
    last = counts.values - 1
    return Column(np.stack([np.zeros_like(last), last]), counts.bound)
