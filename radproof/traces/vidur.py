"""Vidur's processed traces (Agrawal et al., MLSys 2024): float seconds and two lengths.

The seconds are floats printed in decimal, so a stamp may be a few 1e-13 s off the microsecond that
was meant: it is read as a decimal and taken to the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterator

from radproof.traces.rows import Row, decimal_time, name_of, named_rows, natural

COLUMNS = ("arrived_at", "num_prefill_tokens", "num_decode_tokens")
_SECOND = 1_000_000


def vidur_rows(text: str, header: list[str]) -> Iterator[Row]:
    """The rows of a Vidur trace."""
    for where, row in named_rows(text, header):
        stamp = decimal_time(row["arrived_at"], _SECOND, "arrived_at", where)
        prompt, output = (natural(row[name], name, where) for name in COLUMNS[1:])
        yield Row(where, stamp, prompt, output, name_of(row))
