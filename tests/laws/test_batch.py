"""Laws of one batch: each is false of a record that breaks it, and of no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import SEED, Deployment, Iteration
from radproof.claims import sides
from radproof.laws import LAWS
from radproof.laws.law import Law

# RAD's batches: a full one of prefill, one of 3 decodes by themselves, one of b_col with a prompt
PREFILLS = Iteration(0, 4640, 0, 128, 128, 0, 2, 4, 130, ())
DECODES = Iteration(0, 4015, 0, 3, 0, 3, 3, 3, 3, ())
FULL = Iteration(0, 4640, 0, 128, 0, 128, 128, 130, 256, ())

BATCH_LAWS = [law for law in LAWS.values() if law.claim.kind == "every iteration"]

BROKEN = {
    "batch_budget": (PREFILLS, {"tokens": 129}),
    "batch_not_empty": (DECODES, {"tokens": 0}),
    "one_token_per_decode": (DECODES, {"tokens": 6}),
    "exact_duration": (DECODES, {"end": 4016}),
    "unmixed": (PREFILLS, {"decoders": 1}),
    "mode": (PREFILLS, {"decoding": 128, "residents": 130}),
    "decodes_served": (DECODES, {"decoders": 2}),
    "prefill_filled": (PREFILLS, {"prefilled": 127}),
    "whole_tiles": (PREFILLS, {"prefilled": 127}),
    "full_or_all_decode": (DECODES, {"residents": 4}),
    "decode_bound": (FULL, {"decoding": 129}),
}


@pytest.mark.parametrize("law", BATCH_LAWS, ids=lambda law: law.name)
def test_a_law_is_true_of_rad_s_batches(law: Law) -> None:
    holds = law.claim.holds
    for record in (PREFILLS, DECODES, FULL):
        assert holds(record, SEED)


@pytest.mark.parametrize("name", BROKEN)
def test_a_law_is_false_of_a_record_that_breaks_it(name: str) -> None:
    record, changed = BROKEN[name]
    assert not LAWS[name].claim.holds(attrs.evolve(record, **changed), SEED)


def test_a_batch_that_leaves_one_of_the_decodes_out_is_not_all_of_them() -> None:
    left_out = attrs.evolve(DECODES, decoders=2)
    assert not LAWS["full_or_all_decode"].claim.holds(left_out, SEED)


def test_every_law_of_a_batch_is_broken_here() -> None:
    assert set(BROKEN) == {law.name for law in BATCH_LAWS}


def test_both_sides_of_a_law_can_be_shown() -> None:
    over = attrs.evolve(FULL, decoding=129)
    shown = sides(LAWS["decode_bound"].claim, over, SEED)
    assert shown == [("decoding <= b_col", "129 <= 128", False)]


# the same laws in plain Python, on any numbers


def in_decode_mode(r: Iteration, d: Deployment) -> bool:
    return r.decoding >= d.b_col or r.decoding == r.residents


def chunks_fill(d: Deployment) -> bool:
    return d.chunk >= d.b_lcm


PLAIN: dict[str, Callable[[Iteration, Deployment], bool]] = {
    "batch_budget": lambda r, d: not (r.tokens > d.b_lcm or r.decoders > d.b_col),
    "batch_not_empty": lambda r, d: r.tokens > 0,
    "one_token_per_decode": lambda r, d: r.tokens - r.prefilled == r.decoders,
    "exact_duration": lambda r, d: (
        r.end - r.start == max(1, d.t_lin * len(range(0, r.tokens, d.b_col)) + d.t_nl * r.tokens)
    ),
    "unmixed": lambda r, d: not (r.prefilled and r.decoders),
    "mode": lambda r, d: (r.prefilled if in_decode_mode(r, d) else r.decoders) == 0,
    "decodes_served": lambda r, d: bool(r.prefilled) or r.decoders == min(r.decoding, d.b_col),
    "prefill_filled": lambda r, d: (
        not (r.prefilled and chunks_fill(d) and r.prefilled != min(d.b_lcm, r.demand - r.decoding))
    ),
    "whole_tiles": lambda r, d: not (r.prefilled and chunks_fill(d) and r.prefilled != d.b_lcm),
    "full_or_all_decode": lambda r, d: (
        not chunks_fill(d)
        or r.tokens == d.b_lcm
        or r.decoders == d.b_col
        or (r.decoders == r.decoding == r.residents and r.residents < d.b_col)
    ),
    "decode_bound": lambda r, d: not r.decoding > d.b_col,
}

numbers = st.lists(st.integers(0, 5), min_size=9, max_size=9)
small = st.integers(1, 3)


@pytest.mark.parametrize("name", PLAIN)
def test_a_law_is_what_it_says_of_any_numbers(name: str) -> None:
    @given(numbers, small, st.integers(1, 2), st.integers(0, 1), st.integers(0, 1), st.data())
    @quick(300)
    def property_(n: list[int], b_col: int, rows: int, t_lin: int, t_nl: int, data: Any) -> None:
        chunk = data.draw(st.integers(1, 7))
        d = Deployment(b_col=b_col, b_row=b_col * rows, t_lin=t_lin, t_nl=t_nl, chunk=chunk)
        record = Iteration(*n, batch=())
        assert LAWS[name].claim.holds(record, d) == PLAIN[name](record, d)

    property_()


def test_every_law_of_a_batch_is_stated_in_plain_python() -> None:
    assert set(PLAIN) == set(BROKEN)
