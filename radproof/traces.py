"""Real arrivals: traces as paths, in whole microseconds from the first arrival.

Azure 2023 (AzurePublicDataset, AzureLLMInferenceTrace_{code,conv}.csv; Patel et al., Splitwise,
ISCA 2024): naive stamps with seven fractional digits, CRLF line ends.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import attrs

from radproof.errors import BadInput
from radproof.model import Deployment, Path, Session

AZURE_HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?")


def is_azure(header: str) -> bool:
    """Whether a CSV's first line is that of the Azure traces."""
    return header == AZURE_HEADER


def csv_rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """("line 2", fields) of every row after the header; empty lines are passed over.

    Raises BadInput for what is no CSV.
    """
    rows = csv.reader(io.StringIO(text))
    try:
        next(rows)
        for row in rows:
            if row:
                yield f"line {rows.line_num}", row
    except csv.Error as error:
        raise BadInput(f"line {rows.line_num}: {error}.") from None


def read_azure(text: str) -> Path:
    """The sessions of an Azure trace, in the file's order, the earliest one arriving at 0.

    Raises BadInput, with the line, for a stamp that is none or is finer than a microsecond, and
    for a length that is no natural number.
    """
    stamped = []
    for where, row in csv_rows(text):
        if len(row) != 3:
            raise BadInput(f"{where} has {len(row)} fields, not 3 ({AZURE_HEADER}).")
        lengths = []
        for name, value in zip(AZURE_HEADER.split(",")[1:], row[1:], strict=True):
            if not (value.isascii() and value.isdigit()):
                raise BadInput(f"{where}: {name} is {value[:60]!r}; it must be a natural number.")
            try:
                lengths.append(int(value))
            except ValueError as error:
                raise BadInput(f"{where}: {name} cannot be read: {error}.") from None
        stamped.append((_microseconds(row[0], where), *lengths))
    if not stamped:
        raise BadInput("the trace has a header and no rows.")
    origin = min(stamp for stamp, _, _ in stamped)
    return tuple(Session(stamp - origin, prompt, output) for stamp, prompt, output in stamped)


def _microseconds(stamp: str, where: str) -> int:
    match = _STAMP.fullmatch(stamp)
    if match is None:
        raise BadInput(
            f"{where}: TIMESTAMP is {stamp!r}; it must read like 2023-11-16 18:15:46.6805900."
        )
    try:
        moment = datetime.fromisoformat(match[1]).replace(tzinfo=UTC)
    except ValueError as error:
        raise BadInput(f"{where}: TIMESTAMP is {stamp!r}: {error}.") from None
    fraction = (match[2] or "").ljust(9, "0")
    if fraction[6:] != "000":
        raise BadInput(
            f"{where}: TIMESTAMP is {stamp!r}, finer than a microsecond; times are whole "
            "microseconds, and rounding is for you to choose."
        )
    return int(moment.timestamp()) * 1_000_000 + int(fraction[:6])


@attrs.frozen
class Padding:
    """What rounding prompts up to the tile cost: sessions changed, tokens before and after."""

    sessions: int
    before: int
    after: int

    def __str__(self) -> str:
        share = 100 * (self.after - self.before) / self.before if self.before else 0.0
        return (
            f"{self.sessions} prompts rounded up to the tile: {self.after - self.before} tokens "
            f"more than {self.before}, {share:.2f} %"
        )


def pad(path: Path, deployment: Deployment) -> tuple[Path, Padding]:
    """The path with every prompt rounded up to a multiple of b_lcm, and what that cost."""
    tile = deployment.b_lcm
    padded = tuple(attrs.evolve(s, prompt=-(-s.prompt // tile) * tile) for s in path)
    changed = sum(a is not b and a != b for a, b in zip(path, padded, strict=True))
    before, after = (sum(s.prompt for s in p) for p in (path, padded))
    return padded, Padding(changed, before, after)
