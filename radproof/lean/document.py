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
from radproof.lean.frame import framed
from radproof.lean.twin import Record, State
from radproof.model import Deployment, Path
from radproof.schedulers import RuleScheduler


@attrs.define
class Document:
    """A Lean file in the making: definitions and theorems in order."""

    title: str
    notes: list[str] = attrs.field(factory=list)
    imports: bool = False
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

    def prove(self, name: str, statement: str, proof: str) -> None:
        """``theorem name : statement := proof``."""
        self._parts.append(f"theorem {name} : {statement} :=\n  {proof}")
        self.theorems += 1

    def text(self) -> str:
        """The whole file."""
        lines = [self.title, *self.notes, f"Made by: {made_by()}, mirror {MIRROR_VERSION}"]
        return framed(lines, "\n\n".join(self._parts), self.imports)


@attrs.frozen
class RunNames:
    """The names of the parts of one run; those of a file's second run have a prefix."""

    prefix: str = ""

    def state(self, place: int) -> str:
        """The state after event `place`; 0 is the start."""
        return f"{self.prefix}s{place}"

    def record(self, place: int) -> str:
        """The record of iteration `place`, from 0."""
        return f"{self.prefix}i{place}"

    def theorem(self, place: int) -> str:
        """The theorem about event `place`."""
        return f"{self.prefix}t_{place}"

    @property
    def config(self) -> str:
        """The configuration of the run."""
        return f"{self.prefix}config"


RIGHT = RunNames("right_")
"""The run of the right rules, beside a counterexample."""


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
    document: Document, found: list[State], names: RunNames, from_path: bool = True
) -> None:
    """The state after each event, the theorem that the step gives it, and each new record."""
    iteration = -1
    seen: Record | None = None
    for place, state in enumerate(found):
        if state.last is not None and state.last is not seen:
            iteration, seen = iteration + 1, state.last
            document.define(names.record(iteration), "Record", literals.record(state.last))
        last = None if state.last is None else names.record(iteration)
        document.define(names.state(place), "State", literals.state(state, last))
        name = names.state(place)
        if place:
            before = f"step {names.config} {names.state(place - 1)}"
            document.state_that(names.theorem(place), before, name)
            document.events += 1
        elif from_path:
            document.state_that(names.theorem(0), f"start {names.config} path", name)


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
