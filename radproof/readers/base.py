"""A number as a reader has it: the operators that rules and claims use, once for every reader.

A reader is a class of number. It says in `_apply` what an operation makes of two of its numbers,
or of one and an int; `Number` gives it the operators, also with the int on the left. Where
comparing two of its numbers gives no bool, it gives a `Proposition`, which the connectives of
`radproof.number` go through.
"""

# What `_apply` gives is a Num for arithmetic and a Truth for comparisons: its type cannot say so.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

Num: TypeAlias = "int | Number"
"""A Python int, or a reader's number. (Z3's terms have no types of their own: they are `Any`.)"""

Truth: TypeAlias = "bool | Proposition"
"""A Python bool, or what comparing two such numbers gives."""

Operation: TypeAlias = Callable[[Any, Any], Any]
"""The function of Python's `operator` module that does to two ints what the operator says."""

ARITHMETIC: tuple[Operation, ...] = (
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
)
COMPARISONS: tuple[Operation, ...] = (
    operator.le,
    operator.lt,
    operator.ge,
    operator.gt,
    operator.eq,
    operator.ne,
)


class Number:
    """A whole number that may be other than one int. Ints may stand on either side of it.

    It has no hash, since what is equal to it may be open.
    """

    __slots__ = ()

    @staticmethod
    def _apply(operation: Operation, a: Any, b: Any) -> Any:
        """`operation` on `a` and `b`, of which one at least is of this class.

        NotImplemented where the other is something that this reader does not know.
        """
        raise NotImplementedError

    def __add__(self, other: Num) -> Num:
        return self._apply(operator.add, self, other)

    def __radd__(self, other: Num) -> Num:
        return self._apply(operator.add, other, self)

    def __sub__(self, other: Num) -> Num:
        return self._apply(operator.sub, self, other)

    def __rsub__(self, other: Num) -> Num:
        return self._apply(operator.sub, other, self)

    def __mul__(self, other: Num) -> Num:
        return self._apply(operator.mul, self, other)

    def __rmul__(self, other: Num) -> Num:
        return self._apply(operator.mul, other, self)

    def __floordiv__(self, other: Num) -> Num:
        return self._apply(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Num) -> Num:
        return self._apply(operator.floordiv, other, self)

    def __mod__(self, other: Num) -> Num:
        return self._apply(operator.mod, self, other)

    def __rmod__(self, other: Num) -> Num:
        return self._apply(operator.mod, other, self)

    def __le__(self, other: Num) -> Truth:
        return self._apply(operator.le, self, other)

    def __lt__(self, other: Num) -> Truth:
        return self._apply(operator.lt, self, other)

    def __ge__(self, other: Num) -> Truth:
        return self._apply(operator.ge, self, other)

    def __gt__(self, other: Num) -> Truth:
        return self._apply(operator.gt, self, other)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return self._apply(operator.eq, self, other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return self._apply(operator.ne, self, other)

    __hash__ = None  # type: ignore[assignment]


class Proposition(Number):
    """A truth that is not one bool: a term's, one for each of many cases, or an open one.

    As in Python it is a number too, 0 or 1, where something asks for that.
    """

    __slots__ = ()

    def ite(self, then: Any, otherwise: Any) -> Any:
        """`then` where this is true, else `otherwise`."""
        raise NotImplementedError

    def negate(self) -> Truth:
        """True where this is false."""
        raise NotImplementedError

    def either(self, *others: Truth) -> Truth:
        """True where this or another of them is."""
        raise NotImplementedError

    def both(self, *others: Truth) -> Truth:
        """True where this and all others are."""
        raise NotImplementedError
