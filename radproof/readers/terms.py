"""Claims and rules as terms: the reader that keeps the text.

A rule or a claim that is called with `Term`s instead of ints returns its syntax tree, so that a
report can show the very inequality that failed, with the numbers on both sides, and no text is
written twice. A claim that needs the truth of a term (`if`, `and`, `min`) or reads anything but
numbers (the batch) raises `NotSymbolic`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import attrs

from radproof.readers.base import Num, Operation, Proposition, Refusal, Truth


class NotSymbolic(Refusal, TypeError):
    """The function needs concrete numbers: it can be evaluated, but not read as a term."""


_BINARY: dict[str, tuple[int, Callable[[Any, Any], Any]]] = {
    # the operator, how strongly it binds, and its value on two ints
    "or": (1, lambda a, b: a or b),
    "and": (2, lambda a, b: a and b),
    "<=": (4, operator.le),
    "<": (4, operator.lt),
    ">=": (4, operator.ge),
    ">": (4, operator.gt),
    "=": (4, operator.eq),
    "!=": (4, operator.ne),
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "//": (6, operator.floordiv),
    "%": (6, operator.mod),
}
_COMPARING = ("<=", "<", ">=", ">", "=", "!=")

_SIGNS = {operation: sign for sign, (_, operation) in _BINARY.items()}


@attrs.frozen(eq=False)
class Term(Proposition):
    """A name, a constant, or an operator over terms. Comparing two terms gives a term."""

    op: str
    args: tuple[Any, ...] = ()

    @staticmethod
    def _apply(operation: Operation, a: object, b: object) -> Term:
        return Term(_SIGNS[operation], (term(a), term(b)))

    def value(self, names: Mapping[str, Any]) -> Any:
        """The int or bool that the term evaluates to, with the values of `names`."""
        if self.op == "name":
            return names[self.args[0]]
        if self.op == "constant":
            return self.args[0]
        if self.op == "ite":
            condition, then, otherwise = self.args
            return (then if condition.value(names) else otherwise).value(names)
        if self.op == "not":
            return not self.args[0].value(names)
        return _BINARY[self.op][1](self.args[0].value(names), self.args[1].value(names))

    def comparisons(self) -> list[Term]:
        """The comparisons in it, from left to right."""
        if self.op in _COMPARING:
            return [self]
        return [c for arg in self.args if isinstance(arg, Term) for c in arg.comparisons()]

    def text(self) -> str:
        """The term as a person writes it, with x for multiplication."""
        return self._text(0)

    def _no_value(self, *_: object) -> NoReturn:
        raise NotSymbolic("a term has no concrete value")

    __str__ = __format__ = __int__ = __index__ = __float__ = _no_value

    def is_truth(self) -> bool:
        """Whether it is a truth, and every operator in it has the truths or numbers it needs.

        A divisor must be a positive constant, or one of the deployment's tiles or its chunk.
        """
        return self._sort() is bool

    def _sort(self) -> type | None:
        if self.op == "name":
            return int
        if self.op == "constant":
            return type(self.args[0])
        sorts = [arg._sort() for arg in self.args]
        if self.op == "ite":
            return sorts[1] if sorts[0] is bool and sorts[1] is sorts[2] else None
        wanted = bool if self.op in ("or", "and", "not") else int
        if any(sort is not wanted for sort in sorts):
            return None
        if self.op in ("//", "%"):
            divisor = self.args[1]
            return int if _is_positive(divisor) else None
        return bool if self.op in _COMPARING or wanted is bool else int

    def _text(self, outside: int) -> str:
        if self.op in ("name", "constant"):
            return str(self.args[0])
        if self.op == "ite":
            condition, then, otherwise = self.args
            parts = (part.text() for part in (condition, then, otherwise))
            text, strength = "if {} then {} else {}".format(*parts), 0
        elif self.op == "not":
            text, strength = f"not {self.args[0]._text(3)}", 3
        else:
            strength = _BINARY[self.op][0]
            sign = "x" if self.op == "*" else self.op
            # a - (b - c) keeps its parentheses, (a - b) - c needs none
            text = f"{self.args[0]._text(strength)} {sign} {self.args[1]._text(strength + 1)}"
        return f"({text})" if strength < outside else text

    def __bool__(self) -> bool:
        raise NotSymbolic("the truth of a term is not known; use radproof.number's helpers")

    def ite(self, then: Num, otherwise: Num) -> Term:
        return Term("ite", (self, term(then), term(otherwise)))

    def negate(self) -> Term:
        return Term("not", (self,))

    def either(self, *others: Truth) -> Term:
        return self._joined("or", others)

    def both(self, *others: Truth) -> Term:
        return self._joined("and", others)

    def _joined(self, op: str, others: tuple[Truth, ...]) -> Term:
        joined = self
        for other in others:
            joined = Term(op, (joined, term(other)))
        return joined


_POSITIVE = ("b_col", "b_row", "b_red", "b_lcm", "chunk")


def _is_positive(term: Term) -> bool:
    if term.op == "name":
        return term.args[0] in _POSITIVE
    return term.op == "constant" and term.args[0] > 0


def term(value: object) -> Term:
    """The term of an int or a bool; a term is returned as it is. Raises NotSymbolic."""
    if isinstance(value, Term):
        return value
    if isinstance(value, int):
        return Term("constant", (value,))
    raise NotSymbolic(f"{value!r} is not a whole number")


class Names:
    """A record or a deployment in symbols: an object whose attributes are the given values.

    Any other attribute raises `NotSymbolic`.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def but(self, **changed: Any) -> Names:
        """The same with these values."""
        return Names(self._values | changed)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            raise NotSymbolic(f"{name} is not a number of the record or the deployment") from None


def named(*names: str) -> Names:
    """The names themselves, as terms."""
    return Names({name: Term("name", (name,)) for name in names})
