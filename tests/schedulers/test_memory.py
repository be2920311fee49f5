"""The same memory is one that no scheduler can tell from the one before."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import attrs
import pytest

from radproof import PREFILL
from radproof.schedulers.memory import unchanged


@attrs.frozen
class Kept:
    turn: Any
    last: tuple[Any, ...] = ()


@attrs.define
class Changing:
    turn: int = 0


@dataclasses.dataclass(frozen=True)
class Frozen:
    turn: Any


@dataclasses.dataclass
class Thawed:
    turn: int


class Named(NamedTuple):
    turn: Any


class Equal:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Sub(int):
    pass


PLAIN = [
    *(lambda: None, lambda: 7, lambda: True, lambda: "x" * 3, lambda: b"x", lambda: 0.5),
    *(lambda: float("nan"), lambda: PREFILL, lambda: (1, (2, "x")), lambda: Kept(1, (2, None))),
    *(lambda: Frozen(3), lambda: Named(4), lambda: Kept(Frozen(Named((1,))))),
]


@pytest.mark.parametrize("make", PLAIN, ids=range(len(PLAIN)))
def test_a_plain_value_is_the_same_however_often_it_is_made(make: Any) -> None:
    assert unchanged(make(), make())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        *((1, True), (0, 0.0), (0.0, -0.0), (1, 2), ("1", 1), (None, False), (Sub(1), 1)),
        *(((1,), (True,)), ((1,), (1, 1)), (Kept(1), Kept(True)), (Frozen(1), Frozen(1.0))),
        *((Named(1), (1,)), (Named(1), Named(True)), (frozenset([1]), frozenset([True]))),
        (Kept(1, (2,)), Kept(1, (3,))),
    ],
)
def test_equal_values_of_other_types_are_not_the_same(before: Any, after: Any) -> None:
    assert not unchanged(before, after)


@pytest.mark.parametrize(
    "value",
    [[], {}, set(), Changing(), Thawed(1), Equal(), Sub(1), Kept([]), ([],), object(), Named([])],
    ids=range(11),
)
def test_what_can_change_is_not_known_to_be_the_same(value: Any) -> None:
    assert not unchanged(value, value)


def test_a_deep_or_a_shared_value_is_compared_at_once() -> None:
    deep: Any = ()
    shared: Any = (1,)
    for _ in range(10_000):
        deep = (deep,)
    for _ in range(200):
        shared = (shared, shared)
    assert unchanged(deep, deep)
    assert unchanged(shared, shared)
