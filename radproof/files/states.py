"""State files: a counterexample to induction, a state from which one move breaks what it must keep.

    {"schema": "radproof.state/2", "lemma": "rad_start[8]", "watch": ["optimal_tiling", "R5"],
     "scheduler": "rad", "deployment": {"b_col": 8, ...}, "sessions": [[0, 1, 1]],
     "now": 0, "served": 0, "jobs": [[0, "prefill", 0]], "pending": []}

The move is one step of the machine, which breaks a law that the file watches (`proof.audit`); or it
is one event, before which an invariant holds and after which an invariant or a claim fails
(`lean.cti_terms`). Only the second kind may have a batch that is running.
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
from radproof.files.text import read_text, write_text
from radproof.model import SCALARS, Deployment, Entry, Path, Phase, whole

SCHEMA = "radproof.state/2"
FORMER = "radproof.state/1"
"""The first kind as `radproof prove` saved it before both had one format; it is still read."""

REPLACED = "radproof.cti/1"
"""What the second kind had, in radproof's repository alone; it is no longer read."""


@as_row
@attrs.frozen
class JobRow:
    """A job in the list: the number of its session, its phase, the tokens of it that are done."""

    session: int
    phase: Phase
    done: int


as_row(Entry)


@attrs.frozen
class Running:
    """The batch that is running, and when it ends (microseconds)."""

    end: int
    entries: tuple[Entry, ...]


def _scalars(instance: Any, attribute: attrs.Attribute[Any], value: Mapping[str, int]) -> None:
    if set(value) != set(SCALARS):
        raise BadInput(f"{attribute.name} must have exactly: {', '.join(SCALARS)}")


@attrs.frozen
class StateFile:
    """A state and what is said of it.

    lemma: what it refutes; watch: the laws of `proof.audit` that a step from it may break, or
    assumes: the invariant that holds of it, and breaks: the invariant or claim that fails after
    one event, by their Lean names; scheduler: None is rad; given: whether the tiling claim's
    hypothesis is demanded; now: microseconds; served: tokens, those of the running batch too;
    jobs: in list order; pending: the sessions to come, in arrival order; last: the latest
    iteration's numbers; ended: whom the event before ended; reached: a path from time 0 on which a
    watched law breaks too, empty where none was found.

    Raises BadInput where a number is no natural number or names no session, or where the file is
    of both kinds.
    """

    lemma: str
    deployment: Deployment
    sessions: Path
    now: int = attrs.field(validator=whole(0))
    served: int = attrs.field(validator=whole(0))
    jobs: tuple[JobRow, ...]
    pending: tuple[int, ...]
    watch: tuple[str, ...] = ()
    assumes: str | None = None
    breaks: str | None = None
    scheduler: str | None = None
    given: bool = True
    running: Running | None = None
    last: Mapping[str, int] | None = attrs.field(default=None, validator=optional(_scalars))
    ended: tuple[int, ...] = ()
    reached: Path = ()
    note: str | None = None

    def __attrs_post_init__(self) -> None:
        running = () if self.running is None else self.running.entries
        self._check_sessions("jobs", (job.session for job in self.jobs))
        self._check_sessions("pending", self.pending)
        self._check_sessions("running", (entry.session for entry in running))
        self._check_sessions("ended", self.ended)
        if (self.assumes is None) != (self.breaks is None) or (self.watch and self.breaks):
            raise BadInput(
                'breaks stands beside "assumes" and without "watch": a file is about the laws of '
                "one step, or about what holds before and after one event"
            )
        if self.breaks is None and (self.running or self.last or self.ended):
            raise BadInput(
                'watch stands without "running", "last" and "ended": its laws are about a step '
                "between two iterations, where no batch runs"
            )

    def _check_sessions(self, field: str, named: Iterable[int]) -> None:
        for session in named:
            if session >= len(self.sessions):
                raise BadInput(f'{field} names session {session}, which "sessions" does not have')

    @property
    def title(self) -> str:
        """Its note, or what it is."""
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
    """Whether a file's text says that it is a state, of any version."""
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
    text = read_text(file)
    try:
        return parse(text)
    except BadInput as error:
        raise BadInput(f"{os.fspath(file)}: {error}") from None
