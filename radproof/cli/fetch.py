"""``radproof fetch``."""

from __future__ import annotations

import json
from pathlib import Path as FilePath

import attrs
import click

from radproof.cli.output import report
from radproof.traces.fetching import PUBLISHED, fetch, known


@click.command("fetch")
@click.argument("name", required=False)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=FilePath, file_okay=False),
    metavar="DIR",
    help="Keep the file here.  [default: the user's cache folder]",
)
@click.option("--mirror", metavar="URL", help="Another place that holds the same bytes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def fetch_command(
    name: str | None, folder: FilePath | None, mirror: str | None, as_json: bool
) -> None:
    """Download a published trace, check its SHA-256, and print where it is.

    Without NAME, the known traces are listed with their licences.

    \b
    Examples:
      radproof fetch azure-2023-conv
      radproof run "$(radproof fetch azure-2023-conv)" --tile pad
    """
    if name is None:
        if as_json:
            report(json.dumps([attrs.asdict(trace) for trace in PUBLISHED.values()], indent=1))
            return
        for trace in PUBLISHED.values():
            report(f"{trace.name:22} {trace.licence}")
        return
    trace = known(name)
    file = fetch(trace, folder, mirror)
    if as_json:
        record = attrs.asdict(trace) | {"file": str(file)}
        report(json.dumps(record, indent=1))
        return
    click.echo(f"{trace.name}: {trace.licence}", err=True)
    report(str(file))
