"""``radproof fit``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

import attrs
import click

from radproof.cli.output import report
from radproof.errors import BadInput, Undecided
from radproof.files.deployments import write_deployment
from radproof.files.text import read_text
from radproof.logs.fit import CLOSE, ENOUGH, Fit, Fitted, Measured, fit
from radproof.logs.formats import LOG_FORMATS, open_log
from radproof.traces.rows import named_rows, natural

PAIRS = ("tokens", "microseconds")


@click.command("fit")
@click.argument("log", type=click.Path(path_type=FilePath))
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["vllm-iterations", "vllm-steps", "radproof", "pairs"]),
    required=True,
    help="The log's format; pairs is a CSV with the header tokens,microseconds.",
)
@click.option(
    "--b-col",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="The tile, if known.  [default: the one that fits best]",
)
@click.option(
    "--skip",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Leave out the first N iterations: an engine compiles in its first.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Use only the first N iterations after those.",
)
@click.option(
    "--out",
    type=click.Path(path_type=FilePath, dir_okay=False),
    metavar="FILE",
    help="Write the deployment here, in whole microseconds.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
def fit_command(
    log: FilePath,
    format_name: str,
    b_col: int | None,
    skip: int,
    limit: int | None,
    out: FilePath | None,
    as_json: bool,
) -> None:
    """Fit equation (7) to how long the batches of a real engine took.

    Estimates t_lin, t_nl and b_col with and without a constant, says how far off each model is, and
    whether equation (7), which has no constant, fits.

    \b
    Exit codes: 0 it fits; 1 it does not; 2 usage or a damaged log; 3 the log does not decide.

    \b
    Examples:
      radproof fit engine.log --format vllm-iterations --skip 1 --out fitted.json
      radproof fit sweep.csv --format pairs --b-col 512
    """
    notes: list[str] = []
    found = fit(_cut(_measured(log, format_name, notes), skip, limit), b_col)
    if out is not None:
        write_deployment(out, found.deployment, note(found, log))
    if as_json:
        report(json.dumps(_json(found, notes, out), indent=1))
    else:
        _show(found, notes, out)
    if not found.fits:
        sys.exit(1)


def _cut(measured: Iterator[Measured], skip: int, limit: int | None) -> Iterator[Measured]:
    for number, one in enumerate(measured):
        if limit is not None and number >= skip + limit:
            return
        if number >= skip:
            yield one


def _measured(file: FilePath, format_name: str, notes: list[str]) -> Iterator[Measured]:
    """The iterations whose tokens and duration a log shows; a note counts the others.

    Raises Undecided for a log whose times are not durations.
    """
    if format_name == "pairs":
        yield from _pairs(file)
        return
    assert format_name in LOG_FORMATS
    log = open_log(file, format_name)
    left_out = 0
    for step in log.steps():
        if log.untimed:
            raise Undecided(f"{file}: {log.untimed}. Log a run without it.")
        if type(step.record.tokens) is not int or not step.duration or not step.record.tokens:
            left_out += 1
            continue
        yield Measured(step.record.tokens, step.duration, step.line)
    if left_out:
        notes.append(f"{left_out:,} iterations without tokens or a duration are left out")
    notes.extend(log.notes)


def _pairs(file: FilePath) -> Iterator[Measured]:
    text = read_text(file)
    header = [name.strip() for name in text.split("\n", 1)[0].split(",")]
    if header != list(PAIRS):
        raise BadInput(f"{file}: line 1 must be the header {','.join(PAIRS)}.")
    try:
        for where, row in named_rows(text, header):
            tokens, duration = (natural(row[name].strip(), name, where) for name in PAIRS)
            yield Measured(tokens, duration, int(where.split()[1]))
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None


def verdict(found: Fitted) -> str:
    """Whether equation (7) fits, in a sentence."""
    plain, constant = found.plain, found.constant
    share = f"{100 * plain.close:.0f} % of the iterations within {100 * CLOSE:.0f} %"
    if found.fits:
        return f"equation (7), without a constant, fits: {share}"
    wanted = "" if plain.near else f", where {100 * ENOUGH:.0f} % are required"
    said = f"equation (7), without a constant, does not fit: {share}{wanted}"
    if found.needs_constant:
        said += (
            f"; a constant of {constant.constant:,.0f} us reduces the residuals from "
            f"{plain.rms:,.0f} to {constant.rms:,.0f} us"
        )
    if not constant.near:
        said += f"; nor does it fit with a constant ({100 * constant.close:.0f} %)"
    return said


def note(found: Fitted, log: FilePath) -> str:
    """The note of a deployment file: the log it was fitted to, and how well."""
    return f"fitted to {found.iterations} iterations of {log.name}; {verdict(found)}"


def _show(found: Fitted, notes: list[str], out: FilePath | None) -> None:
    from radproof.report.text import table

    rows = [
        _row("equation (7)", found.plain),
        _row("with a constant", found.constant),
        _row("equation (7), whole us", found.rounded),
    ]
    columns = ("model", "b_col", "constant us", "t_lin us", "t_nl us", "rms us", "within 10 %")
    report(table(columns, rows, columns[1:]))
    report(verdict(found))
    for name, model in (("equation (7)", found.plain), ("with a constant", found.constant)):
        worst = model.worst
        report(
            f"{name}: largest residual on line {worst.line}: {worst.tokens:,} tokens took "
            f"{worst.duration:,} us, fitted {model.predict(worst.tokens):,.0f} us"
        )
        if len(model.alike) > 1:
            report(
                f"{name}: the log does not determine b_col: {len(model.alike)} tiles from "
                f"{model.alike[0]} to {model.alike[-1]} fit equally well"
            )
    for line in notes:
        report(f"note: {line}")
    report(f"\n{found.iterations:,} iterations of {found.sizes:,} batch sizes")
    if out is not None:
        report(f"deployment written to {out}")


def _row(name: str, model: Fit) -> tuple[str, ...]:
    return (
        name,
        f"{model.b_col:,}",
        f"{model.constant:,.1f}",
        f"{model.t_lin:,.1f}",
        f"{model.t_nl:,.3f}",
        f"{model.rms:,.1f}",
        f"{100 * model.close:.1f} %",
    )


def _json(found: Fitted, notes: list[str], out: FilePath | None) -> dict[str, Any]:
    def model(fitted: Fit) -> dict[str, Any]:
        return attrs.asdict(fitted) | {"near": fitted.near}

    return {
        "fits": found.fits,
        "needs_constant": found.needs_constant,
        "verdict": verdict(found),
        "equation_7": model(found.plain),
        "with_constant": model(found.constant),
        "whole_microseconds": model(found.rounded),
        "deployment": {
            a.name: getattr(found.deployment, a.name)
            for a in attrs.fields(type(found.deployment))
            if a.init
        },
        "iterations": found.iterations,
        "sizes": found.sizes,
        "notes": notes,
        "out": None if out is None else str(out),
    }
