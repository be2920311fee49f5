"""What a run reached: the "sometimes" conditions that stand beside the claims.

A check that holds on paths which never fill a decode batch says nothing about full decode
batches. Every property carries these conditions, and one that did not witness them all is *not
evaluated*.
"""

from __future__ import annotations

import bisect

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


def reached(run: Run) -> frozenset[str]:
    """The names of the situations that this run reached."""
    found = set()
    b_col = run.deployment.b_col
    before = None
    for stretch in run.stretches:
        first = stretch.first
        if first.prefilled == 0:
            full = first.decoders == b_col
            found.add("full decode batch" if full else "part-filled decode batch")
        if first.decoding > b_col:
            found.add("more than b_col decodes")
        if before is not None:
            if before.first.prefilled > 0 and first.prefilled == 0:
                found.add("prefill to decode")
            if before.first.prefilled == 0 and first.prefilled > 0:
                found.add("decode to prefill")
            if first.start > before.first.end + (before.count - 1) * before.duration:
                found.add("idle gap")
        before = stretch
    arrivals = [
        session.arrive
        for session in run.path
        if run.horizon is None or session.arrive <= run.horizon
    ]
    if len(set(arrivals)) < len(arrivals):
        found.add("tie")
    if any(session.prompt == 0 for session in run.path):
        found.add("empty prompt")
    starts = [stretch.first.start for stretch in run.stretches]
    for arrive in set(arrivals):
        # the last stretch that starts before the arrival: does one of its iterations end then?
        place = bisect.bisect_left(starts, arrive) - 1
        if place >= 0:
            stretch = run.stretches[place]
            ends, rest = divmod(arrive - stretch.first.start, stretch.duration)
            if rest == 0 and ends <= stretch.count:
                found.add("arrival at an iteration's end")
                break
    return frozenset(found)
