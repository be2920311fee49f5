from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof.readers.affine import Affine, NotAffine, Split, affine, answered, pieces
from radproof.readers.base import NoValue

number = st.one_of(st.integers(-12, 12), st.integers(-(2**70), 2**70))
near = st.integers(-6, 6)
COUNT = st.integers(1, 40)


def values(number: Any, count: int) -> list[int]:
    """The number at every index."""
    if isinstance(number, Affine):
        assert number.count == count
        assert number.step != 0
        assert count > 1
        return [number.first + number.step * index for index in range(count)]
    return [number] * count


@given(number, near, number, near, COUNT)
@quick(200)
def test_sums_and_differences_are_those_at_every_index(
    a: int, da: int, b: int, db: int, count: int
) -> None:
    x, y = affine(a, da, count), affine(b, db, count)
    for op in (operator.add, operator.sub):
        at_each = [op(p, q) for p, q in zip(values(x, count), values(y, count), strict=True)]
        assert values(op(x, y), count) == at_each
        assert values(op(x, b), count) == [op(p, b) for p in values(x, count)]
        assert values(op(b, x), count) == [op(b, p) for p in values(x, count)]
    assert values(-x, count) == [-p for p in values(x, count)]


@given(number, near, number, COUNT)
@quick(200)
def test_a_multiple_quotient_or_remainder_is_exact_or_refused(
    a: int, step: int, b: int, count: int
) -> None:
    x = affine(a, step, count)
    assert values(x * b, count) == [p * b for p in values(x, count)]
    assert values(b * x, count) == [p * b for p in values(x, count)]
    for op in (operator.floordiv, operator.mod):
        if b == 0:
            continue
        try:
            found = op(x, b)
        except NotAffine:
            assert step % b
        else:
            assert values(found, count) == [op(p, b) for p in values(x, count)]


COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


@given(st.sampled_from(COMPARISONS), number, near, near, near, COUNT, st.booleans())
@quick(500)
def test_a_comparison_is_decided_where_it_is_the_same_and_splits_where_it_changes(
    compare: Callable[[Any, Any], Any], a: int, da: int, off: int, db: int, count: int, turn: bool
) -> None:
    x, y = affine(a, da, count), affine(a + 3 * off, db, count)
    if turn:
        x, y = y, x
    pairs = zip(values(x, count), values(y, count), strict=True)
    truths = [compare(p, q) for p, q in pairs]
    at = None
    try:
        decided = compare(x, y)
    except Split as split:
        at = split.at
    if at is None:
        assert set(truths) == {decided}
        return
    assert len(set(truths)) == 2
    assert 0 < at < count
    assert len(set(truths[:at])) == 1
    assert truths[at] != truths[0]


def expression(x: Any, y: Any, k: int) -> bool:
    """Plain Python, with everything a claim may ask of a number."""
    if x == k or y > x:
        return bool(min(x, y, k) < 2 * x - 3)
    return bool(x and max(x, k) != y and (x - k) not in (3, 4))


@given(near, near, near, near, near, COUNT)
@quick(400)
def test_pieces_are_what_evaluating_every_index_finds(
    a: int, da: int, b: int, db: int, k: int, count: int
) -> None:
    def decide(low: int, size: int) -> bool:
        return expression(affine(a + low * da, da, size), affine(b + low * db, db, size), k)

    found = list(pieces(decide, count))
    assert [low for low, _, _ in found] == [0, *(high for _, high, _ in found[:-1])]
    assert found[-1][1] == count
    at_each = [expression(a + i * da, b + i * db, k) for i in range(count)]
    assert [truth for low, high, truth in found for _ in range(low, high)] == at_each


def test_pieces_of_a_range_of_any_length_are_few() -> None:
    def decide(low: int, size: int) -> bool:
        return bool(affine(low, 1, size) == 10**40)

    count = 10**50
    assert list(pieces(decide, count)) == [
        (0, 10**40, False),
        (10**40, 10**40 + 1, True),
        (10**40 + 1, count, False),
    ]


