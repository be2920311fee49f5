"""``radproof trace``."""

from __future__ import annotations

import json
import sys
from pathlib import Path as FilePath
from typing import Any

import click

from radproof.claims import CLAIMS, Claim, Result
from radproof.cli.output import report
from radproof.cli.progress import working
from radproof.logs.formats import LOG_FORMATS, open_log
from radproof.logs.judge import LogVerdict, Setting, judge, number_json
from radproof.logs.log import Log
from radproof.model import SCALARS

WHOLE_RUNS = (
    "laws over a whole run of the model (clock, conservation, ...) are not checked on a log; "
    "request_tokens and the laws after it replace them"
)


@click.command("trace")
@click.argument("file", type=click.Path(path_type=FilePath))
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(LOG_FORMATS)),
    required=True,
    help="The log's format.",
)
@click.option(
    "--b-col",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="The tile: the tokens of a full batch.  [default: the token budget, if logged]",
)
@click.option(
    "--deployment",
    "deployment_file",
    type=click.Path(path_type=FilePath),
    help="A deployment file, as radproof fit writes it: tile and speeds.",
)
@click.option(
    "--claim",
    "claim_names",
    multiple=True,
    metavar="NAME",
    help="Judge by this claim or law only (may be repeated): a name, or module:name.",
)
@click.option(
    "--laws",
    metavar="GROUPS",
    default="engine",
    show_default=True,
    help="The laws beside the two claims: engine, rad, or engine,rad.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def trace_command(
    file: FilePath,
    format_name: str,
    b_col: int | None,
    deployment_file: FilePath | None,
    claim_names: tuple[str, ...],
    laws: str,
    as_json: bool,
) -> None:
    """Judge a real engine's log by the claims and laws that judge a run.

    Each iteration in FILE becomes a record. What the log shows is checked; what it does not show is
    not evaluated, and the reason is given. The claims' hypothesis on the prompts is dropped.

    \b
    Exit codes: 0 all hold; 1 one fails; 2 usage or a damaged log; 3 something is not evaluated.

    \b
    Examples:
      radproof trace engine.log --format vllm-iterations
      radproof trace steps.jsonl --format vllm-steps --b-col 512 --laws engine,rad
      radproof trace mine.jsonl --format radproof --deployment fitted.json
    """
    if b_col is not None and deployment_file is not None:
        raise click.UsageError("--deployment sets the tile already; leave out --b-col.")
    claims = _claims(claim_names, laws.split(",") if laws else [])
    setting = None
    if deployment_file is not None:
        from radproof.files.deployments import read_deployment

        setting = Setting.of(read_deployment(deployment_file), None)
    elif b_col is not None:
        setting = Setting.of(None, b_col)
    log = open_log(file, format_name)
    if not claim_names:
        log.notes.append(WHOLE_RUNS)
    with working(f"reading {file}"):
        verdicts = judge(log, claims, setting)
    if as_json:
        report(json.dumps(_json(log, verdicts), indent=1))
    else:
        _show(log, verdicts)
    results = {v.verdict.result for v in verdicts}
    if Result.FAILS in results:
        sys.exit(1)
    if results & {Result.NOT_EVALUATED, Result.UNKNOWN}:
        sys.exit(3)


def _claims(names: tuple[str, ...], groups: list[str]) -> list[Claim]:
    from radproof.laws import checks, claim_named, laws_of
    from radproof.logs.laws import LOG_LAWS

    if not names:
        asked = [law.claim for law in laws_of(groups) if law.claim.kind != "whole run"]
        own = [law.claim for law in LOG_LAWS.values() if law.group in groups]
        return [*CLAIMS.values(), *asked, *own]
    known = checks() | {name: law.claim for name, law in LOG_LAWS.items()}
    return [claim_named(name, known) for name in names]


def _show(log: Log, verdicts: list[LogVerdict]) -> None:
    from radproof.report.text import table

    rows = [
        (
            v.verdict.claim.name,
            v.verdict.result.value,
            f"{v.verdict.checked:,}",
            f"{v.verdict.failures:,}",
            "" if v.line is None else f"{v.line:,}",
        )
        for v in verdicts
    ]
    columns = ("claim or law", "result", "checked", "false", "first line")
    report(table(columns, rows, columns[2:]))
    for v in verdicts:
        if v.verdict.reason:
            report(f"{v.verdict.claim.name}: {v.verdict.reason}")
    for note in log.notes:
        report(f"note: {note}")
    report(f"\n{log.steps_seen:,} iterations in {log.file}, {log.format}")


def _json(log: Log, verdicts: list[LogVerdict]) -> dict[str, Any]:
    return {
        "file": str(log.file),
        "format": log.format,
        "iterations": log.steps_seen,
        "claims": {
            v.verdict.claim.name: {
                "kind": v.verdict.claim.kind,
                "result": v.verdict.result.value,
                "checked": v.verdict.checked,
                "failures": v.verdict.failures,
                "first": v.verdict.first,
                "line": v.line,
                "reason": v.verdict.reason,
                "record": None
                if v.verdict.record is None
                else {name: number_json(getattr(v.verdict.record, name)) for name in SCALARS},
            }
            for v in verdicts
        },
        "notes": log.notes,
    }
