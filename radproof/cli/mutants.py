"""``radproof mutants``: hunt the mutants, and name what catches each."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from radproof.cli.output import report
from radproof.errors import BadInput, did_you_mean

if TYPE_CHECKING:
    from radproof.mutants.matrix import Kill


@click.command("mutants")
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def mutants_command(names: tuple[str, ...], as_json: bool) -> None:
    """Hunt faulty schedulers: what catches each, on how few sessions, in what time.

    The exit code is 1 if a mutant survives.

    \b
    Examples:
      radproof mutants
      radproof mutants threshold_129 lifo_decode --json
    """
    from radproof.cli.progress import counting
    from radproof.mutants.catalogue import CATALOGUE
    from radproof.mutants.matrix import matrix

    for name in names:
        if name not in CATALOGUE:
            hint = did_you_mean(name, CATALOGUE)
            raise BadInput(f"unknown mutant {name!r}.{hint} `radproof mutants` lists them all.")
    chosen = [CATALOGUE[name] for name in names or CATALOGUE]
    kills = []
    with counting("mutants", len(chosen)) as progress:
        for kill in matrix(chosen):
            kills.append(kill)
            progress(len(kills))
    if as_json:
        report(json.dumps([_row(kill) for kill in kills], indent=1))
    else:
        report(_text(kills))
    if any(kill.killed_by is None for kill in kills):
        sys.exit(1)


def _row(kill: Kill) -> dict[str, Any]:
    return {
        "name": kill.mutant.name,
        "killed_by": kill.killed_by,
        "sessions": None if kill.path is None else len(kill.path),
        "seconds": round(kill.seconds, 3),
        "refuted": kill.refuted,
        "minimal": kill.minimal,
        "also": list(kill.also),
        "about": kill.mutant.about,
        "source": kill.mutant.source,
    }


def _text(kills: list[Kill]) -> str:
    from radproof.report.text import table

    rows = [
        (
            kill.mutant.name,
            kill.killed_by or f"NOT by {kill.mutant.killed_by}",
            "-" if kill.path is None else str(len(kill.path)),
            f"{kill.seconds:.2f}",
            str(len(kill.also)),
            kill.refuted or "-",
        )
        for kill in kills
    ]
    columns = ("mutant", "killed by", "sessions", "seconds", "other laws broken", "refuted by Z3")
    caught = sum(kill.killed_by is not None for kill in kills)
    drawn = table(columns, rows, ("sessions", "seconds", "other laws broken"))
    return f"{drawn}\n\n{caught} of {len(kills)} caught"
