"""One HTML page of a run: self-contained, offline, with the numbers beside the picture.

page.js draws the story, given as JSON; the tables, the words and the Lean term are plain HTML and
need no script.
"""

from __future__ import annotations

import functools
import html
import json
from collections.abc import Sequence
from importlib.resources import files
from string import Template

import attrs

from radproof.claims import Claim, Verdict, sides
from radproof.files.text import made_by
from radproof.model import Iteration
from radproof.pictures.charts import charts, unit_of
from radproof.pictures.story import Story, batch_text, fill, mode, readable, slack_text
from radproof.report.text import figures, seconds
from radproof.search.counterexample import counted, deployment_text

AROUND = 20
"""Records in the table on either side of the marked iteration."""


@attrs.frozen
class Words:
    """What a page says beside its picture."""

    text: str
    """The counterexample in words, or empty."""
    command: str
    """The command that runs it again."""
    lean: str
    """The Lean test term, or empty."""
    no_lean: str
    """Why the page has no Lean term, if it has none."""
    notes: tuple[str, ...] = ()
    """What the reader should know of the path; each without its full stop."""


def page(story: Story, words: Words) -> str:
    """The page's text, the same for the same story."""
    title = _title(story)
    data, cut = charts(story)
    return _template().substitute(
        generator=made_by(),
        title=_text(title),
        subject=_text(_subject(story)),
        summary=_summary(story),
        style=_asset("page.css").rstrip(),
        script=_asset("page.js").rstrip(),
        story=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        unmarked="" if story.mark else " hidden",
        mark_label=_text("" if story.mark is None else f"The marked iteration: {title}"),
        slack=_text(slack_text()),
        table_title=_text(_table_title(story)),
        table=_records(story),
        notes="".join(f'<p class="note">{_text(note)}.</p>\n' for note in (*words.notes, *cut)),
        words=_in_words(words.text),
        command=_text(words.command),
        lean=_lean(words),
    )


def _title(story: Story) -> str:
    if story.error is not None:
        return f"The scheduler is at fault: {story.error}"
    if story.mark is None:
        names = ", ".join(f"{v.claim.name} {v.result.value}" for v in story.verdicts)
        return names or "A run"
    return f"{story.mark.label}, in iteration {readable(story.mark.index)} (counted from 0)"


def _subject(story: Story) -> str:
    run = story.run
    horizon = "" if run.horizon is None else f", up to {seconds(run.horizon)}"
    iterations = f"{readable(run.iterations)} iteration{'s' * (run.iterations != 1)}"
    return (
        f"{story.scheduler.name} on {counted(len(run.path), 'session')}, "
        f"{iterations}{horizon}; {deployment_text(run.deployment)}"
    )


def _summary(story: Story) -> str:
    parts = []
    if story.verdicts:
        rows = [
            ("", [*map(_text, (v.claim.name, v.claim.statement, _result(v))), readable(v.checked)])
            for v in story.verdicts
        ]
        table = _table(("claim", "statement", "result", "iterations"), rows, ("iterations",))
        parts.append(f'<div class="wide">\n{table}\n</div>')
        parts += [
            f'<p class="note">{_text(v.claim.name)}: {_text(v.reason)}</p>'
            for v in story.verdicts
            if v.reason
        ]
    if story.mark is not None and story.mark.claim is not None:
        marked = next(story.records(story.mark.index, story.mark.index + 1), None)
        truths = (
            sides(story.mark.claim, marked[1], story.run.deployment)
            if marked is not None and story.mark.claim.kind != "at end"
            else []
        )
        if truths:
            lines = (
                f"<li><code>{_text(text)}</code>: {_text(values)} is {_truth(truth)}</li>"
                for text, values, truth in truths
            )
            parts.append(f"<p>In iteration {readable(story.mark.index)}:</p>")
            parts += ["<ul>", *lines, "</ul>"]
    found = figures(story.run)
    facts = [f"{found['ended']:,} of {found['arrivals']:,} sessions ended"]
    if found["response"]["mean"] is not None:
        facts.append(f"response mean {seconds(found['response']['mean'])}")
        facts.append(f"p99 {seconds(found['response']['p99'])}")
    parts.append(f"<p>{_text(', '.join(facts))}.</p>")
    return "\n".join(parts)


