"""Progress on a terminal; nothing where standard error is piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

Told: TypeAlias = "Callable[[int | None], Any]"
"""Is told how many are done; or None, when what was found is being made minimal."""


def unheard(done: int | None) -> None:
    """For whoever does not want to be told."""


@contextmanager
def counting(what: str, total: int) -> Iterator[Told]:
    """A progress bar, to be told how many are done."""
    if not sys.stderr.isatty():
        yield unheard
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def told(done: int | None) -> None:
            if done is None:  # nobody can say how long that takes
                bar.update(task, description=f"{what}: making a path minimal", total=None)
            else:
                bar.update(task, completed=done)

        yield told


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign that work goes on, where nobody can say how much there is."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ..."):
        yield
