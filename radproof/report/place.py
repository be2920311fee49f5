"""Where a scheduler is written: the file and line that a report points at."""

from __future__ import annotations

import functools
import inspect
import os
from pathlib import Path as FilePath
from typing import Any

import attrs

_HEADS = ("def ", "async def ", "class ")


@attrs.frozen
class Place:
    """file: relative to the current folder where it is below it, with forward slashes; line:
    from 1.
    """

    file: str
    line: int


def place_of(source: Any) -> Place | None:
    """The place of a function, of a class, or of an object's class. None: it has no source."""
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
