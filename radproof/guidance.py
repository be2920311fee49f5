"""Steering the draw towards what breaks claims: numbers that Hypothesis then tries to raise."""

from __future__ import annotations

import hypothesis

from radproof.columns import Columns
from radproof.number import ceil_div
from radproof.runs import Run


def distances(run: Run) -> dict[str, float]:
    """How near a run came to an edge; each grows towards it.

    residents: most jobs at once; decodes: most decodes, less b_col, below 0 or above; rate: the
    slack of token_rate at its tightest start, in tokens, negated; waste: most unfilled tokens of
    a tile.
    """
    d = run.deployment
    rate = d.t_lin + d.t_nl * d.b_col
    rows = _rows(run)
    if not rows:
        return {}
    return {
        "residents": float(max(residents for _, _, _, _, residents in rows)),
        "decodes": float(-abs(max(decoding for _, _, _, decoding, _ in rows) - d.b_col)),
        "rate": -float(
            min((d.b_col * start - served * rate) / max(1, rate) for start, served, *_ in rows)
        ),
        "waste": float(
            max(d.b_col * ceil_div(tokens, d.b_col) - tokens for _, _, tokens, _, _ in rows)
        ),
    }


def _rows(run: Run) -> list[tuple[int, int, int, int, int]]:
    """start, served, tokens, decoding and residents of every stretch's first batch."""
    stretches = run.stretches
    if isinstance(stretches, Columns):
        columns = [stretches.column(n) for n in ("tokens", "decoding", "residents")]
        return list(zip(stretches.column("start"), stretches.served, *columns, strict=True))
    return [
        (s.first.start, s.first.served, s.first.tokens, s.first.decoding, s.first.residents)
        for s in stretches
    ]


def guide(run: Run) -> None:
    """Tell Hypothesis how near this run came. Only inside a test that it runs."""
    for label, value in distances(run).items():
        hypothesis.target(value, label=label)
