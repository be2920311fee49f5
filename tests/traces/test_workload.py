from __future__ import annotations

import hashlib
import itertools
import json
import math
from typing import Any

import attrs
import pytest

from radproof import BadInput, Deployment, leap
from radproof.files.paths import sha256
from radproof.traces.workload import poisson

SECONDS = 1_000_000


def test_the_same_seed_gives_the_same_bytes() -> None:
    path = poisson(20, 100 * SECONDS, 1)
    assert path == poisson(20, 100 * SECONDS, 1)
    assert path != poisson(20, 100 * SECONDS, 2)
    text = json.dumps([attrs.astuple(s) for s in path], separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == sha256(path)


def test_a_longer_horizon_draws_the_same_sessions_and_more() -> None:
    short, long = poisson(20, 10 * SECONDS, 7), poisson(20, 20 * SECONDS, 7)
    assert long[: len(short)] == short
    assert long[len(short)].arrive > 10 * SECONDS


def test_the_draw_has_the_shape_of_the_page_s() -> None:
    path = poisson(50, 1000 * SECONDS, 3)
    count = len(path)
    assert abs(count - 50_000) < 5 * math.sqrt(50_000)
    assert path[0].arrive == 0
    arrivals = [s.arrive for s in path]
    assert arrivals == sorted(arrivals)
    assert arrivals[-1] <= 1000 * SECONDS
    tiles = [s.prompt // 128 for s in path]
    assert all(s.prompt == 128 * k and 1 <= k <= 8 for s, k in zip(path, tiles, strict=True))
    for k in range(1, 9):
        assert abs(tiles.count(k) - count / 8) < 5 * math.sqrt(count / 8)
    outputs = [s.output for s in path]
    assert (min(outputs), max(outputs)) == (1, 512)
    # P(output = 512) = P(Exp(200) >= 511), P(output <= 139) = P(Exp(200) < 139)
    for share, expected in (
        (sum(o == 512 for o in outputs) / count, math.exp(-511 / 200)),
        (sum(o <= 139 for o in outputs) / count, 1 - math.exp(-139 / 200)),
    ):
        assert abs(share - expected) < 0.01
    gaps = [b - a for a, b in itertools.pairwise(arrivals)]
    mean = sum(gaps) / len(gaps)
    spread = math.sqrt(sum((g - mean) ** 2 for g in gaps) / len(gaps))
    assert abs(spread / mean - 1) < 0.03  # exponential: as wide as its mean


def test_prompts_are_whole_tiles_of_the_deployment() -> None:
    path = poisson(20, 10 * SECONDS, 1, Deployment(b_col=4, b_row=6))
    assert all(s.prompt % 12 == 0 and 12 <= s.prompt <= 96 for s in path)


def test_a_horizon_of_0_draws_the_first_arrival_alone() -> None:
    assert [s.arrive for s in poisson(20, 0, 1)] == [0]


def test_the_page_s_load_is_one_that_rad_can_carry_at_20_and_not_at_30() -> None:
    light, heavy = (leap(poisson(r, 100 * SECONDS, 1), horizon=100 * SECONDS) for r in (20, 30))
    assert light.ended > 0.97 * light.arrivals
    assert heavy.ended > 0.9 * heavy.arrivals
    assert sum(heavy.responses) / heavy.ended > 1.3 * sum(light.responses) / light.ended


@pytest.mark.parametrize("rate", [0, -1, math.inf, math.nan, -0.0])
def test_a_rate_that_is_none_is_refused(rate: Any) -> None:
    with pytest.raises(BadInput) as raised:
        poisson(rate, SECONDS, 1)
    assert str(raised.value) == (
        f"rate is {rate!r}; it must be a positive number of sessions a second."
    )


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^seed is -1; it must be a natural number\.$"):
        poisson(20, SECONDS, -1)


def test_a_rate_so_low_that_the_next_arrival_is_never_draws_the_first_alone() -> None:
    assert len(poisson(5e-324, 100 * SECONDS, 1)) == 1
