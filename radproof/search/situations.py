"""The situations that a run reached: the "sometimes" conditions beside the claims.

A claim that holds on paths which never fill a decode batch says nothing about full decode batches.
So a search counts these situations, and a claim that did not meet all of them is *not evaluated*.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Mapping

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
"""The situations that no path of a family can reach, under RAD."""


def missing(family: Family, counts: Mapping[str, int]) -> list[str]:
    """The situations that a path of this family can reach, and none of those counted did."""
    return [name for name in SITUATIONS if name not in UNREACHABLE[family] and not counts.get(name)]


def reached(run: Run) -> frozenset[str]:
    """The names of the situations that this run reached."""
    return frozenset(itertools.chain(_by_batches(run), _by_times(run)))


def _by_batches(run: Run) -> Iterator[str]:
    """The situations that the batches show."""
    b_col = run.deployment.b_col
    prefilled = run.stretches.column("prefilled")
    if any(d > b_col for d in run.stretches.column("decoding")):
        yield "more than b_col decodes"
    decodes_alone = {
        decodes
        for decodes, prefill in zip(run.stretches.column("decoders"), prefilled, strict=True)
        if not prefill
    }
    if b_col in decodes_alone:
        yield "full decode batch"
    if any(0 < decodes < b_col for decodes in decodes_alone):
        yield "part-filled decode batch"
    switches = {(not p, not q) for p, q in itertools.pairwise(prefilled)}
    if (False, True) in switches:
        yield "prefill to decode"
    if (True, False) in switches:
        yield "decode to prefill"


def _came_to(run: Run, arrive: int) -> bool:
    """Whether the run came to this arrival; one that was cut, by the end of its last iteration."""
    if not run.whole:
        return bool(run.stretches) and arrive <= run.end
    return run.horizon is None or arrive <= run.horizon


def _by_times(run: Run) -> Iterator[str]:
    """The situations that the sessions and the times of the iterations show."""
    starts, counts, durations = map(run.stretches.column, ("start", "count", "duration"))
    ends = [s + c * d for s, c, d in zip(starts, counts, durations, strict=True)]
    if any(start > end for start, end in zip(starts[1:], ends, strict=False)):
        yield "idle gap"
    arrived = [session for session in run.path if _came_to(run, session.arrive)]
    instants = {session.arrive for session in arrived}
    if len(instants) < len(arrived):
        yield "tie"
    if any(not session.prompt for session in arrived):
        yield "empty prompt"

    def ends_one(arrive: int) -> bool:
        # the last stretch that starts before the arrival: does one of its iterations end then?
        place = bisect.bisect_left(starts, arrive) - 1
        inside = place >= 0 and arrive <= ends[place] and durations[place] > 0
        return inside and (arrive - starts[place]) % durations[place] == 0

    if any(map(ends_one, instants)):
        yield "arrival at an iteration's end"
