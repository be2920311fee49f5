"""What the fragment takes from Lean's core: numbers, truths, lists and options, as Lean has them.

This is the whole list: a name that is neither here nor defined in the text has no meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import attrs

from radproof.lean.budget import MOST_JOBS
from radproof.lean.errors import NotTheSame
from radproof.lean.reader import Constructor

MOST_ITEMS = MOST_JOBS
"""Items of one list."""

_MOST_BITS = 20_000
"""Of one number; longer ones take a rule that multiplies again and again."""


class Meaningless(NotTheSame):
    """An expression without a value: Lean would not take it, or it is too large."""


class Value(NamedTuple):
    """A structure's value, or one of an inductive type. (A list is a tuple, a Nat an int.)"""

    made_by: Constructor
    fields: tuple[Any, ...]


@attrs.frozen(eq=False)
class Function:
    """A function that still takes `arity` arguments."""

    name: str
    arity: int
    run: Callable[[tuple[Any, ...]], Any]


NONE_OF = Constructor("none", "Option", (), ())
SOME_OF = Constructor("some", "Option", ("value",), (("Any",),))
NONE = Value(NONE_OF, ())


def apply(function: Any, arguments: tuple[Any, ...]) -> Any:
    """The value of a function on some of its arguments, on all, or on more than it takes."""
    while True:
        if type(function) is not Function:
            raise Meaningless("what is no function is applied to something")
        missing = function.arity - len(arguments)
        if missing > 0:
            return _partial(function, arguments, missing)
        found = function.run(arguments[: function.arity])
        if missing == 0:
            return found
        function, arguments = found, arguments[function.arity :]


def _partial(function: Function, given: tuple[Any, ...], missing: int) -> Function:
    return Function(function.name, missing, lambda more: function.run(given + more))


def nat(value: Any) -> int:
    """The value, a natural number. Raises Meaningless for anything else."""
    if type(value) is int:
        return value
    raise Meaningless("what is no natural number is computed with")


def truth(value: Any) -> bool:
    """The value, a Bool. Raises Meaningless for anything else."""
    if type(value) is bool:
        return value
    raise Meaningless("what is no Bool is asked for its truth")


def items(value: Any) -> tuple[Any, ...]:
    """The value, a list of at most MOST_ITEMS. Raises Meaningless for anything else."""
    if type(value) is not tuple:
        raise Meaningless("what is no list is used as one")
    if len(value) > MOST_ITEMS:
        raise Meaningless(f"a list has more than {MOST_ITEMS} items")
    return value


def _times(a: int, b: int) -> int:
    found = nat(a) * nat(b)
    if found.bit_length() > _MOST_BITS:
        raise Meaningless("a number grows beyond what any run has")
    return found


OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: nat(a) + nat(b),
    "-": lambda a, b: max(nat(a) - nat(b), 0),
    "*": _times,
    "/": lambda a, b: nat(a) // b if nat(b) else 0,
    "%": lambda a, b: nat(a) % b if nat(b) else a,
    "::": lambda a, b: items((a, *items(b))),
}
"""The signs that take both sides worked out; `&&` and `||` need not."""


def _map(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([apply(given[0], (item,)) for item in items(given[1])])


def _all(given: tuple[Any, ...]) -> bool:
    return all(truth(apply(given[1], (item,))) for item in items(given[0]))


CORE: Mapping[str, Any] = {
    "true": True,
    "false": False,
    "none": NONE,
    "some": Function("some", 1, lambda given: Value(SOME_OF, given)),
    "cond": Function("cond", 3, lambda given: given[1] if truth(given[0]) else given[2]),
    "Nat.ble": Function("Nat.ble", 2, lambda given: nat(given[0]) <= nat(given[1])),
    "Nat.beq": Function("Nat.beq", 2, lambda given: nat(given[0]) == nat(given[1])),
    "List.map": Function("List.map", 2, _map),
    "List.all": Function("List.all", 2, _all),
}
"""By their Lean names."""
