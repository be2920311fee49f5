"""``python -m docs.generate --check | --bless [NAME ...]``: the generated pages.

--check lists the stale ones and ends with 1; --bless writes them. `schedulers` and `mutants`
measure again, which takes a minute or two each; `truth` proves and searches for half an hour.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path as FilePath

import click

from docs.generate import architecture, mutants, proofs, schedulers, truth
from radproof.cli.progress import counting
from radproof.files.text import write_text

PAGES: dict[str, tuple[str, Callable[..., str]]] = {
    "architecture": ("ARCHITECTURE.md", architecture.page),
    "proofs": ("docs/proofs.md", proofs.page),
    "schedulers": ("docs/schedulers.md", schedulers.page),
    "mutants": ("docs/mutants.md", mutants.page),
    "truth": ("docs/changed-rules.md", truth.page),
}
"""The file of each page, and the function of its text; a measured one takes `progress`."""

MEASURED = ("schedulers", "mutants", "truth")


def timeless(text: str) -> str:
    """A page without its seconds, which no two runs share."""
    text = re.sub(r"\| \d+\.\d\d \|$", "| |", text, flags=re.MULTILINE)
    return re.sub(r"(median|worst) \d+\.\d\d", r"\1", text)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(PAGES)))
@click.option("--check", "mode", flag_value="check", help="List the stale pages.")
@click.option("--bless", "mode", flag_value="bless", help="Write them.")
@click.option(
    "--root",
    type=click.Path(path_type=FilePath),
    default=architecture.ROOT,
    help="The folder that has the pages.  [default: the repository]",
)
def main(names: tuple[str, ...], mode: str | None, root: FilePath) -> None:
    """Check or write the generated pages: all of them, unless some are named."""
    if mode is None:
        raise click.UsageError("give --check or --bless.")
    stale = []
    for name in names or PAGES:
        file, text = root / PAGES[name][0], _text(name)
        if mode == "bless":
            write_text(file, text)
        elif not file.exists() or timeless(file.read_text(encoding="utf-8")) != timeless(text):
            stale.append(name)
    for name in stale:
        click.echo(f"{PAGES[name][0]} is stale: python -m docs.generate --bless {name}", err=True)
    sys.exit(1 if stale else 0)


def _text(name: str) -> str:
    _, page = PAGES[name]
    if name not in MEASURED:
        return page()
    with counting(name, 60) as progress:
        return page(progress=progress)


if __name__ == "__main__":
    main()
