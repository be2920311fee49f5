"""Vidur's processed traces (Agrawal et al., MLSys 2024): float seconds and two lengths.

The seconds are floats printed in decimal, so a stamp may be a few 1e-13 s off the microsecond that
was meant: it is read as a decimal and rounded to the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterator

from radproof.traces.rows import Row, named_rows, timed_rows

COLUMNS = ("arrived_at", "num_prefill_tokens", "num_decode_tokens")
_SECOND = 1_000_000


def vidur_rows(text: str, header: list[str]) -> Iterator[Row]:
    """The rows of a Vidur trace."""
    return timed_rows(named_rows(text, header), COLUMNS, unit=_SECOND)
