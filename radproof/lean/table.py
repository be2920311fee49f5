"""The table of `radproof lean verify`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath

from rich.console import Console
from rich.table import Table

from radproof.lean.verify import Checked


def table(checked: Sequence[Checked], console: Console | None = None) -> None:
    """Print a row for each file, then what went wrong, then the sum."""
    console = console or Console(width=110)
    base = FilePath(os.path.commonpath([row.file.parent for row in checked]))
    grid = Table("file", box=None)
    grid.add_column("theorems", justify="right")
    grid.add_column("verdict")
    grid.add_column("seconds", justify="right")
    grid.add_column("axioms")
    for row in checked:
        axioms = ", ".join(row.axioms) or "none"
        grid.add_row(
            str(row.file.relative_to(base)),
            str(row.theorems),
            row.verdict,
            f"{row.seconds:.1f}",
            axioms,
        )
    console.print(grid)
    for row in checked:
        if row.message:
            console.print(f"{row.file.name}: {row.message}", markup=False)
    theorems = sum(row.theorems for row in checked if row.verdict == "checked")
    good = sum(row.verdict == "checked" for row in checked)
    seconds = sum(row.seconds for row in checked)
    console.print(
        f"{good} of {len(checked)} files checked, {theorems} theorems, {seconds:.1f} s in all"
    )
