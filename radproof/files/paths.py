"""Path files: JSON with a schema, a bare JSON list of triples, or a CSV with a header.

A counterexample is a path file that also says what it breaks. An error names the row and the field
that is wrong; writing is atomic, so that an interrupted run leaves no partial file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from typing import Any, Literal

import attrs
from attrs.validators import optional

from radproof.errors import BadInput
from radproof.files.json import content, loads, structure, unstructure
from radproof.files.text import made_by, read_as, write_text
from radproof.model import Deployment, Path, Session, is_not_whole
from radproof.traces import FORMATS, csv_rows, read_trace

SCHEMA = "radproof.path/1"
FIELDS = ("arrive", "prompt", "output")


def _microseconds(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not int or value < 0:
        raise BadInput(f"{attribute.name} {is_not_whole(value, 0)}, in microseconds.")


def _whole_microseconds(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if type(value) is not int:  # negative where a faulty clock runs backwards
        raise BadInput(f"{attribute.name} is {value!r}; it must be whole microseconds.")


@attrs.frozen
class Breaks:
    """What a counterexample breaks: a claim, or the machine's checks of a scheduler."""

    kind: Literal["claim", "scheduler"]
    """``scheduler`` where the scheduler raised or returned an invalid batch."""

    name: str
    """The claim's name or module:name, or the kind of the scheduler's mistake."""

    first: int | None = attrs.field(default=None, validator=optional(_whole_microseconds))
    """The time of the first failure, microseconds."""

    given: bool = True
    """Whether the claim's hypothesis was demanded."""

    minimal: bool = False
    """Whether the path is 1-minimal."""


@attrs.frozen
class PathFile:
    """A path, and the optional fields of its file."""

    sessions: Path = attrs.field(repr=False)
    deployment: Deployment | None = None
    scheduler: str | None = None
    horizon: int | None = attrs.field(default=None, validator=optional(_microseconds))
    note: str | None = None
    breaks: Breaks | None = None


def canonical(path: Path) -> str:
    """The one text of a path: compact JSON of its triples, in session order."""
    return json.dumps([attrs.astuple(s) for s in path], separators=(",", ":"))


def sha256(path: Path) -> str:
    """The name of a path: the SHA-256 of its canonical text, in hexadecimal."""
    return hashlib.sha256(canonical(path).encode()).hexdigest()


def read(file: str | os.PathLike[str]) -> PathFile:
    """Read a path file or a trace. Raises BadInput with the file and the row or field."""
    return read_as(file, parse)


def parse(text: str) -> PathFile:
    """A path file from its text, in any of the formats."""
    head = text.lstrip()[:1]
    if not head:
        raise BadInput(
            "the file is empty. A path file is JSON "
            f'({{"schema": "{SCHEMA}", "sessions": [[arrive, prompt, output], ...]}}), '
            "a JSON list of triples, or a CSV with the header arrive,prompt,output."
        )
    trace = read_trace(text)
    if trace is not None:
        note = "; ".join((f"a trace, {trace.format}", *trace.notes))
        return PathFile(trace.sessions, note=note)
    if head in "{[":
        return _from_json(text)
    return PathFile(_from_csv(text, text.splitlines()[0].strip()))


def _from_csv(text: str, header: str) -> Path:
    if [name.strip() for name in header.split(",")] != list(FIELDS):
        raise BadInput(
            f"line 1 is {header[:60]!r}; a CSV path starts with the header arrive,prompt,output, "
            "and a trace with one of these: "
            + "; ".join(f"{known.name} {','.join(known.columns)}" for known in FORMATS)
            + "."
        )
    triples = []
    for line, row in csv_rows(text):
        if len(row) != 3:
            raise BadInput(f"{line} has {len(row)} fields, not 3 (arrive,prompt,output).")
        try:
            triples.append((line, [_number(value) for value in row]))
        except BadInput as error:
            raise BadInput(f"{line}: {error}.") from None
    return _sessions(triples)


def _number(text: str) -> Any:
    stripped = text.strip()
    sign = stripped[:1] in "+-"
    digits = stripped[sign:]
    try:
        return int(stripped) if digits.isascii() and digits.isdigit() else float(stripped)
    except ValueError as error:
        if "digits" in str(error):
            raise BadInput(f"a number cannot be read: {error}") from None
        return text


def _from_json(text: str) -> PathFile:
    data = loads(text, "a path file")
    if isinstance(data, list):
        return structure(PathFile, {"sessions": data})
    fields = content(data, SCHEMA)
    for name in ("path_sha256", "made_by"):  # for people; ignored here
        fields.pop(name, None)
    return structure(PathFile, fields)


def _sessions(rows: Iterable[tuple[str, list[Any]]]) -> Path:
    sessions = []
    for place, row in rows:
        try:
            sessions.append(Session(*row))
        except BadInput as error:
            raise BadInput(f"{place}: {error}.") from None
    return tuple(sessions)


def dump(found: PathFile) -> str:
    """The text of a path file, the same for the same content: one session a line."""
    beside = unstructure(found)
    data = {"schema": SCHEMA}
    for name in ("note", "breaks", "scheduler", "horizon", "deployment"):
        if name in beside:
            data[name] = beside[name]
    data["path_sha256"] = sha256(found.sessions)
    data["made_by"] = made_by()
    lines = json.dumps(data, indent=1, ensure_ascii=False)[:-2]
    rows = ",\n".join(f"  {json.dumps(row)}" for row in beside["sessions"])
    return (
        f'{lines},\n "sessions": [\n{rows}\n ]\n}}\n'
        if rows
        else f'{lines},\n "sessions": []\n}}\n'
    )


def write(file: str | os.PathLike[str], found: PathFile) -> None:
    """Write a path file, whole or not at all."""
    write_text(file, dump(found))
