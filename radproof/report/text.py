"""Tables and figures as text and as JSON: what a person and a machine read."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from radproof.claims import Result, Verdict
from radproof.runs import Run
from radproof.search.search import Finding
from radproof.search.situations import SITUATIONS

WIDTH = 10_000
"""The widest a table may be: nothing is cut, and a narrow table stays narrow."""


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], numbers: Collection[str] = ()
) -> str:
    """A table as plain text; the columns named in `numbers` are right-aligned."""
    stream = io.StringIO()
    console = Console(file=stream, width=WIDTH, color_system=None, force_terminal=False)
    console.print(drawn(columns, rows, numbers))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()).strip("\n")


def drawn(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], numbers: Collection[str] = ()
) -> Table:
    """The same for a console: a cell that is a `Text` keeps its style there."""
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        found.add_column(
            Text(column), justify="right" if column in numbers else "left", no_wrap=True
        )
    for row in rows:
        # Text: rich must not read markup in a name
        found.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return found


CLAIM_COLUMNS = ("claim", "kind", "result", "iterations", "paths")
_NUMBERS = ("iterations", "paths")


def verdict_table(verdicts: Sequence[Verdict]) -> str:
    """The claim table of one run."""
    rows = [
        (v.claim.name, v.claim.kind, _plain(v.result, v.first), f"{v.checked:,}", "1")
        for v in verdicts
    ]
    notes = [f"{v.claim.name}: {v.reason}" for v in verdicts if v.reason]
    return "\n".join([table(CLAIM_COLUMNS, rows, _NUMBERS), *notes])


def finding_table(rows: Sequence[dict[str, Any]]) -> str:
    """The claim table of a search, from `finding_row`s (which may have come from another process).

    Below it, the situations that no path reached, and the paths that were not checked in full.
    """
    lines = [
        table(
            CLAIM_COLUMNS,
            [
                (
                    row["claim"] + (" (scaled down)" if row["scaled"] else ""),
                    row["kind"],
                    result_text(row),
                    f"{row['iterations']:,}",
                    f"{row['paths']:,}",
                )
                for row in rows
            ],
            _NUMBERS,
        )
    ]
    for row in rows:
        if row["result"] == Result.NOT_EVALUATED and not row["error"]:
            missing = row["missing"] and f"no path reached: {', '.join(row['missing'])}"
            if why := row["reason"] or missing:
                lines.append(f"{row['claim']}: {why}")
    return "\n".join([*lines, *open_notes(rows)])


def open_notes(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The notes about paths that were not checked in full, or not run, if any."""
    open_paths: dict[str, list[str]] = {}
    for row in rows:
        for text in _left_open(row):
            open_paths.setdefault(text, []).append(row["claim"])
    notes = []
    for text, names in open_paths.items():
        who = names[0] if len(names) == 1 else f"{len(names)} claims and laws"
        notes.append(f"{who}: {text}")
    return [*notes, *_left_out(rows)]


AS_FAR = "holds as far as checked"
"""The result of a claim that holds on the paths that were checked in full, where some were not."""


def result_text(row: Mapping[str, Any]) -> str:
    """The result of a `finding_row` in the table: never a plain *holds* where a path is open."""
    if row["result"] != AS_FAR:
        once = " (not reproducible)" if row["again"] else ""
        return _plain(Result(row["result"]), row["first"]) + once
    full = row["paths"] - row["cut"] - row["unknown"]
    return f"{AS_FAR} ({full:,} of {row['paths']:,} paths in full)"


def _left_open(row: Mapping[str, Any]) -> Iterator[str]:
    """The notes about the paths of a `finding_row` that were not checked in full."""
    if row["cut"]:
        yield f"{row['cut']:,} of {row['paths']:,} paths were not run to their end"
    if row["unknown"]:
        yield f"unknown on {row['unknown']:,} of {row['paths']:,} paths; the first: {row['reason']}"


