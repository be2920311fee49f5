from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from helpers import in_order

from radproof import BadInput, Stretch, leap, rad, run
from radproof.model import SCALARS
from radproof.mutants import MUTANTS
from radproof.runs import EACH, GROWS, Listed, OverBudget, Stretches, at_most

BOTH = pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])
PATH = [(0, 128, 1), (4640, 128, 1), (9280, 0, 0), (99_999, 128, 1)]


@BOTH
@pytest.mark.parametrize(
    ("horizon", "iterations", "completions"),
    [
        (None, 5, (13290, 13290, 9280, 108_644)),
        (0, 1, (None,) * 4),
        (4639, 1, (None,) * 4),
        (4640, 2, (None,) * 4),
        (9279, 2, (None,) * 4),
        (9280, 3, (None, None, 9280, None)),
        (13289, 3, (None, None, 9280, None)),
        (13290, 3, (13290, 13290, 9280, None)),
        (99_998, 3, (13290, 13290, 9280, None)),
        (99_999, 4, (13290, 13290, 9280, None)),
        (108_644, 5, (13290, 13290, 9280, 108_644)),
    ],
)
def test_the_horizon_is_inclusive(
    evaluate: Any, horizon: int | None, iterations: int, completions: Any
) -> None:
    result = evaluate(PATH, horizon=horizon)
    assert (result.iterations, result.completions) == (iterations, completions)
    assert result.ended == sum(c is not None for c in completions)
    assert result.whole
    assert len(list(result.records)) == iterations
    assert result.arrivals == sum(horizon is None or a <= horizon for a, _, _ in PATH)


@BOTH
def test_a_horizon_before_the_first_arrival(evaluate: Any) -> None:
    result = evaluate([(50, 1, 1)], horizon=49)
    assert (result.iterations, result.completions, result.arrivals) == (0, (None,), 0)


@BOTH
@pytest.mark.parametrize("horizon", [1.5, 100.0, "100s", True, -1, [3]])
def test_a_horizon_that_is_no_time_is_refused(evaluate: Any, horizon: Any) -> None:
    with pytest.raises(BadInput) as raised:
        evaluate([], horizon=horizon)
    message = str(raised.value)
    assert message.startswith(f"horizon is {horizon!r}")
    assert "it must be a natural number (0, 1, 2, ...)" in message
    assert message.endswith(", in microseconds, or None")


def test_a_limit_stops_there_and_the_run_is_not_whole() -> None:
    result = run([(0, 0, 9)], limit=4)
    assert (result.iterations, result.whole, result.completions) == (4, False, (None,))
    assert run([(0, 0, 9)], limit=9).whole
    assert run([(0, 0, 9)], limit=10).whole
    assert not run([(0, 0, 9)], limit=0).whole
    assert run([], limit=0).whole


def test_a_limit_reached_at_the_horizon_is_whole() -> None:
    assert run([(0, 0, 9)], horizon=4005 * 3, limit=4).whole
    assert not run([(0, 0, 9)], horizon=4005 * 4, limit=4).whole


@BOTH
def test_work_counts_a_look_and_the_residents_of_each_step(evaluate: Any) -> None:
    result = evaluate([(0, 0, 9), (0, 0, 4)], scheduler=in_order)
    steps = [(s.first.residents, s.count) for s in result.stretches]
    assert result.work == sum(EACH + residents for residents, _ in steps)
    assert run([(0, 0, 9)]).work == 9 * (100 + 1)
    assert sum(residents * count for residents, count in steps) == 2 * 9 + 4


def test_work_that_is_used_up_stops_the_run() -> None:
    one = EACH + 2
    for work, iterations in ((0, 0), (1, 1), (one, 1), (one + 1, 2), (3 * one, 3), (99 * one, 9)):
        result = run([(0, 0, 9)] * 2, work=work)
        assert (result.iterations, result.whole) == (iterations, iterations == 9)
    assert run([(0, 0, 9)] * 2, work=one, horizon=4_009).whole


