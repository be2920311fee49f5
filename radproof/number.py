"""Arithmetic that works on plain ints and on every reader's numbers alike.

`min`, `or` and `if` need the truth of a comparison at once, and a symbolic number has none. A rule
(`rules.py`) or a claim (`claims.py`) written with these helpers is evaluated on Python ints, and
builds a term where one of its numbers is a term: the same text, several readers.

A reader whose truths are not bools registers its functions with `choose`, `deny`, `disjoin` and
`conjoin`. This module does so for `readers.base`, on which all of radproof's own readers are
built, z3's symbols included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import TypeVar, overload

from radproof.readers.base import Num, Proposition, Truth

__all__ = [
    "Num",
    "Truth",
    "both",
    "ceil_div",
    "choose",
    "conjoin",
    "deny",
    "disjoin",
    "either",
    "floor_div",
    "ite",
    "maximum",
    "minimum",
    "monus",
    "negate",
]

T = TypeVar("T")


@overload
def ite(condition: Truth, then: Truth, otherwise: Truth) -> Truth: ...
@overload
def ite(condition: Truth, then: Num, otherwise: Num) -> Num: ...
def ite(condition: Truth, then: Num, otherwise: Num) -> Num:
    """`then` where the condition is true, else `otherwise`."""
    # every helper tests for bools first: a run has millions of them, and dispatch costs ten times
    if isinstance(condition, bool):
        return then if condition else otherwise
    return choose(condition, then, otherwise)


def either(*disjuncts: Truth) -> Truth:
    """True where at least one disjunct is true. Every disjunct is evaluated."""
    return _join(disjuncts, True, disjoin)


def both(*conjuncts: Truth) -> Truth:
    """True where all conjuncts are true. Every conjunct is evaluated."""
    return _join(conjuncts, False, conjoin)


@overload
def negate(truth: bool) -> bool: ...
@overload
def negate(truth: Truth) -> Truth: ...
def negate(truth: Truth) -> Truth:
    """True where `truth` is false."""
    if isinstance(truth, bool):
        return not truth
    return deny(truth)


@overload
def minimum(a: int, b: int) -> int: ...
@overload
def minimum(a: Num, b: Num) -> Num: ...
def minimum(a: Num, b: Num) -> Num:
    """The smaller of two numbers."""
    return ite(a <= b, a, b)


@overload
def maximum(a: int, b: int) -> int: ...
@overload
def maximum(a: Num, b: Num) -> Num: ...
def maximum(a: Num, b: Num) -> Num:
    """The larger of two numbers."""
    return ite(a >= b, a, b)


@overload
def monus(a: int, b: int) -> int: ...
@overload
def monus(a: Num, b: Num) -> Num: ...
def monus(a: Num, b: Num) -> Num:
    """Lean's subtraction of natural numbers: 0 where b is larger than a."""
    return ite(a >= b, a - b, 0)


@overload
def floor_div(a: int, b: int) -> int: ...
@overload
def floor_div(a: Num, b: Num) -> Num: ...
def floor_div(a: Num, b: Num) -> Num:
    """The whole part of a / b, for b > 0."""
    return a // b


@overload
def ceil_div(a: int, b: int) -> int: ...
@overload
def ceil_div(a: Num, b: Num) -> Num: ...
def ceil_div(a: Num, b: Num) -> Num:
    """A / b rounded up, for a >= 0 and b > 0."""
    return floor_div(a + b - 1, b)


def _join(truths: tuple[Truth, ...], absorbing: bool, join: Callable[..., Truth]) -> Truth:
    symbolic = False
    for truth in truths:
        if truth is absorbing:
            return absorbing
        symbolic = symbolic or not isinstance(truth, bool)
    if not symbolic:
        return not absorbing
    open_ones = [truth for truth in truths if not isinstance(truth, bool)]
    return open_ones[0] if len(open_ones) == 1 else join(*open_ones)


# The helpers on anything but bools, by the class of their first argument.


@singledispatch
def choose(condition: object, then: Num, otherwise: Num) -> Num:
    """`ite` where the condition is not a bool."""
    raise _no_truth(condition)


@singledispatch
def deny(truth: object) -> Truth:
    """`negate` where the truth is not a bool."""
    raise _no_truth(truth)


@singledispatch
def disjoin(truth: object, *others: Truth) -> Truth:
    """`either` of two or more truths, none of them a bool."""
    raise _no_truth(truth)


@singledispatch
def conjoin(truth: object, *others: Truth) -> Truth:
    """`both` of two or more truths, none of them a bool."""
    raise _no_truth(truth)


def _no_truth(value: object) -> TypeError:
    return TypeError(f"{value!r} is not a truth: it must be True, False or a comparison's result")


choose.register(Proposition, lambda truth, then, otherwise: truth.ite(then, otherwise))
deny.register(Proposition, lambda truth: truth.negate())
disjoin.register(Proposition, lambda truth, *others: truth.either(*others))
conjoin.register(Proposition, lambda truth, *others: truth.both(*others))
