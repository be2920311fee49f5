"""Where a scheduler is defined: the file and line that a report points at."""

from __future__ import annotations

import functools
import inspect
import os
from pathlib import Path as FilePath

import attrs

_HEADS = ("def ", "async def ", "class ")


@attrs.frozen
class Place:
    """A line of a source file."""

    file: str
    """Relative to the current folder if below it; with forward slashes."""
    line: int
    """From 1."""


def place_of(source: object) -> Place | None:
    """The place of a function, a class, or an object's class; None if it has no source."""
    found = source
    while isinstance(found, functools.partial):
        found = found.func
    if not (inspect.isfunction(found) or inspect.isclass(found) or inspect.ismethod(found)):
        found = type(found)
    try:
        file = inspect.getsourcefile(found)
        lines, first = inspect.getsourcelines(found)
    except (OSError, TypeError):
        return None
    if file is None:
        return None
    heads = (k for k, text in enumerate(lines) if text.lstrip().startswith(_HEADS))
    line = first + next(heads, 0)  # below its decorators
    below = os.path.relpath(file)
    shown = file if below.startswith("..") else below
    return Place(FilePath(shown).as_posix(), max(1, line))
