"""Numbers that a log does not show: bounds, and the reason.

A rule or a claim goes through them as it does through ints and terms (`radproof.number`). What it
makes of them are the bounds of the result; a comparison is a bool where the bounds decide it, and
a `Maybe` where they do not. Bounds are sound and not always tight: a decided claim is decided.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import attrs

Bound: TypeAlias = int | float
"""An int, or an infinity."""


class NotShown(Exception):
    """Something asked a `Maybe` for its truth at once; the reasons why it has none."""

    def __init__(self, why: tuple[str, ...]) -> None:
        super().__init__("; ".join(why))
        self.why = why


@attrs.frozen(eq=False, order=False, hash=False)
class Unseen:
    """A whole number from `low` to `high`, both included; `why` it is not known."""

    low: Bound
    high: Bound
    why: tuple[str, ...]

    @classmethod
    def at_least(cls, low: int, why: str) -> Unseen:
        """A number of `low` or more."""
        return cls(low, math.inf, (why,))

    def __str__(self) -> str:
        return f"{self.low} or more" if self.high == math.inf else f"{self.low} to {self.high}"

    def __add__(self, other: Any) -> Any:
        return _number(self, other, lambda a, b: (_plus(a[0], b[0]), _plus(a[1], b[1])))

    __radd__ = __add__

    def __neg__(self) -> Unseen:
        return Unseen(-self.high, -self.low, self.why)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        def bounds(a: tuple[Bound, Bound], b: tuple[Bound, Bound]) -> tuple[Bound, Bound]:
            products = [_times(x, y) for x in a for y in b]
            return min(products), max(products)

        return _number(self, other, bounds)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, int) and other > 0:
            return Unseen(_over(self.low, other), _over(self.high, other), self.why)
        return Unseen(-math.inf, math.inf, _why(self, other))

    def __rfloordiv__(self, other: Any) -> Any:
        return Unseen(-math.inf, math.inf, _why(self, other))

    def __mod__(self, other: Any) -> Any:
        if isinstance(other, int) and other > 0:
            return Unseen(0, other - 1, self.why) if other > 1 else 0
        return Unseen(-math.inf, math.inf, _why(self, other))

    def __rmod__(self, other: Any) -> Any:
        return Unseen(-math.inf, math.inf, _why(self, other))

    def __le__(self, other: Any) -> Any:
        (low, high), (least, most) = _bounds(self), _bounds(other)
        return True if high <= least else False if low > most else Maybe(_why(self, other))

    def __ge__(self, other: Any) -> Any:
        (low, high), (least, most) = _bounds(self), _bounds(other)
        return True if low >= most else False if high < least else Maybe(_why(self, other))

    def __gt__(self, other: Any) -> Any:
        return _negated(self <= other)

    def __lt__(self, other: Any) -> Any:
        return _negated(self >= other)

    def __eq__(self, other: Any) -> Any:
        (low, high), (least, most) = _bounds(self), _bounds(other)
        if high < least or low > most:
            return False
        return True if low == high == least == most else Maybe(_why(self, other))

    def __ne__(self, other: Any) -> Any:
        return _negated(self == other)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:
        raise NotShown(self.why)

    __int__ = __hash__ = __index__


@attrs.frozen(eq=False, hash=False)
class Maybe:
    """A truth that the log does not decide, and why."""

    why: tuple[str, ...]

    def either(self, *others: Any) -> Maybe:
        """Open, for all the reasons of this and the others, which are open too."""
        return Maybe(_why(self, *others))

    both = either

    def negate(self) -> Maybe:
        """The same: what is open is open the other way round."""
        return self

    def ite(self, then: Any, otherwise: Any) -> Any:
        """One or the other: what both are, or may be."""
        if isinstance(then, bool | Maybe) or isinstance(otherwise, bool | Maybe):
            same = isinstance(then, bool) and then is otherwise
            return then if same else Maybe(_why(self, then, otherwise))
        (low, high), (least, most) = _bounds(then), _bounds(otherwise)
        return Unseen(min(low, least), max(high, most), _why(self, then, otherwise))

    def __bool__(self) -> bool:
        raise NotShown(self.why)


def _bounds(value: Any) -> tuple[Bound, Bound]:
    return (value.low, value.high) if isinstance(value, Unseen) else (value, value)


def _why(*values: Any) -> tuple[str, ...]:
    """The reasons of all of them, once each, in order."""
    return tuple(dict.fromkeys(why for value in values for why in getattr(value, "why", ())))


def _number(a: Unseen, b: Any, bounds: Any) -> Any:
    if not isinstance(b, int | Unseen):
        return NotImplemented
    low, high = bounds(_bounds(a), _bounds(b))
    return low if low == high else Unseen(low, high, _why(a, b))


def _negated(truth: bool | Maybe) -> bool | Maybe:
    return truth if isinstance(truth, Maybe) else not truth


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
