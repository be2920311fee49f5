"""Reading a log line by line, in constant memory, and saying where it is damaged."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from typing import Any

from radproof.errors import BadInput
from radproof.model import is_not_whole

LONGEST = 1 << 20
"""The most bytes of a line: logs have no longer ones, and one would not fit in constant memory."""


def text_lines(file: FilePath) -> Iterator[tuple[int, str]]:
    """(number from 1, text without its line end) of every line that is not blank.

    Raises BadInput for a file that cannot be read, and, with its number, for a line that is not
    UTF-8 text or is endless.
    """
    try:
        with file.open("rb") as stream:
            number = 0
            while line := stream.readline(LONGEST + 1):
                number += 1
                if len(line) > LONGEST:
                    raise bad(file, number, f"is longer than {LONGEST:,} bytes; is it a log?")
                try:
                    text = line.decode().strip()
                except UnicodeDecodeError as error:
                    raise bad(
                        file, number, f"is not UTF-8 text at byte {error.start}; it is damaged"
                    ) from None
                if text:
                    yield number, text.removeprefix("\ufeff")
    except OSError as error:
        what = (
            "is a folder; name a log in it"
            if file.is_dir()
            else f"cannot be read: {error.strerror}"
        )
        raise BadInput(f"{os.fspath(file)} {what}.") from None


def bad(file: FilePath, line: int, what: str) -> BadInput:
    """The error for one line: `what` follows on "line 7"."""
    return BadInput(f"{os.fspath(file)}: line {line} {what}.")


def json_lines(
    file: FilePath, parse_float: Callable[[str], object] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, object) of every line; `parse_float` is that of `json.loads`.

    Raises BadInput for a line that is cut, or is not a JSON object.
    """
    for number, text in text_lines(file):
        try:
            found = json.loads(text, parse_float=parse_float)
        except (ValueError, RecursionError) as error:
            raise bad(
                file,
                number,
                f"is not JSON ({error}); it is cut or damaged. Remove it, or write the log again",
            ) from None
        if not isinstance(found, dict):
            raise bad(file, number, f"is {text[:60]!r}; it must be a JSON object")
        yield number, found


def whole_field(found: dict[str, Any], name: str, file: FilePath, line: int, least: int = 0) -> int:
    """A field that must be a whole number. Raises BadInput where it is anything else or missing."""
    value = found.get(name)
    if type(value) is not int or value < least:
        what = is_not_whole(value, least) if name in found else "is missing"
        raise bad(file, line, f'has a wrong field: "{name}" {what}')
    return value


def text_field(found: dict[str, Any], name: str, file: FilePath, line: int) -> str:
    """A field that must be text. Raises BadInput where it is anything else or missing."""
    value = found.get(name)
    if not isinstance(value, str):
        raise bad(file, line, f'has a wrong field: "{name}" is {value!r}; it must be text')
    return value


def in_order(file: FilePath, line: int, what: str, number: int, before: int | None) -> None:
    """Raises BadInput where `number` does not follow `before`: lines duplicated, moved or lost."""
    if before is None or number == before + 1:
        return
    if number == before:
        said = f"{what} {number} a second time; remove one of the two lines"
    elif number < before:
        said = (
            f"{what} {number} after {before}: lines are out of order, or the engine was started "
            "again here; sort them, or split the file"
        )
    else:
        said = f"{what} {number} after {before}: the lines between them are missing"
    raise bad(file, line, f"is {said}")
