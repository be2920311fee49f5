"""Checking an emitted file without a Lean: read it, evaluate it, compare it with a Python run.

The file must be as radproof writes it, from the first byte to the last. Every theorem is evaluated
by the mirror's own text (`interpret.py`), with the file's rules; a theorem must reach every state;
and a file that begins with a path must agree with a run of that path by Python's rules. A proof
that is a term is not evaluated: it must be the one that radproof writes about these theorems.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from radproof.claims import CLAIMS, Claim
from radproof.lean import twin
from radproof.lean.budget import within_budget
from radproof.lean.content import Source
from radproof.lean.core import Meaningless
from radproof.lean.definitions import claim_definition
from radproof.lean.errors import NotTheSame, TooLarge
from radproof.lean.export import Subject
from radproof.lean.frame import facts_of
from radproof.lean.interpret import Program, leaping, machine
from radproof.lean.leaping import leap
from radproof.lean.reached import RIGHT, RUN, leapt
from radproof.lean.reader import (
    Command,
    Definition,
    Expression,
    TermProof,
    Theorem,
    Type,
    applied,
    commands,
)
from radproof.lean.refutation import CORE, check_proof, check_refuted, check_words, moves
from radproof.lean.state_invariants import INVARIANTS
from radproof.lean.stretches import FILLING
from radproof.lean.tokens import Unreadable
from radproof.lean.values import check_type, to_python
from radproof.model import Path

_NAT, _BOOL, _STATE = ("Nat",), ("Bool",), ("State",)
_LITERALS = {"alike", "chains", "numbersFrom", "arrivalsFrom", "jobsFrom", "entriesFrom"}
_LITERALS |= {"Session.mk", "Arrival.mk", "Job.mk", "Entry.mk", "true", "false", "none", "some"}
_ARITHMETIC = {"true", "false", "cond", "Nat.ble", "Nat.beq"}
_ARITHMETIC |= {"same", "minimum", "maximum", "sortBy", "rad"}
_TAKEN: Mapping[Type, set[str]] = {
    ("Deployment",): _LITERALS,
    ("List", ("Session",)): _LITERALS,
    ("Record",): _LITERALS,
    _STATE: _LITERALS,
    ("Rules",): _ARITHMETIC,
    ("Config",): {"rad"},
    _BOOL: _ARITHMETIC,
}
"""For each type of a file's definitions, the mirror's functions that one may use."""

_MOVES = ("start", "step", "afterEvent")
_CLAIM_OF = ("Record",), ("Session",)


@attrs.frozen
class Reading:
    """What a file says."""

    path: Path | None
    """None: the file begins with a state."""
    states: tuple[twin.State, ...]
    """In order of the events."""
    events: tuple[int, ...]
    """The event before each of them; 0 is the start. Empty for a file without a path."""
    right: tuple[twin.State, ...]
    """The states of the right rules' run, where the file has one."""
    truths: Mapping[str, bool]
    """The theorems about claims and invariants, by name: the truth that each states."""
    theorems: int


def parse_source(text: str) -> Source:
    """Read a whole file. Raises Unreadable at the first line that is not of the fragment."""
    facts = facts_of(text)
    source = Source(leaps=facts.base == "proofs")
    for command in commands(facts.text, facts.line):
        _check_form(command, source)
        if command.name in {*source.definitions, *source.theorems, *source.proofs}:
            raise Unreadable(command.line, f"{command.name} is defined twice")
        if isinstance(command, Theorem):
            source.theorems[command.name] = command
        elif isinstance(command, Definition):
            source.definitions[command.name] = command
        elif isinstance(command, TermProof):
            source.proofs[command.name] = command
    check_refuted(source)
    return source


def read_back(text: str, where: str, mirror: Program | None = None) -> Reading:
    """Read a file and check every theorem in it, by the mirror's text or another program's.

    Raises NotTheSame with the line that cannot be read, or the first theorem that is false.
    """
    try:
        return evaluate(parse_source(text), mirror or machine())
    except Unreadable as error:
        raise NotTheSame(
            f"{where}, {error}. The reader knows only what radproof writes; write the file again "
            "with `radproof lean export` or `radproof lean fixtures --bless`."
        ) from None
    except (NotTheSame, TooLarge) as error:
        raise NotTheSame(f"{where}: {error}") from None


