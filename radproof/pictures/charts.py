"""The numbers that page.js draws: the story as columns of ints that a browser holds exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from radproof.model import DEPLOYMENT_NAMES
from radproof.pictures.story import Life, Story, readable
from radproof.runs import Stretch

MOST_STRETCHES = 100_000
"""Stretches in one page, those nearest to the mark: some 3 MB, drawn without delay."""

MOST_CHOSEN = 200_000
"""Sessions named in a page as members of batches that took only some decodes, nearest first."""

_EXACT = 2**53
"""A browser's numbers are exact below this."""


def charts(story: Story) -> tuple[dict[str, Any], list[str]]:
    """The numbers that page.js draws, and what was left out, in words.

    Times and counts that a browser cannot hold exactly are divided by a power of ten, whose
    exponent is in `unit`; the page writes it beside them.
    """
    low, high, cut = _kept(story)
    stretches = story.stretches[low:high]
    slack = story.slack[low:high]
    unit = {
        "time": unit_of([story.end]),
        "tokens": unit_of([s.first.served + s.first.tokens * s.count for s in stretches[-1:]]),
        "iterations": unit_of([story.run.iterations]),
        "slack": unit_of([abs(spare) for pair in slack for spare in pair]),
    }
    chosen, some_left = _chosen(story, low, high)
    if some_left:
        cut.append(
            "which decodes a batch took and which it left is shown only near the mark, to "
            "limit the page's size"
        )
    data = {
        "unit": {name: len(str(value)) - 1 for name, value in unit.items()},
        "deployment": {name: getattr(story.run.deployment, name) for name in DEPLOYMENT_NAMES},
        "end": story.end // unit["time"],
        "mark": _mark(story, unit),
        "origin": stretches[0].first.start // unit["time"] if stretches else 0,
        "first": story.first_of(low) // unit["iterations"] if stretches else 0,
        "served": stretches[0].first.served // unit["tokens"] if stretches else 0,
        "stretches": _stretches(stretches, slack, unit),
        "lives": _lives(story.lives, unit["time"]),
        "prefills": [
            number
            for life in story.lives
            for place, tokens in life.chunks
            if low <= place < high
            for number in (place - low, life.number, tokens)
        ],
        "chosen": chosen,
    }
    return data, cut


def _mark(story: Story, unit: Mapping[str, int]) -> dict[str, Any] | None:
    mark = story.mark
    if mark is None:
        return None
    return {
        "index": mark.index // unit["iterations"],
        "start": mark.start // unit["time"],
        "end": mark.end // unit["time"],
        "text": f"iteration {readable(mark.index)}: {mark.label}",
    }


def _stretches(
    stretches: Sequence[Stretch], slack: Sequence[tuple[int, int]], unit: Mapping[str, int]
) -> dict[str, list[int]]:
    """A column for each number of a stretch; `gap` is the time since the stretch before ended."""
    starts = [s.first.start for s in stretches]
    ends = [s.end for s in stretches]
    gaps = [start - before for start, before in zip(starts, [*starts[:1], *ends], strict=False)]
    records = [s.first for s in stretches]
    return {
        "gap": [gap // unit["time"] for gap in gaps],
        "length": [s.count * s.duration // unit["time"] for s in stretches],
        "count": [max(1, s.count // unit["iterations"]) for s in stretches],
        "tokens": [r.tokens for r in records],
        "prefilled": [r.prefilled for r in records],
        "decoders": [r.decoders for r in records],
        "decoding": [r.decoding for r in records],
        "residents": [r.residents for r in records],
        "slack": [first // unit["slack"] for first, _ in slack],
        "slack_last": [last // unit["slack"] for _, last in slack],
    }


def _lives(lives: Sequence[Life], unit: int) -> dict[str, list[int | None]]:
    """A column for each number of a session; times in `unit` microseconds."""

    def times(values: Iterable[int | None]) -> list[int | None]:
        return [None if value is None else value // unit for value in values]

    return {
        "number": [life.number for life in lives],
        "arrive": times(life.session.arrive for life in lives),
        "first": times(life.first for life in lives),
        "joined": times(life.joined for life in lives),
        "ended": times(life.ended for life in lives),
        "prompt": [life.session.prompt for life in lives],
        "output": [life.session.output for life in lives],
    }


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


def unit_of(values: Iterable[int]) -> int:
    """The power of ten by which the largest of these must be divided to stay exact."""
    largest = max(values, default=0)
    if largest < _EXACT:
        return 1
    unit = 1
    while largest // unit >= 10**15:
        unit *= 10
    return unit
