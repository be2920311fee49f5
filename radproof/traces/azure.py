"""Azure's traces of 2023 and 2024: TIMESTAMP,ContextTokens,GeneratedTokens.

Both years have one header; the stamps tell them apart. 2023 (AzureLLMInferenceTrace_{code,conv};
Patel et al., Splitwise, ISCA 2024): naive, seven fractional digits, CRLF line ends. 2024
(AzureLLMInferenceTrace_{code,conv}_1week; Stojkovic et al., DynamoLLM, HPCA 2025): a zone, and
six fractional digits or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from radproof.errors import BadInput
from radproof.traces.rows import Row, name_of, named_rows, natural

COLUMNS = ("TIMESTAMP", "ContextTokens", "GeneratedTokens")
_STAMP = re.compile(
    r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)


def year(text: str) -> str:
    """``azure 2023`` or ``azure 2024``: whether the first row's stamp has a zone."""
    lines = text.split("\n", 2)
    match = _STAMP.match(lines[1]) if len(lines) > 1 else None
    return "azure 2024" if match and match[3] else "azure 2023"


def azure_rows(text: str, header: list[str]) -> Iterator[Row]:
    """The rows of an Azure trace; stamps in microseconds since 1970 (naive ones as if in UTC).

    Raises BadInput, with the line, for a malformed stamp or one finer than a microsecond, for a
    length that is not a natural number, and where some stamps have a zone and others have none.
    """
    first: tuple[bool, str] | None = None
    for where, row in named_rows(text, header):
        stamp, zoned = _microseconds(row["TIMESTAMP"], where)
        first = first or (zoned, where)
        if zoned != first[0]:
            has = "a zone where {} has none" if zoned else "no zone where {} has one"
            raise BadInput(
                f"{where}: TIMESTAMP is {row['TIMESTAMP']!r}; it has {has.format(first[1])}, so "
                "the two cannot be put on one clock. Give all rows a zone, or none."
            )
        prompt, output = (natural(row[name], name, where) for name in COLUMNS[1:])
        yield Row(where, stamp, prompt, output, name_of(row))


def _microseconds(stamp: str, where: str) -> tuple[int, bool]:
    """Microseconds since 1970, and whether the stamp says its zone."""
    match = _STAMP.fullmatch(stamp)
    if match is None:
        raise BadInput(
            f"{where}: TIMESTAMP is {stamp[:60]!r}; it must read like "
            "2023-11-16 18:15:46.6805900 or 2024-05-10 00:00:00.009930+00:00."
        )
    try:
        moment = datetime.fromisoformat(match[1] + (match[3] or "+00:00"))
    except ValueError as error:
        raise BadInput(f"{where}: TIMESTAMP is {stamp!r}: {error}.") from None
    fraction = (match[2] or "").ljust(9, "0")
    if fraction[6:] != "000":
        raise BadInput(
            f"{where}: TIMESTAMP is {stamp!r}, finer than a microsecond; times are whole "
            "microseconds. Round it yourself."
        )
    seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // _SECOND
    return seconds * 1_000_000 + int(fraction[:6]), match[3] is not None


_SECOND = datetime(1970, 1, 1, 0, 0, 1) - datetime(1970, 1, 1)
