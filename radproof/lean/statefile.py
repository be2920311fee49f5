"""State files, the CTIs that `radproof prove` saves: a state between two iterations.

What their test term states: the state, that the iteration which starts there is the one written
out, event by event to its end, and what each claim and each invariant is in each of these states.
Which laws the step breaks is `radproof prove`'s to say; Lean has the claims and the invariants.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from radproof.claims import CLAIMS
from radproof.errors import BadInput
from radproof.lean import literals, twin
from radproof.lean.budget import within_budget
from radproof.lean.cti import applied, holds
from radproof.lean.definitions import rule_form
from radproof.lean.document import Document, RunNames, write_run, write_setting
from radproof.lean.invariants import INVARIANTS
from radproof.model import Deployment, Session
from radproof.schedulers.loading import load

SCHEMA = "radproof.state/1"
BEFORE = "before"


def document(text: str, command: str, imports: bool = False) -> Document:
    """The test term of a state file's text. Raises BadInput, NotInLean, TooLarge."""
    try:
        data: dict[str, Any] = json.loads(text)
        deployment, state = Deployment(**data["deployment"]), _state(data)
    except KeyError as error:
        raise BadInput(f"field {error} is missing.") from None
    except (TypeError, ValueError, IndexError) as error:
        raise BadInput(f"the state file cannot be read: {error}") from None
    spec = data.get("scheduler") or "rad"
    scheduler = rule_form(load(spec).call, spec)
    config = twin.Config.of(deployment, scheduler)
    states = within_budget(_iteration(config, state), "the iteration")
    notes = [f"Lemma: {data['lemma']}", f"Scheduler: {spec}"]
    notes.append(f"Never edit this file; make it again: {command}")
    found = Document(f"A counterexample to induction: {data['lemma']} fails.", notes, imports)
    found.say("The deployment and the rules.")
    write_setting(found, deployment, scheduler, None)
    found.say("The state, no iteration running, and the one that starts there, event by event.")
    found.define(BEFORE, "State", literals.state(state, None))
    write_run(found, states, RunNames(), from_path=False)
    found.state_that(RunNames().theorem(0), f"afterEvent config {BEFORE}", RunNames().state(0))
    found.say("What the invariants and the claims are in each of these states.")
    named = [(BEFORE, state), *((RunNames().state(k), s) for k, s in enumerate(states))]
    for name in (*INVARIANTS, *CLAIMS):
        for where, at in named:
            truth = literals.truth(holds(config, name, at))
            found.state_that(f"{name}_{where}", applied(name, "config", where), truth)
    return found


def _iteration(config: twin.Config, state: twin.State) -> Iterator[twin.State]:
    """The iteration that starts in the state, to its end; where none starts, one event."""
    now = twin.after_event(config, state)
    yield now
    end = now.iter_end
    while not twin.over(now):
        now = twin.step(config, now)
        yield now
        if end is None or (now.now == end and now.iter_end != end):
            return


def _state(data: dict[str, Any]) -> twin.State:
    path = [Session(*triple) for triple in data["sessions"]]
    jobs = [
        twin.Job(number, path[number], phase == "decode", done)
        for number, phase, done in data["jobs"]
    ]
    pending = [twin.Arrival(number, path[number]) for number in data["pending"]]
    return twin.State(
        now=data["now"],
        pending=tuple(pending),
        jobs=tuple(jobs),
        iter=(),
        iter_end=None,
        served=data["served"],
        last=None,
        ended=(),
    )
