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
import operator
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from radproof.readers.base import Number, Operation


class NotAffine(TypeError):
    """The function does something with the number that does not keep it affine."""


class Split(Exception):
    """A comparison's truth changes at index `at`, 0 < at < count."""

    def __init__(self, at: int) -> None:
        self.at = at


@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Affine(Number):
    """first + step x index, for the indices 0 .. count - 1; step is not 0, count more than 1."""

    first: int
    step: int
    count: int

    @staticmethod
    def _apply(operation: Operation, a: Any, b: Any) -> Any:
        if isinstance(a, _KNOWN) and isinstance(b, _KNOWN):
            return _OPERATIONS[operation](a, b)
        if operation in (operator.eq, operator.ne) and isinstance(b, numbers.Number):
            raise NotAffine("only whole numbers are compared on a whole range")
        return NotImplemented

    def __neg__(self) -> Affine:
        return Affine(-self.first, -self.step, self.count)

    def __bool__(self) -> bool:
        return not _equal(self, 0)

    def _no_number(self, *_: Any) -> Any:
        raise NotAffine("a number that grows has no single value")

    __hash__ = _no_number  # type: ignore[assignment]
    __int__ = __index__ = __float__ = __round__ = __pow__ = __divmod__ = _no_number
    __truediv__ = __rtruediv__ = _no_number
    __format__ = __str__ = __repr__ = _no_number  # its digits are not one number's


_KNOWN = (int, Affine)


def _sum(a: Any, b: Any) -> Affine | int:
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int):
        return Affine(a.first + b, a.step, a.count)
    return affine(a.first + b.first, a.step + b.step, a.count)


def _difference(a: Any, b: Any) -> Affine | int:
    if isinstance(b, int):
        return Affine(a.first - b, a.step, a.count)
    if isinstance(a, int):
        return Affine(a - b.first, -b.step, b.count)
    return affine(a.first - b.first, a.step - b.step, a.count)


def _product(a: Any, b: Any) -> Affine | int:
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int):
        return affine(a.first * b, a.step * b, a.count)
    raise NotAffine("a product of two numbers that both grow is not affine")


def _quotient(a: Any, b: Any) -> Affine | int:
    if isinstance(b, int) and b and a.step % b == 0:
        return affine(a.first // b, a.step // b, a.count)
    raise NotAffine("this quotient does not grow evenly")


def _remainder(a: Any, b: Any) -> int:
    if isinstance(b, int) and b and a.step % b == 0:
        remainder: int = a.first % b
        return remainder
    raise NotAffine("this remainder does not stay the same")


def _at_least(a: Any, b: Any, by: int) -> bool:
    """Whether a >= b + by, decided at both ends."""
    gap = _difference(a, b)
    if isinstance(gap, int):
        return gap >= by
    at_first = gap.first >= by
    if at_first == (gap.first + gap.step * (gap.count - 1) >= by):
        return at_first
    # the first index at which gap >= by becomes true, or stops being true
    if gap.step > 0:
        raise Split(-((gap.first - by) // gap.step))
    raise Split((gap.first - by) // -gap.step + 1)


def _equal(a: Any, b: Any) -> bool:
    gap = _difference(a, b)
    if isinstance(gap, int):
        return gap == 0
    index, rest = divmod(-gap.first, gap.step)
    if rest or not 0 <= index < gap.count:
        return False
    raise Split(index or 1)


_OPERATIONS: dict[Operation, Callable[[Any, Any], Affine | int]] = {
    operator.add: _sum,
    operator.sub: _difference,
    operator.mul: _product,
    operator.floordiv: _quotient,
    operator.mod: _remainder,
    operator.le: lambda a, b: _at_least(b, a, 0),
    operator.lt: lambda a, b: _at_least(b, a, 1),
    operator.ge: lambda a, b: _at_least(a, b, 0),
    operator.gt: lambda a, b: _at_least(a, b, 1),
    operator.eq: _equal,
    operator.ne: lambda a, b: not _equal(a, b),
}


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
