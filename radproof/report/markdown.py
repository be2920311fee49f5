"""The Markdown that pages and summaries need: tables, code, a path in one line."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import attrs

from radproof.model import Path


def rows(columns: Sequence[str], body: Iterable[Sequence[str]], numbers: int = 0) -> list[str]:
    """The lines of a table; the last `numbers` columns are right-aligned."""
    texts = len(columns) - numbers
    rule = ["---"] * texts + ["--:"] * numbers
    return [_row(columns), _row(rule), *(_row(cells) for cells in body)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


def shown(path: Path, most: int = 8) -> str:
    """A path in one line, equal neighbours counted, at most `most` groups of them."""
    groups = [(len(list(same)), session) for session, same in itertools.groupby(path)]
    texts = [
        f"{count} x {attrs.astuple(session)}" if count > 1 else str(attrs.astuple(session))
        for count, session in groups
    ]
    more = [f"... and {len(texts) - most} more"] if len(texts) > most else []
    return ", ".join(texts[:most] + more)