def not_asked(reasons: Mapping[str, str]) -> list[str]:
    """The notes about the laws that could not be asked of a scheduler, by name."""
    return [f"{name}: {Result.NOT_EVALUATED.value}; {why}" for name, why in reasons.items()]


def _left_out(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The note about saved paths that a search did not run, if any."""
    count = max((row["left_out"] for row in rows), default=0)
    if not count:
        return []
    paths, were = ("1 saved path", "was") if count == 1 else (f"{count:,} saved paths", "were")
    return [f"{paths} of another deployment {were} left out; radproof replay runs each at its own"]


def sometimes_table(rows: Sequence[dict[str, Any]]) -> str:
    """How many paths of each search reached each situation."""
    columns = ["situation"] + [r["claim"] + (" (scaled down)" if r["scaled"] else "") for r in rows]
    body = [[name, *(f"{row['sometimes'][name]:,}" for row in rows)] for name in SITUATIONS]
    return table(columns, body, columns[1:])


def result_of(finding: Finding) -> str:
    """The result of a finding in a report, text and JSON alike."""
    is_open = finding.cut or finding.unknown
    return AS_FAR if finding.result is Result.HOLDS and is_open else finding.result.value


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding as plain data; nothing in it depends on the clock."""
    found = finding.counterexample
    verdict = found.verdict if found is not None else None
    return {
        "claim": finding.claim.name,
        "kind": finding.claim.kind,
        "result": result_of(finding),
        "first": verdict.first if verdict is not None else None,
        "iterations": finding.iterations,
        "paths": finding.paths,
        "cut": finding.cut,
        "unknown": finding.unknown,
        "reason": finding.reason,
        "scaled": finding.scaled,
        "left_out": finding.left_out,
        "sometimes": finding.sometimes,
        "missing": finding.missing,
        "seed": finding.seed,
        "error": str(found.error) if found is not None and found.error is not None else None,
        "again": found.again or None if found is not None else None,
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """{kind, result, checked, failures, first} of a claim on a run."""
    return {
        "kind": verdict.claim.kind,
        "result": verdict.result.value,
        "checked": verdict.checked,
        "failures": verdict.failures,
        "first": verdict.first,
    }


def figures(run: Run) -> dict[str, Any]:
    """iterations, arrivals, ended, and the response's mean and 99th percentile (microseconds).

    The percentile is the smallest response that at least 99 % of the ended sessions do not
    exceed; both are None if no session ended.
    """
    responses = sorted(run.responses)
    count = len(responses)
    return {
        "iterations": run.iterations,
        "arrivals": run.arrivals,
        "ended": run.ended,
        "engine": run.engine,
        "response": {
            "mean": _mean(sum(responses), count) if count else None,
            "p99": responses[math.ceil(0.99 * count) - 1] if count else None,
        },
    }


def figure_lines(run: Run) -> str:
    """The figures of a run for a person."""
    found = figures(run)
    response = found["response"]
    lines = [
        f"iterations  {found['iterations']:,}",
        f"arrivals    {found['arrivals']:,}",
        f"ended       {found['ended']:,}",
        f"evaluator   {found['engine']}",
    ]
    if response["mean"] is None:
        return "\n".join([*lines, "response    no session ended"])
    mean, p99 = seconds(response["mean"]), seconds(response["p99"])
    return "\n".join([*lines, f"response    mean {mean}, p99 {p99}"])


def seconds(microseconds: float) -> str:
    """A time for a person, in seconds."""
    if microseconds > 10**15:
        return f"{Decimal(microseconds).scaleb(-6):.3e} s"
    return f"{microseconds / 1e6:,.3f} s"


def _mean(total: int, count: int) -> float | int:
    try:
        return total / count
    except OverflowError:  # beyond a float: whole microseconds
        return total // count


def _plain(result: Result, first: int | None) -> str:
    return f"{result.value} at {first:,}" if first is not None else result.value
