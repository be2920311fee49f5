"""Numbers that grow by the same step with an index, and code that runs on all of them at once.

Inside a stretch every number of the record is affine in the index of the repetition. `Affine` is
such a number over a range of indices: adding, subtracting and scaling keep it affine, and a
comparison gives a bool where its truth is the same on the whole range. Where it is not, the
comparison raises `Split` with the index at which its truth changes; the caller divides the range
there and evaluates both parts. So a plain Python function of the record, `if`, `and` and `min`
included, is decided exactly on a stretch of any length.

Everything else that an int can be asked (its hash, its digits, its bits, an attribute, a comparison
with a float) raises a `Refusal`, as `Split` is one: `answered` notices those that the function
swallows. A number here says that its class is int, which is true of every number it stands for; it
cannot answer for `type`, and `looks` finds the code that asks.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn, TypeAlias, TypeVar, final

import attrs

from radproof.readers.base import NoValue, Number, Operation, Refusal, believed

T = TypeVar("T")

MOST_EQUALITIES = 1_000
"""Equalities decided in one evaluation, up to which it is worth it. A number on a range that is
looked for in a `range` is compared with every number of it, where an int is found at once."""


class NotAffine(NoValue):
    """The result of an operation is not affine in the index."""


class Split(Refusal):
    """The truth of a comparison changes at index `at`, 0 < at < count."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@final
@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Affine(Number):
    """first + step x index, for the indices 0 .. count - 1; step is not 0, count more than 1."""

    first: int
    step: int
    count: int

    @staticmethod
    def _apply(operation: Operation, a: Any, b: Any) -> Any:
        if type(a) in _KNOWN and type(b) in _KNOWN:
            return _OPERATIONS[operation](a, b)
        # Python asks the number first whether it equals another, wherever it stands
        if operation in (operator.eq, operator.ne) and type(b) in _NEVER_EQUAL:
            return NotImplemented
        raise NotAffine("only plain whole numbers can be combined with a whole range")

    def __neg__(self) -> Affine:
        return Affine(-self.first, -self.step, self.count)

    def __pos__(self) -> Affine:
        return self

    def __bool__(self) -> bool:
        return not _equal(self, 0)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def _no_digits(self, *_: object) -> NoReturn:
        raise NotAffine("a number that grows with the repetition has no single value")

    __hash__ = __format__ = __str__ = __repr__ = _no_digits


Whole: TypeAlias = int | Affine
"""A whole number on a range of indices: the same on all of it, or growing."""

_KNOWN = frozenset((int, bool, Affine))
_NEVER_EQUAL = frozenset((type(None), str, bytes, tuple, list, dict, set, frozenset))
"""Types none of whose values equals an int."""


# Below, `a` or `b` is a number on a range. `type` tells it from an int: `isinstance` says of both
# that they are ints.


def _sum(a: Whole, b: Whole) -> Whole:
    if type(a) is not Affine:
        assert type(b) is Affine
        return Affine(a + b.first, b.step, b.count)
    if type(b) is not Affine:
        return Affine(a.first + b, a.step, a.count)
    return affine(a.first + b.first, a.step + b.step, a.count)


def _difference(a: Whole, b: Whole) -> Whole:
    if type(a) is not Affine:
        assert type(b) is Affine
        return Affine(a - b.first, -b.step, b.count)
    if type(b) is not Affine:
        return Affine(a.first - b, a.step, a.count)
    return affine(a.first - b.first, a.step - b.step, a.count)


def _product(a: Whole, b: Whole) -> Whole:
    if type(a) is not Affine:
        assert type(b) is Affine
        return affine(a * b.first, a * b.step, b.count)
    if type(b) is not Affine:
        return affine(a.first * b, a.step * b, a.count)
    raise NotAffine("the product of two numbers that both grow is not affine")


def _quotient(a: Whole, b: Whole) -> Whole:
    if type(b) is not Affine and b:
        assert type(a) is Affine
        if a.step % b == 0:
            return affine(a.first // b, a.step // b, a.count)
    raise NotAffine("this quotient does not grow by the same step")


def _remainder(a: Whole, b: Whole) -> int:
    if type(b) is not Affine and b:
        assert type(a) is Affine
        if a.step % b == 0:
            return a.first % b
    raise NotAffine("this remainder changes with the repetition")


def _at_least(a: Whole, b: Whole, by: int) -> bool:
    """Whether a >= b + by, decided at both ends of the range."""
    gap = _difference(a, b)
    if type(gap) is not Affine:
        return gap >= by
    at_first = gap.first >= by
    if at_first == (gap.first + gap.step * (gap.count - 1) >= by):
        return at_first
    # the first index at which gap >= by becomes true, or stops being true
    if gap.step > 0:
        raise Split(-((gap.first - by) // gap.step))
    raise Split((gap.first - by) // -gap.step + 1)


def _equal(a: Whole, b: Whole) -> bool:
    global _equalities
    _equalities -= 1
    if _equalities < 0:
        raise NotAffine(f"more than {MOST_EQUALITIES} equalities: ints are faster")
    gap = _difference(a, b)
    if type(gap) is not Affine:
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


_equalities = math.inf
"""Equalities that the present evaluation may still decide."""


def answered(evaluate: Callable[[], T]) -> T:
    """What `evaluate` returns, in which numbers on a range are asked, where it is to be believed.

    Raises Split where it has more than one answer, another Refusal where it cannot be told, and
    what `evaluate` raises; see `believed`.
    """
    global _equalities
    _equalities = MOST_EQUALITIES
    try:
        return believed(evaluate)
    finally:
        _equalities = math.inf


def pieces(decide: Callable[[int, int], T], count: int) -> Iterator[tuple[int, int, T]]:
    """(from, to, truth) for each part of the indices 0 .. count - 1, in order.

    ``decide(low, size)`` is the truth on the indices low .. low + size - 1; it raises `Split`
    where there is more than one. It is asked through `answered`, and what it raises is raised.
    """
    waiting = [(0, count)]
    while waiting:
        low, high = waiting.pop()
        try:
            truth = answered(partial(decide, low, high - low))
        except Split as split:
            if not 0 < split.at < high - low:  # of another range, kept and raised again
                raise NotAffine("the truth changes outside the range") from None
            waiting += [(low + split.at, high), (low, low + split.at)]
        else:
            yield low, high, truth
