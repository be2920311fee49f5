"""Progress on a terminal; nothing if standard error is piped."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from radproof.search.progress import Progress, no_progress


@contextmanager
def counting(what: str, total: int) -> Iterator[Progress]:
    """A progress bar; call it with how many are done."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich import progress
    from rich.console import Console

    with progress.Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def show(done: int | None) -> None:
            if done is None:  # which takes an unknown time
                bar.update(task, description=f"{what}: making a path minimal", total=None)
            else:
                bar.update(task, completed=done)

        yield show


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner, for work of unknown length."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ..."):
        yield
