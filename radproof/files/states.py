"""State files: a counterexample to induction, a state from which one move breaks what it must keep.

    {"schema": "radproof.state/2", "lemma": "rad_start[8]", "watch": ["optimal_tiling", "R5"],
     "scheduler": "rad", "deployment": {"b_col": 8, ...}, "sessions": [[0, 1, 1]],
     "now": 0, "served": 0, "jobs": [[0, "prefill", 0]], "pending": []}

The move is one step of the machine, which breaks a law that the file watches (`proof.audit`); or it
is one event, before which an invariant holds and after which an invariant or a claim fails
(`lean.cti_terms`). Only the second kind may have a running batch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import attrs
from attrs.validators import optional

from radproof.errors import BadInput
from radproof.files.json import as_row, content, loads, schema_of, structure, unstructure
from radproof.files.text import read_as, write_text
from radproof.model import SCALARS, Deployment, Entry, Path, Phase, whole

SCHEMA = "radproof.state/2"
FORMER = "radproof.state/1"
"""The schema of the first kind before both shared one; files of it are still read."""

REPLACED = "radproof.cti/1"
"""The earlier schema of the second kind, used only in radproof's repository; no longer read."""


@as_row
@attrs.frozen
class JobRow:
    """A job in the list: its session's number, its phase, and the tokens of the phase done."""

    session: int
    phase: Phase
    done: int


as_row(Entry)


@attrs.frozen
class Running:
    """The running batch, and when it ends (microseconds)."""

    end: int
    entries: tuple[Entry, ...]


def _scalars(instance: object, attribute: attrs.Attribute[Any], value: Mapping[str, int]) -> None:
    if set(value) != set(SCALARS):
        raise BadInput(f"{attribute.name} must have exactly: {', '.join(SCALARS)}")


@attrs.frozen
class StateFile:
    """A state, and the lemma that it refutes.

    Raises BadInput where a number is not a natural number or names an unknown session, or where
    the file is of both kinds.
    """

    lemma: str
    """The lemma that it refutes."""

    deployment: Deployment
    sessions: Path
    now: int = attrs.field(validator=whole(0))
    """Microseconds."""

    served: int = attrs.field(validator=whole(0))
    """Tokens so far, those of the running batch included."""

    jobs: tuple[JobRow, ...]
    """In list order."""

    pending: tuple[int, ...]
    """The sessions yet to arrive, in arrival order."""

    watch: tuple[str, ...] = ()
    """The laws of `proof.audit` that a step from the state may break."""

    assumes: str | None = None
    """The Lean name of the invariant that holds in the state."""

    breaks: str | None = None
    """The Lean name of the invariant or claim that fails after one event."""

    scheduler: str | None = None
    """None: rad."""

    given: bool = True
    """Whether the tiling claim's hypothesis is demanded."""

    running: Running | None = None
    last: Mapping[str, int] | None = attrs.field(default=None, validator=optional(_scalars))
    """The numbers of the latest iteration."""

    ended: tuple[int, ...] = ()
    """The sessions that the event before ended."""

    reached: Path = ()
    """A path from time 0 on which a watched law breaks too; empty where none was found."""

    note: str | None = None

    def __attrs_post_init__(self) -> None:
        self._check_sessions("jobs", (job.session for job in self.jobs))
        self._check_sessions("pending", self.pending)
        if self.running is not None:
            self._check_sessions("running", (entry.session for entry in self.running.entries))
        self._check_sessions("ended", self.ended)
        self._check_kind()

    def _check_kind(self) -> None:
        if (self.assumes is None) != (self.breaks is None) or (self.watch and self.breaks):
            raise BadInput(
                'breaks belongs with "assumes" and excludes "watch": a file is about the laws of '
                "one step, or about what holds before and after one event"
            )
        if self.breaks is None and (self.running or self.last or self.ended):
            raise BadInput(
                'watch excludes "running", "last" and "ended": its laws are about a step between '
                "two iterations, where no batch runs"
            )

    def _check_sessions(self, field: str, named: Iterable[int]) -> None:
        for session in named:
            if session >= len(self.sessions):
                raise BadInput(f'{field} names session {session}, which "sessions" does not have')

    @property
    def title(self) -> str:
        """Its note, or a sentence with the lemma's name."""
        return self.note or f"A counterexample to induction: {self.lemma} fails."


_ORDER = (
    *("note", "lemma", "watch", "assumes", "breaks", "given", "scheduler", "deployment"),
    *("sessions", "now", "served", "jobs", "pending", "running", "last", "ended", "reached"),
)


def dump(found: StateFile) -> str:
    """The text of a state file, the same for the same content: one field a line."""
    fields = unstructure(found)
    data = {"schema": SCHEMA} | {name: fields[name] for name in _ORDER if name in fields}
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write(file: str | os.PathLike[str], found: StateFile) -> None:
    """Write a state file, whole or not at all."""
    write_text(file, dump(found))


def is_state(text: str) -> bool:
    """Whether a file's text has the schema of a state, of any version."""
    schema = schema_of(text)
    return schema == REPLACED or str(schema).startswith("radproof.state/")


def parse(text: str) -> StateFile:
    """A state from its text. Raises BadInput with the field that is wrong."""
    data = loads(text)
    if isinstance(data, dict) and data.get("schema") == REPLACED:
        raise BadInput(
            f'field "schema" is {REPLACED!r}, which this radproof no longer reads. Write the state '
            f"as {SCHEMA!r}: docs/lean.md says how, under State files."
        )
    return structure(StateFile, content(data, SCHEMA, FORMER))


def read(file: str | os.PathLike[str]) -> StateFile:
    """Read a state file. Raises BadInput with the file and the field that is wrong."""
    return read_as(file, parse)
