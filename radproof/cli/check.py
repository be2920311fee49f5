"""``radproof check``."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import attrs
import click
from click.core import ParameterSource

from radproof.claims import CLAIMS, Claim, Result, check
from radproof.cli.keeping import Keeper
from radproof.cli.one_path import exit_by, prepare, run_path, show_failures, show_run
from radproof.cli.options import INTERRUPTED, engine_option, json_option, scheduler_option, together
from radproof.cli.output import report
from radproof.cli.progress import counting
from radproof.cli.shaping import shaping_options
from radproof.errors import BadInput, CannotWrite
from radproof.files.paths import read
from radproof.laws import asked_of, claim_named
from radproof.model import SEED
from radproof.report.baseline import Baseline, Subject, stored
from radproof.report.outputs import Outputs
from radproof.runs import Engine
from radproof.schedulers.loading import Loaded, load
from radproof.traces import Shape

if TYPE_CHECKING:
    from radproof.search.counterexample import Counterexample

output_options = together(
    Outputs,
    "outputs",
    (
        click.option(
            "--sarif",
            type=click.Path(path_type=FilePath, dir_okay=False),
            help="Write a SARIF 2.1.0 log, for code scanning.",
        ),
        click.option(
            "--summary",
            type=click.Path(path_type=FilePath, dir_okay=False),
            help="Append a Markdown summary, for a CI job's page.",
        ),
        click.option("--annotate", is_flag=True, help="Print GitHub annotations."),
        click.option(
            "--baseline",
            type=click.Path(path_type=FilePath, dir_okay=False),
            help="Compare with this stored result, and fail only if something newly fails; written "
            "if missing.",
        ),
    ),
)

FOR_A_SEARCH = ("laws", "sarif", "summary", "annotate", "baseline", "examples", "seed", "out")
FOR_A_FILE = ("tile", "speed", "window", "limit")


@click.command("check")
@click.argument("file", required=False)
@scheduler_option
@click.option(
    "--claim",
    "claim_names",
    multiple=True,
    metavar="NAME",
    help="Check this claim or law only (may be repeated): token_rate, mode, or module:name.",
)
@click.option(
    "--laws",
    metavar="GROUPS",
    default="",
    help="Check the laws of these groups: engine, rad, or engine,rad. The two claims are RAD's, "
    "and are checked with rad.",
)
@output_options
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    default=1_000,
    show_default=True,
    help="Paths to draw for each claim.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=FilePath),
    help="Where counterexamples are kept and looked for first.  "
    "[default: .radproof/counterexamples]",
)
@shaping_options
@engine_option
@json_option
@click.pass_context
def check_command(
    context: click.Context,
    file: str | None,
    scheduler_name: str | None,
    claim_names: tuple[str, ...],
    laws: str,
    outputs: Outputs,
    examples: int,
    seed: int,
    out: FilePath | None,
    shaping: Shape,
    engine: Engine,
    as_json: bool,
) -> None:
    """Search for a path that breaks a claim, or check the claims on FILE.

    Without FILE, paths of up to 500 sessions are drawn, and one that breaks a claim is made
    minimal and saved. With FILE (a path file or a trace), the claims are checked on that path.

    \b
    Examples:
      radproof check
      radproof check --scheduler my_package.my_module:my_scheduler --examples 5000
      radproof check --scheduler my_package.my_module:my_scheduler --laws engine,rad
      radproof check AzureLLMInferenceTrace_conv.csv --tile pad
    """
    groups = laws.split(",") if laws else []
    default = () if groups and "rad" not in groups else tuple(CLAIMS)
    claims = {name: claim_named(name) for name in claim_names or default}
    if file is not None:
        _refuse(context, FOR_A_SEARCH, "applies to a search, not to FILE.")
        _refuse_one_name(claims)
        _check_path(file, claims, scheduler_name, shaping, engine, as_json)
        return
    _refuse(context, FOR_A_FILE, "applies to FILE; a search draws its own paths.")
    scheduler = load(scheduler_name or "rad")
    asked, reasons = asked_of(groups, scheduler.call, SEED)
    reasons = {name: why for name, why in reasons.items() if name not in claims}
    _refuse_one_name(claims | asked)
    subject = Subject(scheduler.name, SEED, tuple(sorted({*claims, *groups})), seed)
    # one that is refused is refused before the search, not after it
    before = None if outputs.baseline is None else stored(outputs.baseline, subject)
    claims |= asked
    with _terminable():
        _search(claims, reasons, scheduler, examples, subject, out, outputs, before, as_json)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM, which ends a CI job, interrupts as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _refuse(context: click.Context, options: tuple[str, ...], why: str) -> None:
    for option in options:
        if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{option} {why}")


def _refuse_one_name(claims: dict[str, Claim]) -> None:
    """A table, JSON and a baseline know a claim by its name."""
    named: dict[str, str] = {}
    for spec, claim in claims.items():
        if (other := named.setdefault(claim.name, spec)) != spec:
            raise BadInput(
                f"{other} and {spec} are both named {claim.name!r}; rename one, or leave one out."
            )


def _check_path(
    file: str,
    claims: dict[str, Claim],
    scheduler_name: str | None,
    shaping: Shape,
    engine: Engine,
    as_json: bool,
) -> None:
    given = read(file)
    path, deployment, notes = prepare(given, shaping)
    scheduler = load(scheduler_name or given.scheduler or "rad")
    result = run_path(path, deployment, scheduler.call, given.horizon, engine)
    verdicts = [check(result, claim) for claim in claims.values()]
    show_run(result, verdicts, notes, as_json)
    if not as_json:
        show_failures(result, verdicts, scheduler)
    exit_by(verdicts)


def _search(
    claims: dict[str, Claim],
    reasons: dict[str, str],
    scheduler: Loaded,
    examples: int,
    subject: Subject,
    out: FilePath | None,
    outputs: Outputs,
    before: Baseline | None,
    as_json: bool,
) -> None:
    # these import Hypothesis, which the other commands do without
    from radproof.files import corpus
    from radproof.report.publish import publish
    from radproof.report.text import finding_row, finding_table, not_asked
    from radproof.search.search import Interrupted, Plan, search

    folder = out or corpus.FOLDER
    known, unread = corpus.saved(folder, claims)
    for why in unread:
        click.echo(f"radproof: left out: {why}", err=True)
    keeper = Keeper(folder)
    interrupted = False
    started = time.perf_counter()
    families = len({claim.family for claim in claims.values()})
    with counting("searching", families * examples) as progress:

        def show(done: int | None) -> None:
            progress(done)
            keeper.show()

        try:
            findings = search(
                claims,
                scheduler,
                Plan(subject.deployment, examples=examples, seed=subject.seed),
                saved=[*corpus.committed(), *known],
                progress=show,
                found=keeper,
            )
        except Interrupted as stopped:
            findings, interrupted = stopped.findings, True
            outputs = Outputs()  # half a result is no result to publish, or to compare with
    seconds = round(time.perf_counter() - started, 1)
    results = {finding.claim.name: finding.result for finding in findings}
    published = publish(outputs, findings, scheduler, Baseline(subject, results, seconds), before)
    rows = [finding_row(finding) for finding in findings]
    code = _worst([finding.exit_code for finding in findings])
    found = [finding.counterexample for finding in findings if finding.counterexample is not None]
    kept = [_kept(one, folder, beside=not interrupted) for one in found]
    errors = [*_unsaved(kept), *published.errors]
    if as_json:
        files = [str(one.file) for one in kept if one.file is not None]
        data = {
            "result": _overall(rows, code),
            "interrupted": interrupted,
            "scheduler": scheduler.name,
            "seed": subject.seed,
            **_rows_json(rows),
            "not_asked": reasons,
            "counterexample": next(iter(files), None),
            "counterexamples": files,
            "not_saved": {
                one.claim.name: [[*attrs.astuple(session)] for session in one.path]
                for one, its in zip(found, kept, strict=True)
                if its.file is None
            },
            "minimal": bool(found) and all(one.minimal for one in found),
        }
        text = json.dumps(data, indent=1)
    else:
        shown = ["\n" + one.text for one in kept]
        last = shown or [f"\nseed {subject.seed}, scheduler {scheduler.name}"]
        last += [_INTERRUPTED] * interrupted
        text = "\n".join([finding_table(rows), *not_asked(reasons), *last, *published.lines])
    try:
        report(text)
    except CannotWrite as error:
        errors.append(str(error))
    for line in errors:
        click.echo(f"radproof: {line}", err=True)
    code = INTERRUPTED if interrupted else published.exit_code(code)
    if errors and code not in (1, INTERRUPTED):
        code = CannotWrite.exit_code
    if code:
        sys.exit(code)


_INTERRUPTED = (
    "\ninterrupted: what was still open is not evaluated, a path that is not 1-minimal may have a "
    "smaller one, and no other file is written"
)


@attrs.frozen
class _Kept:
    """A counterexample's file and its report; the file is None where it cannot be written."""

    file: FilePath | None
    text: str
    error: str = ""


