"""What a run reached: the "sometimes" conditions that stand beside the claims.

A check that holds on paths which never fill a decode batch says nothing about full decode
batches. Every property carries these conditions, and one that did not witness them all is *not
evaluated*.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping

from radproof.claims import Family
from radproof.runs import Run

SITUATIONS = {
    "full decode batch": "a batch of b_col decodes",
    "part-filled decode batch": "a batch of fewer than b_col decodes and nothing else",
    "prefill to decode": "a batch without prefill after one with",
    "decode to prefill": "a batch with prefill after one without",
    "more than b_col decodes": "more decodes in the job list than a batch takes",
    "idle gap": "time between an iteration's end and the next one's start",
    "tie": "two sessions that arrive at the same instant",
    "arrival at an iteration's end": "a session that arrives exactly when an iteration ends",
    "empty prompt": "a session with a prompt of no tokens",
}

UNREACHABLE: dict[Family, tuple[str, ...]] = {
    "natural": (),
    "assumption3": (),
    "positive": ("more than b_col decodes", "empty prompt"),
}
"""The situations that no path of a family can be in, under RAD."""


def missing(family: Family, counts: Mapping[str, int]) -> list[str]:
    """The situations that none of the paths was in, of those that one of this family can be in."""
    return [name for name in SITUATIONS if name not in UNREACHABLE[family] and not counts.get(name)]


def reached(run: Run) -> frozenset[str]:
    """The names of the situations that this run reached."""
    found = set()
    b_col = run.deployment.b_col
    starts, counts, durations, prefilled, decoders, decoding = _columns(run)
    if any(d > b_col for d in decoding):
        found.add("more than b_col decodes")
    if any(d == b_col and not p for d, p in zip(decoders, prefilled, strict=True)):
        found.add("full decode batch")
    if any(0 < d < b_col and not p for d, p in zip(decoders, prefilled, strict=True)):
        found.add("part-filled decode batch")
    switches = {(not p, not q) for p, q in itertools.pairwise(prefilled)}
    if (False, True) in switches:
        found.add("prefill to decode")
    if (True, False) in switches:
        found.add("decode to prefill")
    ends = [s + c * d for s, c, d in zip(starts, counts, durations, strict=True)]
    if any(start > end for start, end in zip(starts[1:], ends, strict=False)):
        found.add("idle gap")
    arrivals = [
        session.arrive
        for session in run.path
        if run.horizon is None or session.arrive <= run.horizon
    ]
    instants = set(arrivals)
    if len(instants) < len(arrivals):
        found.add("tie")
    if any(not session.prompt for session in run.path):
        found.add("empty prompt")
    for arrive in instants:
        # the last stretch that starts before the arrival: does one of its iterations end then?
        place = bisect.bisect_left(starts, arrive) - 1
        inside = place >= 0 and arrive <= ends[place] and durations[place] > 0
        if inside and (arrive - starts[place]) % durations[place] == 0:
            found.add("arrival at an iteration's end")
            break
    return frozenset(found)


def _columns(run: Run) -> tuple[list[int], ...]:
    """start, count, duration, prefilled, decoders and decoding of every stretch."""
    names = ("start", "count", "duration", "prefilled", "decoders", "decoding")
    return tuple(run.stretches.column(name) for name in names)
