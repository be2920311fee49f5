"""Laws along a path: each looks at the ledger as an iteration starts, or at the end of the run."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable

from radproof.invariants import clock_identity, clock_work
from radproof.laws.along import Breach, Judgement
from radproof.laws.law import law
from radproof.laws.ledger import Ledger, Moment
from radproof.model import DECODE, PREFILL, Entry, Phase
from radproof.runs import Run

# any engine


@law(
    "engine",
    at="moment",
    source="the exact identity behind Theorem 1's rate",
    proved_by=("clock_identity",),
)
def clock(m: Moment) -> Judgement:
    """b_col start = b_col idle + (t_lin + t_nl b_col) served + t_lin (unfilled tokens)."""
    d, start, idle = m.ledger.deployment, m.record.start, m.ledger.idle
    if d.t_lin + d.t_nl == 0:
        return None  # a batch lasts 1 us whatever it holds
    if clock_identity(start, idle, m.served, m.waste, d):
        return True
    return Breach(
        lambda: (
            f"b_col x start is {d.b_col * start}, the work and the idle time "
            f"{clock_work(idle, m.served, m.waste, d)}"
        )
    )


@law("engine", at="moment", source="Exec.lean: served")
def served_recomputed(m: Moment) -> Judgement:
    """`served` is the sum of the batches before."""
    said = m.record.served
    if said == m.served:
        return True
    return Breach(lambda: f"served is {said}, the batches sum to {m.served}")


@law("engine", at="moment", source="semantics: job list; vLLM 52693")
def counts_recomputed(m: Moment) -> Judgement:
    """Residents and decoding are the arrivals, less those that have had their work."""
    first = m.ledger.stretch.first
    for what, said, is_so in (
        ("residents", first.residents, m.ledger.residents),
        ("decoding", first.decoding, len(m.ledger.decodes)),
    ):
        if said != is_so:
            return Breach(f"{what} is {said}; arrivals and batches leave {is_so}")
    return True


@law("engine", at="moment", source="law 7 of RAD on a path; vLLM PR 200")
def no_idling(m: Moment) -> Judgement:
    """An iteration starts at the end of the one before, or when the first work arrives."""
    start, due = m.record.start, m.due
    if due is None:
        return Breach(lambda: f"a batch starts at {start}, and no session has work left")
    if start == due:
        return True
    return Breach(lambda: f"work has waited since {due}; the batch starts at {start}")


@law(
    "engine",
    at="moment",
    source="law 6 of RAD on a path; TensorRT-LLM 1377; inference-sim INV-1",
)
def conservation(m: Moment) -> Judgement:
    """Each session gets exactly v_p + v_d tokens, and ends once, then.

    As an iteration starts: no session gets a token of a phase that it is not in, or more than it
    asked for.
    """
    for entry in m.ledger.strays:
        return _too_many(entry)
    for entry in m.ledger.batch:
        session = m.ledger.path[entry.session]
        asked = session.output if entry.phase is DECODE else session.prompt
        before, each = m.ledger.had(entry) or 0, entry.tokens
        if before + (m.low + m.size) * each <= asked:
            continue  # not even the last of these repetitions gives too many
        had = m.had(entry) or 0
        if m.low and had >= asked:
            return _too_many(entry)
        if had + each > asked:
            gets = before + (m.low + 1) * each
            return Breach(
                f"session {entry.session} gets {gets} {entry.phase} tokens; it asked for {asked}"
            )
    return True


def _too_many(entry: Entry) -> Breach:
    return Breach(f"session {entry.session} gets {entry.tokens} {entry.phase} tokens too many")


@conservation.at_end
def _ends(m: Ledger, run: Run) -> Judgement:
    """A session ends once, exactly when it has had prompt and output: asked of a whole run."""
    if not run.whole:
        return None  # it may have idled on, past the end of its last iteration
    late = float("inf") if run.horizon is None else run.horizon
    for number, said in enumerate(run.completions):
        due = m.ended.get(number)
        due = None if due is None or due > late else due
        if said == due:
            continue
        session = run.path[number]
        work = f"{session.prompt} + {session.output} tokens"
        had = f"has had its {work} at {due}" if due is not None else f"has not had its {work}"
        said_so = f"ends at {said}" if said is not None else "has not ended"
        return Breach(f"session {number} {had}, and {said_so}", first=said if due is None else due)
    return True if run.path else None


@law(
    "engine",
    at="moment",
    source="inference-sim INV-8; vllm-metal PR 200",
    faults=("stuck",),
)
def progress(m: Moment) -> Judgement:
    """Every run ends: all sessions, in no more iterations than tokens asked for.

    As an iteration starts: no more iterations than tokens asked for by those that have arrived.
    """
    asked = m.ledger.arrived_work
    if m.index < asked:
        return True
    return Breach(f"iteration {asked} starts, and only {asked} tokens were asked for")


@progress.at_end
def _all_end(m: Ledger, run: Run) -> Judgement:
    """A run that is not cut ends every session."""
    if not run.whole or run.horizon is not None or not run.path:
        return None
    open_ones = [n for n, time in enumerate(run.completions) if time is None]
    if not open_ones:
        return True
    return Breach(f"the run is over and session {open_ones[0]} has not ended", first=run.end)


@law("engine", at="end", source="vLLM PR 56238, 9998")
def lifecycle(m: Ledger, run: Run) -> Judgement:
    """Arrive <= first batch < first token <= end, for each session.

    A session that has not ended is checked up to its last event.
    """
    asked = False
    for number, session in enumerate(run.path):
        steps = (
            ("arrives", session.arrive),
            ("is first in a batch", m.started.get(number)),
            ("has its first token", m.first_token.get(number)),
            ("ends", run.completions[number]),
        )
        known = [(what, time) for what, time in steps if time is not None]
        asked = asked or len(known) > 1
        for (what, time), (then, later) in itertools.pairwise(known):
            if time > later:
                return Breach(
                    f"session {number} {what} at {time} and {then} at {later}", first=later
                )
    return True if asked else None


# RAD


def _in_order(m: Ledger, phase: Phase, queue: dict[int, int]) -> Judgement:
    chosen = [entry.session for entry in m.shares(phase)]
    if not chosen:
        return None
    wanted = list(itertools.islice(queue, len(chosen)))
    if chosen == wanted:
        return True
    place = next(k for k, s in enumerate(chosen) if k >= len(wanted) or s != wanted[k])
    if place >= len(wanted):
        return Breach(f"session {chosen[place]} is in the batch and has no {phase} to do")
    return Breach(
        f"session {chosen[place]} is served before session {wanted[place]}, which comes first"
    )


@law(
    "rad",
    at="moment",
    source="law 2 of RAD on a path",
    proved_by=("arrival_order", "serves_in_order"),
)
def prefill_order(m: Moment) -> Judgement:
    """Prompts start and finish in order of arrival, and are never interrupted.

    The prefills of a batch are the first that wait, in order of arrival.
    """
    return _in_order(m.ledger, PREFILL, m.ledger.prefills)


@law("rad", at="moment", source="Exec.lean: fillIter, list order")
def decode_order(m: Moment) -> Judgement:
    """The decodes of a batch are the first of those that decode.

    They stand in the order in which they began to decode.
    """
    return _in_order(m.ledger, DECODE, m.ledger.decodes)


@law(
    "rad",
    at="moment",
    source="law 2 of RAD on a path",
    proved_by=("one_part_filled",),
)
def one_partial(m: Moment) -> Judgement:
    """At most one prompt is partly prefilled.

    After every batch at most one is begun and not finished.
    """
    ledger = m.ledger
    prefills = ledger.shares(PREFILL)
    if not prefills or ledger.deployment.chunk < ledger.deployment.b_lcm:
        return None
    open_ones = set(ledger.partial)
    if len(open_ones | {entry.session for entry in prefills}) <= 1:
        return True
    for entry in prefills:
        done = m.had(entry) or 0
        left = ledger.path[entry.session].prompt - done - entry.tokens
        (open_ones.add if left > 0 else open_ones.discard)(entry.session)
    if len(open_ones) <= 1:
        return True
    return Breach(f"sessions {', '.join(map(str, sorted(open_ones)))} are all partly prefilled")


@law("rad", at="end", source="first in, first out")
def finish_order(m: Ledger, run: Run) -> Judgement:
    """Of sessions that ask for the same, the earlier one ends no later."""
    alike: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for number in sorted(range(len(run.path)), key=lambda n: run.path[n].arrive):
        session = run.path[number]
        alike[session.prompt, session.output].append(number)
    asked = False
    for numbers in alike.values():
        for one, other in itertools.pairwise(numbers):
            end, later = run.completions[one], run.completions[other]
            asked = asked or later is not None
            if later is not None and (end is None or end > later):
                return Breach(
                    f"session {other} ends at {later}, before session {one}, which asks for the "
                    "same and arrived no later",
                    first=later,
                )
    return True if asked else None


@law(
    "rad",
    at="moment",
    family="assumption3",
    source="law 3 of RAD on a path; vllm-tt-plugin 74",
    proved_by=("rad_batch", "rad_handle"),
)
def chunk_starts(m: Moment) -> Judgement:
    """A chunk of a prompt starts at a multiple of b_lcm."""
    tile = m.ledger.deployment.b_lcm
    prefills = m.ledger.shares(PREFILL)
    if not prefills or m.ledger.deployment.chunk < tile:
        return None
    starts = [(m.ledger.had(e) or 0) + m.low * e.tokens for e in prefills]
    # what is left of such a start by the tile comes round again, repetition after repetition
    on_tile = _on_tile(zip(starts, [entry.tokens for entry in prefills], strict=True), tile)
    at, every = on_tile or (m.size, 1)
    whole = max(0, -((at - m.size) // every))
    if whole == m.size:
        return True
    after = 0 if at else 1
    off = {e.session: start + after * e.tokens for e, start in zip(prefills, starts, strict=True)}
    session = next(session for session, start in off.items() if start % tile)
    return Breach(
        f"a chunk of session {session} starts at {off[session]}, off the tile of {tile}",
        after=after,
        failures=m.size - whole,
    )


def _on_tile(starts: Iterable[tuple[int, int]], tile: int) -> tuple[int, int] | None:
    """(a, n): in the repetitions a, a + n, a + 2n ... all of these start on a tile; None: in none.

    starts: where each starts in the first one, and how much further on in each one after it.
    """
    at, every = 0, 1
    for first, each in starts:
        # the k with: first + (at + k every) each is a multiple of the tile
        common = math.gcd(every * each, tile)
        rest = first + at * each
        if rest % common:
            return None
        turn = tile // common
        k = -rest // common * pow(every * each // common, -1, turn) % turn
        at, every = at + k * every, every * turn
    return at, every


@law(
    "rad",
    at="moment",
    family="positive",
    source="law 1 of RAD on a path; vLLM PR 1034, nano-vllm PR 271",
    proved_by=("decodes_fit", "one_part_filled"),
)
def active_bound(m: Moment) -> Judgement:
    """At most b_col jobs decode or have a prompt in flight."""
    ledger, d = m.ledger, m.ledger.deployment
    if d.chunk < d.b_lcm:
        return None
    decodes, begun = len(ledger.decodes), len(m.begun)
    if decodes + begun <= d.b_col:
        return True
    return Breach(f"{decodes} decodes and {begun} prompts are in flight, at most {d.b_col} allowed")


@law(
    "rad",
    at="moment",
    family="positive",
    source="law 5 of RAD on a path",
)
def prefill_run(m: Moment) -> Judgement:
    """A run of prefill batches is at most (b_col - D at its start) max(v_p) / b_lcm long.

    A prompt without an output leaves D as it was, and counts beside b_col.
    """
    ledger, d = m.ledger, m.ledger.deployment
    if not ledger.stretch.first.prefilled or d.chunk < d.b_lcm:
        return None
    longest = max(session.prompt for session in ledger.path)
    without_output = ledger.run_ended + sum(
        not ledger.path[entry.session].output for entry in ledger.shares(PREFILL)
    )
    most = max(0, d.b_col - ledger.run_decodes + without_output) * longest // d.b_lcm
    if m.prefill_run < most:
        return True
    return Breach(
        f"{most + 1} consecutive prefill batches, at most {most} allowed "
        f"({ledger.run_decodes} decodes at the start)"
    )
