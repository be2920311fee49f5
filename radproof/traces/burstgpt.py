"""BurstGPT (Wang et al., KDD 2025): whole seconds, the model, and two lengths.

Many rows share a second. A row whose response has no tokens is a request that failed; some of
them have no request tokens either, and end on arrival. Newer releases add "Session ID" (of the
conversation, so it repeats) and "Elapsed time"; columns beyond the three are not read.
"""

from __future__ import annotations

from collections.abc import Iterator

from radproof.traces.rows import Row, named_rows, timed_rows

COLUMNS = ("Timestamp", "Request tokens", "Response tokens")
_SECOND = 1_000_000


def burstgpt_rows(text: str, header: list[str]) -> Iterator[Row]:
    """The rows of a BurstGPT file."""
    return timed_rows(named_rows(text, header), COLUMNS, unit=_SECOND)
