"""Errors that end a command: one message, one exit code, no traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any, ClassVar


class RadproofError(Exception):
    """An error that the user can fix. The message says what is wrong, where, and what to do.

    `exit_code` is the exit code of the command: 2 for usage and bad input, 3 where nothing could
    be decided.
    """

    exit_code: ClassVar[int] = 2


class BadInput(RadproofError, ValueError):
    """A file, a field or an argument is invalid."""


class CannotWrite(BadInput):
    """A file cannot be written. What was to be written is reported all the same."""


class SchedulerError(RadproofError):
    """The scheduler raised, or returned something that is not a batch.

    `kind` is a short, stable word for the mistake (``raised``, ``stuck``, ``duplicate`` ...):
    minimising keeps it, so that a smaller path shows the same mistake. An evaluator adds the run
    `so_far` (a `runs.Run`), the time `at` which it ended, in microseconds, and the `state` (a
    `model.State`) in which the scheduler was called; None where it was asked about a whole run.
    """

    so_far: Any = None
    at: int = 0
    state: Any = None

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Undecided(RadproofError):
    """A check ended without an answer: not evaluated, unknown, or over its budget."""

    exit_code = 3


OF_A_USER: tuple[type[BaseException], ...] = (Exception, SystemExit)
"""What a user's code may raise. ``sys.exit(0)`` in it must not end a command with 0."""

CRASHED = 70
"""The exit code after a fault of radproof's own (EX_SOFTWARE of sysexits.h): never 1, which says
that a claim fails."""


def where_raised(error: BaseException) -> str:
    """The exception as text, with the innermost file and line outside radproof."""
    file, line = ([*filter(_outside, places := _places(error))] or places or [("", 0)])[-1]
    text = f"{type(error).__name__}: {_message(error)} ({file}, line {line})"
    return text.encode("utf-8", "backslashreplace").decode()  # it may have an unpaired surrogate


def is_ours(error: BaseException) -> bool:
    """Whether no code outside radproof had a part in it: a fault of radproof's own."""
    return not any(map(_outside, _places(error)))


def _places(error: BaseException) -> list[tuple[str, int | None]]:
    """The file and the line of each call, the outermost first."""
    if isinstance(error, SyntaxError) and error.filename:
        return [(error.filename, error.lineno)]
    places: list[tuple[str, int | None]] = []
    traceback = error.__traceback__
    while traceback is not None:
        places.append((traceback.tb_frame.f_code.co_filename, traceback.tb_lineno))
        traceback = traceback.tb_next
    return places


def _outside(place: tuple[str, int | None]) -> bool:
    return "importlib" not in place[0] and not place[0].startswith(_HERE)


_HERE = str(FilePath(__file__).parent)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as unsaid:
        return f"(its message cannot be shown: __str__ raised {type(unsaid).__name__})"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` Did you mean 'x'?`` with the closest known name; empty where none is close."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean {near[0]!r}?" if near else ""
