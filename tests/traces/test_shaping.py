from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import BadInput, Deployment, Session
from radproof.traces import Dropped, Padding, Shape, Window, drop, pad, shape
from radproof.traces.shaping import cut, earliest, sped_up

PATH = (Session(0, 128, 1), Session(10, 129, 2), Session(10, 0, 3), Session(25, 256, 4))


def test_padding_rounds_prompts_up_to_the_tile_and_says_what_that_cost() -> None:
    path = (Session(5, 374, 44), Session(6, 384, 1), Session(7, 0, 3), Session(8, 1, 0))
    padded, cost = pad(path, Deployment(b_col=128))
    assert [s.prompt for s in padded] == [384, 384, 0, 128]
    assert [(s.arrive, s.output) for s in padded] == [(5, 44), (6, 1), (7, 3), (8, 0)]
    assert cost == Padding(sessions=2, before=759, after=896)
    assert str(cost) == "2 prompts rounded up to the tile: 137 tokens more than 759, 18.05 %"


def test_padding_goes_to_b_lcm() -> None:
    padded, _ = pad((Session(0, 7, 0),), Deployment(b_col=4, b_row=6))
    assert padded[0].prompt == 12


def test_padding_nothing_costs_nothing() -> None:
    path = (Session(0, 128, 1), Session(0, 0, 1))
    assert pad(path, Deployment()) == (path, Padding(0, 128, 128))
    assert str(pad((), Deployment())[1]) == (
        "0 prompts rounded up to the tile: 0 tokens more than 0, 0.00 %"
    )


def test_padding_leaves_the_sessions_on_the_tile_alone() -> None:
    padded, _ = pad(PATH, Deployment())
    assert [a is b for a, b in zip(PATH, padded, strict=True)] == [True, False, True, True]


def test_dropping_leaves_out_prompts_off_the_tile_and_counts_them() -> None:
    kept, cost = drop(PATH, Deployment())
    assert kept == (PATH[0], PATH[2], PATH[3])
    assert cost == Dropped(1, 4)
    assert str(cost) == "1 of 4 sessions left out, 25.00 %: their prompt is off the tile"
    assert drop((), Deployment()) == ((), Dropped(0, 0))


def test_dropping_asks_for_b_lcm_and_not_for_b_col() -> None:
    kept, _ = drop((Session(0, 4, 1), Session(0, 12, 1)), Deployment(b_col=4, b_row=6))
    assert kept == (Session(0, 12, 1),)


def test_a_window_has_its_start_and_not_its_end_and_starts_at_0() -> None:
    assert cut(PATH, Window(10, 25)) == (Session(0, 129, 2), Session(0, 0, 3))
    assert cut(PATH, Window(9, 26)) == (Session(1, 129, 2), Session(1, 0, 3), Session(16, 256, 4))


def test_windows_side_by_side_have_every_session_once() -> None:
    parts = [cut(PATH, Window(start, start + 5)) for start in range(0, 30, 5)]
    assert sum(map(len, parts)) == len(PATH)


def test_a_window_is_written_with_units() -> None:
    assert Window.parse("250ms-1min") == Window(250_000, 60_000_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10min", "'10min' is not a window; write start-end with units: 10min-20min."),
        ("1-2", "'1' is not a time"),
        ("2s-2s", "the window ends at 2000000 us, not after its start 2000000 us"),
    ],
)
def test_a_window_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        Window.parse(text)
    assert str(raised.value).startswith(message)


def test_the_limit_takes_the_earliest_in_the_order_of_the_path() -> None:
    path = (Session(9, 1, 0), Session(3, 2, 0), Session(9, 3, 0), Session(1, 4, 0))
    assert [s.prompt for s in earliest(path, 3)] == [1, 2, 4]
    assert earliest(path, 4) == earliest(path, 9) == path


def test_speed_is_exact_where_a_float_is_not() -> None:
    late = Session(10**17 + 1, 1, 1)
    assert sped_up((late,), Fraction(1))[0] == late
    assert sped_up((late,), Fraction(1, 10))[0].arrive == 10**18 + 10
    assert [s.arrive for s in sped_up(PATH, Fraction(10))] == [0, 1, 1, 2]  # 2.5: the even one
    assert [s.arrive for s in sped_up(PATH, Fraction(5, 2))] == [0, 4, 4, 10]


@quick(100)
@given(st.lists(st.integers(0, 10**9)), st.fractions(min_value=Fraction(1, 1000), max_value=1000))
def test_speed_keeps_order_and_ties_and_is_off_by_half_a_microsecond(
    arrivals: list[int], speed: Fraction
) -> None:
    found = [s.arrive for s in sped_up(tuple(Session(a, 1, 1) for a in arrivals), speed)]
    for a, b in zip(arrivals, found, strict=True):
        assert abs(Fraction(a) / speed - b) <= Fraction(1, 2)
        for c, d in zip(arrivals, found, strict=True):
            assert a > c or b <= d


@pytest.mark.parametrize("speed", [Fraction(0), Fraction(-1)])
def test_a_speed_that_is_not_positive_is_refused(speed: Fraction) -> None:
    with pytest.raises(BadInput, match=r"it must be positive"):
        sped_up(PATH, speed)


def test_the_default_shape_is_the_path_itself() -> None:
    path = (PATH[0], PATH[3])
    assert shape(path, Shape()) == (path, ())
    assert shape((), Shape(tile="pad"))[0] == ()


def test_the_window_is_in_the_trace_s_own_time_at_any_speed() -> None:
    wanted = Shape(tile="pad", speed=Fraction(2), window=Window(10, 30), limit=2)
    path, notes = shape(PATH, wanted)
    assert path == (Session(0, 256, 2), Session(0, 0, 3))
    assert notes == (
        "2 of 4 sessions are in the window and the limit",
        "the clock of the arrivals runs 2 times as fast",
        "1 prompts rounded up to the tile: 127 tokens more than 129, 98.45 %",
    )


def test_keeping_prompts_off_the_tile_says_what_that_means() -> None:
    assert shape(PATH, Shape())[1] == (
        "1 of 4 prompts are off the tile of 128, so optimal_tiling is out of scope; --tile pad "
        "rounds them up, --tile drop leaves them out",
    )


def test_a_shape_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^none of the 1 sessions is left: 1 of 1 sessions left "):
        shape((Session(0, 1, 1),), Shape(tile="drop"))
    with pytest.raises(BadInput, match=r"^none of the 4 sessions is left: 0 of 4 sessions are in"):
        shape(PATH, Shape(window=Window(26, 27)))