def evaluate(source: Source, mirror: Program) -> Reading:
    """Evaluate what a file says. Raises NotTheSame as `read_back` does."""
    program = Program(base=leaping(mirror) if source.leaps else mirror)
    found: dict[str, Any] = {}
    for name, definition in source.definitions.items():
        program.add(definition)
        if not definition.parameters:
            with _on_line(definition):
                check_type(program, program.names[name], definition.type)
                if definition.type not in (("Rules",), ("Config",)):
                    found[name] = to_python(program.names[name])
    states = {name: value for name, value in found.items() if isinstance(value, twin.State)}
    within_budget(states.values(), "the file")
    truths = {}
    for name, theorem in source.theorems.items():
        if name in program.names:
            raise Unreadable(theorem.line, f"{name} is defined twice")
        right = _check(program, theorem)
        if isinstance(right, bool):
            truths[name] = right
    _check_reached(source, list(states))
    return Reading(
        path=found.get("path"),
        events=tuple(itertools.accumulate(moves(source))),
        states=tuple(s for name, s in states.items() if not _is_right(name)),
        right=tuple(s for name, s in states.items() if _is_right(name)),
        truths=truths,
        theorems=len(source.stated),
    )


def compare_with_run(
    text: str, where: str, subject: Subject, claims: Mapping[str, Claim]
) -> Reading:
    """Read a file back and compare it with a fresh run of its subject.

    `claims` are those that the file defines itself, by their Lean names. Raises NotTheSame as
    `read_back` does, and with the first difference.
    """
    reading = read_back(text, where)
    _check_claims(parse_source(text), claims)
    if reading.path != subject.path:
        raise NotTheSame(f"{where}: its path is not the expected one.")
    fresh = twin.event_states(subject.config, subject.path, subject.horizon)
    written = dict(zip(reading.events, reading.states, strict=False))
    for event, wanted in enumerate(fresh):
        if event > max(written):
            break
        if event in written and written[event] != wanted:
            said = written[event]
            raise NotTheSame(f"{where}: a fresh run has {wanted} where the file has {said}.")
    return reading


@contextmanager
def _on_line(command: Command) -> Iterator[None]:
    try:
        yield
    except (Meaningless, ValueError) as error:
        raise Unreadable(command.line, f"{command.name}: {error}") from None


def _check_form(command: Command, source: Source) -> None:
    """Raises Unreadable for a command that radproof does not write into the facts."""
    if command.name in CORE:
        raise Unreadable(command.line, f"{command.name} is a name of Lean's core")
    if isinstance(command, TermProof):
        check_proof(command, source)
        return
    if isinstance(command, Theorem):
        head = applied(command.left)
        if command.proof:
            _check_leap(command, source)
            return
        if head not in _stated(source):
            raise Unreadable(command.line, f"no theorem of radproof's is about {head or 'this'}")
        return
    if not isinstance(command, Definition) or command.body[0] == "equations":
        raise Unreadable(command.line, f"{command.name} is no definition that radproof writes")
    kinds = [kind for _, kind in command.parameters]
    claim = len(kinds) == 2 and kinds[0] == ("Deployment",) and kinds[1] in _CLAIM_OF
    if command.type not in _TAKEN or claim is not (command.type == _BOOL) or (kinds and not claim):
        raise Unreadable(command.line, f"{command.name} is of no type that radproof defines")
    own = {name for name, _ in command.parameters}
    for name in _names(command.body, own):
        if name not in _TAKEN[command.type] and name not in source.definitions:
            raise Unreadable(command.line, f"{command.name} may not use {name}, or not yet")


def _check_leap(command: Theorem, source: Source) -> None:
    """Raises Unreadable where it is not the leap from the latest state of the run."""
    place = len(moves(source))
    before = source.field(RUN.state(place - 1), "iterEnd") if place else None
    if not (
        source.leaps
        and applied(command.left) == "steps"
        and before is not None
        and applied(before) == "some"
        and before[2][0][0] == "number"
        and command.left[2][1][0] == "number"
    ):
        raise Unreadable(command.line, f"theorem {command.name} is not closed by rfl")
    if not _fills(source):
        raise Unreadable(command.line, f"{command.name}: its rules do not fill a batch as RAD's do")
    end, events = before[2][0][1], command.left[2][1][1]
    check_words(command.name, command.proof, [leapt(place, end, events).words])


