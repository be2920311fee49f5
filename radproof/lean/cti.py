"""Counterexamples to induction: a state that an invariant allows, and one event that breaks it.

A CTI is a state, not a path: no theorem says that a run reaches it. What its file states is that
the invariant holds before, that one event leads to the state after, and that something broke
there; and, for contrast, that under the right rules the same event from the same state keeps it.
"""

from __future__ import annotations

import json
from typing import Any

import attrs

from radproof.claims import CLAIMS
from radproof.errors import BadInput
from radproof.lean import literals, twin
from radproof.lean.budget import within_budget
from radproof.lean.definitions import rule_form
from radproof.lean.document import Document, RunNames, write_run, write_setting
from radproof.lean.export import RIGHT
from radproof.lean.invariants import INVARIANTS
from radproof.model import Deployment, Session
from radproof.schedulers.loading import load

SCHEMA = "radproof.cti/1"


@attrs.frozen
class Cti:
    """A counterexample to induction.

    lemma: the obligation's name in Bari.lean; assumes: the invariant that holds of `state`;
    breaks: the invariant, or the claim, that fails after the event.
    """

    lemma: str
    assumes: str
    breaks: str
    scheduler: str
    deployment: Deployment
    state: twin.State
    note: str | None = None


def document(found: Cti, command: str, imports: bool = False) -> Document:
    """The test term of a CTI. Raises BadInput where nothing is broken, TooLarge, NotInLean."""
    scheduler = rule_form(load(found.scheduler).call, found.scheduler)
    config = twin.Config.of(found.deployment, scheduler)
    states = within_budget((found.state, twin.step(config, found.state)), "the CTI")
    _must(config, found.assumes, states[0], True, "before the event")
    _must(config, found.breaks, states[1], False, "after the event")
    title = found.note or f"A counterexample to induction: {found.lemma} fails."
    notes = [f"Lemma: {found.lemma} (Bari.lean)", f"Scheduler: {found.scheduler}"]
    notes.append(f"Never edit this file; make it again: {command}")
    text = Document(title, notes, imports)
    text.say("The deployment and the rules.")
    write_setting(text, found.deployment, scheduler, None)
    text.say(f"A state of which {found.assumes} holds, and the state after one event.")
    write_run(text, states, RunNames(), from_path=False)
    text.say(f"{found.assumes} holds before; {found.breaks} fails after.")
    text.state_that("before", applied(found.assumes, "config", "s0"), "true")
    text.state_that("after", applied(found.breaks, "config", "s1"), "false")
    _contrast(text, found)
    return text


def _contrast(text: Document, found: Cti) -> None:
    """The same event from the same state under RAD's rules."""
    config = twin.Config(found.deployment)
    right = twin.step(config, found.state)
    if not holds(config, found.breaks, right):
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
    text.state_that("right_after", applied(found.breaks, RIGHT.config, RIGHT.state(1)), "true")


def applied(name: str, config: str, state: str) -> str:
    """An invariant, or a claim on the latest record, of a state, in Lean."""
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
        raise BadInput(f"{name} is {not truth} {when}, so this is no counterexample to induction.")


def dump(found: Cti) -> str:
    """The JSON text of a CTI, the same for the same content."""
    data = attrs.asdict(found, recurse=False)
    state = attrs.asdict(found.state)
    init = [a.name for a in attrs.fields(Deployment) if a.init]
    data["deployment"] = {name: getattr(found.deployment, name) for name in init}
    return json.dumps({"schema": SCHEMA, **data, "state": state}, indent=1) + "\n"


def parse(text: str) -> Cti:
    """A CTI from its JSON text. Raises BadInput naming the field that is wrong."""
    data: dict[str, Any] = json.loads(text)
    data.pop("schema")
    try:
        data["deployment"] = Deployment(**data.get("deployment", {}))
        data["state"] = _state(data["state"])
        return Cti(**data)
    except KeyError as error:
        raise BadInput(f"the CTI has no field {error.args[0]!r}.") from None
    except (TypeError, ValueError) as error:
        raise BadInput(f"the CTI cannot be read: {error}") from None


def _state(data: dict[str, Any]) -> twin.State:
    def sessions(row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "session": Session(**row["session"])}

    return twin.State(
        **{
            **data,
            "pending": tuple(twin.Arrival(**sessions(row)) for row in data["pending"]),
            "jobs": tuple(twin.Job(**sessions(row)) for row in data["jobs"]),
            "iter": tuple(twin.Entry(**row) for row in data["iter"]),
            "last": None if data["last"] is None else twin.Record(**data["last"]),
            "ended": tuple(data["ended"]),
        }
    )
