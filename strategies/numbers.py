"""Lengths and gaps that matter to a deployment: its tile, its batch times, and one off each."""

from __future__ import annotations

import attrs
from hypothesis import strategies as st

from radproof.claims import Family
from radproof.model import Deployment
from radproof.rules import RULES

HUGE = 10**12
"""The largest length: a run of this many iterations is cut, or leapt over."""

PAST_INT64 = 2**63
"""The first number that a machine integer does not hold."""


@attrs.frozen
class Numbers:
    """Strategies for the numbers of a session. Each shrinks to the family's simplest value."""

    prompts: st.SearchStrategy[int]
    short_prompts: st.SearchStrategy[int]
    empty_prompts: st.SearchStrategy[int]
    outputs: st.SearchStrategy[int]
    gaps: st.SearchStrategy[int]
    short_gaps: st.SearchStrategy[int]
    idle: st.SearchStrategy[int]
    huge_prompts: st.SearchStrategy[int]


def numbers_of(family: Family, deployment: Deployment) -> Numbers:
    """The numbers of a family: `natural` (any), `assumption3` (prompts that are multiples of the
    tile), `positive` (the same without empty prompts).
    """
    tile = deployment.b_lcm
    one, full = RULES.duration(1, deployment), RULES.duration(tile, deployment)
    multiples = st.integers(0, 8).map(lambda k: k * tile)
    if family != "natural":
        least = 1 if family == "positive" else 0
        prompts = st.integers(least, 8).map(lambda k: k * tile)
        short_prompts = st.integers(least, 1).map(lambda k: k * tile)
        huge_prompts = st.integers(9, HUGE).map(lambda k: k * tile)
    else:
        beside = st.tuples(st.integers(1, 4), st.sampled_from((-1, 1)))
        off_by_one = beside.map(lambda at: at[0] * tile + at[1])
        prompts = st.one_of(st.integers(0, tile), multiples, off_by_one, st.integers(0, 9 * tile))
        # so short that more than b_col of them are prefilled before b_col decode
        short_prompts = st.integers(0, max(1, tile // 8))
        huge_prompts = st.integers(9 * tile, HUGE)
    corners = sorted({0, one - 1, one, one + 1, full - 1, full, full + 1})
    short_gaps = st.one_of(st.just(0), st.integers(0, 4 * full), st.sampled_from(corners))
    idle = st.integers(20 * full, 10_000 * full)
    return Numbers(
        prompts=prompts,
        short_prompts=short_prompts,
        empty_prompts=st.just(tile if family == "positive" else 0),
        outputs=st.one_of(st.integers(0, 4), st.integers(0, 600), st.integers(0, HUGE)),
        gaps=st.one_of(short_gaps, idle),
        short_gaps=short_gaps,
        idle=idle,
        huge_prompts=huge_prompts,
    )
