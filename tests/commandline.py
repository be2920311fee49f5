"""Calling the command line in a test, and what its users hand to it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from radproof.cli.main import main

SECONDS = 1_000_000


def radproof(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def as_json(*arguments: str, code: int = 0) -> dict[str, Any]:
    result = radproof(*arguments, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def refused(*arguments: str, code: int = 2) -> str:
    """The message: on standard error, with the exit code, and never a traceback."""
    result = radproof(*arguments)
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


def one_line(*arguments: str, code: int = 2) -> str:
    said = refused(*arguments, code=code)
    assert said.startswith("radproof: ")
    assert said.endswith("\n")
    assert said.count("\n") == 1
    return said.removeprefix("radproof: ").rstrip("\n")


def path_file(text: str, name: str = "path.json") -> str:
    Path(name).write_text(text)
    return name


def user(text: str) -> str:
    """A module of the user's own in the folder, by its name."""
    name = f"user_{uuid.uuid4().hex[:8]}"
    Path(f"{name}.py").write_text(text)
    return name


RAGGED = "[[0, 128, 1], [0, 129, 1]]"
ROUND_ROBIN = """
from radproof import DECODE, Claim, Entry

def one(view):
    job = view.jobs[0]
    tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, 128)
    return (Entry(job.session, job.phase, tokens),), None

def one_token(view):
    job = view.jobs[0]
    return (Entry(job.session, job.phase, 1),), None

def nothing(view):
    return (), None

def raises(view):
    raise ValueError("no such tile")

crowded = Claim("crowded", "some iteration", lambda i, d: i.residents >= 2)
never = Claim("never", "some iteration", lambda i, d: i.start < 0)
few = Claim("few", "every iteration", lambda i, d: i.residents < 3)
done = Claim("done", "at end", lambda run, d: run.ended == len(run.path))
slow = Claim("slow", "every iteration", lambda i, d: i.start ** 2 >= 0)
number = 7
"""
