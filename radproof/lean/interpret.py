"""What an emitted file means: its expressions evaluated as Lean evaluates them, on naturals.

The rules come from the file's text, the step from the twin. So a rule that means something else in
Lean than in Python makes a theorem false.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from radproof.claims import CLAIMS
from radproof.lean import twin
from radproof.lean.definitions import mirror
from radproof.lean.errors import NotTheSame
from radproof.lean.expressions import python_field
from radproof.lean.reader import Expression, Source, expression
from radproof.lean.state_invariants import INVARIANTS
from radproof.model import Deployment, Session
from radproof.rules import Rules

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: max(a - b, 0),
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else a,
    "++": lambda a, b: a + b,
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
}


_RAD = mirror().partition("\ndef rad : Rules :=")[2].partition("\n\n")[0]


@attrs.frozen
class _LeanRules:
    """A Lean `Rules`: its functions, and its order as a function of a list of jobs."""

    rules: Rules
    order: Callable[[Any], Any]


def _numbered(build: Callable[..., Any]) -> Callable[..., list[Any]]:
    def run(number: int, count: int, *rest: object) -> list[Any]:
        return [build(number + n, *rest) for n in range(count)]

    return run


def _sort_by(key: Callable[[Any], list[int]], jobs: list[Any]) -> list[Any]:
    return sorted(jobs, key=key)


def _on_last(claim: Callable[..., Any], c: twin.Config, s: twin.State) -> bool:
    return s.last is None or claim(c.deployment, s.last)


_FUNCTIONS: dict[str, Any] = {
    "true": True,
    "false": False,
    "none": None,
    "some": lambda value: value,
    "Nat.ble": lambda a, b: a <= b,
    "Nat.beq": lambda a, b: a == b,
    "same": lambda a, b: a == b,
    "minimum": min,
    "maximum": max,
    "cond": lambda condition, then, otherwise: then if condition else otherwise,
    "sortBy": _sort_by,
    "List.replicate": lambda count, item: [item] * count,
    "List.all": lambda items, holds: all(holds(item) for item in items),
    "Session.mk": Session,
    "Arrival.mk": twin.Arrival,
    "Job.mk": twin.Job,
    "Entry.mk": twin.Entry,
    "numbersFrom": _numbered(lambda number: number),
    "arrivalsFrom": _numbered(twin.Arrival),
    "jobsFrom": _numbered(twin.Job),
    "entriesFrom": _numbered(twin.Entry),
    "start": lambda c, path: twin.start(c, tuple(path)),
    "step": twin.step,
    "afterEvent": twin.after_event,
    "onLast": _on_last,
}


def _claim_functions() -> dict[str, Any]:
    """The mirror's claims, and what they demand of a session."""
    found: dict[str, Any] = {}
    for name, claim in CLAIMS.items():
        found[name] = lambda d, i, claim=claim: bool(claim.holds(i, d))
        if claim.given is not None:
            found[f"given_{name}"] = _curried(2, lambda d, s, claim=claim: claim.in_scope(s, d))
    return found


def _curried(arity: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which may also take its arguments one after the other."""
    return lambda *given: (
        function(*given)
        if len(given) >= arity
        else _curried(arity - len(given), lambda *more: function(*given, *more))
    )


def _structured(given: dict[str, Any]) -> Deployment | twin.Config | twin.Record | twin.State:
    """The value of a structure: its fields say which of the four it is."""
    if "b_col" in given:
        b_lcm = given.pop("b_lcm")
        node = Deployment(**given)
        if node.b_lcm != b_lcm:
            raise NotTheSame(f"bLcm is {b_lcm}, but the tiles give {node.b_lcm}.")
        return node
    if "rules" in given:
        lean_rules = given["rules"]
        return twin.Config(given["deployment"], lean_rules.rules, lean_rules.order)
    if "demand" in given:
        return twin.Record(**given)
    lists: dict[str, Any] = {k: tuple(v) if type(v) is list else v for k, v in given.items()}
    return twin.State(**lists)


class Meaning:
    """The definitions of a file, evaluated in order."""

    def __init__(self, source: Source) -> None:
        self.names: dict[str, Any] = {**_FUNCTIONS, **_claim_functions(), **INVARIANTS}
        self.names["rad"] = self.of(expression(_RAD))
        self.values: dict[str, Any] = {}
        for name, body in source.definitions.items():
            self.values[name] = self.names[name] = self.of(body)

    def of(self, e: Expression, local: Mapping[str, Any] | None = None) -> Any:
        """The value of an expression. Raises NotTheSame for a name that is not defined."""
        local = local or {}
        tag = e[0]
        if tag == "number":
            return e[1]
        if tag == "name":
            return self._name(e[1], local)
        if tag == "list":
            return [self.of(item, local) for item in e[1]]
        if tag == "apply":
            return self._apply(e[1], e[2], local)
        if tag == "fun":
            names, body = e[1], e[2]
            return _curried(
                len(names),
                lambda *given: self.of(body, {**local, **dict(zip(names, given, strict=True))}),
            )
        if tag == "structure":
            return self._structure(e[1], e[2], local)
        return _OPERATIONS[tag](self.of(e[1], local), self.of(e[2], local))

    def _apply(
        self, function: Expression, arguments: list[Expression], local: Mapping[str, Any]
    ) -> Any:
        try:
            return self.of(function, local)(*(self.of(a, local) for a in arguments))
        except (TypeError, AttributeError, ValueError) as error:
            raise NotTheSame(f"invalid arguments to {function[1]}: {error}.") from None

    def _name(self, name: str, local: Mapping[str, Any]) -> Any:
        head, *fields = name.split(".")
        if name in self.names:
            return self.names[name]
        if head not in local and head not in self.names:
            raise NotTheSame(f"the name {name} is used before it is defined.")
        found = local[head] if head in local else self.names[head]
        for field in fields:
            found = getattr(found, python_field(field))
        return found

    def _structure(
        self, base: str | None, fields: dict[str, Expression], local: Mapping[str, Any]
    ) -> Any:
        if "order" in fields or base is not None:
            return self._rules(fields, base)
        given = {python_field(k): self.of(v, local) for k, v in fields.items()}
        try:
            return _structured(given)
        except (TypeError, ValueError, AttributeError) as error:
            raise NotTheSame(
                f"the structure with the fields {', '.join(fields)} is not valid: {error}."
            ) from None

    def _rules(self, fields: dict[str, Expression], base: str | None) -> _LeanRules:
        found = {python_field(name): self.of(body) for name, body in fields.items()}
        if base is None:
            return _LeanRules(order=found.pop("order"), rules=Rules(**found))
        before: _LeanRules = self.names[base]
        order = found.pop("order", before.order)
        return _LeanRules(attrs.evolve(before.rules, **found), order)
