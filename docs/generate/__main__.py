"""``python -m docs.generate --check | --bless [NAME ...]``: the generated pages of docs/.

--check says which of them are stale, exit code 1; --bless writes them. Both measure anew, which
takes a minute or two for each.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path as FilePath

import click

from docs.generate import mutants, schedulers
from radproof.cli.progress import counting
from radproof.files.text import write_text

PAGES: dict[str, Callable[..., str]] = {"schedulers": schedulers.page, "mutants": mutants.page}


def timeless(text: str) -> str:
    """A page without its seconds, which no two runs share."""
    text = re.sub(r"\| \d+\.\d\d \|$", "| |", text, flags=re.MULTILINE)
    return re.sub(r"(median|worst) \d+\.\d\d", r"\1", text)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(sorted(PAGES)))
@click.option("--check", "mode", flag_value="check", help="Say which pages are stale.")
@click.option("--bless", "mode", flag_value="bless", help="Write them.")
@click.option("--docs", type=click.Path(path_type=FilePath), default=FilePath("docs"))
def main(names: tuple[str, ...], mode: str | None, docs: FilePath) -> None:
    """Check or write docs/schedulers.md and docs/mutants.md."""
    if mode is None:
        raise click.UsageError("say --check or --bless.")
    stale = []
    for name in names or PAGES:
        with counting(name, 60) as progress:
            text = PAGES[name](progress=progress)
        file = docs / f"{name}.md"
        if mode == "bless":
            write_text(file, text)
        elif not file.exists() or timeless(file.read_text(encoding="utf-8")) != timeless(text):
            stale.append(file)
    for file in stale:
        click.echo(f"{file} is stale: python -m docs.generate --bless {file.stem}", err=True)
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
