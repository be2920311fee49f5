"""The tables of `radproof lean verify` and `radproof lean prove`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath

from radproof.lean.changed import Stands
from radproof.lean.verify import Checked
from radproof.report.text import table

_COLUMNS = ("file", "theorems", "verdict", "seconds", "axioms")


def verify_table(checked: Sequence[Checked]) -> str:
    """A row for each file, then what went wrong, then the totals. Needs at least one file."""
    base = FilePath(os.path.commonpath([row.file.parent for row in checked]))
    rows = [
        (
            str(row.file.relative_to(base)),
            str(row.theorems),
            row.verdict,
            f"{row.seconds:.1f}",
            ", ".join(row.axioms) or "none",
        )
        for row in checked
    ]
    wrong = [f"{row.file.name}: {row.message}" for row in checked if row.message]
    theorems = sum(row.theorems for row in checked if row.verdict == "checked")
    good = sum(row.verdict == "checked" for row in checked)
    seconds = sum(row.seconds for row in checked)
    total = f"{good} of {len(checked)} files checked, {theorems} theorems, {seconds:.1f} s in all"
    return "\n".join([table(_COLUMNS, rows, ("theorems", "seconds")), *wrong, total])


def standing_table(found: Sequence[Stands]) -> str:
    """A row for each statement: whether its proof goes through, and where it breaks."""
    rows = [
        (row.statement, "proved" if row.proved else "breaks", ", ".join(row.broken_at))
        for row in found
    ]
    return table(("statement", "proof", "at"), rows)
