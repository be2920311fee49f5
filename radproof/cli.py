"""The command line: ``radproof run``, ``check``, ``replay`` (and ``prove``, ``lean``).

Exit codes: 0 all hold; 1 a claim fails; 2 usage or bad input; 3 not evaluated or unknown.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from radproof.claims import CLAIMS, Claim, Result, Verdict, check
from radproof.errors import BadInput, RadproofError, SchedulerError
from radproof.evaluate import evaluate
from radproof.fetching import fetch_command
from radproof.lean.command import lean
from radproof.logs.command import trace_command
from radproof.logs.fit_command import fit_command
from radproof.model import SEED, Deployment, Path
from radproof.mutants.command import mutants_command
from radproof.pathfile import Breaks, PathFile, read
from radproof.progress import counting, working
from radproof.proof.command import prove
from radproof.runs import Engine, Run
from radproof.scheduler import Scheduler, load, load_object
from radproof.times import microseconds
from radproof.traces import Shape, Window, shape
from radproof.traces.options import shaping_options
from radproof.traces.shaping import Tile
from radproof.workload import poisson

if TYPE_CHECKING:
    from radproof.gate import Outputs

INTERRUPTED = 130
BROKEN = (Result.FAILS, Result.WITNESSED)


class _Group(click.Group):
    """A group that turns a RadproofError into its message and its exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RadproofError as error:
            click.echo(f"radproof: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("radproof: interrupted; nothing is left half written.", err=True)
            ctx.exit(INTERRUPTED)


class Time(click.ParamType[int]):
    """A time with its unit, as whole microseconds."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        try:
            return microseconds(value)
        except BadInput as error:
            self.fail(str(error), param, ctx)


@contextmanager
def _spelt_out() -> Iterator[None]:
    """Lets numbers of any length be printed; what is read keeps Python's bound on digits."""
    bound = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(bound)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="radproof")
def main() -> None:
    """Property-based verification of LLM-inference schedulers.

    \b
    Exit codes: 0 all hold; 1 a claim fails; 2 usage or bad input; 3 not evaluated or unknown.

    \b
    Examples:
      radproof run --rate 20 --horizon 100s --seed 1
      radproof check --scheduler my_package.my_module:my_scheduler
      radproof prove
      radproof replay .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
    """


scheduler_option = click.option(
    "--scheduler",
    "scheduler_name",
    metavar="S",
    help="A built-in scheduler (rad), or yours as module:name.  [default: the file's, or rad]",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["leap", "step"]),
    default="leap",
    show_default=True,
    help="The evaluator: stretch by stretch where the scheduler allows it, or the definition.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")


@main.command("run")
@click.argument("file", required=False)
@click.option("--rate", type=float, help="Draw Poisson arrivals: sessions a second.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the drawn arrivals.")
@click.option("--horizon", type=Time(), help="Stop after this time, inclusive: 100s, 250ms, 1h.")
@scheduler_option
@shaping_options
@engine_option
@json_option
def run_command(
    file: str | None,
    rate: float | None,
    seed: int,
    horizon: int | None,
    scheduler_name: str | None,
    tile: Tile,
    speed: Fraction,
    window: Window | None,
    limit: int | None,
    engine: Engine,
    as_json: bool,
) -> None:
    """Run one path: its claim table and figures.

    FILE is a path file (JSON or CSV: arrive,prompt,output) or a trace (Azure 2023 and 2024,
    Mooncake, Vidur, BurstGPT; known by its header). Without one, --rate draws the seed page's
    workload.

    \b
    Examples:
      radproof run --rate 20 --horizon 100s --seed 1
      radproof run AzureLLMInferenceTrace_conv.csv --tile pad
      radproof run conversation_trace.jsonl --tile pad --speed 0.5 --window 10min-20min
      radproof run path.json --scheduler my_module:my_scheduler --json
    """
    if (file is None) == (rate is None):
        raise click.UsageError(
            "name a FILE to run, or draw arrivals with --rate R --horizon T; one of the two."
        )
    if rate is not None:
        if horizon is None:
            raise click.UsageError("--rate draws arrivals up to the horizon: add --horizon 100s.")
        given = PathFile(poisson(rate, horizon, seed))
    else:
        assert file is not None
        given = read(file)
    path, deployment, notes = _prepare(given, Shape(tile, speed, window, limit))
    name = scheduler_name or given.scheduler or "rad"
    horizon = given.horizon if horizon is None else horizon
    result = _run(path, deployment, load(name), horizon, engine)
    verdicts = [check(result, claim) for claim in CLAIMS.values()]
    _show_run(result, verdicts, notes, as_json)
    _exit(verdicts)


