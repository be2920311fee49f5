"""The progress that a search reports; the caller decides how to show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int | None], None]
"""Called with the number of paths done; with None before a path that was found is minimised."""


def no_progress(done: int | None) -> None:
    """Shows nothing."""
