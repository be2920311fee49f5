"""Python values as Lean literals; equal or consecutive items are written as one run.

Explicit constructors only: the type of an anonymous one next to `++` is not known to every Lean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from radproof.lean.errors import NotInLean
from radproof.lean.expressions import lean_field
from radproof.lean.twin import Arrival, Entry, Job, Record, State
from radproof.model import DEPLOYMENT_NAMES, Deployment, Path, Session

LEAST_RUN = 3
"""Fewer items than this are written one by one."""

LINE_LENGTH = 100


def _natural(name: str, value: int) -> str:
    """A number of the mirror. Raises NotInLean below 0, as under a clock that runs backwards."""
    if value < 0:
        raise NotInLean(f"{name} is {value} in this run, and the mirror has only natural numbers.")
    return str(value)


def truth(value: bool) -> str:
    """A Bool."""
    return "true" if value else "false"


def session(s: Session) -> str:
    """A session, as an application."""
    return f"Session.mk {s.arrive} {s.prompt} {s.output}"


def deployment(d: Deployment) -> str:
    """A deployment, with its b_lcm."""
    return _fields([(lean_field(name), str(getattr(d, name))) for name in DEPLOYMENT_NAMES])


def path(sessions: Path) -> str:
    """A path: its sessions in order of their numbers."""
    parts = []
    for count, first in _runs(sessions, lambda a, b: a == b):
        run = f"alike {count} ({session(first)})"
        parts.append((count, run, [session(first)]))
    return _joined(parts)


def record(r: Record) -> str:
    """An iteration's record."""
    names = [a.name for a in attrs.fields(Record)]
    return _fields([(lean_field(name), _natural(name, getattr(r, name))) for name in names])


def state(s: State, last: str | None) -> str:
    """A state; `last` is the name of its record's definition."""
    _natural("now", s.now)
    iter_end = "none" if s.iter_end is None else f"some {s.iter_end}"
    return "\n  ".join(
        [
            f"{{ now := {s.now},",
            f"  pending := {_list(s.pending, _arrival, 'arrivalsFrom')},",
            f"  jobs := {_list(s.jobs, _job, 'jobsFrom')},",
            f"  iter := {_list(s.iter, _entry, 'entriesFrom')},",
            f"  iterEnd := {iter_end},",
            f"  served := {s.served},",
            f"  last := {'none' if last is None else f'some {last}'},",
            f"  ended := {_list(s.ended, _number, 'numbersFrom')} }}",
        ]
    )


# Each gives the number, the constructor and the arguments after the number.
def _arrival(a: Arrival) -> tuple[int, str, str]:
    return a.number, "Arrival.mk", f"({session(a.session)})"


def _job(j: Job) -> tuple[int, str, str]:
    return j.number, "Job.mk", f"({session(j.session)}) {truth(j.decoding)} {j.done}"


def _entry(e: Entry) -> tuple[int, str, str]:
    return e.number, "Entry.mk", f"{truth(e.decoding)} {e.tokens}"


def _number(n: int) -> tuple[int, str, str]:
    return n, "", ""


def _list(items: Iterable[Any], parts_of: Callable[[Any], tuple[int, str, str]], runs: str) -> str:
    parts = []
    rows = [parts_of(item) for item in items]
    for count, (number, constructor, rest) in _numbered_runs(rows):
        run = f"{runs} {number} {count} {rest}".strip()
        ones = [f"{constructor} {number + n} {rest}".strip() for n in range(min(count, LEAST_RUN))]
        parts.append((count, run, ones))
    return _joined(parts)


def _numbered_runs(rows: list[tuple[int, str, str]]) -> Iterable[tuple[int, tuple[int, str, str]]]:
    place = 0
    for count, _ in _runs(rows, lambda a, b: b == (a[0] + 1, *a[1:])):
        yield count, rows[place]
        place += count


def _runs(items: Sequence[Any], goes_on: Callable[[Any, Any], bool]) -> list[tuple[int, Any]]:
    """(length, first item) of each longest run in which every item continues the one before."""
    found: list[tuple[int, Any]] = []
    for place, item in enumerate(items):
        if place and goes_on(items[place - 1], item):
            found[-1] = (found[-1][0] + 1, found[-1][1])
        else:
            found.append((1, item))
    return found


def _joined(parts: list[tuple[int, str, list[str]]]) -> str:
    """The single items in lists, chained with the runs, on one line or several."""
    pieces: list[str] = []
    ones: list[str] = []
    for count, run, single in [*parts, (LEAST_RUN, "", [])]:
        if count < LEAST_RUN:
            ones += [single[0]] * count if len(single) == 1 else single[:count]
            continue
        if ones:
            pieces.append(_bracketed(ones))
            ones = []
        if run:
            pieces.append(run)
    if len(pieces) < 2:
        text = "".join(pieces) or "[]"
        return text if len(text) <= LINE_LENGTH - 20 else f"\n      {text}"
    text = f"chains [{', '.join(pieces)}]"
    if len(text) <= LINE_LENGTH - 20:
        return text
    return "\n      chains\n        [" + ",\n        ".join(pieces) + "]"


def _bracketed(ones: list[str]) -> str:
    text = "[" + ", ".join(ones) + "]"
    return text if len(text) <= LINE_LENGTH - 20 else "[" + ",\n       ".join(ones) + "]"


def _fields(fields: list[tuple[str, str]]) -> str:
    """A structure's fields, filled into lines that begin in one column, as Lean demands."""
    lines = ["{"]
    for place, (name, text) in enumerate(fields):
        word = f" {name} := {text}{' }' if place == len(fields) - 1 else ','}"
        if len(lines[-1]) + len(word) > LINE_LENGTH - 4:
            lines.append("   ")
        lines[-1] += word
    return "\n".join(lines)