@main.command("check")
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
@click.option(
    "--sarif",
    type=click.Path(path_type=FilePath, dir_okay=False),
    help="Write a SARIF 2.1.0 log, for code scanning.",
)
@click.option(
    "--summary",
    type=click.Path(path_type=FilePath, dir_okay=False),
    help="Append a Markdown summary, for a CI job's page.",
)
@click.option("--annotate", is_flag=True, help="Print GitHub annotations.")
@click.option(
    "--baseline",
    type=click.Path(path_type=FilePath, dir_okay=False),
    help="Compare with this stored result, and fail only what newly fails; written if missing.",
)
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
    sarif: FilePath | None,
    summary: FilePath | None,
    annotate: bool,
    baseline: FilePath | None,
    examples: int,
    seed: int,
    out: FilePath | None,
    tile: Tile,
    speed: Fraction,
    window: Window | None,
    limit: int | None,
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
    groups = [group for group in laws.split(",") if group]
    default = () if groups and "rad" not in groups else tuple(CLAIMS)
    claims = {name: _claim(name) for name in claim_names or default}
    if file is not None:
        searching = ("laws", "sarif", "summary", "annotate", "baseline", "examples", "seed", "out")
        for option in searching:
            if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{option} is for a search; with FILE there is none.")
        given = read(file)
        path, deployment, notes = _prepare(given, Shape(tile, speed, window, limit))
        scheduler = load(scheduler_name or given.scheduler or "rad")
        result = _run(path, deployment, scheduler, given.horizon, engine)
        verdicts = [check(result, claim) for claim in claims.values()]
        _show_run(result, verdicts, notes, as_json)
        if not as_json:
            _show_failures(result, verdicts, scheduler_name or given.scheduler or "rad")
        _exit(verdicts)
    else:
        for option in ("tile", "speed", "window", "limit"):
            if context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{option} is for a FILE; a search draws its own paths.")
        from radproof.gate import Outputs

        outputs = Outputs(sarif, summary, baseline, annotate)
        _search(
            claims,
            groups,
            scheduler_name or "rad",
            examples,
            seed,
            out,
            as_json,
            outputs,
        )


@main.command("replay")
@click.argument("file")
@scheduler_option
@json_option
def replay_command(file: str, scheduler_name: str | None, as_json: bool) -> None:
    """Run a saved counterexample, or a counterexample to induction, again.

    Exit code 1 where it still breaks its claim or law, 0 where it no longer does.

    \b
    Example:
      radproof replay .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
    """
    from radproof.proof import statefile

    if statefile.is_state_file(file):
        text, broken = statefile.report(file, scheduler_name)
        click.echo(json.dumps({"reproduced": broken, "text": text}, indent=1) if as_json else text)
        sys.exit(int(broken))
    saved = read(file)
    name = scheduler_name or saved.scheduler or "rad"
    scheduler = load(name)
    deployment = saved.deployment or SEED
    breaks = saved.breaks
    if breaks is None:
        result = _run(saved.sessions, deployment, scheduler, saved.horizon, "leap")
        verdicts = [check(result, claim) for claim in CLAIMS.values()]
        _show_run(result, verdicts, [], as_json)
        _exit(verdicts)
    else:
        _replay(saved, breaks, name, scheduler, as_json)


