"""``radproof prove``."""

from __future__ import annotations

import itertools
import json
import shlex
import sys
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

import attrs
import click

from radproof.claims import CLAIMS
from radproof.cli.output import report, reporting
from radproof.cli.progress import counting
from radproof.schedulers.loading import load

if TYPE_CHECKING:
    from radproof.proof.certificate import Certificate
    from radproof.proof.prove import Solvers


@click.command("prove")
@click.option(
    "--scheduler",
    "scheduler_name",
    default="rad",
    show_default=True,
    metavar="S",
    help="A built-in scheduler (rad), or one in rule form as module:name.",
)
@click.option(
    "--lemma",
    "lemma_names",
    multiple=True,
    metavar="NAME",
    help="Prove this lemma only (may be repeated): its name, or the Lean name it restates.",
)
@click.option(
    "--solver",
    "solvers",
    type=click.Choice(["z3", "cvc5", "both"]),
    default="z3",
    show_default=True,
    help="The solver to ask; cvc5 is an extra (pip install 'radproof[cvc5]').",
)
@click.option(
    "--smt2",
    "archive_folder",
    type=click.Path(path_type=FilePath, file_okay=False),
    metavar="DIR",
    help="Write every obligation to DIR as SMT-LIB; with cvc5 asked, its proof (CPC) beside it.",
)
@click.option(
    "--out",
    type=click.Path(path_type=FilePath, file_okay=False),
    default=FilePath(".radproof/ctis"),
    show_default=True,
    metavar="DIR",
    help="Where counterexamples to induction are saved.",
)
@click.option(
    "--no-given",
    is_flag=True,
    help="Drop optimal_tiling's hypothesis (Assumption 3): prompts of any length.",
)
@click.option("--no-cache", is_flag=True, help="Ask the solvers again, and cache nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def prove(
    scheduler_name: str,
    lemma_names: tuple[str, ...],
    solvers: Solvers,
    archive_folder: FilePath | None,
    out: FilePath,
    no_given: bool,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Prove the lemmas of Bari.lean for a scheduler in rule form, for paths of any length.

    Each lemma is built from the rules that the machine runs. A refuted one is shown with its
    counterexample to induction, which the machine's step confirms, and saved for radproof replay.

    \b
    Exit codes: 0 all proved and none vacuous; 1 a lemma is refuted; 2 usage or bad input;
    3 unknown, vacuous, over half the budget, or the solvers disagree.

    \b
    Examples:
      radproof prove
      radproof prove --solver both --smt2 build/smt2
      radproof prove --scheduler my_module:my_rules --lemma rad_batch
      radproof prove --no-given --lemma rad_start
    """
    # z3 is imported here and not above, so that the other commands start without it
    from radproof.lemmas.catalogue import LEMMAS, lemmas_named
    from radproof.lemmas.obligations import world_of
    from radproof.proof import archive, cti
    from radproof.proof.cache import Cache
    from radproof.proof.prove import prove as ask

    world = world_of(load(scheduler_name))
    if no_given:
        world = attrs.evolve(world, tiling=attrs.evolve(CLAIMS["optimal_tiling"], given=None))
    asked = {one.name: one for name in lemma_names for one in lemmas_named(name)}
    lemmas = tuple(asked.values()) or LEMMAS
    decided = itertools.count(1)
    with counting("proving", len(lemmas)) as progress:
        certificate = ask(
            world,
            lemmas,
            solvers=solvers,
            scheduler=scheduler_name,
            cache=None if no_cache else Cache(),
            along_paths=not asked,
            progress=lambda name: progress(next(decided)),
        )
    if archive_folder is not None:
        archive.write_archive(archive_folder, world, lemmas, proofs=solvers != "z3")
    found = [row.cti for row in certificate.rows if row.cti is not None]
    files = [one.save(out, world, certificate.rules) for one in found]
    if as_json:
        data = certificate.as_json()
        data["counterexamples"] = [
            cti.as_json(one, file) for one, file in zip(found, files, strict=True)
        ]
        report(json.dumps(data, indent=1))
    else:
        _show(certificate, files, out, whole=not asked)
    sys.exit(certificate.exit_code)


def _show(
    certificate: Certificate, files: list[FilePath | None], out: FilePath, whole: bool
) -> None:
    """Print a certificate, `whole` if every lemma was asked, and its first counterexamples.

    files: where each counterexample was saved.
    """
    from radproof.proof import cti, tables

    with reporting():
        tables.show(certificate, tables.console(), whole=whole)
    found = [row.cti for row in certificate.rows if row.cti is not None]
    for one, file in zip(found[:SHOWN], files, strict=False):
        report("\n" + "\n".join(cti.describe(one)))
        if file is not None:
            replay = shlex.join(["radproof", "replay", str(file)])
            report(f"  saved: {file}\n  replay: {replay}")
    if len(found) > SHOWN:
        report(f"\nand {len(found) - SHOWN} more counterexamples, in {out}")


SHOWN = 3
"""Counterexamples that are printed; all are saved, and listed by --json."""
