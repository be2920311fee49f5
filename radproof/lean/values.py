"""Values of the interpreter and what they are in Python: a state of the mirror as the twin's state.

Each Lean structure has one Python class, named here; nothing is looked up by a name that a file
gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

from radproof.lean import twin
from radproof.lean.core import NONE, NONE_OF, SOME_OF, Function, Meaningless, Value
from radproof.lean.expressions import python_field
from radproof.lean.interpret import Program
from radproof.lean.reader import Constructor, Type
from radproof.model import Deployment, Session


def check_type(program: Program, value: Any, kind: Type) -> None:
    """Raises Meaningless where a value is not of its type, or a part of it is not."""
    if not _is(program, value, kind):
        raise Meaningless(f"it is not a {_words(kind)}")


def _is(program: Program, value: Any, kind: Type) -> bool:
    name, *arguments = kind
    if name == "Nat":
        return type(value) is int
    if name == "Bool":
        return type(value) is bool
    if name == "→":
        return type(value) is Function
    if name == "List":
        return type(value) is tuple and all(_is(program, v, arguments[0]) for v in value)
    if type(value) is not Value:
        return False
    made = value.made_by
    if name == "Option":
        return made is NONE_OF or (made is SOME_OF and _is(program, value.fields[0], arguments[0]))
    return program.constructors.get(made.name) is made and (
        made.type == name
        and all(_is(program, v, t) for v, t in zip(value.fields, made.types, strict=True))
    )


def _words(kind: Type) -> str:
    return " ".join(_words(part) if isinstance(part, tuple) else part for part in kind)


def to_python(value: Any) -> Any:
    """A number, a truth, or the Python value of a literal; lists become tuples."""
    if type(value) is tuple:
        return tuple([to_python(v) for v in value])
    if type(value) is not Value:
        return value
    if value is NONE or value.made_by is NONE_OF:
        return None
    if value.made_by is SOME_OF:
        return to_python(value.fields[0])
    fields = zip(value.made_by.fields, value.fields, strict=True)
    given = {python_field(name): to_python(v) for name, v in fields}
    if value.made_by.name not in _CLASSES:
        raise Meaningless(f"{value.made_by.name} makes no value that a file states")
    return _CLASSES[value.made_by.name](**given)


def _deployment(b_lcm: int, **given: int) -> Deployment:
    node = Deployment(**given)
    if node.b_lcm != b_lcm:
        raise Meaningless(f"bLcm is {b_lcm}, but the tiles give {node.b_lcm}")
    return node


def to_lean(program: Program, value: Any, kind: Type) -> Any:
    """The Lean value, of this type, of a number, a truth, or a value of the model or the twin."""
    name, *arguments = kind
    if name in ("Nat", "Bool"):
        return value
    if name == "List":
        return tuple([to_lean(program, v, arguments[0]) for v in value])
    if name == "Option":
        return NONE if value is None else Value(SOME_OF, (to_lean(program, value, arguments[0]),))
    made = program.constructors[f"{name}.mk"]
    parts = zip(_getter(made)(value), made.types, strict=True)
    return Value(made, tuple([to_lean(program, part, kind) for part, kind in parts]))


@cache
def _getter(made: Constructor) -> Callable[[Any], tuple[Any, ...]]:
    """The parts of a Python value in the order of the Lean structure's fields."""
    return attrgetter(*map(python_field, made.fields))


_CLASSES: Mapping[str, Callable[..., Any]] = {
    "Deployment.mk": _deployment,
    "Session.mk": Session,
    "Arrival.mk": twin.Arrival,
    "Job.mk": twin.Job,
    "Entry.mk": twin.Entry,
    "Record.mk": twin.Record,
    "State.mk": twin.State,
}