def _table_title(story: Story) -> str:
    if story.mark is None:
        return "The first iterations"
    return "The iterations around the marked one"


def _records(story: Story) -> str:
    """The records around the mark (without a mark, the first ones), as a table."""
    run, marked = story.run, story.mark
    middle = 0 if marked is None else marked.index
    low = middle - AROUND if marked is not None else 0
    claim = marked.claim if marked is not None else None
    asked = claim if claim is not None and claim.kind.endswith("iteration") else None
    columns = [
        "iteration", "start", "end", "mode", "tokens", "tile fill", "decode", "prefill", "|D|",
        "residents", "demand", "served before", "slack",
    ]  # fmt: skip
    columns += [asked.name] if asked is not None else []
    columns += ["batch"]
    unit, b_col = unit_of([run.iterations]), run.deployment.b_col
    rows = []
    for index, record in story.records(low, middle + AROUND + 1):
        cells: list[int | str] = [
            index, record.start, record.end, mode(record), record.tokens,
            f"{100 * fill(record, b_col):.1f} %", record.decoders, record.prefilled,
            record.decoding, record.residents, record.demand, record.served, story.spare(record),
        ]  # fmt: skip
        row = [_text(cell if isinstance(cell, str) else readable(cell)) for cell in cells]
        row += [_truth(_holds(asked, story, record))] if asked is not None else []
        row += [_text(batch_text(record.batch))]
        is_marked = marked is not None and index == marked.index
        rows.append(
            (f' data-index="{index // unit}" tabindex="0"{_MARKED if is_marked else ""}', row)
        )
    if not rows:
        return "<p>No iterations.</p>"
    left = {"mode", "batch", *([asked.name] if asked is not None else [])}
    table = _table(columns, rows, [name for name in columns if name not in left])
    return (
        f'<div class="wide" tabindex="0" role="region" aria-labelledby="iterations">\n{table}\n'
        "</div>\n"
        '<p class="note">Times in microseconds, work in tokens; the slack is '
        f"{_text(slack_text())}. Select a row to see it in the charts.</p>"
    )


_NUMBER = ' class="number"'
_MARKED = ' class="marked" aria-current="true"'


def _holds(claim: Claim, story: Story, record: Iteration) -> bool:
    return bool(claim.holds(record, story.run.deployment))


def _in_words(text: str) -> str:
    if not text:
        return ""
    return (
        '<section aria-labelledby="words">\n<h2 id="words">In words</h2>\n'
        f'<pre tabindex="0">{_text(text)}</pre>\n</section>'
    )


def _lean(words: Words) -> str:
    if not words.lean:
        return f"<p>No Lean term: {_text(words.no_lean)}</p>"
    lines = counted(words.lean.count("\n"), "line")
    return (
        f"<details>\n<summary>The test term, {lines} of Lean</summary>\n"
        f'<pre tabindex="0">{_text(words.lean)}</pre>\n</details>'
    )


def _table(
    columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], numbers: Sequence[str]
) -> str:
    """A table of (attributes of the row, its cells as HTML); `numbers` are right-aligned."""
    of = [_NUMBER if name in numbers else "" for name in columns]
    head = "".join(
        f"<th{kind} scope=col>{_text(name)}</th>" for kind, name in zip(of, columns, strict=True)
    )
    body = "\n".join(
        f"<tr{attributes}>"
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(of, cells, strict=True))
        + "</tr>"
        for attributes, cells in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _result(verdict: Verdict) -> str:
    at = "" if verdict.first is None else f" at {readable(verdict.first)}"
    return f"{verdict.result.value}{at}"


def _truth(truth: bool) -> str:
    return '<span class="yes">✓ true</span>' if truth else '<span class="no">✗ false</span>'


def _text(text: str) -> str:
    return html.escape(text)


@functools.cache
def _asset(name: str) -> str:
    return (files("radproof.pictures") / name).read_text("utf-8")


def _template() -> Template:
    return Template(_asset("page.html"))
