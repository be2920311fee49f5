"""One self-contained Lean file: the mirror, a path, a literal state for every event, the facts.

Each event has a theorem of its own: the elaborator takes seconds for ten events in one term and
minutes for twenty, but a fixed time for each event alone.
"""

from __future__ import annotations

import attrs

from radproof.claims import Claim
from radproof.files.text import made_by
from radproof.lean import literals
from radproof.lean.comments import heading
from radproof.lean.definitions import MIRROR_VERSION, rules_definition
from radproof.lean.frame import Base, framed
from radproof.lean.reached import Proved, RunNames, leapt, reached
from radproof.lean.stretches import Moment, events_of
from radproof.lean.twin import Record
from radproof.model import Deployment, Path
from radproof.schedulers import RuleScheduler


@attrs.define
class Document:
    """A Lean file in the making: definitions and theorems in order."""

    title: str
    notes: list[str] = attrs.field(factory=list)
    base: Base = "written out"
    events: int = 0
    theorems: int = 0
    _parts: list[str] = attrs.field(factory=list)

    def say(self, text: str) -> None:
        """A heading between the parts."""
        self._parts.append(heading(text))

    def define(self, name: str, kind: str, text: str) -> None:
        """``def name : kind := text``."""
        line = f"def {name} : {kind} := {text}"
        whole = line if "\n" not in line and len(line) <= literals.LINE_LENGTH else None
        self._parts.append(whole or f"def {name} : {kind} :=\n  {text}")

    def add(self, text: str) -> None:
        """A definition whose text is complete."""
        self._parts.append(text)

    def state_that(self, name: str, left: str, right: str) -> None:
        """``theorem name : left = right := rfl``."""
        self._parts.append(f"theorem {name} : {left} = {right} := rfl")
        self.theorems += 1

    def prove(self, theorem: Proved) -> None:
        """``theorem name : statement := proof``."""
        self._parts.append(f"theorem {theorem.name} : {theorem.statement} :=\n  {theorem.proof}")
        self.theorems += 1

    def text(self) -> str:
        """The whole file."""
        lines = [self.title, *self.notes, f"Made by: {made_by()}, mirror {MIRROR_VERSION}"]
        return framed(lines, "\n\n".join(self._parts), self.base)


def write_deployment(document: Document, name: str, deployment: Deployment) -> None:
    """The deployment, and that its b_lcm is the least common multiple of its tiles."""
    document.define(name, "Deployment", literals.deployment(deployment))
    document.state_that(f"{name}_bLcm", f"lcmOfTiles {name}", f"{name}.bLcm")


def write_setting(
    document: Document, deployment: Deployment, scheduler: RuleScheduler, path: Path | None
) -> None:
    """The deployment, the rules and the path."""
    write_deployment(document, "node", deployment)
    rules = "rad"
    if scheduler != RuleScheduler():
        rules = "changed"
        document.add(rules_definition(rules, scheduler))
    document.define("config", "Config", f"{{ deployment := node, rules := {rules} }}")
    if path is not None:
        document.define("path", "List Session", literals.path(path))


def write_run(
    document: Document, found: list[Moment], names: RunNames, from_path: bool = True
) -> None:
    """Each state, the theorem that the events before it give it, and each new record.

    In a file that stands on the proofs, each state is reached, and many events can be one theorem.
    """
    iteration = -1
    seen: Record | None = None
    for place, moment in enumerate(found):
        state = moment.state
        if state.last is not None and state.last is not seen:
            iteration, seen = iteration + 1, state.last
            document.define(names.record(iteration), "Record", literals.record(state.last))
        last = None if state.last is None else names.record(iteration)
        document.define(names.state(place), "State", literals.state(state, last))
        if place:
            _write_move(document, found[place - 1], moment, place, names)
        elif from_path:
            document.state_that(names.theorem(0), f"start {names.config} path", names.state(0))
        if document.base == "proofs":
            document.prove(reached(place, events_of(found)[place]))


def _write_move(
    document: Document, before: Moment, after: Moment, place: int, names: RunNames
) -> None:
    events = after.event - before.event
    document.events += events
    name, was, now = names.theorem(place), names.state(place - 1), names.state(place)
    if events == 1:
        document.state_that(name, f"step {names.config} {was}", now)
        return
    end = before.state.iter_end
    assert end is not None  # a stretch begins while an iteration runs
    document.prove(leapt(place, end, events))


def write_claim(
    document: Document,
    claim: Claim,
    lean_name: str,
    found: list[Record],
    names: RunNames,
    d: Deployment,
    node: str = "node",
) -> None:
    """Whether the claim holds of each record."""
    for place, record in enumerate(found):
        truth = literals.truth(bool(claim.holds(record, d)))
        theorem = f"{names.prefix}{lean_name}_{place}"
        document.state_that(theorem, f"{lean_name} {node} {names.record(place)}", truth)
