"""RAD's own leap, at what the drawn paths of `test_general` seldom meet."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import Deployment, leap, run
from radproof.evaluators import rad


@pytest.mark.parametrize(
    ("horizon", "ends"),
    [(99, (None, None, None)), (100, (None, 100, None)), (4640, (4640, 100, 4640))],
)
def test_an_empty_session_ends_at_its_arrival_while_a_batch_runs_past_the_horizon(
    horizon: int, ends: Any
) -> None:
    path = [(0, 128, 0), (100, 0, 0), (4640, 0, 0)]
    assert run(path, horizon=horizon).completions == ends
    assert leap(path, horizon=horizon).completions == ends


TWO = Deployment(b_col=2, t_lin=3, t_nl=1)
THREE = Deployment(b_col=3, b_row=2, t_lin=1, t_nl=0)
SESSIONS = [*itertools.product((0, 4, 11), (0, 2, 5), (0, 1, 4))]


def same(path: Any, deployment: Deployment, horizon: int | None) -> None:
    stepped, leapt = run(path, deployment, horizon=horizon), leap(path, deployment, horizon=horizon)
    assert leapt.engine == "leap"
    assert list(leapt.records) == list(stepped.records), path
    assert (leapt.completions, leapt.iterations) == (stepped.completions, stepped.iterations), path
    assert [s.demand_step for s in leapt.stretches] == [0] * len(leapt.stretches)


@pytest.mark.parametrize("horizon", [None, 0, 11])
def test_every_path_of_two_short_sessions_is_run_as_the_definition_runs_it(
    horizon: int | None,
) -> None:
    for first, second in itertools.product(SESSIONS, repeat=2):
        same([first, second], TWO, horizon)


@given(
    st.lists(st.sampled_from(SESSIONS), max_size=9),
    st.sampled_from([TWO, THREE]),
    st.sampled_from([None, 3, 4, 5, 11, 12, 20]),
)
@quick(300)
def test_a_crowd_of_short_sessions_is_run_as_the_definition_runs_it(
    path: Any, deployment: Deployment, horizon: int | None
) -> None:
    same(path, deployment, horizon)


def test_modes_are_forgotten_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rad, "_MOST_MODES", 3)
    fresh = Deployment(b_col=3, t_lin=7, t_nl=13)  # no other test has filled its modes
    same([(0, 5, 4), (0, 2, 1), (4, 0, 4), (4, 5, 1), (11, 2, 2)], fresh, None)
    _, modes = rad._remembered(fresh)
    assert len(modes) == 3 + 1
