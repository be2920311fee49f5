"""One HTML page of a run: self-contained, offline, with the numbers beside the picture.

The drawing is done in the browser (page.js) from the story as JSON; the tables, the words and the
Lean term are plain HTML, so that they are there without a script too.
"""

from __future__ import annotations

import functools
import html
import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from importlib.resources import files
from string import Template
from typing import Any

import attrs

from radproof.claims import Claim, Verdict, sides
from radproof.counterexample import counted, deployment_text
from radproof.model import DEPLOYMENT_NAMES, Iteration
from radproof.pictures.story import Story, batch_text, fill, mode, slack_text
from radproof.report import figures, seconds

AROUND = 20
"""Records in the table on either side of the marked iteration."""

MOST_STRETCHES = 100_000
"""Stretches in one page, those nearest to the mark: some 3 MB, and a browser draws them at once."""

MOST_CHOSEN = 200_000
"""Sessions that a page names as in a batch of some decodes and not in it, nearest to the mark."""

_EXACT = 2**53
"""A browser's numbers are exact below this."""


@attrs.frozen
class Words:
    """What stands in the page beside the picture.

    text: the counterexample in words, or empty; command: what runs it again; lean: the Lean test
    term, or empty, and no_lean: why there is none; notes: what the reader should know.
    """

    text: str
    command: str
    lean: str
    no_lean: str
    notes: tuple[str, ...] = ()


