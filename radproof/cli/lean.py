"""``radproof lean``: export, read, fixtures, verify, prove.

Exit codes: 0 fine; 1 a check fails; 2 usage or bad input; 3 not verified.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path as FilePath

import attrs
import click

from radproof.cli.options import Group, json_option, scheduler_option
from radproof.cli.output import report
from radproof.schedulers.loading import load


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def lean() -> None:
    """Write what radproof finds as Lean test terms, and check them.

    \b
    Example:
      radproof lean export .radproof/counterexamples/optimal_tiling-52622f.json -o Broken.lean
    """


@lean.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option("-o", "--out", metavar="OUT", help="The file to write.  [default: standard output]")
@click.option(
    "--import", "imports", is_flag=True, help="Import the mirror instead of writing it out."
)
@click.option("--target", type=click.Choice(["mirror", "serq"]), default="mirror")
@click.option("--serq-version", metavar="V", help="serQ's Exec commit; needed for --target serq.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine (with -o).")
def export(
    file: str,
    out: str | None,
    imports: bool,
    target: str,
    serq_version: str | None,
    as_json: bool,
) -> None:
    """Write FILE (a path file, a counterexample or a CTI) as one Lean file.

    The file is read back and compared with a fresh run before it is written.

    \b
    Example:
      radproof lean export path.json -o Path.lean
    """
    from radproof.files.text import write_text
    from radproof.lean.sources import export_file

    if target == "serq":
        from radproof.lean.serq import export_serq

        term = export_serq(file, serq_version)
        text, events, theorems = term.text, term.events, term.theorems
    else:
        found = export_file(file, imports=imports)
        text = found.text
        events, theorems = found.document.events, found.document.theorems
    if out is None:
        report(text, end="")
        return
    write_text(out, text)
    facts = {"file": out, "events": events, "theorems": theorems, "bytes": len(text.encode())}
    if as_json:
        report(json.dumps(facts))
    else:
        report(f"{out}: {events} events, {theorems} theorems, {facts['bytes']} bytes")


@lean.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
def read(files: tuple[str, ...]) -> None:
    """Read emitted FILES back and check every theorem in them with Python; no Lean is needed.

    \b
    Example:
      radproof lean read lean_mirror/Fixtures/Counterexamples/Chunk127.lean
    """
    from radproof.lean.frame import read_source
    from radproof.lean.roundtrip import read_back

    for file in files:
        found = read_back(read_source(file), file)
        count = len(found.states) + len(found.right)
        report(f"{file}: {count} states, {found.theorems} theorems, all true")


@lean.command()
@click.option("--check", "mode", flag_value="check", default=True, help="Fail if any is stale.")
@click.option("--bless", "mode", flag_value="bless", help="Write those that are stale.")
@click.option("--root", metavar="DIR", help="The folder lean_mirror.  [default: ./lean_mirror]")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def fixtures(mode: str, root: str | None, as_json: bool) -> None:
    """Regenerate every file of lean_mirror/: --check compares, --bless writes.

    \b
    Example:
      radproof lean fixtures --check
    """
    from radproof.lean.fixtures import bless, find_root, generate, stale

    folder = find_root(root)
    found = generate(folder)
    if mode == "bless":
        for line in bless(folder, found):
            if as_json:
                click.echo(line, err=True)
            else:
                report(line)
    if as_json:
        rows = [
            {"file": f.place, "events": f.events, "theorems": f.theorems, "bytes": f.size}
            for f in found
        ]
        report(json.dumps(rows, indent=1))
    diff = stale(folder, found)
    if diff:
        report(diff, end="")
        click.echo("radproof: stale; to write them: radproof lean fixtures --bless", err=True)
        sys.exit(1)
    if not as_json:
        events, theorems = sum(f.events for f in found), sum(f.theorems for f in found)
        report(f"{len(found)} files, {events} events, {theorems} theorems: all up to date")


@lean.command()
@click.argument("files", nargs=-1, type=click.Path(dir_okay=False, exists=True))
@click.option("--lean", "program", metavar="PATH", help="The lean program to run.")
@click.option("--root", metavar="DIR", help="The folder lean_mirror.  [default: ./lean_mirror]")
@click.option("--jobs", type=click.IntRange(1), help="Files at a time.  [default: the processors]")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="The time limit of a file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def verify(
    files: tuple[str, ...],
    program: str | None,
    root: str | None,
    jobs: int | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Check emitted FILES (default: all of lean_mirror/, with its proofs) with Lean.

    The program is the first found of --lean, RADPROOF_LEAN, PATH and elan's folder. Without one
    nothing is verified, and the exit code is 3.

    \b
    Example:
      radproof lean verify --lean ~/.elan/bin/lean
    """
    from radproof.lean.fixtures import emitted, find_root
    from radproof.lean.proofs import compile_for_leaps, in_order, refuse_alone, verify_proofs
    from radproof.lean.table import verify_table
    from radproof.lean.verify import SECONDS, Checked, find_lean, lean_version, verify_files

    found = find_lean(program)
    version = lean_version(found)
    limit = seconds or SECONDS
    if files:
        chosen = [FilePath(file) for file in files]
        refuse_alone(chosen)
        proofs: Iterator[Checked] = iter(())
    else:
        folder = find_root(root)
        chosen = emitted(folder)
        proofs = verify_proofs(found, folder, in_order(folder), limit)

    def compile_proofs(into: FilePath) -> None:
        compile_for_leaps(found, find_root(root), into, limit)

    checked = [*verify_files(found, chosen, jobs, limit, compile_proofs), *proofs]
    if as_json:
        rows = [{**attrs.asdict(row), "file": str(row.file)} for row in checked]
        report(json.dumps({"lean": version, "files": rows}, indent=1))
    else:
        report(version)
        report(verify_table(checked))
    if any(row.verdict in ("fails", "refused") for row in checked):
        sys.exit(1)
    if any(row.verdict != "checked" for row in checked):
        sys.exit(3)


