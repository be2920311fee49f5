"""The invariants on ints, held against the same statements in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import Deployment, Session, invariants

small = st.integers(0, 9)
D = st.builds(
    Deployment,
    b_col=st.integers(1, 3),
    b_row=st.integers(1, 3),
    t_lin=st.integers(0, 3),
    t_nl=st.integers(0, 3),
)

PLAIN: dict[str, Callable[..., Any]] = {
    "tiled": lambda a, d: a in range(0, 99, d.b_lcm),
    "job_ok": lambda a, truth, d: a > 0 and (truth or a in range(0, 99, d.b_lcm)),
    "left_ok": lambda a, truth, other: False if a == 0 else truth or other,
    "arrival_ok": lambda a, d: a in range(0, 99, d.b_lcm),
    "entry_ok": lambda a, truth, d: truth or a in range(0, 99, d.b_lcm),
    "whole_share": lambda truth, d: 1 if truth else d.b_lcm,
    "rate_at": lambda a, b, d: not b * (d.t_lin + d.t_nl * d.b_col) > d.b_col * a,
    "rate_running": lambda a, b, c, d: (
        not a > b and not c * (d.t_lin + d.t_nl * d.b_col) > d.b_col * b
    ),
    "few_decodes": lambda a, d: not a > d.b_col,
}


@pytest.mark.parametrize("name", PLAIN)
def test_an_invariant_is_what_it_says(name: str) -> None:
    invariant, plain = getattr(invariants, name), PLAIN[name]
    names = plain.__code__.co_varnames

    @given(st.lists(small, min_size=3, max_size=3), st.booleans(), st.booleans(), D)
    @quick(200)
    def property_(numbers: list[int], truth: bool, other: bool, d: Deployment) -> None:
        given_ = {**dict(zip("abc", numbers, strict=True)), "truth": truth, "other": other, "d": d}
        arguments = [given_[each] for each in names]
        assert invariant(*arguments) == plain(*arguments)

    property_()


@given(small, st.lists(st.integers(0, 7), max_size=5), D)
@quick(200)
def test_the_clock_s_identity_is_that_of_batches_one_after_the_other(
    idle: int, batches: list[int], d: Deployment
) -> None:
    now, served, waste = idle, 0, 0
    for tokens in batches:
        tiles = len(range(0, tokens, d.b_col))
        now += d.t_lin * tiles + d.t_nl * tokens
        served, waste = served + tokens, waste + tiles * d.b_col - tokens
    assert invariants.clock_work(idle, served, waste, d) == d.b_col * now
    assert invariants.clock_identity(now, idle, served, waste, d)
    assert not invariants.clock_identity(now + 1, idle, served, waste, d)
    assert not invariants.clock_identity(now, idle + 1, served, waste, d)


@pytest.mark.parametrize(
    ("family", "allowed"), [("assumption3", [0, 6, 12]), ("positive", [6, 12])]
)
def test_what_a_family_demands_of_a_prompt(family: str, allowed: list[int]) -> None:
    demanded, d = invariants.GIVEN[family], Deployment(b_col=2, b_row=3)
    assert demanded is not None
    assert [p for p in range(14) if demanded(Session(0, p, 0), d)] == allowed


def test_a_positive_prompt_of_one_token_is_enough_for_a_tile_of_one() -> None:
    assert invariants.prompt_is_positive_tiles(Session(0, 1, 0), Deployment(b_col=1))
