"""A run as Chrome trace events, the JSON that ui.perfetto.dev and chrome://tracing open.

One process is the node, with a track of batches and counters beside it; another has a track for
each session. Source: the Trace Event Format (Google), its phases X, C, i and M.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from radproof.errors import BadInput
from radproof.pictures.story import Life, Story, fill, mode

NODE, SESSIONS = 1, 2
"""The two processes. Perfetto identifies a track by its number alone, in any process, so the node's
one track has its process's number, and the sessions' tracks follow."""

EACH = 20_000
"""The longest run, in iterations, with an event for each; a longer one has an event a stretch."""

MOST = 2**63 // 1000
"""Perfetto counts nanoseconds in 64 bits: no time beyond this, in microseconds."""


def events(story: Story) -> str:
    """The trace as JSON text, times in microseconds; one event a line, the same for one story.

    Raises BadInput if the run is longer than Perfetto's clock, 292 years.
    """
    if story.end >= MOST:
        raise BadInput(
            f"the run ends at {story.end:.3e} us, and Perfetto's clock ends at {MOST:.3e} us. "
            "Cut the path with --window or --limit, or draw it with --html."
            if story.end < 10**300
            else "the run is longer than Perfetto's clock. Cut the path with --window or --limit."
        )
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in _events(story))
    return f'{{"displayTimeUnit":"ms","traceEvents":[\n{lines}\n]}}\n'


def _events(story: Story) -> Iterator[dict[str, Any]]:
    yield _name("process_name", NODE, NODE, f"node: {story.scheduler.name}")
    yield _name("thread_name", NODE, NODE, "batches")
    yield _name("process_name", SESSIONS, SESSIONS, "sessions")
    yield from _batches(story)
    for life in story.lives:
        yield _name("thread_name", SESSIONS, _track(life), f"session {life.number}")
        yield from _life(story, life)
    if story.mark is not None:
        yield {
            "ph": "i", "name": f"iteration {story.mark.index}: {story.mark.label}", "s": "g",
            "pid": NODE, "tid": NODE, "ts": story.mark.start,
        }  # fmt: skip


def _batches(story: Story) -> Iterator[dict[str, Any]]:
    run = story.run
    marked = None if story.mark is None else story.mark.index
    before = None
    for place, stretch in enumerate(story.stretches):
        record, first = stretch.first, story.first_of(place)
        if before is not None and before < record.start:
            yield from _counters(before, 0, 0)
        before = stretch.end
        each = run.iterations <= EACH or (
            marked is not None and first <= marked < first + stretch.count and stretch.count <= EACH
        )
        for index in range(stretch.count if each else 1):
            there = stretch.record(index)
            spare = story.spare(there)
            yield _counter(there.start, "slack", "of token_rate", spare)
            yield {
                "ph": "X", "name": f"{mode(there)} {there.tokens}", "pid": NODE, "tid": NODE,
                "ts": there.start, "dur": stretch.duration * (1 if each else stretch.count),
                "args": {
                    "iteration": first + index,
                    "iterations": 1 if each else stretch.count,
                    "tokens": there.tokens,
                    "tile fill, %": round(100 * fill(there, run.deployment.b_col), 2),
                    "decode": there.decoders,
                    "prefill": there.prefilled,
                    "|D|": there.decoding,
                    "residents": there.residents,
                    "served before": str(there.served),
                    "slack": str(spare),
                },
            }  # fmt: skip
        if not each and stretch.count > 1:
            last = stretch.record(stretch.count - 1)
            yield _counter(last.start, "slack", "of token_rate", story.slack[place][1])
        yield from _counters(record.start, record.decoding, record.tokens)
    if before is not None:
        yield from _counters(before, 0, 0)


def _counters(at: int, decoding: int, tokens: int) -> Iterator[dict[str, Any]]:
    yield _counter(at, "|D|", "decodes in the job list", decoding)
    yield _counter(at, "batch", "tokens", tokens)


def _counter(at: int, name: str, what: str, value: int) -> dict[str, Any]:
    return {"ph": "C", "name": name, "pid": NODE, "ts": at, "args": {what: value}}


def _track(life: Life) -> int:
    return SESSIONS + 1 + life.number


def _life(story: Story, life: Life) -> Iterator[dict[str, Any]]:
    session, end = life.session, life.ended if life.ended is not None else story.end
    first = life.first if life.first is not None else (end if session.prompt else session.arrive)
    joined = life.joined if life.joined is not None else end
    about = {"prompt": session.prompt, "output": session.output, "ended": life.ended is not None}
    for name, start, stop in (
        ("waiting", session.arrive, first),
        ("prefill", first, joined),
        ("decode", joined, end),
    ):
        if stop > start:
            yield _slice(name, life, start, stop, about)
            if name == "prefill":
                for place, tokens in life.chunks:
                    stretch = story.stretches[place]
                    times = f" x {stretch.count}" if stretch.count > 1 else ""
                    yield _slice(
                        f"chunk {tokens}{times}",
                        life,
                        stretch.first.start,
                        stretch.end,
                        {"iteration": story.first_of(place)},
                    )


def _slice(name: str, life: Life, start: int, stop: int, args: dict[str, Any]) -> dict[str, Any]:
    return {
        "ph": "X", "name": name, "pid": SESSIONS, "tid": _track(life), "ts": start,
        "dur": stop - start, "args": args,
    }  # fmt: skip


def _name(kind: str, process: int, track: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": process, "tid": track, "args": {"name": name}}
