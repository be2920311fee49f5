"""Counterexamples on disk: where they are kept, and which of them the next search tries first."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path as FilePath

from radproof.errors import BadInput
from radproof.files.paths import PathFile, read

FOLDER = FilePath(".radproof") / "counterexamples"
"""Below the folder in which a check runs. Failing paths are kept here, not in Hypothesis's
database."""

COMMITTED = FilePath("corpus")
"""Known counterexamples of a project, in its repository. They run first, whatever they broke."""


def committed(folder: str | os.PathLike[str] = COMMITTED) -> list[PathFile]:
    """The path files of a folder, in the order of their names; none where the folder is missing.

    Raises BadInput for a file in it that is not a path file: the project means it to run.
    """
    return [read(file) for file in _files(folder)]


def saved(
    folder: str | os.PathLike[str], claims: Iterable[str]
) -> tuple[list[PathFile], list[str]]:
    """The saved paths that once broke one of these claims, or on which a scheduler was at fault,
    and why other files are left out.

    They are tried first, whatever scheduler they were found with. A file that this radproof cannot
    read, as one that another version wrote, is left out.
    """
    names, found, unread = set(claims), [], []
    for place in _files(folder):
        try:
            file = read(place)
        except BadInput as error:
            unread.append(str(error))
            continue
        breaks = file.breaks
        if breaks is not None and (breaks.kind == "scheduler" or breaks.name in names):
            found.append(file)
    return found, unread


def _files(folder: str | os.PathLike[str]) -> list[FilePath]:
    return sorted(FilePath(folder).glob("*.json"))
