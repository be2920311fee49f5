"""Numbers that grow by the same step with an index, and code that runs on all of them at once.

Inside a stretch every number of the record is affine in the index of the repetition. `Affine` is
such a number over a range of indices: adding, subtracting and scaling keep it affine, and a
comparison gives a bool where its truth is the same on the whole range. Where it is not, the
comparison raises `Split` with the index at which its truth changes; the caller divides the range
there and evaluates both parts. So a plain Python function of the record, `if`, `and` and `min`
included, is decided exactly on a stretch of any length.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeAlias, TypeVar

import attrs

from radproof.readers.base import Number, Operation

T = TypeVar("T")


class NotAffine(TypeError):
    """The result of an operation is not affine in the index."""


class Split(Exception):
    """The truth of a comparison changes at index `at`, 0 < at < count."""

    def __init__(self, at: int) -> None:
        self.at = at


@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Affine(Number):
    """first + step x index, for the indices 0 .. count - 1; step is not 0, count more than 1."""

    first: int
    step: int
    count: int

    @staticmethod
    def _apply(operation: Operation, a: object, b: object) -> Any:
        if isinstance(a, _KNOWN) and isinstance(b, _KNOWN):
            return _OPERATIONS[operation](a, b)
        if operation in (operator.eq, operator.ne) and isinstance(b, numbers.Number):
            raise NotAffine("only whole numbers can be compared on a whole range")
        return NotImplemented

    def __neg__(self) -> Affine:
        return Affine(-self.first, -self.step, self.count)

    def __bool__(self) -> bool:
        return not _equal(self, 0)

    def _no_value(self, *_: object) -> NoReturn:
        raise NotAffine("a number that grows with the repetition has no single value")

    __hash__ = _no_value  # type: ignore[assignment]
    __int__ = __index__ = __float__ = __round__ = __pow__ = __divmod__ = _no_value
    __truediv__ = __rtruediv__ = _no_value
    __format__ = __str__ = __repr__ = _no_value  # it has no digits to show


Whole: TypeAlias = int | Affine
"""A whole number on a range of indices: the same on all of it, or growing."""

_KNOWN = (int, Affine)


def _sum(a: Whole, b: Whole) -> Whole:
    if isinstance(a, int):
        return a + b if isinstance(b, int) else Affine(a + b.first, b.step, b.count)
    if isinstance(b, int):
        return Affine(a.first + b, a.step, a.count)
    return affine(a.first + b.first, a.step + b.step, a.count)


def _difference(a: Whole, b: Whole) -> Whole:
    if isinstance(a, int):
        return a - b if isinstance(b, int) else Affine(a - b.first, -b.step, b.count)
    if isinstance(b, int):
        return Affine(a.first - b, a.step, a.count)
    return affine(a.first - b.first, a.step - b.step, a.count)


def _product(a: Whole, b: Whole) -> Whole:
    if isinstance(a, int):
        return a * b if isinstance(b, int) else affine(a * b.first, a * b.step, b.count)
    if isinstance(b, int):
        return affine(a.first * b, a.step * b, a.count)
    raise NotAffine("the product of two numbers that both grow is not affine")


def _quotient(a: Whole, b: Whole) -> Whole:
    if isinstance(a, Affine) and isinstance(b, int) and b and a.step % b == 0:
        return affine(a.first // b, a.step // b, a.count)
    raise NotAffine("this quotient does not grow by the same step")


def _remainder(a: Whole, b: Whole) -> int:
    if isinstance(a, Affine) and isinstance(b, int) and b and a.step % b == 0:
        return a.first % b
    raise NotAffine("this remainder changes with the repetition")


def _at_least(a: Whole, b: Whole, by: int) -> bool:
    """Whether a >= b + by, decided at both ends of the range."""
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


def _equal(a: Whole, b: Whole) -> bool:
    gap = _difference(a, b)
    if isinstance(gap, int):
        return gap == 0
    index, rest = divmod(-gap.first, gap.step)
    if rest or not 0 <= index < gap.count:
        return False
    raise Split(index or 1)


_OPERATIONS: dict[Operation, Callable[[Whole, Whole], Whole]] = {
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


def affine(first: int, step: int, count: int) -> Whole:
    """First + step x index over `count` indices; an int where that is the same on all of them."""
    return Affine(first, step, count) if step and count > 1 else first


def pieces(decide: Callable[[int, int], T], count: int) -> Iterator[tuple[int, int, T]]:
    """(from, to, truth) for each part of the indices 0 .. count - 1, in order.

    ``decide(low, size)`` is the truth on the indices low .. low + size - 1; it raises `Split`
    where there is more than one.
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
