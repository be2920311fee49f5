"""Checking an emitted file without a Lean: read it, and compare it with a fresh Python run.

The file must contain the mirror unchanged. Every theorem is evaluated, with the file's own rules
and Lean's arithmetic; a theorem must reach every state; and a file that begins with a path must
agree with a run of that path by Python's rules.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from radproof.claims import Claim
from radproof.lean import twin
from radproof.lean.definitions import MODULE, claim_definition, mirror
from radproof.lean.errors import NotTheSame
from radproof.lean.export import RIGHT, Subject
from radproof.lean.interpret import Meaning
from radproof.lean.reader import FACTS_BEGIN, Expression, Source, parse_source
from radproof.model import Path


@attrs.frozen
class Reading:
    """What a file says."""

    path: Path | None
    """None: the file begins with a state."""
    states: tuple[twin.State, ...]
    """In order of the events."""
    right: tuple[twin.State, ...]
    """The states of the right rules' run, where the file has one."""
    truths: Mapping[str, bool]
    """The theorems about claims and invariants, by name: the truth that each states."""
    theorems: int


def read_back(text: str, where: str) -> Reading:
    """Read a file and check every theorem in it.

    Raises NotTheSame with the first theorem that is false, or the line that cannot be read.
    """
    source = parse_source(text, where)
    try:
        _check_mirror(source)
        meaning = Meaning(source)
        truths = {name: _check(meaning, name, *t) for name, t in source.theorems.items()}
        _check_reached(source, meaning)
    except NotTheSame as error:
        raise NotTheSame(f"{where}: {error}") from None
    path = meaning.values.get("path")
    states, right = _states(meaning)
    return Reading(
        path=None if path is None else tuple(path),
        states=states,
        right=right,
        truths={name: truth for name, truth in truths.items() if isinstance(truth, bool)},
        theorems=len(source.theorems),
    )


def _states(meaning: Meaning) -> tuple[tuple[twin.State, ...], tuple[twin.State, ...]]:
    """The states of the run, and those of the right rules' run."""
    states = [(n, v) for n, v in meaning.values.items() if isinstance(v, twin.State)]
    return (
        tuple(state for name, state in states if not name.startswith(RIGHT.prefix)),
        tuple(state for name, state in states if name.startswith(RIGHT.prefix)),
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
    for wanted, said in zip(fresh, reading.states, strict=False):
        if wanted != said:
            raise NotTheSame(f"{where}: a fresh run has {wanted} where the file has {said}.")
    return reading


def _check_mirror(source: Source) -> None:
    body = source.preamble
    if body.startswith(f"import {MODULE}\n"):
        return
    if not body.rstrip().endswith(mirror().strip()):
        raise NotTheSame("its mirror is not this version's; make the file again.")


def _check_claims(source: Source, claims: Mapping[str, Claim]) -> None:
    """Raises NotTheSame where a claim that the file defines is not the Python claim."""
    for name, claim in claims.items():
        fresh = claim_definition(attrs.evolve(claim, name=name))
        expected = parse_source(f"\n{FACTS_BEGIN}\n{fresh}").definitions
        for part, body in expected.items():
            if source.definitions.get(part) != body:
                raise NotTheSame(f"its claim {name} differs from the claim that it was made from.")


def _check(meaning: Meaning, name: str, left_text: Expression, right_text: Expression) -> object:
    left, right = meaning.of(left_text), meaning.of(right_text)
    if left == right:
        return right
    raise NotTheSame(f"theorem {name} is false: {_difference(left, right)}.")


def _difference(left: object, right: object) -> str:
    if not (isinstance(left, twin.State) and isinstance(right, twin.State)):
        return f"Python gives {left}, the file says {right}"
    parts = [
        f"{a.name}: Python gives {getattr(left, a.name)}, the file says {getattr(right, a.name)}"
        for a in attrs.fields(twin.State)
        if getattr(left, a.name) != getattr(right, a.name)
    ]
    return "; ".join(parts)


_MOVES = ("start", "step", "afterEvent")


def _check_reached(source: Source, meaning: Meaning) -> None:
    """Every state but the first of a file without a path is on the right of a start or a step."""
    facts = source.theorems.values()
    reached = {right[1] for left, right in facts if _applied(left) in _MOVES}
    states = [n for n, value in meaning.values.items() if isinstance(value, twin.State)]
    loose = [name for name in states if name not in reached]
    allowed = set() if "path" in meaning.values else set(states[:1])
    if set(loose) - allowed:
        raise NotTheSame(f"no theorem says how {loose[0]} is reached.")


def _applied(e: Expression) -> str:
    return str(e[1][1]) if e[0] == "apply" else ""
