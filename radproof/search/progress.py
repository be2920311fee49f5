"""What long work reports as it goes on; who shows it is for the caller to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Progress: TypeAlias = Callable[[int | None], Any]
"""Called with how many are done; with None when a path that was found is made minimal."""


def no_progress(done: int | None) -> None:
    """Shows nothing."""
