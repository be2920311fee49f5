"""A small timeline for a terminal: the iterations around the mark, one column each.

Colour only repeats the letters: P is a chunk of a prompt, D a decode's token, and a dot a resident
session that waits.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from radproof.model import DECODE, Iteration
from radproof.pictures.story import Story, fill, mode, readable
from radproof.search.counterexample import session_range

COLUMNS = 15
"""The most iterations shown; a narrow terminal shows fewer."""

ROWS = 12
"""The most lines of sessions shown; the others are counted."""

_STYLE = {"P": "blue", "D": "yellow", "·": "dim"}
_BARS = " ▁▂▃▄▅▆▇█"


def print_timeline(story: Story, console: Console | None = None) -> None:
    """Print the verdicts, the iterations around the mark, and |D| over the whole run."""
    console = console or _console()
    with console.capture() as drawn:
        _print(console, story)
    for line in drawn.get().splitlines():
        print(line.rstrip(), file=console.file)


def _print(console: Console, story: Story) -> None:
    for line in headlines(story):
        console.print(Text(line), soft_wrap=True)
    shown = _around(story, COLUMNS)
    if not shown:
        console.print("no iterations.")
        return
    roomy = console.options.update(width=10_000)
    while (
        len(shown) > 1
        and console.measure(_table(story, shown), options=roomy).maximum > console.width
    ):
        shown = _around(story, len(shown) - 1)
    console.print(_table(story, shown))
    console.print(Text(_legend(story, shown)), soft_wrap=True)
    if story.run.iterations > len(shown):
        width = min(console.width, 80) - len(_OVER)
        bars, caret = overview(story, width)
        console.print(Text(f"{_OVER}{bars}"), soft_wrap=True)
        if caret is not None:
            console.print(Text(" " * (len(_OVER) + caret) + "▲"), soft_wrap=True)


def _console() -> Console:
    """The terminal; 100 columns if standard output is not one, whatever COLUMNS says."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 100)


_OVER = "|D|, whole run  "


def headlines(story: Story) -> list[str]:
    """The verdicts, a line each; or the scheduler's fault."""
    if story.error is not None:
        return [f"the scheduler is at fault: {story.error}"]
    return [f"{v.claim.name}: {v}" for v in story.verdicts]


def _around(story: Story, count: int) -> list[tuple[int, Iteration]]:
    middle = 0 if story.mark is None else story.mark.index
    low = max(0, min(middle - count // 2, story.run.iterations - count))
    return list(story.records(low, low + count))


def _table(story: Story, shown: Sequence[tuple[int, Iteration]]) -> Table:
    marked = None if story.mark is None else story.mark.index
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    drawn.add_column("iteration", no_wrap=True)
    for index, _ in shown:
        head = f"▼ {readable(index)}" if index == marked else readable(index)
        drawn.add_column(
            Text(head), justify="right", no_wrap=True, style="bold" if index == marked else ""
        )
    b_col = story.run.deployment.b_col
    records = [record for _, record in shown]
    drawn.add_row("starts, us", *(readable(r.start) for r in records))
    drawn.add_row("mode", *(mode(r) for r in records))
    drawn.add_row("tokens", *(readable(r.tokens) for r in records))
    drawn.add_row("tile fill", *(f"{100 * fill(r, b_col):.1f} %" for r in records))
    drawn.add_row("|D|", *(readable(r.decoding) for r in records), end_section=True)
    rows = session_rows(story, records)
    for label, cells in rows[:ROWS]:
        drawn.add_row(label, *(Text(c, style=_STYLE.get(c[:1], "")) for c in cells))
    if len(rows) > ROWS:
        drawn.add_row(f"... {len(rows) - ROWS:,} more lines")
    return drawn


def session_rows(story: Story, records: Sequence[Iteration]) -> list[tuple[str, tuple[str, ...]]]:
    """What each resident session does in these iterations; neighbours that do the same share a row.

    P 128: a chunk of 128 tokens; D: a token of output; a dot: the session is resident and waits.
    """
    batches = [{entry.session: entry for entry in record.batch} for record in records]
    there = []
    for life in sorted(story.lives, key=lambda life: life.number):
        cells = []
        for record, batch in zip(records, batches, strict=True):
            entry = batch.get(life.number)
            if entry is not None:
                cells.append("D" if entry.phase is DECODE else f"P {readable(entry.tokens)}")
            elif life.session.arrive <= record.start and not _over(life.ended, record.start):
                cells.append("·")
            else:
                cells.append("")
        if any(cells):
            there.append((life.number, tuple(cells)))
    rows: list[tuple[str, tuple[str, ...]]] = []
    for _, group in itertools.groupby(
        enumerate(there), key=lambda each: (each[1][0] - each[0], each[1][1])
    ):
        same = [life for _, life in group]
        rows.append((session_range(same[0][0], len(same)), same[0][1]))
    return rows


def _over(ended: int | None, now: int) -> bool:
    return ended is not None and ended <= now


def _legend(story: Story, shown: Sequence[tuple[int, Iteration]]) -> str:
    first, last = shown[0][0], shown[-1][0]
    return (
        f"P a chunk of a prompt, D a token of output, · waits; iterations {readable(first)} to "
        f"{readable(last)} of {readable(story.run.iterations)}"
    )


def overview(story: Story, width: int) -> tuple[str, int | None]:
    """|D| over the whole run as `width` bars, the largest in each part, and the mark's place."""
    end = max(story.end, 1)
    tops = [0] * width
    for stretch in story.stretches:
        first = stretch.first.start * width // end
        last = stretch.end * width // end
        for place in range(first, min(last, width - 1) + 1):
            tops[place] = max(tops[place], stretch.first.decoding)
    most = max([*tops, 1])
    bars = "".join(_BARS[-(-top * (len(_BARS) - 1) // most)] for top in tops)
    caret = None if story.mark is None else min(story.mark.start * width // end, width - 1)
    return bars, caret
