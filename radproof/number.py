"""Arithmetic that plain ints, terms and z3 terms can all go through.

`min`, `or` and `if` ask a number for its truth at once, and a symbolic number has none. A rule
(`rules.py`) or a claim (`claims.py`) written with these helpers is evaluated on Python ints, and
builds a term where one of its numbers is a term: the same text, several readers.
"""

from __future__ import annotations

from typing import Any, TypeAlias

# A Python int, a radproof.readers.terms.Term, a radproof.readers.affine.Affine or a z3.ArithRef.
Num: TypeAlias = Any
# A Python bool, or what comparing two such numbers gives.
Truth: TypeAlias = Any


def ite(condition: Truth, then: Any, otherwise: Any) -> Any:
    """`then` where the condition is true, else `otherwise`."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if hasattr(condition, "ite"):
        return condition.ite(then, otherwise)
    import z3

    return z3.If(condition, then, otherwise)


def either(*disjuncts: Truth) -> Truth:
    """True where at least one of the disjuncts is. Every disjunct is evaluated."""
    return _join(disjuncts, True, "either", "Or")


def both(*conjuncts: Truth) -> Truth:
    """True where every one of the conjuncts is. Every conjunct is evaluated."""
    return _join(conjuncts, False, "both", "And")


def negate(truth: Truth) -> Truth:
    """True where `truth` is false."""
    if isinstance(truth, bool):
        return not truth
    if hasattr(truth, "negate"):
        return truth.negate()
    import z3

    return z3.Not(truth)


def minimum(a: Num, b: Num) -> Num:
    """The smaller of two numbers."""
    return ite(a <= b, a, b)


def maximum(a: Num, b: Num) -> Num:
    """The larger of two numbers."""
    return ite(a >= b, a, b)


def monus(a: Num, b: Num) -> Num:
    """Subtraction of natural numbers as Lean has it: 0 where b is larger than a."""
    return ite(a >= b, a - b, 0)


def floor_div(a: Num, b: Num) -> Num:
    """The whole part of a / b, for b > 0."""
    if hasattr(a, "__floordiv__") and hasattr(b, "__floordiv__"):
        return a // b
    return a / b  # z3 writes the division of two Int terms so


def ceil_div(a: Num, b: Num) -> Num:
    """A / b rounded up, for a >= 0 and b > 0."""
    return floor_div(a + b - 1, b)


def _join(truths: tuple[Truth, ...], absorbing: bool, method: str, z3_name: str) -> Truth:
    symbolic = False
    for truth in truths:
        if truth is absorbing:
            return absorbing
        symbolic = symbolic or not isinstance(truth, bool)
    if not symbolic:
        return not absorbing
    open_ones = [truth for truth in truths if not isinstance(truth, bool)]
    if len(open_ones) == 1:
        return open_ones[0]
    if hasattr(open_ones[0], method):
        return getattr(open_ones[0], method)(*open_ones[1:])
    import z3

    return getattr(z3, z3_name)(*open_ones)
