"""Scaled-down deployments, in which a few sessions saturate a batch."""

from __future__ import annotations

import attrs
from hypothesis import strategies as st
from radproof.strategies.numbers import corners
from radproof.strategies.paths import paths

from radproof.claims import Family
from radproof.model import Deployment, Path

T_LIN = (0, 1, 7, 800)
T_NL = (0, 1, 3)

SMALLEST = tuple(
    Deployment(b_col=b_col, b_row=b_row, t_lin=7, t_nl=1)
    for b_col, b_row in ((1, 1), (2, 2), (2, 4))
)
"""One slot, two, and two under a budget of twice as many: on these all small paths are tried."""


@st.composite
def deployments(
    draw: st.DrawFn,
    most_b_col: int = 8,
    tiles: bool = True,
    chunks: bool = False,
    short_chunks: bool = True,
) -> Deployment:
    """Deployments of b_col 1..8, with speeds that differ in kind: none, even, the seed's ratio.

    The speeds are few, because each deployment needs strategies of its own, and building those is
    most of the cost of a draw; they are cached, and all of the few hundred are soon built.
    tiles: b_lcm may also be twice or three times b_col; chunks: the chunk may also be another
    corner length, a longer one than b_lcm alone without `short_chunks`.
    """
    b_col = draw(st.integers(1, most_b_col))
    b_row = b_col * draw(st.integers(1, 3)) if tiles else 1
    speeds = {"t_lin": draw(st.sampled_from(T_LIN)), "t_nl": draw(st.sampled_from(T_NL))}
    plain = Deployment(b_col=b_col, b_row=b_row, **speeds)
    if chunks and draw(st.booleans()):
        lengths = {1, *corners(plain), 2 * plain.b_lcm, 8 * plain.b_lcm}
        least = 1 if short_chunks else plain.b_lcm
        chunk = draw(st.sampled_from(sorted(n for n in lengths if n >= least)))
        return attrs.evolve(plain, chunk=chunk)
    return plain


@st.composite
def cases(
    draw: st.DrawFn,
    family: Family = "natural",
    max_sessions: int = 40,
    tiles: bool = True,
    chunks: bool = False,
) -> tuple[Deployment, Path]:
    """A scaled-down deployment, and a path drawn for it.

    chunks: the chunk may also differ from b_lcm; outside the family `natural` it is no shorter,
    since what is claimed of whole tiles is claimed of chunks that hold one.
    """
    short = family == "natural"
    deployment = draw(deployments(tiles=tiles, chunks=chunks, short_chunks=short))
    return deployment, draw(paths(family, deployment, max_sessions))
