"""Counterexamples on disk: where they are kept, and which of them the next search tries first."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path as FilePath

from radproof.files.paths import PathFile, read

FOLDER = FilePath(".radproof") / "counterexamples"
"""Below the folder in which a check runs. Failing paths are kept here, not in Hypothesis's
database."""

COMMITTED = FilePath("corpus")
"""Known counterexamples of a project, in its repository. They run first, whatever they broke."""


def committed(folder: str | os.PathLike[str] = COMMITTED) -> list[PathFile]:
    """The path files of a folder, in the order of their names; none where the folder is missing.

    Raises BadInput for a file in it that is not a path file.
    """
    return [read(file) for file in sorted(FilePath(folder).glob("*.json"))]


def saved(folder: str | os.PathLike[str], claims: Iterable[str]) -> list[PathFile]:
    """The saved paths that once broke one of these claims, or on which a scheduler was at fault.

    They are tried first, whatever scheduler they were found with. Raises BadInput for a file in
    the folder that is not a path file: fix it or remove it.
    """
    names = set(claims)
    return [
        file
        for file in committed(folder)
        if file.breaks is not None
        and (file.breaks.kind == "scheduler" or file.breaks.name in names)
    ]
