"""Path files: JSON with a schema, a bare JSON list of triples, or a CSV with a header.

A counterexample is a path file that also says what it breaks. Reading names the row and the field
of whatever is wrong; writing is atomic, so that an interrupted run leaves no half file.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.errors import BadInput, did_you_mean
from radproof.model import Deployment, Path, Session, is_not_whole
from radproof.traces import FORMATS, csv_rows, read_trace

SCHEMA = "radproof.path/1"
FIELDS = ("arrive", "prompt", "output")


def _one_of(*words: str) -> Any:
    def validate(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value not in words:
            raise BadInput(f"{attribute.name} is {value!r}; it must be {' or '.join(words)}.")

    return validate


def _is_text(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not isinstance(value, str):
        raise BadInput(f"{attribute.name} is {value!r}; it must be text.")


@attrs.frozen
class Breaks:
    """What a counterexample breaks: a claim (its name, or module:name), or the machine's checks.

    kind: ``claim``, or ``scheduler`` where the scheduler raised or returned nonsense; name: the
    claim, or the kind of mistake; first: the failing time; given: whether the claim's hypothesis
    was demanded; minimal: whether it is 1-minimal.
    """

    kind: str = attrs.field(validator=_one_of("claim", "scheduler"))
    name: str = attrs.field(validator=_is_text)
    first: int | None = None
    given: bool = True
    minimal: bool = False


@attrs.frozen
class PathFile:
    """A path, and what may stand beside it in a file."""

    sessions: Path = attrs.field(repr=False)
    deployment: Deployment | None = None
    scheduler: str | None = None
    horizon: int | None = None
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
    text = read_text(file)
    try:
        return parse(text)
    except BadInput as error:
        raise BadInput(f"{os.fspath(file)}: {error}") from None


def read_text(file: str | os.PathLike[str]) -> str:
    """The file's text. Raises BadInput where it is missing, a folder, unreadable or not text."""
    name = os.fspath(file)
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        folder = FilePath(file).parent
        names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
        near = difflib.get_close_matches(FilePath(file).name, names, n=1)
        hint = f" Did you mean {folder / near[0]}?" if near else ""
        raise BadInput(f"{name}: there is no such file.{hint}") from None
    except IsADirectoryError:
        raise BadInput(f"{name} is a folder; name a path file in it.") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{name}: byte {error.start} is not UTF-8 text; is it a path file?"
        ) from None
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from None


def parse(text: str) -> PathFile:
    """A path file from its text, whichever of the formats it is in."""
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
            "and a trace with its own: "
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
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise BadInput(
                f"line {error.lineno} column {error.colno}: more than one JSON value, and a path "
                "file is one. An engine's log is read by radproof trace."
            ) from None
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        raise BadInput(
            f"line {error.lineno} column {error.colno}: "
            + ("the JSON ends in the middle; the file is truncated. " if cut else f"{error.msg}. ")
            + "Write the file again from its source."
        ) from None
    except (ValueError, RecursionError) as error:  # a number of over 4,300 digits, deep nesting
        raise BadInput(f"the JSON cannot be read: {error}") from None
    if isinstance(data, list):
        return PathFile(_sessions((f"session {n}", row) for n, row in enumerate(data)))
    schema = data.get("schema")
    if schema != SCHEMA:
        raise BadInput(f'field "schema" is {schema!r}; this radproof reads {SCHEMA!r}.')
    known = {"schema", "path_sha256", "made_by"} | {a.name for a in attrs.fields(PathFile)}
    _no_other_fields(data, known, "the file")
    if not isinstance(data.get("sessions"), list):
        raise BadInput('field "sessions" is missing or no list; it holds [arrive, prompt, output].')
    for name in ("scheduler", "note"):
        said = data.get(name)
        if not isinstance(said, (str, type(None))):
            raise BadInput(f'field "{name}" is {said!r}; it must be text.')
        if said is not None and _is_half(said):
            raise BadInput(f'field "{name}" is {said!r}; it holds half a character (a surrogate).')
    horizon = data.get("horizon")
    if horizon is not None and (type(horizon) is not int or horizon < 0):
        raise BadInput(f'field "horizon" {is_not_whole(horizon, 0)}, in microseconds.')
    return PathFile(
        sessions=_sessions((f"session {n}", row) for n, row in enumerate(data["sessions"])),
        deployment=_record(data, "deployment", Deployment),
        scheduler=data.get("scheduler"),
        horizon=horizon,
        note=data.get("note"),
        breaks=_record(data, "breaks", Breaks),
    )


