"""Two outputs: a command's report on standard output; all that a user's code prints, on the other.

A scheduler, a claim and the modules that they import may print, at any call. None of it may come
into a report, which a machine may read as JSON.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from typing import Any, ParamSpec, TextIO, TypeVar, cast

import click

from radproof.errors import CannotWrite

P = ParamSpec("P")
T = TypeVar("T")

_REPORT: ContextVar[TextIO | None] = ContextVar("the stream of the report", default=None)


class _Users:
    """Standard error in the place of standard output; closing it closes nothing."""

    def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def with_a_report(command: Callable[P, T]) -> Callable[P, T]:
    """The function of a command, which prints its report with `report`, or in `reporting`."""

    @functools.wraps(command)
    def apart(*args: P.args, **given: P.kwargs) -> T:
        with _report() as stream, redirect_stdout(cast(TextIO, _Users())):
            before = _REPORT.set(stream)
            try:
                return command(*args, **given)
            finally:
                _REPORT.reset(before)

    return apart


@contextmanager
def _report() -> Iterator[TextIO | None]:
    """The stream of the report: standard output. What else is written to its file goes to standard
    error's, as a process that a scheduler starts does.
    """
    out = sys.stdout
    try:
        beneath = out.fileno() == 1
        kept = os.dup(1) if beneath else -1
    except (AttributeError, OSError, ValueError):  # none, closed, or one in memory
        beneath = False
    if not beneath:
        yield out
        return
    with suppress(OSError):
        out.flush()
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        os.close(kept)
        yield out
        return
    stream = open(kept, "w", encoding=out.encoding, errors=out.errors)  # noqa: SIM115
    try:
        yield stream
    finally:
        with suppress(Exception):  # a library in C writes a file's text when it ends
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        with suppress(OSError):  # `report` has raised it
            stream.close()


def report(message: str, *, end: str = "\n") -> None:
    """Print a part of a command's report. Raises CannotWrite where standard output is full.

    A reader that has gone changes no exit code.
    """
    try:
        click.echo(message + end, file=_REPORT.get(), nl=False)
    except BrokenPipeError:
        pass
    except OSError as error:
        raise CannotWrite(f"standard output cannot be written: {error.strerror}.") from None


@contextmanager
def reporting() -> Iterator[None]:
    """What is printed inside is a part of a command's report."""
    with redirect_stdout(_REPORT.get() or sys.stdout):
        yield