def page(story: Story, words: Words) -> str:
    """The page's text, the same for the same story."""
    from radproof import __version__

    title = _title(story)
    data, cut = picture(story)
    return _template().substitute(
        generator=f"radproof {__version__}",
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


def picture(story: Story) -> tuple[dict[str, Any], list[str]]:
    """The numbers that page.js draws, and what was left out, in words.

    Times and counts are as they are while a browser can hold them exactly; larger ones are
    divided by a power of ten, whose exponent is in `unit`, and the page writes it beside them.
    """
    low, high, cut = _kept(story)
    stretches = story.stretches[low:high]
    slack = story.slack[low:high]
    unit = {
        "time": _unit([story.end]),
        "tokens": _unit([s.first.served + s.first.tokens * s.count for s in stretches[-1:]]),
        "iterations": _unit([story.run.iterations]),
        "slack": _unit([abs(spare) for pair in slack for spare in pair]),
    }

    def times(values: Iterable[int | None]) -> list[int | None]:
        return [None if value is None else value // unit["time"] for value in values]

    starts = [s.first.start for s in stretches]
    ends = [s.first.start + s.count * s.duration for s in stretches]
    gaps = [start - before for start, before in zip(starts, [*starts[:1], *ends], strict=False)]
    chosen, some_left = _chosen(story, low, high)
    if some_left:
        cut.append(
            "which decodes were in a batch that took only some of them is shown near the mark "
            "alone: the page would be too large"
        )
    lives = story.lives
    records = [s.first for s in stretches]
    data = {
        "unit": {name: len(str(value)) - 1 for name, value in unit.items()},
        "deployment": {name: getattr(story.run.deployment, name) for name in DEPLOYMENT_NAMES},
        "end": story.end // unit["time"],
        "mark": None
        if story.mark is None
        else {
            "index": story.mark.index // unit["iterations"],
            "start": story.mark.start // unit["time"],
            "end": story.mark.end // unit["time"],
            "text": f"iteration {_number(story.mark.index)}: {story.mark.label}",
        },
        "origin": starts[0] // unit["time"] if starts else 0,
        "first": story.first_of(low) // unit["iterations"] if stretches else 0,
        "served": records[0].served // unit["tokens"] if stretches else 0,
        "stretches": {
            "gap": times(gaps),
            "length": times(s.count * s.duration for s in stretches),
            "count": [max(1, s.count // unit["iterations"]) for s in stretches],
            "tokens": [r.tokens for r in records],
            "prefilled": [r.prefilled for r in records],
            "decoders": [r.decoders for r in records],
            "decoding": [r.decoding for r in records],
            "residents": [r.residents for r in records],
            "slack": [first // unit["slack"] for first, _ in slack],
            "slack_last": [last // unit["slack"] for _, last in slack],
        },
        "lives": {
            "number": [life.number for life in lives],
            "arrive": times(life.session.arrive for life in lives),
            "first": times(life.first for life in lives),
            "joined": times(life.joined for life in lives),
            "ended": times(life.ended for life in lives),
            "prompt": [life.session.prompt for life in lives],
            "output": [life.session.output for life in lives],
        },
        "prefills": [
            number
            for life in lives
            for place, tokens in life.chunks
            if low <= place < high
            for number in (place - low, life.number, tokens)
        ],
        "chosen": chosen,
    }
    return data, cut


def _kept(story: Story) -> tuple[int, int, list[str]]:
    """The places low .. high - 1 of the stretches that the page holds."""
    size = len(story.stretches)
    if size <= MOST_STRETCHES:
        return 0, size, []
    middle = 0 if story.mark is None else story.place(story.mark.index)
    low = min(max(0, middle - MOST_STRETCHES // 2), size - MOST_STRETCHES)
    high = low + MOST_STRETCHES
    first, last = story.first_of(low), story.first_of(high) - 1
    return (
        low,
        high,
        [
            f"the run has {story.run.iterations:,} iterations in {size:,} stretches; the charts "
            f"hold those from iteration {first:,} to {last:,}"
        ],
    )


def _chosen(story: Story, low: int, high: int) -> tuple[list[tuple[int, list[int]]], bool]:
    """(place, sessions) of the batches that took some decodes and left others, nearest first."""
    middle = low if story.mark is None else story.place(story.mark.index)
    found, budget, left = [], MOST_CHOSEN, False
    for place in sorted(range(low, high), key=lambda place: abs(place - middle)):
        record = story.stretches[place].first
        if not 0 < record.decoders < record.decoding:
            continue
        budget -= record.decoders
        if budget < 0:
            left = True
            break
        found.append((place - low, list(story.chosen(place) or ())))
    return sorted(found), left


def _unit(values: Iterable[int]) -> int:
    """The power of ten by which the largest of these must be divided to stay exact."""
    largest = max(values, default=0)
    if largest < _EXACT:
        return 1
    unit = 1
    while largest // unit >= 10**15:
        unit *= 10
    return unit


def _title(story: Story) -> str:
    if story.error is not None:
        return f"The scheduler is at fault: {story.error}"
    if story.mark is None:
        names = ", ".join(f"{v.claim.name} {v.result.value}" for v in story.verdicts)
        return names or "A run"
    return f"{story.mark.label}, in iteration {_number(story.mark.index)} (counted from 0)"


def _subject(story: Story) -> str:
    run = story.run
    horizon = "" if run.horizon is None else f", up to {seconds(run.horizon)}"
    iterations = f"{_number(run.iterations)} iteration{'s' * (run.iterations != 1)}"
    return (
        f"{story.scheduler_name} on {counted(len(run.path), 'session')}, "
        f"{iterations}{horizon}; {deployment_text(run.deployment)}"
    )


def _summary(story: Story) -> str:
    parts = []
    if story.verdicts:
        rows = [
            (v.claim.name, v.claim.statement, _result(v), _number(v.checked))
            for v in story.verdicts
        ]
        parts.append(_table(("claim", "it says", "result", "iterations"), rows, ("iterations",)))
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
            parts.append(f"<p>In iteration {_number(story.mark.index)}:</p>")
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
    """The records around the mark (the first ones, where nothing is marked), as a table."""
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
    unit = _unit([run.iterations])
    rows = []
    for index, record in story.records(low, middle + AROUND + 1):
        b_col = run.deployment.b_col
        cells = [
            _number(index), _number(record.start), _number(record.end), mode(record),
            _number(record.tokens), f"{100 * fill(record, b_col):.1f} %", _number(record.decoders),
            _number(record.prefilled), _number(record.decoding), _number(record.residents),
            _number(record.demand), _number(record.served), _number(story.spare(record)),
        ]  # fmt: skip
        row = [_text(cell) for cell in cells]
        row += [_truth(_holds(asked, story, record))] if asked is not None else []
        row += [_text(batch_text(record.batch))]
        is_marked = marked is not None and index == marked.index
        rows.append((index // unit, is_marked, row))
    if not rows:
        return "<p>No iteration came about.</p>"
    left = {"mode", "batch", *([asked.name] if asked is not None else [])}
    head = "".join(
        f"<th{'' if name in left else _NUMBER} scope=col>{_text(name)}</th>" for name in columns
    )
    body = "\n".join(
        f'<tr data-index="{index}" tabindex="0"{_MARKED if is_marked else ""}>'
        + "".join(
            f"<td{'' if name in left else _NUMBER}>{cell}</td>"
            for name, cell in zip(columns, row, strict=True)
        )
        + "</tr>"
        for index, is_marked, row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-labelledby="iterations">\n<table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n"
        '<p class="note">Times in microseconds, work in tokens; the slack is '
        f"{_text(slack_text())}. Choose a row to see it in the charts.</p>"
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
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()
) -> str:
    of = [_NUMBER if name in numbers else "" for name in columns]
    head = "".join(
        f"<th{kind} scope=col>{_text(name)}</th>" for kind, name in zip(of, columns, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{kind}>{_text(cell)}</td>" for kind, cell in zip(of, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _number(number: int) -> str:
    """A number for a person: whole, but for one of so many digits that nobody reads them."""
    return f"{number:,}" if abs(number) < 10**24 else f"{Decimal(number):.6e}"


def _result(verdict: Verdict) -> str:
    at = "" if verdict.first is None else f" at {_number(verdict.first)}"
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
