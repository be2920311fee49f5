"""Numpy reads a formula as ints do, case by case and stretch by stretch, and never overflows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof.number import both, either, floor_div, ite, maximum, minimum, monus, negate
from radproof.readers.arrays import Column, Ends, first_and_last
from radproof.readers.base import NoValue


def test_a_column_is_as_good_as_its_ints() -> None:
    def reading(a: Any, b: Any) -> list[Any]:
        return [
            minimum(a, b),
            maximum(a, b),
            monus(a, b),
            floor_div(a, b + 1),
            a % (b + 1),
            ite(either(a == b, negate(a < 2)), a * 2, 3 - b),
            1 + ite(both(a > 1, b != 2), 1, 0),
            (a > 1) + (b > 1),
            (a > 1) == (b > 1),
        ]

    pairs = np.array(list(itertools.product(range(5), repeat=2)))
    columns = reading(Column(pairs[:, 0], 4), Column(pairs[:, 1], 4))
    for row, (a, b) in enumerate(pairs.tolist()):
        assert [int(column.values[row]) for column in columns] == reading(a, b)


def test_what_has_no_single_truth_raises() -> None:
    column = Column(np.array([True]), 1)
    for many in (column, Ends(column)):
        with pytest.raises(TypeError, match="no single truth"):
            bool(many)


big = st.integers(-(2**64), 2**64)


@given(st.lists(st.tuples(big, big), min_size=1, max_size=4), st.integers(-(2**70), 2**70))
@quick(200)
def test_a_column_is_exact_at_any_size(pairs: list[tuple[int, int]], c: int) -> None:
    def reading(a: Any, b: Any) -> list[Any]:
        return [a + b, a - b, a * b, b * a * b, a * c, c - a, a % 7, a // 7, ite(a < b, c, a)]

    columns = reading(Column.of([a for a, _ in pairs]), Column.of([b for _, b in pairs]))
    for row, (a, b) in enumerate(pairs):
        assert [int(column.values[row]) for column in columns] == reading(a, b)
        assert all(abs(int(column.values[row])) <= column.bound for column in columns)


def test_a_column_knows_how_large_its_numbers_are() -> None:
    for values in ([], [0], [3, -7, 5], [-(2**63), 9], [9, 2**64], [1, -(2**70)]):
        assert Column.of(values).bound == max(map(abs, values), default=0)


@pytest.mark.parametrize("edge", [2**61, 2**62 - 1, 2**62, 2**63 - 1, 2**63, 2**64, -(2**63)])
def test_a_sum_product_or_comparison_at_the_edge_of_int64_is_exact(edge: int) -> None:
    column = Column.of([edge, 1, 0])
    assert (column + edge).values.tolist() == [2 * edge, 1 + edge, edge]
    assert (column + edge + edge).values.tolist() == [3 * edge, 1 + 2 * edge, 2 * edge]
    assert (column - edge - edge - edge).values.tolist() == [-2 * edge, 1 - 3 * edge, -3 * edge]
    assert (column * 4).values.tolist() == [4 * edge, 4, 0]
    assert (column * column).values.tolist() == [edge * edge, 1, 0]
    assert (column - 2**70).values.tolist() == [edge - 2**70, 1 - 2**70, -(2**70)]
    assert (column <= 2**80).values.tolist() == [True] * 3
    assert (0 * column).values.tolist() == [0, 0, 0]
    small = Column.of([7, 8, 9])
    assert ite(small > 7, small, edge).values.tolist() == [edge, 8, 9]
    assert ite(small > 7, edge, small).values.tolist() == [7, edge, edge]


def test_what_fits_in_int64_is_computed_there() -> None:
    for column in (Column.of([2**63 - 2]) + 1, Column.of([3037000499]) * 3037000499):
        assert column.values.dtype == np.int64
        assert ite(column > 1, column, 2**63 - 1).values.dtype == np.int64
        assert (column + 2**62).values.tolist() == [column.bound + 2**62]
    for sum_of_two in (Column.of([2**40]) + 2**40, 2**40 - Column.of([2**40])):
        assert sum_of_two.values.dtype == np.int64


def test_a_truth_is_a_number_up_to_one() -> None:
    large = Column.of([2**70, 1])
    one, other = large > 1, large == 1
    for truth in (one, negate(one), either(one, other), both(one, other)):
        assert truth.bound == 1
        assert (truth + 2**62).values.dtype == np.int64


def test_numbers_that_are_not_ints_keep_their_own_arithmetic() -> None:
    column = Column.of([1.5, 2**60 + 1, True])  # type: ignore[list-item]
    assert (column + column).values.tolist() == [3.0, 2**61 + 2, 2]
    assert (column > 1).values.tolist() == [True, True, False]


@pytest.mark.parametrize("value", [0.5, "x", None])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    column = Column.of([1, 2])
    for many in (column, Ends(column)):
        for use in (
            lambda n: n + value,
            lambda n: value * n,
            lambda n: n < value,
            lambda n: ite(n > 1, value, n),
        ):
            with pytest.raises(NoValue):
                use(many)


# A formula over numbers that go evenly, read at the ends.

number = st.tuples(st.integers(-6, 12), st.integers(-3, 3))
counts = st.lists(st.integers(1, 7), min_size=1, max_size=3)


def formula(x: Any, y: Any, k: int) -> Any:
    return either(
        both(x * 2 - y < k, negate(x == y)),
        ite(y >= k, (x + y) % 3 == 1, x // 2 != y),
        x * y > 20,
    )


@given(counts, st.data(), st.integers(-4, 9))
@quick(300)
def test_a_stretch_that_is_not_marked_has_the_truth_in_all_its_records(
    counts: list[int], data: st.DataObject, k: int
) -> None:
    index = first_and_last(Column.of(counts))
    drawn = [[data.draw(number) for _ in counts] for _ in "xy"]
    x, y = (
        Ends(Column.of([a for a, _ in n]) + index * Column.of([step for _, step in n]))
        for n in drawn
    )
    found = formula(x, y, k)
    marked = np.broadcast_to(found.uneven, len(counts))
    for place, count in enumerate(counts):
        (a, da), (b, db) = (n[place] for n in drawn)
        truths = {bool(formula(a + i * da, b + i * db, k)) for i in range(count)}
        if not marked[place]:
            assert truths == {bool(found.numbers.values[place])}
        # nothing is marked without a reason
        assert not (marked[place] and count == 1)


def test_what_does_not_move_or_cross_is_not_marked() -> None:
    index = first_and_last(Column.of([5, 5, 5]))
    x = Ends(Column.of([0, 4, 10]) + index * Column.of([1, -1, 1]))
    still = Ends(Column.of([3, 3, 3]))
    assert (x < 3).uneven.tolist() == [True, True, False]
    for met in (0, 2, 4):
        assert (x == met).uneven.tolist() == [True, True, False]
        assert (x != met).uneven.tolist() == [True, True, False]
    assert (x == 5).uneven.tolist() == [False] * 3
    assert (x < 3).numbers.bound == 1
    assert (x == x + 0).uneven.tolist() == [False] * 3
    assert not np.any((still % 2 == 1).uneven)
    assert not np.any((x * still >= 0).uneven)
    assert (x * x >= 0).uneven.tolist() == [True] * 3
    assert (x // 2 >= 0).uneven.tolist() == [True] * 3
