"""Test terms: a conformance run, or a counterexample with the right rules' run beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import attrs

from radproof.claims import CLAIMS, Claim
from radproof.errors import BadInput
from radproof.files.paths import sha256
from radproof.lean import literals, twin
from radproof.lean.definitions import claim_definition, lean_name
from radproof.lean.document import (
    Document,
    write_claim,
    write_deployment,
    write_run,
    write_setting,
)
from radproof.lean.errors import TooLarge
from radproof.lean.frame import Base
from radproof.lean.reached import FILLS, RIGHT, RUN
from radproof.lean.refutation import BREAKS, EVERY_PATH, given_of, refutation
from radproof.lean.stretches import Moment, events_of, every_event, fills_as_rad, stretches
from radproof.model import Deployment, Path
from radproof.schedulers import RuleScheduler


@attrs.frozen
class Subject:
    """What a test term is about."""

    path: Path
    deployment: Deployment
    scheduler: RuleScheduler
    title: str
    """The file's first line."""
    command: str
    """How to make the file again."""
    horizon: int | None = None
    """Microseconds, inclusive; None: to the end."""
    notes: tuple[str, ...] = ()
    """Lines below the title."""
    imports: bool = False
    """Whether the file imports the mirror instead of containing it; a file in stretches imports the
    proofs."""

    @property
    def config(self) -> twin.Config:
        """The twin's configuration."""
        return twin.Config.of(self.deployment, self.scheduler)

    def document(self, leaps: bool) -> Document:
        """A file with the title and the notes, among them how to make it again."""
        notes = [*self.notes, f"The path's SHA-256: {sha256(self.path)}"]
        if self.horizon is not None:
            notes.append(f"Horizon: {self.horizon} microseconds, inclusive.")
        notes.append(f"Never edit this file; make it again: {self.command}")
        base: Base = "proofs" if leaps else "mirror" if self.imports else "written out"
        return Document(self.title, notes, base)


def conformance(subject: Subject, claims: Iterable[Claim] = tuple(CLAIMS.values())) -> Document:
    """A run event by event, and the truth of each claim on each of its iterations.

    Raises NotInLean where a rule or a claim is not plain arithmetic, TooLarge beyond the budget.
    """
    found, leaps = _moments(subject, lambda: _states(subject), "the run")
    document = _begin(subject, leaps)
    if leaps:
        document.say("The run in stretches: in each, one batch ends and starts again.")
    else:
        document.say("The run: the state after every event, and that the step gives it.")
    write_run(document, found, RUN)
    document.say(
        "What each claim asks of the path, and whether it holds of each iteration"
        + (" above." if leaps else ".")
    )
    for claim in claims:
        name = _introduce(document, claim)
        _state_given(document, claim, name, subject)
        write_claim(document, claim, name, _records(found), RUN, subject.deployment)
    return document


def counterexample(subject: Subject, claim: Claim, given: bool = True) -> Document:
    """The run up to the iteration that breaks the claim, and the right rules' run of the same path.

    `given` says whether the path must meet the claim's hypothesis. Raises BadInput where the claim
    does not fail; NotInLean and TooLarge as `conformance` does.
    """
    if claim.kind != "every iteration":
        raise BadInput(
            f"claim {claim.name} is of the kind {claim.kind!r}; a Lean counterexample is about "
            "one iteration. Take breaks out of the file to export the run itself."
        )
    if given and not all(claim.in_scope(s, subject.deployment) for s in subject.path):
        raise BadInput(
            f"the path is outside the given of claim {claim.name}, so it breaks nothing."
        )
    up_to = "the run up to the failure"
    found, leaps = _moments(subject, lambda: _up_to_failure(subject, claim), up_to)
    broken = len(_records(found)) - 1
    record = found[-1].state.last
    if record is None or claim.holds(record, subject.deployment):
        raise BadInput(
            f"claim {claim.name} holds in every iteration of this path, so the file breaks "
            "nothing. Is the scheduler in it the one that failed?"
        )
    document = _begin(subject, leaps)
    name = _introduce(document, claim)
    each = (
        "in each stretch one batch ends and starts again"
        if leaps
        else "the state after every event"
    )
    document.say(f"The run up to the failure: {each}.")
    write_run(document, found, RUN)
    document.say(f"Iteration {RUN.record(broken)} breaks {name}.")
    _state_given(document, claim, name, subject)
    document.state_that(BREAKS, f"{name} node {RUN.record(broken)}", "false")
    document.say(f"So {name} does not hold in every iteration.")
    family = EVERY_PATH if claim.given is None or not given else given_of(name)
    theorems = refutation(events_of(found), name, family)
    for theorem in theorems[-1:] if leaps else theorems:
        document.prove(theorem)
    if leaps:
        document.say("RAD's own run of this path is as long, and left out.")
    else:
        _contrast(document, claim, name, subject)
    return document


