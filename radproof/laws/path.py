"""Laws along a path: each looks at the ledger as an iteration starts, or at the end of the run."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable

from radproof.claims import Found
from radproof.invariants import clock_identity, clock_work
from radproof.laws.along import Breach, Judgement
from radproof.laws.law import law
from radproof.laws.ledger import Ledger, Moment
from radproof.model import DECODE, PREFILL, Deployment, Entry, Phase
from radproof.number import Num
from radproof.rules import RULES, Rules
from radproof.runs import Run
from radproof.schedulers.adapters import counted
from radproof.schedulers.declared import counts, limits_of, overtakes, rules_that_decide
from radproof.schedulers.protocol import Scheduler

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
    for entry in m.ledger.batch:
        session, had = m.ledger.path[entry.session], m.had(entry)
        asked = session.output if entry.phase is DECODE else session.prompt
        if had is None or had >= asked:
            return Breach(
                f"session {entry.session} gets {entry.tokens} {entry.phase} tokens too many"
            )
        if had + entry.tokens > asked:
            return _beyond(entry, had + entry.tokens, asked)
    return True


def _beyond(entry: Entry, gets: Num, asked: int) -> Breach:
    return Breach(
        lambda: f"session {entry.session} gets {gets} {entry.phase} tokens; it asked for {asked}"
    )


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


def _no_limits(scheduler: Scheduler, deployment: Deployment) -> str:
    if rules_that_decide(scheduler) or limits_of(scheduler, deployment):
        return ""
    return (
        "the scheduler declares no limits; a method limits(deployment) that returns "
        "radproof.Limits does, or in an engine's class the attributes budget and max_num_seqs"
    )


@law(
    "engine",
    at="moment",
    source="vLLM 49097, sendnn-inference 23",
    unless=_no_limits,
)
def work_conserving(m: Moment) -> Judgement:
    """A batch has the budget's tokens, or leaves out only whom the scheduler's limits keep out.

    A batch below the budget gives each resident its chunk, or what is left of its prompt. It may
    leave out the other phase, where the scheduler's batches are of one phase, and requests not yet
    begun, where max_num_seqs run. Of a scheduler in rule form the rules say whom it serves.
    """
    ledger = m.ledger
    allowed = _allowed(ledger)
    if allowed is None:
        return None
    budget, phases, rules = allowed
    if budget is not None and ledger.tokens >= budget:
        return True
    for entry in ledger.batch:
        had, prompt = m.had(entry), ledger.path[entry.session].prompt
        if had is None:
            continue
        decoding = entry.phase is DECODE
        left = rules.left(prompt, prompt if decoding else had)
        if entry.tokens < rules.want(decoding, left, ledger.deployment):
            return _too_few(entry, left, _of(ledger.tokens, budget))
    out = _kept_waiting(ledger, phases)
    if not out:
        return True
    running = len(ledger.running)
    slots = None if ledger.limits is None else ledger.limits.max_num_seqs
    return Breach(
        f"session {out[0]} waits, the batch has {_of(ledger.tokens, budget)} tokens, and "
        f"{_of(running, slots)} requests run"
    )


def _too_few(entry: Entry, left: Num, tokens: str) -> Breach:
    return Breach(
        lambda: (
            f"session {entry.session} gets {entry.tokens} of {left} tokens, and the batch has "
            f"{tokens} tokens"
        )
    )


def _of(number: int, most: Num | None) -> str:
    return f"{number}" if most is None else f"{number} of {most}"


def _allowed(m: Ledger) -> tuple[Num | None, list[Phase], Rules] | None:
    """The budget of this batch, the phases that it must serve, and the rules for what each wants.

    None where the scheduler does not say.
    """
    rules, limits, d = m.rules, m.limits, m.deployment
    if rules is not None:
        mode = rules.decode_mode(len(m.decodes), m.residents, d)
        served = [phase for phase in Phase if rules.serves(mode, phase is DECODE)]
        return rules.budget(mode, d), served, rules
    if limits is None:
        return None
    of = {entry.phase for entry in m.batch}
    served = [phase for phase in Phase if phase in of or not limits.one_phase]
    return limits.budget, served, RULES


def _kept_waiting(m: Ledger, phases: Iterable[Phase]) -> list[int]:
    """The residents of these phases that are not in the batch and for whom there is a slot."""
    served = {entry.session for entry in m.batch}
    out = [session for phase in phases for session in m.queue(phase) if session not in served]
    most = None if m.limits is None else m.limits.max_num_seqs
    if not out or most is None:
        return out
    running = m.running  # which a property makes afresh each time
    return out if len(running) < most else [session for session in out if session in running]


def _overtakes(scheduler: Scheduler, deployment: Deployment) -> str:
    reason = overtakes(scheduler, deployment)
    return f"the scheduler declares that its requests overtake: {reason}" if reason else ""


@law(
    "engine",
    at="moment",
    source="vLLM PR 1034, SGLang 32549",
    unless=_overtakes,
)
def no_starvation(m: Moment) -> Judgement:
    """While a session waits, at most r batches pass it, where r sessions are resident.

    A batch passes a session that waits if it serves one that arrived later and joined the same
    phase later. Batches of the other phase pass nobody: which phase goes first is the policy's.
    """
    ledger = m.ledger
    if ledger.overtakes or len(ledger.batch) >= ledger.residents:
        return None
    if not ledger.passes or m.passed <= ledger.residents:
        return True
    worst = max(ledger.passes, key=lambda session: ledger.passed.get(session, 0))
    return Breach(
        lambda: (
            f"session {worst} waits, and {m.passed} batches have served sessions that came after "
            f"it, with {ledger.residents} sessions resident; a policy that means to says why in an "
            "attribute overtakes"
        )
    )


def _no_count(scheduler: Scheduler, deployment: Deployment) -> str:
    if counts(scheduler, deployment):
        return ""
    return (
        "the scheduler has no count of its own that it offers; an engine's class does in an "
        "attribute left or computed, a mapping from request number to tokens"
    )


@law(
    "engine",
    at="run",
    source="vLLM: num_computed_tokens; TensorRT-LLM 1377",
    unless=_no_count,
)
def own_count(run: Run, deployment: Deployment) -> Found:
    """Before each batch, an engine's own count of a request's tokens is what it has been given."""
    found = counted(run.memory)
    if not found.off:
        return Found(checked=found.compared)
    index, record = next(
        ((n, record) for n, record in enumerate(run.records) if record.start == found.at),
        (None, None),  # the engine idled then
    )
    return Found(
        checked=found.compared,
        failures=found.off,
        first=found.at,
        index=index,
        record=record,
        reason=found.difference,
    )


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
    for entry in prefills:
        had = m.had(entry)
        if had is not None and had + entry.tokens < ledger.path[entry.session].prompt:
            open_ones.add(entry.session)
        else:
            open_ones.discard(entry.session)
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
    # where the chunk of each starts, and how much further on with each repetition
    starts = {
        entry.session: (had + m.low * entry.tokens, entry.tokens)
        for entry in prefills
        if (had := m.ledger.had(entry)) is not None
    }
    on_tile = _on_tile(starts.values(), tile)
    after, whole = 0, 0
    if on_tile is not None:
        at, every = on_tile
        after, whole = int(at == 0), -((at - m.size) // every)
    if whole == m.size:
        return True
    return Breach(lambda: _off_tile(starts, tile), after=after, failures=m.size - whole)


def _off_tile(starts: dict[int, tuple[int, int]], tile: int) -> str:
    session, start = next((s, first) for s, (first, _) in starts.items() if first % tile)
    return f"a chunk of session {session} starts at {start}, off the tile of {tile}"


def _on_tile(starts: Iterable[tuple[int, int]], tile: int) -> tuple[int, int] | None:
    """(a, n): in the repetitions a, a + n, a + 2n ... all of these start on a tile; None: in none.

    0 <= a < n: what is left of a start by the tile comes round again after n repetitions.

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