def _is_half(text: str) -> bool:
    """Whether it holds a lone surrogate, which no file and no terminal can be told."""
    return any(0xD800 <= ord(character) < 0xE000 for character in text)


def _record(data: dict[str, Any], name: str, cls: type[Any]) -> Any:
    """The optional field `name` of `data`, an object with the fields of `cls`."""
    fields = data.get(name)
    if fields is None:
        return None
    if not isinstance(fields, dict):
        raise BadInput(f'field "{name}" is {fields!r}; it must be an object.')
    _no_other_fields(fields, {a.name for a in attrs.fields(cls) if a.init}, f'field "{name}"')
    try:
        return cls(**fields)
    except (BadInput, TypeError) as error:
        raise BadInput(f'field "{name}": {error}') from None


def _no_other_fields(data: dict[str, Any], known: set[str], where: str) -> None:
    for name in data:
        if name not in known:
            raise BadInput(f"{where} has an unknown field {name!r}.{did_you_mean(name, known)}")


def _sessions(rows: Iterable[tuple[str, Any]]) -> Path:
    sessions = []
    for place, row in rows:
        if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != len(FIELDS):
            shown = repr(row)[:60]
            raise BadInput(f"{place} is {shown}; it must be three numbers: arrive, prompt, output.")
        try:
            sessions.append(Session(*row))
        except BadInput as error:
            raise BadInput(f"{place}: {error}.") from None
    return tuple(sessions)


def dump(found: PathFile) -> str:
    """The text of a path file, the same for the same content: one session a line."""
    from radproof import __version__

    data: dict[str, Any] = {"schema": SCHEMA}
    if found.note is not None:
        data["note"] = found.note
    if found.breaks is not None:
        data["breaks"] = attrs.asdict(found.breaks)
    if found.scheduler is not None:
        data["scheduler"] = found.scheduler
    if found.horizon is not None:
        data["horizon"] = found.horizon
    if found.deployment is not None:
        init = [a for a in attrs.fields(Deployment) if a.init]
        data["deployment"] = {a.name: getattr(found.deployment, a.name) for a in init}
    data["path_sha256"] = sha256(found.sessions)
    data["made_by"] = f"radproof {__version__}"
    lines = json.dumps(data, indent=1, ensure_ascii=False)[:-2]
    rows = ",\n".join(f"  {json.dumps(attrs.astuple(s))}" for s in found.sessions)
    return (
        f'{lines},\n "sessions": [\n{rows}\n ]\n}}\n'
        if rows
        else f'{lines},\n "sessions": []\n}}\n'
    )


def write(file: str | os.PathLike[str], found: PathFile) -> None:
    """Write a path file, whole or not at all."""
    write_text(file, dump(found))


def write_text(file: str | os.PathLike[str], text: str) -> None:
    """Write `text`, whole or not at all. Raises BadInput where the folder cannot be written."""
    write_bytes(file, text.encode("utf-8", "backslashreplace"))


def write_bytes(file: str | os.PathLike[str], content: bytes) -> None:
    """Write `content`, whole or not at all. Raises BadInput as `write_text` does."""
    target = FilePath(os.path.realpath(file))  # a link stays, and what it leads to is written
    temporary = None
    try:
        if target.exists() and not target.is_file():  # a pipe, a device
            target.write_bytes(content)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=target.parent,
            delete=False,
            prefix=f".{target.name}.",
        ) as stream:
            temporary = stream.name
            stream.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        raise BadInput(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
