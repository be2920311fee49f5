"""A number as a reader has it: the operators that rules and claims use, once for every reader.

A reader is a class of number. Its `_apply` defines each operation on two of its numbers, or on one
of them and an int; `Number` adds the operators, with the int on either side. Where a comparison of
two of its numbers has no single truth, the result is a `Proposition`, which the connectives of
`radproof.number` accept.

Where code asks such a number for something that only one int has, the reader raises a `Refusal`.
The code may swallow it (``except Exception``) and go on with an answer that is about no int at all,
so a caller asks through `believed`, which notices.
"""

# `_apply` returns a Num for arithmetic and a Truth for comparisons, which its type cannot express.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias, TypeVar

T = TypeVar("T")

Num: TypeAlias = "int | Number"
"""A Python int, or a reader's number. (Z3's Python package has no types: its terms are `Any`.)"""

Truth: TypeAlias = "bool | Proposition"
"""A Python bool, or the result of comparing two such numbers."""

Operation: TypeAlias = Callable[[Any, Any], Any]
"""A function of Python's `operator` module, such as `operator.add`."""

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


class Refusal(Exception):
    """A reader's number has no single answer to what it was asked.

    Every refusal is counted as it is made, whoever catches it.
    """

    def __init__(self, *args: object) -> None:
        global _made, _latest
        super().__init__(*args)
        _made += 1
        _latest = self


# Names of the module: to change an attribute of a class costs Python its caches for that class.
_made = 0
_latest: Refusal | None = None


class NoValue(Refusal, TypeError):
    """The number was asked for what only one int has."""


class NoAttribute(Refusal, AttributeError):
    """The number was asked for an attribute, of an int perhaps, that it does not have."""


def believed(evaluate: Callable[[], T]) -> T:
    """What `evaluate` returns, where no number refused an answer on the way.

    Raises what `evaluate` raises; and where it returns although a number refused an answer, the
    latest refusal: the code that was asked has swallowed it.
    """
    global _latest
    before = _made
    answer = evaluate()
    if _made != before:
        swallowed, _latest = _latest, None  # it holds on to the frames it was raised in
        assert swallowed is not None
        raise swallowed
    return answer


class NoTruth(TypeError):
    """What should be a truth is something else."""


def truth(answer: object) -> bool:
    """The bool of an answer that should be a truth: a bool, numpy's, or a `Proposition`.

    Raises NoTruth for anything else, which Python would take for a truth too: a string, a number,
    None for a `return` that was forgotten; and what a Proposition raises that has no single truth.
    """
    numpy = sys.modules.get("numpy")  # which radproof need not have imported
    truths = (bool, Proposition) if numpy is None else (bool, Proposition, numpy.bool_)
    if not isinstance(answer, truths):
        shown = "None" if answer is None else f"{answer!r:.60}, a {type(answer).__name__}"
        raise NoTruth(f"{shown}, where True or False is needed")
    return bool(answer)


class Number:
    """A whole number that need not be one int. An int may stand on either side of an operator.

    It is not hashable, since equality with it may be undecided.
    """

    __slots__ = ()

    @staticmethod
    def _apply(operation: Operation, a: Any, b: Any) -> Any:
        """`operation` on `a` and `b`, at least one of which is of this class.

        A reader narrows their types to its own numbers and what it accepts beside them, and
        returns NotImplemented for anything else.
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

    # What else an int can do. Python would raise a TypeError or an AttributeError of its own here,
    # which no caller could tell from one that the code meant to catch.

    def _refuse(self, *_: object) -> NoReturn:
        raise NoValue("only one int has a value for this operation")

    def __hash__(self) -> int:
        self._refuse()

    def __str__(self) -> str:
        self._refuse()

    def __format__(self, spec: str, /) -> str:
        self._refuse()

    def __neg__(self) -> Num:
        self._refuse()

    def __pos__(self) -> Num:
        self._refuse()

    __abs__ = __ceil__ = __complex__ = __float__ = __floor__ = __index__ = __int__ = _refuse
    __invert__ = __round__ = __trunc__ = _refuse
    __and__ = __divmod__ = __lshift__ = __matmul__ = __or__ = __pow__ = __rshift__ = _refuse
    __truediv__ = __xor__ = _refuse
    __rand__ = __rdivmod__ = __rlshift__ = __rmatmul__ = __ror__ = __rpow__ = _refuse
    __rrshift__ = __rtruediv__ = __rxor__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise NoAttribute(f"a number that stands for many has no {name}")


class Proposition(Number):
    """A truth that is not one bool: a term, one truth for each of many cases, or an undecided one.

    As a bool does in Python, it counts as the number 0 or 1 in arithmetic.
    """

    __slots__ = ()

    def ite(self, then: Num, otherwise: Num) -> Num:
        """`then` where this is true, else `otherwise`."""
        raise NotImplementedError

    def negate(self) -> Truth:
        """True where this is false."""
        raise NotImplementedError

    def either(self, *others: Truth) -> Truth:
        """True where this or at least one of the others is true."""
        raise NotImplementedError

    def both(self, *others: Truth) -> Truth:
        """True where this and all of the others are true."""
        raise NotImplementedError
