"""What radproof says when it cannot go on: one message, one exit code, no traceback."""

from __future__ import annotations

from typing import Any, ClassVar


class RadproofError(Exception):
    """Something the user can mend. The message says what is wrong, where, and what to do.

    `exit_code` is what the command line ends with: 2 for usage and bad input, 3 where nothing
    could be decided.
    """

    exit_code: ClassVar[int] = 2


class BadInput(RadproofError, ValueError):
    """A file, a field or an argument is not what it must be."""


class SchedulerError(RadproofError):
    """The scheduler raised, or returned something that is not a batch.

    `kind` is a short, stable word for the mistake (``raised``, ``empty``, ``duplicate`` ...):
    minimising keeps it, so that a smaller path shows the same mistake and not another one. An
    evaluator adds the run `so_far` (a `runs.Run`) and the time `at` which it ended, microseconds.
    """

    so_far: Any = None
    at: int = 0

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Undecided(RadproofError):
    """A check ended without an answer: not evaluated, unknown, or out of its budget."""

    exit_code = 3
