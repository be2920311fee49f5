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


def corners(deployment: Deployment) -> list[int]:
    """The lengths at which a batch, a tile or a chunk is full, and one token beside each."""
    full = (deployment.b_col, deployment.b_lcm, deployment.chunk)
    return sorted({number + by for number in full for by in (-1, 0, 1)})


@attrs.frozen
class Numbers:
    """Strategies for the numbers of a session. Each shrinks to the family's simplest value.

    A number that may be 0 often is: an engine's special cases are there.
    """

    prompts: st.SearchStrategy[int]
    short_prompts: st.SearchStrategy[int]
    empty_prompts: st.SearchStrategy[int]
    outputs: st.SearchStrategy[int]
    short_outputs: st.SearchStrategy[int]
    gaps: st.SearchStrategy[int]
    short_gaps: st.SearchStrategy[int]
    idle: st.SearchStrategy[int]
    huge_prompts: st.SearchStrategy[int]


def numbers_of(family: Family, deployment: Deployment) -> Numbers:
    """The numbers of a family: `natural` (any), `assumption3` (prompts that are multiples of the
    tile), `positive` (the same without empty prompts).
    """
    tile = deployment.b_lcm
    one, whole = RULES.duration(1, deployment), RULES.duration(tile, deployment)
    nothing, full = st.just(0), st.sampled_from(corners(deployment))
    multiples = st.integers(0, 8).map(lambda k: k * tile)
    if family != "natural":
        least = 1 if family == "positive" else 0
        prompts = st.integers(least, 8).map(lambda k: k * tile)
        short_prompts = st.integers(least, 1).map(lambda k: k * tile)
        huge_prompts = st.integers(9, HUGE).map(lambda k: k * tile)
    else:
        beside = st.tuples(st.integers(1, 4), st.sampled_from((-1, 1)))
        off_by_one = beside.map(lambda at: at[0] * tile + at[1])
        prompts = st.one_of(
            st.integers(0, tile), multiples, off_by_one, st.integers(0, 9 * tile), nothing, full
        )
        # so short that more than b_col of them are prefilled before b_col decode
        short_prompts = st.integers(0, max(1, tile // 8))
        huge_prompts = st.integers(9 * tile, HUGE)
    ends = sorted({0, one - 1, one, one + 1, whole - 1, whole, whole + 1})
    short_gaps = st.one_of(nothing, st.integers(0, 4 * whole), st.sampled_from(ends))
    idle = st.integers(20 * whole, 10_000 * whole)
    return Numbers(
        prompts=prompts,
        short_prompts=short_prompts,
        empty_prompts=st.just(tile if family == "positive" else 0),
        outputs=st.one_of(st.integers(0, 4), st.integers(0, 600), st.integers(0, HUGE), full),
        short_outputs=st.one_of(st.integers(0, 40), st.integers(0, 4)),
        gaps=st.one_of(short_gaps, idle),
        short_gaps=short_gaps,
        idle=idle,
        huge_prompts=huge_prompts,
    )