@_spelt_out()
def _replay(
    saved: PathFile, breaks: Breaks, name: str, scheduler: Scheduler, as_json: bool
) -> None:
    from radproof.counterexample import Counterexample

    deployment = saved.deployment or SEED
    claim = _claim(breaks.name if breaks.kind == "claim" else "token_rate")
    verdict, error = None, None
    try:
        result = evaluate(saved.sessions, deployment, scheduler, saved.horizon)
        verdict = check(result, claim, given=breaks.given)
    except SchedulerError as raised:
        error = raised
    if verdict is not None and breaks.kind == "scheduler":
        text = f"the scheduler is no longer at fault on this path ({breaks.name})."
        reproduced = False
    else:
        found = Counterexample(
            path=saved.sessions,
            deployment=deployment,
            scheduler=scheduler,
            scheduler_name=name,
            claim=claim,
            claim_name=breaks.name,
            verdict=verdict,
            error=error,
            minimal=breaks.minimal,
        )
        text = found.text()
        if error is not None:
            reproduced = breaks.kind == "scheduler" and breaks.name == error.kind
        else:
            reproduced = verdict is not None and verdict.result in BROKEN
    if as_json:
        record = {
            "reproduced": reproduced,
            "claim": claim.name if breaks.kind == "claim" else None,
            "result": verdict.result.value if verdict else Result.NOT_EVALUATED.value,
            "first": verdict.first if verdict else None,
            "checked": verdict.checked if verdict else 0,
            "failures": verdict.failures if verdict else 0,
            "error": str(error) if error else None,
        }
        click.echo(json.dumps(record, indent=1))
    else:
        click.echo(text)
        click.echo(
            "reproduced." if reproduced else "not reproduced: this path no longer breaks it."
        )
    if error is not None:
        sys.exit(error.exit_code)
    if verdict is not None:
        _exit([verdict])


main.add_command(prove)
main.add_command(lean)
main.add_command(fetch_command)
main.add_command(trace_command)
main.add_command(fit_command)


def _claim(name: str) -> Claim:
    from radproof.laws import checks

    known = checks()
    if name in known:
        return known[name]
    found = load_object(name, what="claim", known=sorted(known))
    if not isinstance(found, Claim):
        raise BadInput(f"claim {name!r} is {type(found).__name__}, not a radproof.Claim.")
    return found


def _prepare(given: PathFile, shaping: Shape) -> tuple[Path, Deployment, list[str]]:
    """The path to run, the deployment, and what the user should be told about them."""
    deployment = given.deployment or SEED
    path, changes = shape(given.sessions, shaping, deployment)
    notes = [*changes]
    if given.note is not None:
        notes.insert(0, given.note)
    if len(path) > 500:
        notes.append(
            f"the path has {len(path):,} sessions; the two claims are stated for up to 500, and "
            "are checked on all of them"
        )
    if deployment.chunk > deployment.b_lcm:
        notes.append(
            f"chunk is {deployment.chunk}, more than a prefill batch: the budget of "
            f"{deployment.b_lcm} tokens bounds it"
        )
    return path, deployment, notes


def _run(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    engine: Engine,
) -> Run:
    with working("running"):
        return evaluate(path, deployment, scheduler, horizon, engine)


@_spelt_out()
def _show_run(result: Run, verdicts: list[Verdict], notes: list[str], as_json: bool) -> None:
    from radproof import report

    if as_json:
        data = report.figures(result) | {
            "completions": result.completions,
            "claims": {v.claim.name: report.verdict_json(v) for v in verdicts},
            "notes": notes,
        }
        click.echo(json.dumps(data, indent=1))
        return
    click.echo(report.verdict_table(verdicts))
    for note in notes:
        click.echo(f"note: {note}")
    click.echo("")
    click.echo(report.figure_lines(result))


@_spelt_out()
def _show_failures(result: Run, verdicts: list[Verdict], scheduler_name: str) -> None:
    from radproof.counterexample import Counterexample

    for verdict in verdicts:
        if verdict.result is Result.FAILS:
            found = Counterexample(
                path=result.path,
                deployment=result.deployment,
                scheduler=result.scheduler,
                scheduler_name=scheduler_name,
                claim=verdict.claim,
                claim_name=verdict.claim.name,
                verdict=verdict,
                error=None,
                minimal=False,
            )
            click.echo("\n" + found.text())


