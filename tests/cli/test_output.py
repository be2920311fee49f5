"""A report on standard output, and all that a user's code prints on standard error."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import as_json, path_file, radproof, user

import radproof as package

pytestmark = pytest.mark.usefixtures("here")

LOUD = """
import ctypes, os, subprocess, sys
from radproof import DECODE, Claim, Entry, RuleScheduler, rad
print("IMPORTED")
out = sys.stdout

def few(i, d):
    print("CLAIMED")
    return i.residents < 2

few = Claim("few", "every iteration", few)

def one(view):
    out.write("SCHEDULED\\n")
    job = view.jobs[0]
    tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, 128)
    return (Entry(job.session, job.phase, tokens),), None

def closes(view):
    sys.stdout.close()
    return one(view)

def native(view):
    os.write(1, b"WRITTEN\\n")
    ctypes.CDLL(None).printf(b"PRINTED IN C\\n")
    return one(view)

print("OF A CHILD", flush=True)
subprocess.run(["echo", "FROM A CHILD"], check=True)
"""


def test_what_a_user_s_code_prints_is_in_no_report() -> None:
    name = user(LOUD)
    mine = ("--scheduler", f"{name}:one", "--claim", f"{name}:few")
    found = as_json("check", *mine, "--examples", "2", code=1)
    file = found["counterexample"]
    assert as_json("replay", file, code=1)["reproduced"] is True
    assert as_json("explain", file)["claims"]["few"]["result"] == "fails"
    for command in ("check", "explain", "run"):
        given = mine[:2] if command == "run" else mine
        result = radproof(command, path_file("[[0, 1, 1], [0, 1, 1]]"), *given)
        assert "SCHEDULED" in result.stderr
        assert "SCHEDULED" not in result.stdout
        assert "few" in result.stdout or command == "run"


@pytest.mark.parametrize("scheduler", ["closes", "native"])
def test_a_process_s_standard_output_is_its_report(scheduler: str) -> None:
    """What is written past Python too: by a library in C, or by a process that code starts."""
    name = user(LOUD)
    command = [sys.executable, "-m", "radproof", "run", path_file("[[0, 1, 1]]"), "--json"]
    # with PYTHONUNBUFFERED, a library in C does not keep its text back either
    environment = {key: os.environ[key] for key in os.environ if key != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [*command, "--scheduler", f"{name}:{scheduler}"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert json.loads(done.stdout)["ended"] == 1
    said = done.stderr.splitlines()
    assert {"IMPORTED", "FROM A CHILD", "SCHEDULED"} <= set(said)
    assert ({"WRITTEN", "PRINTED IN C"} <= set(said)) == (scheduler == "native")


def test_a_proof_s_report_is_json_beside_a_loud_module() -> None:
    name = user("from radproof import rad\nprint('IMPORTED')\nmine = rad\n")
    arguments = ("prove", "--scheduler", f"{name}:mine", "--lemma", "rad_start", "--no-cache")
    assert as_json(*arguments)["scheduler"] == f"{name}:mine"


def test_help_and_a_usage_error_stay_where_they_belong() -> None:
    assert "--scheduler" in radproof("check", "--help").stdout
    assert radproof("check", "--nothing").stdout == ""


def test_no_command_prints_past_its_report() -> None:
    """What `click.echo` prints in a command goes where a user's code prints."""
    folder = Path(package.__file__).parent / "cli"
    for file in folder.glob("*.py"):
        calls = [c for c in ast.walk(ast.parse(file.read_text())) if isinstance(c, ast.Call)]
        for call in calls:
            if ast.unparse(call.func) in ("click.echo", "print") and file.stem != "output":
                assert "err=True" in ast.unparse(call), f"{file.name}, line {call.lineno}"


def test_a_reader_that_has_gone_changes_no_exit_code() -> None:
    """It made 1 of 0, which says that a claim fails."""
    command = [sys.executable, "-m", "radproof", "run", path_file("[[0, 1, 1]]")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
