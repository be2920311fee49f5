"""RAD's own leap, at what the drawn paths of `test_general` seldom meet."""

from __future__ import annotations

from typing import Any

import pytest

from radproof import SEED, leap, rad, run
from radproof.evaluators.rad import leap_rad
from radproof.model import as_path
from radproof.search.crosscheck import first_difference


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