def test_records_that_are_made_are_counted_and_no_others() -> None:
    (stretch,) = leap([(0, 0, 9)]).stretches
    with at_most(3) as outer:
        with at_most(2) as inner:
            assert [stretch.record(n).start for n in (0, 1, 2)] == [0, 4005, 8010]
            assert (inner.left, inner.over) == (0, False)
            with pytest.raises(OverBudget):
                stretch.record(3)
            assert inner.over
        assert outer.left == 3
        stretch.record(1)
        assert (outer.left, outer.over) == (2, False)
    assert len(list(stretch.records())) == 9


def test_records_can_be_read_twice() -> None:
    result = leap(PATH)
    assert list(result.records) == list(result.records)


def test_responses_are_completion_minus_arrival_of_those_that_ended() -> None:
    result = run(PATH, horizon=99_000)
    assert result.responses == [13290, 13290 - 4640, 0]


@BOTH
def test_the_end_is_that_of_the_last_iteration(evaluate: Any) -> None:
    assert evaluate(PATH).end == 108_644
    assert evaluate([(0, 0, 9)]).end == 9 * 4005
    assert evaluate([(7, 0, 0)]).end == 0


def test_the_records_of_a_stretch_go_on_by_its_duration_and_its_tokens() -> None:
    first = next(iter(run([(3, 512, 1)]).records))
    stretch = Stretch(first, count=3, demand_step=-2)
    assert stretch.duration == 4640
    assert next(iter(stretch.records())) is first
    third = stretch.record(2)
    assert (third.start, third.end) == (3 + 2 * 4640, 3 + 3 * 4640)
    assert (third.served, third.demand) == (256, first.demand - 4)
    unchanged = ("tokens", "prefilled", "decoders", "decoding", "residents", "batch")
    assert all(getattr(third, n) == getattr(first, n) for n in unchanged)
    assert len(list(stretch.records())) == 3


def test_the_numbers_of_a_record_grow_as_their_names_say() -> None:
    first = next(iter(run([(3, 512, 1)]).records))
    stretch = Stretch(first, count=9, demand_step=-2)
    by = stretch.grown(lambda number, each: each)
    for name in SCALARS:
        each = Listed([stretch]).column(GROWS[name])[0] if name in GROWS else 0
        assert getattr(stretch.record(5), name) == getattr(first, name) + 5 * each
        assert getattr(by, name) == (each if name in GROWS else getattr(first, name))


@pytest.mark.parametrize("scheduler", [rad, MUTANTS["greater"], in_order], ids=["rad", "rules", ""])
@BOTH
def test_every_evaluator_s_stretches_answer_with_columns(evaluate: Any, scheduler: Any) -> None:
    stretches = evaluate([(0, 5, 30), (0, 300, 9), (7, 0, 4)], scheduler=scheduler).stretches
    assert isinstance(stretches, Stretches)
    assert len(stretches) == len(list(stretches)) > 3
    for name in SCALARS:
        assert stretches.column(name) == [getattr(s.first, name) for s in stretches]
        ends = stretches.ends(name)
        first, last = np.broadcast_to(ends.numbers.values, (2, len(stretches))).tolist()
        assert first == stretches.column(name)
        assert last == [getattr(s.record(s.count - 1), name) for s in stretches]
    assert stretches.column("count") == [s.count for s in stretches]
    with pytest.raises(KeyError):
        stretches.column("middle")


def test_a_run_can_be_made_of_a_list_of_stretches() -> None:
    result = run(PATH)
    again = attrs.evolve(result, stretches=list(result.stretches))
    assert again == result
    assert again.stretches[0] == next(iter(again.stretches))
    assert again.stretches[-2:] == list(result.stretches)[-2:]


def test_positional_arguments_are_in_the_order_of_the_design() -> None:
    from radproof import SEED

    assert run(PATH, SEED, rad, 9280).iterations == 3
    assert leap(PATH, SEED, rad, 9280).iterations == 3


def test_numbers_are_converted_once_and_have_one_row_where_none_of_them_grows() -> None:
    stretches = leap([(0, 128 * 9, 30), (7, 0, 4)]).stretches
    assert stretches.ends("served") is stretches.ends("served")
    assert stretches._array("tokens") is stretches._array("tokens")
    assert stretches.ends("served").numbers.values.ndim == 2
    assert stretches.ends("demand").numbers.values.ndim == 1
    assert stretches.ends("tokens").numbers.values.ndim == 1
