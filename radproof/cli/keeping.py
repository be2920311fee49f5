"""What a search finds, kept as it is found: on disk, and in a long search on the screen."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

import click

from radproof.errors import CannotWrite

if TYPE_CHECKING:
    from radproof.search.counterexample import Counterexample

LONG = 30.0
"""The seconds after which a search shows what it has found; the report has it in any case."""


class Keeper:
    """Saves each counterexample as it is found, and its minimal path in its place.

    Where nothing can be written it does nothing: the report says so.
    """

    def __init__(self, folder: FilePath) -> None:
        self.folder = folder
        self.large: dict[str, FilePath] = {}
        """The file of each claim whose path is not minimal yet, if it was written here. A saved
        path that breaks a claim again is somebody's."""
        self.unsaid: list[str] = []
        self.since = time.monotonic()

    def __call__(self, found: Counterexample, made: bool) -> None:
        """Keep one, as it was found or (`made`) with the path that is reported."""
        file, name = self.folder / found.file_name, found.claim_name
        with suppress(CannotWrite, OSError):
            if made:
                found.save(self.folder)
                large = self.large.pop(name, None)
                if large is not None and large not in (file, *self.large.values()):
                    large.unlink(missing_ok=True)
            elif name not in self.large:
                self.unsaid.append(f"found: {found.claim.name}: {found.headline}; {file}")
                if file in self.large.values() or not os.path.exists(file):
                    self.large[name] = found.save(self.folder)

    def show(self) -> None:
        """Show what was found and not shown, in a search that takes long."""
        if self.unsaid and time.monotonic() - self.since >= LONG:
            click.echo("\n".join(self.unsaid), err=True)
            self.unsaid.clear()
