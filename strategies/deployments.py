"""Scaled-down deployments, in which a few sessions saturate a batch."""

from __future__ import annotations

from hypothesis import strategies as st
from radproof.strategies.paths import paths

from radproof.claims import Family
from radproof.model import Deployment, Path

T_LIN = (0, 1, 7, 800)
T_NL = (0, 1, 3)


@st.composite
def deployments(
    draw: st.DrawFn, most_b_col: int = 8, tiles: bool = True, chunks: bool = False
) -> Deployment:
    """Deployments of b_col 1..8, with speeds that differ in kind: none, even, the seed's ratio.

    The speeds are few, because each deployment needs strategies of its own, and building those is
    most of the cost of a draw; they are cached, and all of the few hundred are soon built.
    tiles: b_lcm may also be twice or three times b_col; chunks: the chunk may also differ from
    b_lcm, either way.
    """
    b_col = draw(st.integers(1, most_b_col))
    b_row = b_col * draw(st.integers(1, 3)) if tiles else 1
    speeds = {"t_lin": draw(st.sampled_from(T_LIN)), "t_nl": draw(st.sampled_from(T_NL))}
    if chunks and draw(st.booleans()):
        return Deployment(
            b_col=b_col, b_row=b_row, chunk=draw(st.integers(1, 2 * b_row * b_col)), **speeds
        )
    return Deployment(b_col=b_col, b_row=b_row, **speeds)


@st.composite
def cases(
    draw: st.DrawFn,
    family: Family = "natural",
    max_sessions: int = 40,
    tiles: bool = True,
    chunks: bool = False,
) -> tuple[Deployment, Path]:
    """A scaled-down deployment, and a path drawn for it."""
    deployment = draw(deployments(tiles=tiles, chunks=chunks))
    return deployment, draw(paths(family, deployment, max_sessions))