def _search(
    claims: dict[str, Claim],
    groups: list[str],
    scheduler_name: str,
    examples: int,
    seed: int,
    out: FilePath | None,
    as_json: bool,
    outputs: Outputs,
) -> None:
    from radproof import corpus, report
    from radproof.gate import publish
    from radproof.judge import Terms, judge
    from radproof.laws import LAWS, laws_of
    from radproof.lean import write_beside
    from radproof.search import search

    scheduler = load(scheduler_name)
    laws = {law.name: law.claim for law in laws_of(groups)}
    folder = out or corpus.FOLDER
    known = corpus.committed()
    started = time.perf_counter()
    findings = []
    for name, claim in claims.items():
        with counting(claim.name, examples) as progress:
            finding = search(
                claim,
                scheduler,
                scheduler_name=scheduler_name,
                claim_name=name,
                examples=examples,
                seed=seed,
                saved=[*known, *corpus.saved(folder, name)],
                progress=progress,
            )
        findings.append(finding)
        if finding.counterexample is not None and finding.counterexample.error is not None:
            break  # the scheduler is at fault: another claim would say the same
    if laws:
        with counting("laws", 3 * examples) as progress:
            findings += judge(
                laws,
                scheduler,
                Terms(examples=examples, seed=seed),
                scheduler_name=scheduler_name,
                saved=[*known, *(file for name in laws for file in corpus.saved(folder, name))],
                progress=progress,
            )
    rows, texts, files, minimal = [], [], [], []
    for finding in findings:
        found = finding.counterexample
        if found is not None:
            file = found.save(folder)
            files.append(str(file))
            texts.append(found.text(file, "" if finding.claim.name in LAWS else write_beside(file)))
            minimal.append(found.minimal)
        rows.append(report.finding_row(finding))
    published = publish(outputs, findings, scheduler, scheduler_name, time.perf_counter() - started)
    code = _worst([finding.exit_code for finding in findings])
    if as_json:
        data = {
            "result": _overall(rows, code),
            "scheduler": scheduler_name,
            "seed": seed,
            "claims": {
                row["claim"]: {
                    "kind": row["kind"],
                    "result": row["result"],
                    "checked": row["iterations"],
                    "failures": int(row["result"] == Result.FAILS),
                    "first": row["first"],
                    "paths": row["paths"],
                    "sometimes": row["sometimes"],
                    "error": row["error"],
                }
                for row in rows
            },
            "sometimes": {
                name: sum(row["sometimes"][name] for row in rows) for name in rows[0]["sometimes"]
            },
            "counterexample": files[0] if files else None,
            "counterexamples": files,
            "minimal": bool(minimal) and all(minimal),
        }
        click.echo(json.dumps(data, indent=1))
    else:
        click.echo(report.finding_table(rows))
        for text in texts:
            click.echo("\n" + text)
        if not texts:
            click.echo(f"\nseed {seed}, scheduler {scheduler_name}")
        for line in published.lines:
            click.echo(line)
    if exit_code := published.exit_code(code):
        sys.exit(exit_code)


def _worst(codes: list[int]) -> int:
    """2 before 1 before 3 before 0: a scheduler at fault, a failure, something not evaluated."""
    return next((code for code in (2, 1, 3) if code in codes), 0)


def _overall(rows: list[dict[str, Any]], code: int) -> str:
    if code == 1:
        return Result.FAILS.value
    if code:
        return Result.NOT_EVALUATED.value
    return Result.HOLDS.value if any(r["result"] == "holds" for r in rows) else rows[0]["result"]


def _exit(verdicts: list[Verdict]) -> None:
    results = {verdict.result for verdict in verdicts}
    if Result.FAILS in results:
        sys.exit(1)
    if results & {Result.NOT_EVALUATED, Result.UNKNOWN} or results == {Result.OUT_OF_SCOPE}:
        sys.exit(3)


main.add_command(mutants_command)