@lean.command()
@scheduler_option
@click.option("-o", "--out", metavar="OUT", help="The file to write.  [default: .radproof/lean/]")
@click.option("--lean", "program", metavar="PATH", help="The lean program to run.")
@click.option("--root", metavar="DIR", help="The folder lean_mirror.  [default: ./lean_mirror]")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="The time limit.")
@json_option
def prove(
    scheduler_name: str | None,
    out: str | None,
    program: str | None,
    root: str | None,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Put a scheduler's rules in the place of RAD's, and see which proofs still go through.

    One file is written: the mirror with these rules, the statements, and the proofs of
    lean_mirror/. Where there is a Lean, each statement is proved of these rules, or its proof
    breaks, with the theorems at which it does. That refutes nothing: `radproof prove` looks for a
    counterexample. Without a Lean the file is written, and the exit code is 3.

    \b
    Example:
      radproof lean prove --scheduler radproof.mutants:threshold_127
    """
    from radproof.files.text import write_text
    from radproof.lean.changed import SECONDS, judge, kept_in, obligations
    from radproof.lean.definitions import rule_form
    from radproof.lean.fixtures import find_root
    from radproof.lean.proofs import in_order
    from radproof.lean.table import standing_table
    from radproof.lean.verify import find_lean, lean_version

    loaded = load(scheduler_name or "rad")
    text = obligations(rule_form(loaded), loaded.name, in_order(find_root(root)))
    file = FilePath(out) if out else kept_in(text)
    write_text(file, text)
    if not as_json:
        report(f"{file}: the rules of {loaded.name}, and what is to be proved of them")
    found = find_lean(program)
    version = lean_version(found)
    rows, taken = judge(found, text, seconds or SECONDS)
    broken = [row for row in rows if not row.proved]
    if as_json:
        data = {
            "scheduler": loaded.name,
            "file": str(file),
            "lean": version,
            "seconds": round(taken, 3),
            "statements": [{**attrs.asdict(row), "proved": row.proved} for row in rows],
        }
        report(json.dumps(data, indent=1))
    else:
        report(standing_table(rows))
        report(f"{len(rows) - len(broken)} of {len(rows)} proved in {taken:.1f} s by {version}")
    if broken:
        sys.exit(1)
