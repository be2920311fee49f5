"""Terms as Lean expressions: a rule or a claim is read from the Python function that runs.

Only natural numbers and Bools appear. Lean's `-` on naturals stops at 0, where Python goes below,
and its `/` by 0 is 0; so `roundtrip.py` evaluates every emitted rule again with Lean's arithmetic
and compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from radproof.lean.errors import NotInLean
from radproof.model import DEPLOYMENT_NAMES
from radproof.readers.terms import NotSymbolic, Term, term

_INFIX = {"or": ("||", 1), "and": ("&&", 2), "+": ("+", 4), "-": ("-", 4), "*": ("*", 5)}
_INFIX |= {"//": ("/", 5), "%": ("%", 5)}
_TRUTHS = {"or", "and", "not", "<=", "<", ">=", ">", "=", "!="}
_APPLICATION, _ATOM = 8, 9


_RENAMED = {"end": "stop"}
"""Python's names that are keywords in Lean, and what they are called there."""


def lean_field(name: str) -> str:
    """The Lean name of a Python field: t_lin is tLin."""
    head, *rest = _RENAMED.get(name, name).split("_")
    return head + "".join(part.capitalize() for part in rest)


@cache
def python_field(name: str) -> str:
    """The Python name of a Lean field, the inverse of `lean_field`."""
    snake = re.sub("[A-Z]", lambda capital: "_" + capital.group().lower(), name)
    return {lean: python for python, lean in _RENAMED.items()}.get(snake, snake)


def variable(name: str, truth: bool = False) -> Term:
    """A Lean variable, of type Bool where `truth`, else Nat."""
    return Term("name", (name, truth))


class Fields:
    """The fields of a Lean structure, as terms: ``fields.b_col`` is ``d.bCol``."""

    def __init__(self, owner: str, names: tuple[str, ...], rename: dict[str, str] | None = None):
        self._terms = {
            name: variable(f"{owner}.{(rename or {}).get(name, lean_field(name))}")
            for name in names
        }

    def __getattr__(self, name: str) -> Term:
        if name.startswith("_") or name not in self._terms:
            raise NotSymbolic(f"the mirror has no number {name}")
        return self._terms[name]


DEPLOYMENT = Fields("d", DEPLOYMENT_NAMES)


def read_term(function: Callable[..., Any], arguments: tuple[Any, ...], what: str) -> Term:
    """The term that `function` builds on symbolic `arguments`. Raises NotInLean for none."""
    try:
        return term(function(*arguments))
    except (NotSymbolic, TypeError, AttributeError) as error:
        raise NotInLean(
            f"{what} cannot be written in Lean: it is not plain arithmetic ({error}). Write it "
            "with the helpers of radproof.number (ite, either, minimum ...) instead of if, or, min."
        ) from None


def lean_text(expression: Term) -> str:
    """The Lean text of a term."""
    return _text(expression, 0)


def uses(expression: Term, name: str) -> bool:
    """Whether the variable `name`, or a field of it, occurs."""
    if expression.op == "name":
        return bool(expression.args[0].split(".")[0] == name)
    return any(uses(arg, name) for arg in expression.args if isinstance(arg, Term))


def _text(t: Term, outside: int) -> str:
    if t.op == "name":
        return str(t.args[0])
    if t.op == "constant":
        return _constant(t.args[0])
    if t.op in _INFIX:
        sign, strength = _INFIX[t.op]
        text = f"{_text(t.args[0], strength)} {sign} {_text(t.args[1], strength + 1)}"
        return f"({text})" if strength < outside else text
    function, arguments = _application(t)
    text = " ".join([function, *(_text(argument, _ATOM) for argument in arguments)])
    if function == "-":
        return _text(Term("-", arguments), outside)
    return f"({text})" if outside > _APPLICATION else text


def _application(t: Term) -> tuple[str, tuple[Term, ...]]:
    """The function and the arguments of what is not written infix."""
    if t.op == "ite":
        return _choice(*t.args)
    if t.op == "not":
        return "cond", (t.args[0], term(False), term(True))
    return _comparison(t)


def _comparison(t: Term) -> tuple[str, tuple[Term, ...]]:
    a, b = t.args
    if t.op in ("=", "!=") and _is_truth(a) != _is_truth(b):
        raise NotInLean(f"{t.text()} compares a truth with a number; Lean keeps the two apart.")
    if t.op == "=":
        return ("same" if _is_truth(a) else "Nat.beq"), (a, b)
    if t.op == "!=":
        return _application(Term("not", (Term("=", (a, b)),)))
    if t.op in ("<=", "<"):
        return "Nat.ble", (a + 1 if t.op == "<" else a, b)
    return "Nat.ble", (b + 1 if t.op == ">" else b, a)


def _choice(condition: Term, then: Term, otherwise: Term) -> tuple[str, tuple[Term, ...]]:
    """`cond`, or the mirror's name for a helper of number.py that is built with it."""
    if condition.op in ("<=", ">="):
        small, large = condition.args if condition.op == "<=" else condition.args[::-1]
        ends = (_key(then), _key(otherwise))
        if ends == (_key(small), _key(large)):
            return "minimum", (then, otherwise)
        if ends == (_key(large), _key(small)):
            return "maximum", (then, otherwise)
        if ends == (_key(large - small), _key(term(0))):
            return "-", (large, small)
    return "cond", (condition, then, otherwise)


def _key(t: object) -> object:
    """What equal terms have in common: comparing two terms gives a term, not True or False."""
    return (t.op, *map(_key, t.args)) if isinstance(t, Term) else (type(t).__name__, t)


def _is_truth(t: Term) -> bool:
    if t.op == "name":
        return len(t.args) > 1 and bool(t.args[1])
    if t.op == "constant":
        return isinstance(t.args[0], bool)
    return t.op in _TRUTHS or (t.op == "ite" and _is_truth(t.args[1]))


def _constant(value: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value < 0:
        raise NotInLean(f"the number {value} is below 0, and the mirror has only natural numbers.")
    return str(value)
