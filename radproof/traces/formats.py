"""Which format a trace is in, by its header, and the trace as a path."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from radproof.model import Path
from radproof.traces import azure, burstgpt, mooncake, vidur
from radproof.traces.rows import Gathered, Row, gather


@attrs.frozen
class Format:
    """A CSV format."""

    name: str
    columns: tuple[str, ...]
    """The columns that a header of this format has, among others."""
    rows: Callable[[str, list[str]], Iterable[Row]] = attrs.field(repr=False)
    """The reader, of (text, header)."""


FORMATS = (
    Format("azure", azure.COLUMNS, azure.azure_rows),
    Format("mooncake", mooncake.COLUMNS, mooncake.mooncake_rows),
    Format("vidur", vidur.COLUMNS, vidur.vidur_rows),
    Format("burstgpt", burstgpt.COLUMNS, burstgpt.burstgpt_rows),
)
"""The CSV formats, recognised by the columns of the header, in any order."""


@attrs.frozen
class Trace:
    """A trace: the name of its format, its sessions, and what the user should know."""

    format: str
    sessions: Path = attrs.field(repr=False)
    notes: tuple[str, ...] = ()


def read_trace(text: str) -> Trace | None:
    """The trace in `text`, or None where the format of its first line is unknown.

    Arrivals are whole microseconds from the earliest row, in the file's order. Raises BadInput
    with the line of whatever is wrong.
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        if not mooncake.is_mooncake_jsonl(text):
            return None
        return _trace("mooncake", gather(mooncake.mooncake_lines(text)))
    header = [name.strip() for name in text.split("\n", 1)[0].split(",")]
    for known in FORMATS:
        if set(known.columns) <= set(header) and len(set(header)) == len(header):
            name = azure.year(text) if known.name == "azure" else known.name
            return _trace(name, gather(known.rows(text, header)))
    return None


def _trace(name: str, found: Gathered) -> Trace:
    counts = (
        (found.ties, "arrive with an earlier one; the order inside such a tie is the file's"),
        (found.empty, "ask for no tokens, and end on arrival"),
        (found.without_output, "ask for no output, and end with their prefill"),
        (found.rounded, "have a stamp finer than a microsecond, rounded to the nearest one"),
    )
    notes = tuple(
        f"{count:,} of {len(found.path):,} sessions {what}" for count, what in counts if count
    )
    return Trace(name, found.path, notes)
