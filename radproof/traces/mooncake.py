"""Mooncake's traces (Qin et al., FAST 2025): timestamp (ms), input_length, output_length.

As published they are JSON lines with the ids of 512-token prefix blocks; a CSV of the three
columns is read too. Stamps are quantised to about 3 s, up to 28 requests at once: the order
inside a stamp is only the file's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from radproof.errors import BadInput
from radproof.traces.rows import IDS, Row, named_rows, timed_rows

COLUMNS = ("timestamp", "input_length", "output_length")
_MILLISECOND = 1_000


def mooncake_rows(text: str, header: list[str]) -> Iterator[Row]:
    """The rows of the CSV form."""
    return timed_rows(named_rows(text, header), COLUMNS, unit=_MILLISECOND)


def is_mooncake_jsonl(text: str) -> bool:
    """Whether the first line is a JSON object with Mooncake's three fields."""
    try:
        first = json.loads(text.lstrip().split("\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and all(name in first for name in COLUMNS)


def mooncake_lines(text: str) -> Iterator[Row]:
    """The rows of the JSONL form.

    Raises BadInput, with the line, for one that is cut or is not such an object.
    """
    return timed_rows(_objects(text), COLUMNS, unit=_MILLISECOND)


def _objects(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """("line 2", value by column) of every line that is not blank."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:  # digits stay text, so that no float is made of them
            found = json.loads(line, parse_int=str, parse_float=str)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise BadInput(
                f"{where} is not a JSON object ({reason}); the line is cut or damaged. "
                "Write the file again from its source."
            ) from None
        if not isinstance(found, dict):
            raise BadInput(f"{where} is {line.strip()[:60]!r}; it must be a JSON object.")
        row = {name: _text(found, name, where) for name in COLUMNS}
        yield where, row | {n: str(found[n]) for n in IDS if found.get(n) is not None}


def _text(found: dict[str, object], name: str, where: str) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        shown = "missing" if name not in found else f"{value!r}"
        raise BadInput(f"{where}: {name} is {shown}; it must be a natural number.")
    return value
