"""A stored result, and how a new one differs: newly failing, newly holding, slower."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from radproof.claims import Result
from radproof.errors import BadInput
from radproof.files.json import content, loads, structure, unstructure
from radproof.files.text import read_text, write_text
from radproof.model import Deployment

SCHEMA = "radproof.baseline/2"
SLOWER = 1.5
"""A check is slower if it takes over 1.5 times as long and over a second more: two runs of the same
check may differ by less on a shared machine."""

What: TypeAlias = Literal[
    "newly failing",
    "newly holding",
    "no longer failing",
    "not in the baseline",
    "no longer checked",
    "slower",
]


@attrs.frozen
class Subject:
    """What a check is about. Results of another subject say nothing about this one."""

    scheduler: str
    deployment: Deployment
    claims: tuple[str, ...]
    """The claims, laws and groups of laws that were asked for, sorted."""
    seed: int

    def difference(self, other: Subject) -> str:
        """The first field in which `other` differs, in words; empty where it is the same."""
        for name, mine in attrs.asdict(self, recurse=False).items():
            if (its := getattr(other, name)) != mine:
                return f"{name} {_said(mine)}, and not {_said(its)}"
        return ""


def _said(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


@attrs.frozen
class Baseline:
    """The outcome of a check: the result of every claim and law, and the seconds it took."""

    subject: Subject
    results: Mapping[str, Result]
    seconds: float

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> Baseline:
        """A stored one. Raises BadInput if the file is not a baseline."""
        text = read_text(file)
        try:
            return structure(cls, content(loads(text), SCHEMA))
        except BadInput as error:
            raise BadInput(f"{os.fspath(file)} is not a baseline: {error} {_REMEDY}") from None

    def write(self, file: str | os.PathLike[str]) -> None:
        """Store it."""
        data = {"schema": SCHEMA, **unstructure(self)}
        write_text(file, json.dumps(data, indent=1) + "\n")


_REMEDY = "Remove the file, and --baseline writes a new one."


def stored(file: str | os.PathLike[str], subject: Subject) -> Baseline | None:
    """The baseline in `file`; None where the file is missing.

    Raises BadInput if the file is not a baseline, or is one of another subject: what failed there
    excuses nothing here.
    """
    if not os.path.exists(file):
        return None
    found = Baseline.read(file)
    if other := found.subject.difference(subject):
        raise BadInput(
            f"{os.fspath(file)} is the baseline of another check: of {other}. Give each check a "
            "file of its own, or remove this one, and --baseline writes it anew."
        )
    return found


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
    """How `new` differs from `old`, of the same subject, in the order of `new`. A slower check is
    reported and fails nothing: the machine may be the cause.
    """
    changes = []
    for name, result in new.results.items():
        before, bad = old.results.get(name), _badness(result)
        if before is None:
            changes.append(Change("not in the baseline", name, result, worse=bad > 0))
        elif bad > _badness(before):
            changes.append(Change("newly failing", name, f"{before}, now {result}", worse=True))
        elif bad < _badness(before):
            what: What = "no longer failing" if bad else "newly holding"
            changes.append(Change(what, name, f"{before}, now {result}", worse=False))
    for name, before in old.results.items():
        if name not in new.results:
            changes.append(Change("no longer checked", name, before, worse=not _badness(before)))
    if new.seconds > SLOWER * old.seconds and new.seconds > old.seconds + 1:
        detail = f"{old.seconds:.1f} s, now {new.seconds:.1f} s"
        changes.append(Change("slower", new.subject.scheduler, detail, worse=False))
    return changes


def _badness(result: Result) -> int:
    """0 where a result is good, 1 where it is open, 2 where it fails."""
    return {Result.HOLDS: 0, Result.WITNESSED: 0, Result.FAILS: 2}.get(result, 1)