def _begin(subject: Subject, leaps: bool) -> Document:
    document = subject.document(leaps)
    document.say("The deployment, the rules and the path.")
    write_setting(document, subject.deployment, subject.scheduler, subject.path)
    if leaps:
        document.prove(FILLS)
    return document


def _moments(
    subject: Subject, states: Callable[[], Iterable[twin.State]], what: str
) -> tuple[list[Moment], bool]:
    """The states to write, and whether they are the ends of stretches: where events are too many.

    Raises TooLarge where even those are, or the rules fill a batch in another way than RAD's.
    """
    try:
        return every_event(states(), what), False
    except TooLarge:
        if not fills_as_rad(subject.scheduler):
            raise
    return stretches(subject.config, states(), what), True


def _records(found: list[Moment]) -> list[twin.Record]:
    return twin.records([moment.state for moment in found])


def _contrast(document: Document, claim: Claim, name: str, subject: Subject) -> None:
    """RAD's run of the same path, in every iteration of which the claim holds."""
    right = attrs.evolve(
        subject,
        scheduler=RuleScheduler(),
        deployment=attrs.evolve(subject.deployment, chunk=subject.deployment.b_lcm),
    )
    found = every_event(_states(right), "the right rules' run of the path")
    records = _records(found)
    if not all(claim.holds(record, right.deployment) for record in records):
        document.say("RAD's own run of this path breaks the claim too, so there is no contrast.")
        return
    document.say("The right rules' run of the same path, of which it holds in every iteration.")
    node = "node"
    if right.deployment != subject.deployment:
        node = "right_node"
        write_deployment(document, node, right.deployment)
    document.define(RIGHT.config, "Config", f"{{ deployment := {node}, rules := rad }}")
    write_run(document, found, RIGHT)
    write_claim(document, claim, name, records, RIGHT, right.deployment, node)


def _states(subject: Subject) -> Iterable[twin.State]:
    return twin.event_states(subject.config, subject.path, subject.horizon)


def _up_to_failure(subject: Subject, claim: Claim) -> Iterable[twin.State]:
    for state in _states(subject):
        yield state
        if state.last is not None and not claim.holds(state.last, subject.deployment):
            return


def _introduce(document: Document, claim: Claim) -> str:
    """The claim's Lean name; writes its definition, where the mirror has none."""
    name = lean_name(claim.name)
    if CLAIMS.get(name) is not claim:
        name = f"claim_{name}"
        document.add(claim_definition(attrs.evolve(claim, name=name)))
    return name


def _state_given(document: Document, claim: Claim, name: str, subject: Subject) -> None:
    if claim.given is not None:
        inside = all(claim.in_scope(session, subject.deployment) for session in subject.path)
        left = f"List.all path (given_{name} node)"
        document.state_that(f"given_{name}_path", left, literals.truth(inside))


def own_claims(claims: Iterable[Claim]) -> Mapping[str, Claim]:
    """The claims that the mirror does not have, by their names in an exported file."""
    return {
        f"claim_{lean_name(claim.name)}": claim
        for claim in claims
        if CLAIMS.get(lean_name(claim.name)) is not claim
    }
