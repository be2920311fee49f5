"""What the commands about one path share: prepare it, run it, show the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from radproof.claims import Result, Verdict
from radproof.cli.output import report
from radproof.cli.progress import working
from radproof.evaluators.evaluate import evaluate
from radproof.files.paths import PathFile
from radproof.model import SEED, Deployment, Path
from radproof.runs import Engine, Run
from radproof.schedulers.loading import Loaded
from radproof.schedulers.protocol import Scheduler
from radproof.traces import Shape, shape


@contextmanager
def unlimited_digits() -> Iterator[None]:
    """Lift Python's limit on the digits of a printed number; reading keeps it."""
    bound = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(bound)


def prepare(given: PathFile, shaping: Shape) -> tuple[Path, Deployment, list[str]]:
    """The path to run, the deployment, and notes about them for the user."""
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
            f"chunk is {deployment.chunk}, larger than a prefill batch: the budget of "
            f"{deployment.b_lcm} tokens limits it"
        )
    return path, deployment, notes


def run_path(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None,
    engine: Engine,
) -> Run:
    with working("running"):
        return evaluate(path, deployment, scheduler, horizon, engine)


@unlimited_digits()
def show_run(result: Run, verdicts: list[Verdict], notes: list[str], as_json: bool) -> None:
    from radproof.report.text import figure_lines, figures, verdict_json, verdict_table

    if as_json:
        data = figures(result) | {
            "completions": result.completions,
            "claims": {v.claim.name: verdict_json(v) for v in verdicts},
            "notes": notes,
        }
        report(json.dumps(data, indent=1))
        return
    report(verdict_table(verdicts))
    for note in notes:
        report(f"note: {note}")
    report("")
    report(figure_lines(result))


@unlimited_digits()
def show_failures(result: Run, verdicts: list[Verdict], scheduler: Loaded) -> None:
    from radproof.search.counterexample import Counterexample

    for verdict in verdicts:
        if verdict.result is Result.FAILS:
            found = Counterexample.of(result, scheduler, verdict.claim, verdict)
            report("\n" + found.text())


def exit_by(verdicts: list[Verdict]) -> None:
    results = {verdict.result for verdict in verdicts}
    if Result.FAILS in results:
        sys.exit(1)
    if results & {Result.NOT_EVALUATED, Result.UNKNOWN} or results == {Result.OUT_OF_SCOPE}:
        sys.exit(3)
