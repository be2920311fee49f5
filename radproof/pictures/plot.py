"""A run as a PNG: sessions, batches, decodes and slack over time. Needs matplotlib.

Importing this module does not import it; the extra ``plot`` installs it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from radproof.errors import BadInput
from radproof.pictures.story import Story, mode, slack_text
from radproof.runs import Stretch
from radproof.search.counterexample import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AROUND = 60
"""Iterations drawn on either side of the mark, if the run is longer than `WHOLE`."""

WHOLE = 400
"""The longest marked run, in iterations, that is drawn whole."""

_PREFILL, _DECODE, _STALLED = "#0072b2", "#e69f00", "#f6dfae"
_WAITING, _MARK = "#cfcfcf", "#a3246b"
_LABELLED = 40


def drawn(story: Story) -> bytes:
    """The PNG of a run: of the iterations around the mark, or of all of it.

    Raises BadInput if matplotlib is missing, or a number exceeds a float.
    """
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import EngFormatter, FuncFormatter, MaxNLocator
    except ImportError:
        raise BadInput("--png needs matplotlib: pip install 'radproof[plot]'.") from None
    if max([story.end, *(abs(s) for pair in story.slack for s in pair)]) > 1e300:
        raise BadInput("the run's numbers are too large for a PNG's axis: draw it with --html.")
    low, high = _span(story)
    shape = Figure(figsize=(12, 9), dpi=110, layout="constrained")
    axes = shape.subplots(4, 1, sharex=True, height_ratios=[3.2, 1.2, 1.2, 1])
    sessions, batches, decodes, slack = axes
    _sessions(sessions, story, low, high)
    _batches(batches, story, low, high)
    _decodes(decodes, story)
    _slack(slack, story)
    if story.mark is not None:
        at = float(story.mark.start)
        width = max(story.mark.end - story.mark.start, (high - low) / 500)
        for axis in axes:
            axis.axvspan(at, at + width, color=_MARK, alpha=0.18)
            axis.axvline(at, color=_MARK, linestyle="--", linewidth=1)
        title = f"{story.mark.label}, in iteration {story.mark.index:,}"
    else:
        title = ", ".join(f"{v.claim.name} {v.result.value}" for v in story.verdicts)
    subject = f"{story.scheduler.name}, {counted(len(story.run.path), 'session')}"
    shape.suptitle(f"{title}\n{subject}", fontsize=11, parse_math=False)
    slack.set_xlim(low, high)
    slack.set_xlabel("time")
    in_seconds = EngFormatter(unit="s")
    slack.xaxis.set_major_formatter(FuncFormatter(lambda time, _: in_seconds(time / 1e6)))
    slack.yaxis.set_major_formatter(EngFormatter())
    for axis in (batches, decodes):
        axis.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=True))
    stream = io.BytesIO()
    shape.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()


def _span(story: Story) -> tuple[float, float]:
    """The first and the last time in the picture, in microseconds."""
    if story.mark is None or story.run.iterations <= WHOLE:
        return 0.0, float(max(story.end, 1))
    middle = story.mark.index
    shown = list(story.records(middle - AROUND, middle + AROUND + 1))
    return float(shown[0][1].start), float(max(shown[-1][1].end, story.mark.end))


def _bars(axis: Axes, bars: Sequence[tuple[float, float, float, float]], **look: Any) -> None:
    """Rectangles of (bottom, top, start, stop) in one collection: a run has tens of thousands."""
    from matplotlib.collections import PolyCollection

    corners = [
        ((start, bottom), (stop, bottom), (stop, top), (start, top))
        for bottom, top, start, stop in bars
    ]
    axis.add_collection(PolyCollection(corners, **look))


def _sessions(axis: Axes, story: Story, low: float, high: float) -> None:
    lives = [
        life
        for life in story.lives
        if life.session.arrive <= high and (life.ended is None or life.ended >= low)
    ]
    few = len(lives) <= _LABELLED
    half = 0.4 if few else 0.5
    waiting, prefill, stalled, decode = [], [], [], []
    seen = [
        place
        for place, stretch in enumerate(story.stretches)
        if _extent(stretch)[0] <= high and _extent(stretch)[1] >= low
    ]
    for row, life in enumerate(lives):
        bottom, top = row - half, row + half
        ended = life.ended if life.ended is not None else story.end
        joined = life.joined if life.joined is not None else ended
        waiting.append((bottom, top, float(life.session.arrive), float(min(joined, ended))))
        prefill += [(bottom, top, *_extent(story.stretches[place])) for place, _ in life.chunks]
        if ended > joined:
            stalled.append((bottom, top, float(joined), float(ended)))
            if few:
                decode += [
                    (bottom, top, *_extent(story.stretches[place]))
                    for place in seen
                    if story.serves(place, life)
                ]
    kinds = [(waiting, _WAITING, "waiting", ".."), (prefill, _PREFILL, "prefill", "")]
    if few:
        kinds.append((stalled, _STALLED, "decode, not in the batch", ""))
        kinds.append((decode, _DECODE, "decode", "//"))
    else:
        kinds.append((stalled, _DECODE, "decode, in the batch or not", ""))
    for bars, colour, name, hatch in kinds:
        # many rows: an edge in the same colour keeps bars thinner than a pixel visible
        look = {"edgecolor": "#444444", "hatch": hatch} if few else {"edgecolor": colour}
        _bars(axis, bars, facecolor=colour, label=name, linewidth=0.5, **look)
    if few:
        axis.set_yticks(range(len(lives)), [f"session {life.number}" for life in lives], fontsize=7)
    else:
        axis.set_ylabel(f"{len(lives):,} sessions")
    axis.set_ylim(max(len(lives), 6) - 0.5, -0.5)
    axis.legend(loc="upper right", fontsize=8, ncols=4)


def _extent(stretch: Stretch) -> tuple[float, float]:
    """Start and end as floats: numpy rejects larger ints."""
    return float(stretch.first.start), float(stretch.end)


def _batches(axis: Axes, story: Story, low: float, high: float) -> None:
    b_col = story.run.deployment.b_col
    decode, prefill, most = [], [], b_col
    for stretch in story.stretches:
        start, stop = _extent(stretch)
        if start > high or stop < low:
            continue
        record = stretch.first
        decode.append((0, record.decoders, start, stop))
        prefill.append((record.decoders, record.tokens, start, stop))
        most = max(most, record.tokens)
    for bars, colour in ((prefill, _PREFILL), (decode, _DECODE)):
        _bars(axis, bars, facecolor=colour, linewidth=0, snap=False)
    axis.axhline(b_col, color="#444444", linestyle=":", linewidth=1)
    axis.set_ylim(0, most * 1.05)
    axis.set_ylabel(f"tokens of a batch\n(b_col {b_col:,})", fontsize=8)


def _decodes(axis: Axes, story: Story) -> None:
    times: list[float] = []
    counts: list[int] = []
    before: float | None = None
    for stretch in story.stretches:
        start, stop = _extent(stretch)
        if before is not None and before < start:
            times.append(before)
            counts.append(0)
        times.append(start)
        counts.append(stretch.first.decoding)
        before = stop
    if before is not None:
        times.append(before)
        counts.append(0)
    axis.step(times, counts, where="post", color="#222222", linewidth=1)
    for kind, colour in (("prefill", _PREFILL), ("decode", _DECODE), ("mixed", "#222222")):
        bars = [(-0.12, -0.02, *_extent(s)) for s in story.stretches if mode(s.first) == kind]
        _bars(
            axis,
            bars,
            facecolor=colour,
            linewidth=0,
            transform=axis.get_xaxis_transform(),
            clip_on=False,
        )
    axis.set_ylabel("|D|, and the mode", fontsize=8)
    axis.set_ylim(0, 1.1 * max([*counts, 1]))


def _slack(axis: Axes, story: Story) -> None:
    times: list[float] = []
    values: list[float] = []
    for stretch, (first, last) in zip(story.stretches, story.slack, strict=True):
        start, stop = _extent(stretch)
        times += [start, stop - float(stretch.duration), stop]
        values += [float(first), float(last), float(last)]
    axis.plot(times, values, color="#00694b", linewidth=1)
    axis.axhline(0, color="#444444", linestyle=":", linewidth=1)
    axis.set_ylabel("slack of\ntoken_rate", fontsize=8)
    axis.set_title(slack_text(), fontsize=8, loc="right")
