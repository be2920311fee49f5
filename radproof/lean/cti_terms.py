"""Counterexamples to induction as test terms: a state, and a move from it that breaks something.

A state is not a path: no theorem says that a run reaches it. Where its file is about one event, the
term states that an invariant holds before the event, that the event leads to the state after, and
that an invariant or a claim fails there; and, for contrast, that under the right rules the same
event from the same state keeps it. Where the file is about one step (what `radproof prove` saves),
the term has the iteration that starts in the state, event by event to its end, and the truth of
each claim and each invariant in each of these states. The laws that the step breaks are in
`proof.audit` alone; Lean has only the claims and the invariants.
"""

from __future__ import annotations

from collections.abc import Iterator

from radproof.claims import CLAIMS
from radproof.errors import BadInput
from radproof.files.states import StateFile
from radproof.lean import literals, twin
from radproof.lean.definitions import rule_form
from radproof.lean.document import Document, write_run, write_setting
from radproof.lean.reached import RIGHT, RunNames
from radproof.lean.state_invariants import INVARIANTS
from radproof.lean.stretches import every_event
from radproof.model import DECODE
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import load

BEFORE = "before"


def document(found: StateFile, command: str, imports: bool = False) -> Document:
    """The test term of a state. Raises BadInput where it breaks nothing, TooLarge, NotInLean."""
    name = found.scheduler or "rad"
    scheduler = rule_form(load(name))
    config = twin.Config.of(found.deployment, scheduler)
    source = "" if found.breaks is None else " (Bari.lean)"
    notes = [f"Lemma: {found.lemma}{source}", f"Scheduler: {name}"]
    notes.append(f"Never edit this file; make it again: {command}")
    text = Document(found.title, notes, "mirror" if imports else "written out")
    text.say("The deployment and the rules.")
    write_setting(text, found.deployment, scheduler, None)
    if found.assumes is None or found.breaks is None:
        _one_iteration(text, config, state_of(found))
    else:
        _one_event(text, config, state_of(found), found.assumes, found.breaks)
    return text


def event_report(found: StateFile, scheduler: RuleScheduler, name: str) -> tuple[str, bool]:
    """What ``radproof replay`` prints of a state and one event, and whether it is reproduced.

    Raises BadInput where the file names something that is neither an invariant nor a claim.
    """
    assert found.assumes is not None
    assert found.breaks is not None
    config = twin.Config.of(found.deployment, scheduler)
    before = state_of(found)
    after = twin.step(config, before)
    assumed, kept = holds(config, found.assumes, before), holds(config, found.breaks, after)
    lines = [
        f"{found.lemma} under {name}: one event from t = {before.now} with {len(before.jobs)} jobs",
        f"  {found.assumes} before the event: {_words(assumed)}",
        f"  {found.breaks} after it, at t = {after.now}: {_words(kept)}",
        "reproduced."
        if assumed and not kept
        else "not reproduced: not a counterexample to induction under these rules.",
    ]
    return "\n".join(lines), assumed and not kept


def _words(truth: bool) -> str:
    return "holds" if truth else "fails"


def state_of(found: StateFile) -> twin.State:
    """The state of a file, as a state of the mirror."""
    path = found.sessions
    running = () if found.running is None else found.running.entries
    return twin.State(
        now=found.now,
        pending=tuple(twin.Arrival(number, path[number]) for number in found.pending),
        jobs=tuple(
            twin.Job(job.session, path[job.session], job.phase is DECODE, job.done)
            for job in found.jobs
        ),
        iter=tuple(
            twin.Entry(entry.session, entry.phase is DECODE, entry.tokens) for entry in running
        ),
        iter_end=None if found.running is None else found.running.end,
        served=found.served,
        last=None if found.last is None else twin.Record(**found.last),
        ended=found.ended,
    )


def _one_event(
    text: Document, config: twin.Config, state: twin.State, assumes: str, breaks: str
) -> None:
    moments = every_event((state, twin.step(config, state)), "the CTI")
    states = [moment.state for moment in moments]
    _must(config, assumes, states[0], True, "before the event")
    _must(config, breaks, states[1], False, "after the event")
    text.say(f"A state of which {assumes} holds, and the state after one event.")
    write_run(text, moments, RunNames(), from_path=False)
    text.say(f"{assumes} holds before; {breaks} fails after.")
    text.state_that(BEFORE, applied(assumes, "config", "s0"), "true")
    text.state_that("after", applied(breaks, "config", "s1"), "false")
    _contrast(text, config, state, breaks)


def _contrast(text: Document, config: twin.Config, state: twin.State, breaks: str) -> None:
    """The same event from the same state under RAD's rules."""
    rad = twin.Config(config.deployment)
    right = twin.step(rad, state)
    if not holds(rad, breaks, right):
        text.say("Under RAD's rules the same state breaks too: the assumption is too weak.")
        return
    text.say("Under the right rules the same event from the same state keeps it.")
    text.define(RIGHT.config, "Config", "{ deployment := node, rules := rad }")
    last = None
    if right.last is not None:
        last = RIGHT.record(1)
        text.define(last, "Record", literals.record(right.last))
    text.define(RIGHT.state(1), "State", literals.state(right, last))
    text.state_that(RIGHT.theorem(1), f"step {RIGHT.config} s0", RIGHT.state(1))
    text.state_that("right_after", applied(breaks, RIGHT.config, RIGHT.state(1)), "true")


def _one_iteration(text: Document, config: twin.Config, state: twin.State) -> None:
    moments = every_event(_iteration(config, state), "the iteration")
    states = [moment.state for moment in moments]
    text.say("The state, no iteration running, and the one that starts there, event by event.")
    text.define(BEFORE, "State", literals.state(state, None))
    write_run(text, moments, RunNames(), from_path=False)
    text.state_that(RunNames().theorem(0), f"afterEvent config {BEFORE}", RunNames().state(0))
    text.say("What the invariants and the claims are in each of these states.")
    named = [(BEFORE, state), *((RunNames().state(k), s) for k, s in enumerate(states))]
    for name in (*INVARIANTS, *CLAIMS):
        for where, at in named:
            truth = literals.truth(holds(config, name, at))
            text.state_that(f"{name}_{where}", applied(name, "config", where), truth)


def _iteration(config: twin.Config, state: twin.State) -> Iterator[twin.State]:
    """The iteration that starts in the state, to its end; one event, where none starts."""
    now = twin.after_event(config, state)
    yield now
    end = now.iter_end
    while not twin.over(now):
        now = twin.step(config, now)
        yield now
        if end is None or (now.now == end and now.iter_end != end):
            return


def applied(name: str, config: str, state: str) -> str:
    """An invariant of a state, or a claim on its latest record, in Lean."""
    return f"{name} {config} {state}" if name in INVARIANTS else f"onLast {name} {config} {state}"


def holds(config: twin.Config, name: str, state: twin.State) -> bool:
    """The same in Python. Raises BadInput for a name that is neither."""
    if name in INVARIANTS:
        return INVARIANTS[name](config, state)
    if name in CLAIMS:
        claim = CLAIMS[name]
        return state.last is None or bool(claim.holds(state.last, config.deployment))
    raise BadInput(
        f"{name!r} is neither an invariant ({', '.join(INVARIANTS)}) nor a claim "
        f"({', '.join(CLAIMS)})."
    )


def _must(config: twin.Config, name: str, state: twin.State, truth: bool, when: str) -> None:
    if holds(config, name, state) is not truth:
        raise BadInput(
            f"{name} is {not truth} {when}, so this is not a counterexample to induction."
        )
