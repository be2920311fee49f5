"""Numbers that grow evenly with an index, and code that is run on all of them at once.

Inside a stretch every number of the record is affine in the index of the repetition. `Affine` is
such a number over a range of indices: adding, subtracting and scaling keep it affine, and
comparing it gives a bool where the truth is the same on the whole range. Where it is not, the
comparison raises `Split` with the index from which it changes; whoever asked divides the range
there and asks again. So a plain Python function of the record, `if`, `and` and `min` included, is
decided on a stretch of any length, exactly.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from typing import Any

import attrs


class NotAffine(TypeError):
    """The function does something with the number that does not keep it affine."""


class Split(Exception):
    """A comparison's truth changes at index `at`, 0 < at < count."""

    def __init__(self, at: int) -> None:
        self.at = at


@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Affine:
    """first + step x index, for the indices 0 .. count - 1; step is not 0, count more than 1."""

    first: int
    step: int
    count: int

    def _less(self, other: Any, orequal: bool) -> bool:
        """Self < other (or <=), decided at both ends."""
        gap = other - self
        if isinstance(gap, int):
            return gap >= 0 if orequal else gap > 0
        least = 0 if orequal else 1
        at_first = bool(gap.first >= least)
        if at_first == (gap.first + gap.step * (gap.count - 1) >= least):
            return at_first
        # the first index at which gap >= least becomes true, or stops being true
        if gap.step > 0:
            raise Split(-((gap.first - least) // gap.step))
        raise Split((gap.first - least) // -gap.step + 1)

    def __lt__(self, other: Any) -> bool:
        return self._less(other, orequal=False)

    def __le__(self, other: Any) -> bool:
        return self._less(other, orequal=True)

    def __gt__(self, other: Any) -> bool:
        return not self._less(other, orequal=True)

    def __ge__(self, other: Any) -> bool:
        return not self._less(other, orequal=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Affine):
            if isinstance(other, numbers.Number):
                raise NotAffine("only whole numbers are compared on a whole range")
            return NotImplemented
        gap = self - other
        if isinstance(gap, int):
            return gap == 0
        index, rest = divmod(-gap.first, gap.step)
        if rest or not 0 <= index < gap.count:
            return False
        raise Split(index or 1)

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return self != 0

    def __add__(self, other: Any) -> Affine | int:
        if isinstance(other, int):
            return Affine(self.first + other, self.step, self.count)
        if isinstance(other, Affine):
            return affine(self.first + other.first, self.step + other.step, self.count)
        return NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return Affine(-self.first, -self.step, self.count)

    def __sub__(self, other: Any) -> Affine | int:
        return self + -other if isinstance(other, int | Affine) else NotImplemented

    def __rsub__(self, other: Any) -> Affine | int:
        return self.__neg__().__add__(other)

    def __mul__(self, other: Any) -> Affine | int:
        if isinstance(other, int):
            return affine(self.first * other, self.step * other, self.count)
        raise NotAffine("a product of two numbers that both grow is not affine")

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Affine | int:
        if isinstance(other, int) and other and self.step % other == 0:
            return affine(self.first // other, self.step // other, self.count)
        raise NotAffine("this quotient does not grow evenly")

    def __mod__(self, other: Any) -> int:
        if isinstance(other, int) and other and self.step % other == 0:
            return self.first % other
        raise NotAffine("this remainder does not stay the same")

    def _no_number(self, *_: Any) -> Any:
        raise NotAffine("a number that grows has no single value")

    __int__ = __index__ = __float__ = __hash__ = __round__ = __pow__ = __divmod__ = _no_number
    __truediv__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _no_number
    __format__ = __str__ = __repr__ = _no_number  # its digits are not one number's


def affine(first: int, step: int, count: int) -> Affine | int:
    """First + step x index over `count` indices: an int where that is one and the same number."""
    return Affine(first, step, count) if step and count > 1 else first


def pieces(decide: Callable[[int, int], bool], count: int) -> Iterator[tuple[int, int, bool]]:
    """(from, to, truth) of a function over the indices 0 .. count - 1, in order.

    ``decide(low, size)`` decides it on the indices low .. low + size - 1 or raises `Split`.
    """
    waiting = [(0, count)]
    while waiting:
        low, high = waiting.pop()
        try:
            truth = decide(low, high - low)
        except Split as split:
            waiting += [(low + split.at, high), (low, low + split.at)]
        else:
            yield low, high, truth
