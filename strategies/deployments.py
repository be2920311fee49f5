"""Scaled-down deployments, in which a few sessions saturate a batch."""

from __future__ import annotations

from hypothesis import strategies as st
from radproof.strategies.paths import paths

from radproof.claims import Family
from radproof.model import Deployment, Path


@st.composite
def deployments(
    draw: st.DrawFn, most_b_col: int = 8, tiles: bool = True, chunks: bool = False
) -> Deployment:
    """Deployments of b_col 1..8, with any small speeds, 0 included.

    tiles: b_lcm may also be twice or three times b_col; chunks: the chunk may also be another
    number than b_lcm, smaller or larger.
    """
    b_col = draw(st.integers(1, most_b_col))
    b_row = b_col * draw(st.integers(1, 3)) if tiles else 1
    speeds = {"t_lin": draw(st.integers(0, 50)), "t_nl": draw(st.integers(0, 6))}
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