def _kept(found: Counterexample, folder: FilePath, beside: bool) -> _Kept:
    """Save one, with its picture and its Lean term beside it where those are wanted."""
    from radproof import lean, pictures
    from radproof.laws import LAWS

    try:
        file = found.save(folder)
    except CannotWrite as error:
        return _Kept(None, found.text(unsaved=str(error)), str(error))
    if not beside:
        return _Kept(file, found.text(file))
    term = "" if found.claim.name in LAWS else lean.write_term_beside(file)
    return _Kept(file, found.text(file, term, pictures.write_beside(file)))


def _unsaved(kept: list[_Kept]) -> list[str]:
    """One line about the counterexamples that are not saved, if any."""
    errors = [one.error for one in kept if one.error]
    from radproof.search.counterexample import counted

    more = f" {counted(len(errors) - 1, 'more counterexample')} not saved."
    return [errors[0] + more * (len(errors) > 1)] if errors else []


def _rows_json(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The rows of the table for a machine, and how many paths reached each situation in all."""
    claims = {
        row["claim"]: {
            "kind": row["kind"],
            "result": row["result"],
            "checked": row["iterations"],
            "failures": int(row["result"] == Result.FAILS),
            "first": row["first"],
            "paths": row["paths"],
            "cut": row["cut"],
            "unknown": row["unknown"],
            "reason": row["reason"],
            "sometimes": row["sometimes"],
            "error": row["error"],
        }
        for row in rows
    }
    situations = rows[0]["sometimes"]
    return {
        "left_out": rows[0]["left_out"],
        "claims": claims,
        "sometimes": {name: sum(row["sometimes"][name] for row in rows) for name in situations},
    }


def _worst(codes: list[int]) -> int:
    """2 before 1 before 3 before 0: a scheduler at fault, a failure, something not evaluated."""
    return next((code for code in (2, 1, 3) if code in codes), 0)


def _overall(rows: list[dict[str, Any]], code: int) -> str:
    from radproof.report.text import AS_FAR

    if code == 1:
        return Result.FAILS.value
    if code:
        return Result.NOT_EVALUATED.value
    results = [row["result"] for row in rows]
    return next((r for r in (AS_FAR, Result.HOLDS.value) if r in results), results[0])