@pytest.mark.parametrize("op", [operator.eq, operator.ne, operator.lt, operator.ge])
@pytest.mark.parametrize("other", [4640.0, Fraction(4640), 1e6])
def test_a_comparison_with_a_number_that_is_no_int_is_never_decided_wrongly(
    op: Callable[[Any, Any], Any], other: Any
) -> None:
    x = Affine(0, 4640, 500)
    truths = {op(p, other) for p in values(x, 500)}
    try:
        decided = op(x, other)
    except (TypeError, Split):
        return  # left to be evaluated one by one
    assert truths == {decided}


REFUSED: list[Callable[[Affine], Any]] = [
    lambda x: x * x,
    lambda x: x // 3,
    lambda x: x % 3,
    lambda x: x // x,
    lambda x: x // 0,
    lambda x: x % 0,
    lambda x: 7 // x,
    lambda x: 7 % x,
    lambda x: x / 2,
    lambda x: 2 / x,
    lambda x: x**2,
    lambda x: divmod(x, 2),
    lambda x: range(x),
    lambda x: [0][x],
    lambda x: int(x),
    lambda x: float(x),
    lambda x: round(x),
    lambda x: {x},
    lambda x: f"{x}",
    lambda x: f"{x:5}",
    lambda x: abs(x),
    lambda x: x & 1,
    lambda x: x + 0.5,
    lambda x: 0.5 - x,
    lambda x: x < 0.5,
    lambda x: x < "x",
    lambda x: x <= "x",
    lambda x: x + "x",
    lambda x: x - None,
    lambda x: str(x),
    lambda x: repr(x),
]


@pytest.mark.parametrize("use", REFUSED, ids=range(len(REFUSED)))
def test_what_does_not_stay_affine_is_refused_and_never_guessed(use: Any) -> None:
    with pytest.raises(NoValue):
        use(Affine(0, 1, 9))


def test_a_split_that_was_swallowed_is_raised_again() -> None:
    def swallows() -> bool:
        with contextlib.suppress(Split):
            return bool(Affine(0, 1, 9) < 4)
        return True

    with pytest.raises(Split, match="4"):
        answered(swallows)


@pytest.mark.parametrize("at", [-1, 0, 8, 9])
def test_a_split_outside_the_range_divides_nothing(at: int) -> None:
    for splits in ([Split(at)], [Split(at), Split(3)]):  # of all, and of the part from 3 on
        left = [*splits]

        def decide(low: int, size: int, left: list[Split] = left) -> bool:
            if left and low + size == 8:
                raise left.pop()
            return True

        with pytest.raises(NotAffine, match="outside the range"):
            list(pieces(decide, 8))


def test_only_so_many_equalities_are_decided_in_one_evaluation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("radproof.readers.affine.MOST_EQUALITIES", 3)
    x = Affine(0, 2, 9)
    for _ in range(2):  # each evaluation has its own
        assert answered(lambda: [x == odd for odd in (1, 3, 5)]) == [False] * 3
        with pytest.raises(NotAffine, match="more than 3 equalities"):
            answered(lambda: [x == odd for odd in (1, 3, 5, 7)])
    # the caller's own are not counted
    assert not any(x == odd for odd in range(1, 15, 2))


def test_a_number_that_does_not_grow_or_has_one_index_is_an_int() -> None:
    assert affine(7, 0, 9) == 7
    assert type(affine(7, 0, 9)) is int
    assert type(affine(7, 3, 1)) is int
    assert type(Affine(0, 2, 9) - Affine(1, 2, 9)) is int


def test_it_is_different_from_what_is_no_number() -> None:
    assert Affine(0, 1, 9) != "x"
    assert Affine(0, 1, 9) != None  # noqa: E711
    assert () not in [Affine(0, 1, 9)]
    assert Affine(0, 1, 9) not in ["x"]
