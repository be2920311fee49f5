"""Numbers that a log does not show: their bounds, and why they are missing.

A rule or a claim reads them as it reads ints and terms (`radproof.number`). Arithmetic gives the
bounds of the result; a comparison gives a bool where the bounds decide it, and a `Maybe` where
they do not. Bounds are sound, not always tight: what they decide is true of every number in them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import attrs

from radproof.readers.base import (
    COMPARISONS,
    Num,
    Number,
    Operation,
    Proposition,
    Refusal,
    Truth,
)

Bound: TypeAlias = int | float
"""An int, or an infinity."""


class NotShown(Refusal):
    """Python code asked for one value of a number or truth that the log leaves open; `why`."""

    def __init__(self, why: tuple[str, ...]) -> None:
        super().__init__("; ".join(why))
        self.why = why


@attrs.frozen(eq=False, order=False, hash=False)
class Unseen(Number):
    """A whole number from `low` to `high`, both included; `why` the log does not show it."""

    low: Bound
    high: Bound
    why: tuple[str, ...]

    @classmethod
    def at_least(cls, low: int, why: str) -> Unseen:
        """A number of `low` or more."""
        return cls(low, math.inf, (why,))

    @property
    def text(self) -> str:
        """The number in words."""
        return f"{self.low} or more" if self.high == math.inf else f"{self.low} to {self.high}"

    @staticmethod
    def _apply(operation: Operation, a: object, b: object) -> Any:
        """Bounds, or an int where they meet; a bool where the bounds decide it, else `Maybe`."""
        if operation in _LINEAR and not (isinstance(a, _WHOLE) and isinstance(b, _WHOLE)):
            return NotImplemented
        found = _OPERATIONS[operation](*_bounds(a), *_bounds(b))
        if operation in COMPARISONS:
            return Maybe(_why(a, b)) if found is None else found
        low, high = found
        return low if low == high else Unseen(low, high, _why(a, b))

    def __neg__(self) -> Unseen:
        return Unseen(-self.high, -self.low, self.why)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:  # type: ignore[override]
        raise NotShown(self.why)

    def _not_shown(self, *_: object) -> NoReturn:
        raise NotShown(self.why)

    __int__ = __hash__ = __str__ = __format__ = _not_shown


@attrs.frozen(eq=False, hash=False)
class Maybe(Proposition):
    """A truth that the log leaves open, and why."""

    why: tuple[str, ...]

    _apply = staticmethod(Unseen._apply)

    def either(self, *others: Truth) -> Maybe:
        """Open, for the reasons of this and of the others, which are open too."""
        return Maybe(_why(self, *others))

    both = either

    def negate(self) -> Maybe:
        """Itself: the negation of an open truth is open for the same reasons."""
        return self

    def ite(self, then: Num, otherwise: Num) -> Num:
        """Either of the two: their common truth, or bounds that include both."""
        if isinstance(then, bool | Maybe) or isinstance(otherwise, bool | Maybe):
            same = isinstance(then, bool) and then is otherwise
            return then if same else Maybe(_why(self, then, otherwise))
        (low, high), (least, most) = _bounds(then), _bounds(otherwise)
        return Unseen(min(low, least), max(high, most), _why(self, then, otherwise))

    def __bool__(self) -> bool:
        raise NotShown(self.why)


_WHOLE = (int, Unseen, Maybe)
_LINEAR = (operator.add, operator.sub, operator.mul)


def _bounds(value: Any) -> tuple[Bound, Bound]:
    """Both bounds; a truth is 0 or 1."""
    if isinstance(value, Unseen):
        return value.low, value.high
    return (0, 1) if isinstance(value, Maybe) else (value, value)


def _why(*values: object) -> tuple[str, ...]:
    """The reasons of all the values, once each, in order."""
    return tuple(dict.fromkeys(why for value in values for why in getattr(value, "why", ())))


def _sum(low: Bound, high: Bound, least: Bound, most: Bound) -> tuple[Bound, Bound]:
    return _plus(low, least), _plus(high, most)


def _difference(low: Bound, high: Bound, least: Bound, most: Bound) -> tuple[Bound, Bound]:
    return _plus(low, -most), _plus(high, -least)


def _product(low: Bound, high: Bound, least: Bound, most: Bound) -> tuple[Bound, Bound]:
    products = [_times(x, y) for x in (low, high) for y in (least, most)]
    return min(products), max(products)


def _quotient(low: Bound, high: Bound, least: Bound, most: Bound) -> tuple[Bound, Bound]:
    by = _divisor(least, most)
    return (_over(low, by), _over(high, by)) if by else (-math.inf, math.inf)


def _remainder(low: Bound, high: Bound, least: Bound, most: Bound) -> tuple[Bound, Bound]:
    by = _divisor(least, most)
    return (0, by - 1) if by else (-math.inf, math.inf)


def _at_most(low: Bound, high: Bound, least: Bound, most: Bound) -> bool | None:
    return True if high <= least else False if low > most else None


def _below(low: Bound, high: Bound, least: Bound, most: Bound) -> bool | None:
    return True if high < least else False if low >= most else None


def _equal(low: Bound, high: Bound, least: Bound, most: Bound) -> bool | None:
    if high < least or low > most:
        return False
    return True if low == high == least == most else None


_OPERATIONS: dict[Operation, Callable[[Bound, Bound, Bound, Bound], Any]] = {
    operator.add: _sum,
    operator.sub: _difference,
    operator.mul: _product,
    operator.floordiv: _quotient,
    operator.mod: _remainder,
    operator.le: _at_most,
    operator.lt: _below,
    operator.ge: lambda low, high, least, most: _at_most(least, most, low, high),
    operator.gt: lambda low, high, least, most: _below(least, most, low, high),
    operator.eq: _equal,
    operator.ne: lambda *bounds: _negated(_equal(*bounds)),
}


def _negated(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _plus(a: Bound, b: Bound) -> Bound:
    infinite = next((x for x in (a, b) if isinstance(x, float)), None)
    return a + b if infinite is None else infinite


def _times(a: Bound, b: Bound) -> Bound:
    if a == 0 or b == 0:
        return 0
    if isinstance(a, float) or isinstance(b, float):
        return math.inf if (a > 0) == (b > 0) else -math.inf
    return a * b


def _over(a: Bound, b: int) -> Bound:
    return a if isinstance(a, float) else a // b


def _divisor(least: Bound, most: Bound) -> int | None:
    """A known positive int; None where the divisor is anything else."""
    return least if isinstance(least, int) and least == most and least > 0 else None