def _fills(source: Source) -> bool:
    """Whether the rules of a file change none of those that FillsAsRad is about."""
    rules = source.field("config", "rules")
    if rules == ("name", "rad"):
        return True
    changed = source.definitions.get("changed")
    if rules != ("name", "changed") or changed is None or changed.body[0] != "structure":
        return False
    return changed.body[1] == "rad" and not set(FILLING) & set(changed.body[2])


def _is_right(name: str) -> bool:
    return name.startswith(RIGHT.prefix)


def _stated(source: Source) -> set[str]:
    """What a theorem may be about: a move, a claim, an invariant, the path, the deployment."""
    own = {name for name, found in source.definitions.items() if found.parameters}
    return {*_MOVES, *INVARIANTS, *CLAIMS, *own, "onLast", "List.all", "lcmOfTiles"}


def _names(e: Expression, own: set[str]) -> Iterator[str]:
    """The names of an expression that are neither its parameters nor a `fun`'s."""
    tag, *parts = e
    if tag == "name":
        if e[1].split(".")[0] not in own:
            yield e[1]
    elif tag == "fun":
        yield from _names(e[2], own | set(e[1]))
    elif tag == "structure":
        yield from [e[1]] if e[1] else []
        for part in e[2].values():
            yield from _names(part, own)
    elif tag == "match":
        yield "match"
    elif tag == "apply":
        for part in (e[1], *e[2]):
            yield from _names(part, own)
    elif tag == "list":
        for part in e[1]:
            yield from _names(part, own)
    elif tag != "number":
        for part in parts:
            yield from _names(part, own)


def _check_claims(source: Source, claims: Mapping[str, Claim]) -> None:
    """Raises NotTheSame where a claim that the file defines is not the Python claim."""
    for name, claim in claims.items():
        for expected in commands(claim_definition(attrs.evolve(claim, name=name))):
            found = source.definitions.get(expected.name)
            if found is None or attrs.evolve(found, line=expected.line) != expected:
                raise NotTheSame(f"its claim {name} differs from the claim that it was made from.")


def _check(program: Program, theorem: Theorem) -> object:
    """What both sides of a theorem are. Raises NotTheSame where they are not the same."""
    with _on_line(theorem):
        left = _leapt(program, theorem) if theorem.proof else program.value(theorem.left)
        right = program.value(theorem.right)
        kind = _BOOL if type(right) is bool else _NAT if type(right) is int else _STATE
        check_type(program, left, kind)
        check_type(program, right, kind)
        if left == right:
            return right
        difference = _difference(to_python(left), to_python(right))
    raise NotTheSame(f"theorem {theorem.name} is false: {difference}.")


def _leapt(program: Program, theorem: Theorem) -> Any:
    """The state that a leap comes to. Raises NotTheSame where one of its tests fails."""
    config, (_, events), before = theorem.left[2]
    try:
        return leap(program, program.value(config), program.value(before), events)
    except NotTheSame as error:
        raise NotTheSame(f"theorem {theorem.name} is false: {error}.") from None


def _difference(left: object, right: object) -> str:
    if not (isinstance(left, twin.State) and isinstance(right, twin.State)):
        return f"the mirror gives {left}, the file says {right}"
    given, said = attrs.asdict(left, recurse=False), attrs.asdict(right, recurse=False)
    parts = [
        f"{name}: the mirror gives {given[name]}, the file says {said[name]}"
        for name in given
        if given[name] != said[name]
    ]
    return "; ".join(parts)


def _check_reached(source: Source, states: list[str]) -> None:
    """Every state but the first of a file without a path is on the right of a start or a step."""
    facts = source.theorems.values()
    reached = {fact.right[1] for fact in facts if applied(fact.left) in (*_MOVES, "steps")}
    loose = [name for name in states if name not in reached]
    allowed = set() if "path" in source.definitions else set(states[:1])
    if set(loose) - allowed:
        raise NotTheSame(f"no theorem says how {loose[0]} is reached.")
