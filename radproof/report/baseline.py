"""A stored result, and how a new one differs: newly failing, newly holding, slower."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.files.json import content, loads, structure, unstructure
from radproof.files.text import read_text, write_text

SCHEMA = "radproof.baseline/1"
SLOWER = 1.5
"""A check is slower if it takes over 1.5 times as long and over a second more: two runs of the same
check may differ by less on a shared machine."""

What: TypeAlias = Literal["newly failing", "newly holding", "not in the baseline", "slower"]


@attrs.frozen
class Baseline:
    """The outcome of a check: the result of every claim and law, and the seconds it took."""

    scheduler: str
    results: Mapping[str, str]
    seconds: float

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> Baseline:
        """A stored one. Raises BadInput if the file is not a baseline."""
        text = read_text(file)
        try:
            return structure(cls, content(loads(text), SCHEMA))
        except BadInput as error:
            raise BadInput(
                f"{os.fspath(file)} is not a baseline: {error} Remove the file, and --baseline "
                "writes a new one."
            ) from None

    def write(self, file: str | os.PathLike[str]) -> None:
        """Store it."""
        data = {"schema": SCHEMA, **unstructure(self)}
        write_text(file, json.dumps(data, indent=1) + "\n")


@attrs.frozen
class Change:
    """One difference from the baseline; `worse` ones fail the gate."""

    what: What
    name: str
    detail: str
    worse: bool

    def __str__(self) -> str:
        return f"{self.what}: {self.name} ({self.detail})"


def compare(old: Baseline, new: Baseline) -> list[Change]:
    """How `new` differs from `old`, in the order of `new`. A slower check is reported and fails
    nothing: the machine may be the cause.
    """
    changes = []
    for name, result in new.results.items():
        before = old.results.get(name)
        bad, was_bad = result != "holds", before is not None and before != "holds"
        if before is None:
            changes.append(Change("not in the baseline", name, result, worse=bad))
        elif bad and not was_bad:
            changes.append(Change("newly failing", name, f"{before}, now {result}", worse=True))
        elif was_bad and not bad:
            changes.append(Change("newly holding", name, f"{before}, now {result}", worse=False))
    if new.seconds > SLOWER * old.seconds and new.seconds > old.seconds + 1:
        detail = f"{old.seconds:.1f} s, now {new.seconds:.1f} s"
        changes.append(Change("slower", new.scheduler, detail, worse=False))
    return changes
