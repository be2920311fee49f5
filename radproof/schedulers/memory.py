"""Whether a scheduler's memory is the same as before, as far as any scheduler can tell.

Memory may be any object, so equality proves nothing (1 == True, a class with an `__eq__` of its
own), and neither does identity (a list that was changed in place). Only plain values that cannot
change are compared, type by type and part by part.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Any

import attrs

from radproof.readers.looks import kept

_PLAIN = frozenset((type(None), bool, int, str, bytes))


def unchanged(before: object, after: object) -> bool:
    """Whether both are the same plain value that cannot change; False where it cannot be told.

    Plain are None, ints, floats, strings, bytes and members of an enum; and tuples, frozensets and
    instances of frozen classes (attrs, dataclasses) whose parts are plain.
    """
    waiting = [(before, after)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        one, other = waiting.pop()
        kind = type(one)
        if type(other) is not kind:
            return False
        if kind in _PLAIN:
            if one != other:
                return False
        elif kind is float:
            if repr(one) != repr(other):  # 0.0 is not -0.0, and nan is nan
                return False
        elif isinstance(one, Enum):
            if one is not other:
                return False
        elif kind is frozenset:
            if not _same_set(one, other):
                return False
        elif (id(one), id(other)) not in seen:
            seen.add((id(one), id(other)))
            parts = _parts(one)
            others = parts if one is other else _parts(other)
            if parts is None or others is None or len(parts) != len(others):
                return False
            waiting += zip(parts, others, strict=True)
    return True


def _same_set(one: Any, other: Any) -> bool:
    # Two equal sets may be iterated in another order, one set is not. Elements with parts are left
    # out: an element of one set has no partner in the other to be compared with.
    return one is other and all(type(element) in _PLAIN for element in one)


def _parts(value: Any) -> list[object] | None:
    """All that a tuple or an instance of a frozen class keeps; None for any other object."""
    if type(value) is tuple:
        return list(value)
    if isinstance(value, tuple):
        own = kept(value)
        return [*tuple.__iter__(value), *own, *own.values()]
    if _frozen(type(value)):  # type: ignore[arg-type]  # types can be hashed
        own = kept(value)
        return [*own, *own.values()]
    return None


@lru_cache(maxsize=1024)
def _frozen(kind: type) -> bool:
    """Whether attrs or dataclasses made the class, and made it refuse to be changed."""
    if attrs.has(kind):
        return kind.__setattr__.__name__ == "_frozen_setattrs"
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)
