from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import (
    RAGGED,
    ROUND_ROBIN,
    as_json,
    one_line,
    path_file,
    radproof,
    refused,
    user,
)

from radproof import __version__, check, leap, token_rate

pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize("command", [(), ("run",), ("check",), ("replay",), ("explain",)])
def test_help_has_an_example_on_a_line_of_its_own(command: tuple[str, ...]) -> None:
    result = radproof(*command, "--help")
    assert result.exit_code == 0
    examples = [line for line in result.output.splitlines() if line.startswith("    radproof ")]
    assert examples, result.output
    assert "\\b" not in result.output
    assert radproof(*command, "-h").output == result.output


def test_the_version_is_the_package_s() -> None:
    assert __version__ in radproof("--version").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nothing.json"), "nothing.json: there is no such file."),
        (("check", "nothing.json"), "nothing.json: there is no such file."),
        (("replay", "nothing.json"), "nothing.json: there is no such file."),
        (("run", "."), ". is a folder; name a path file in it."),
        (("run", "--rate", "-1", "--horizon", "1s"), "rate is -1.0; it must be a positive"),
        (("run", "--rate", "nan", "--horizon", "1s"), "rate is nan; it must be a positive"),
        (("run", "--rate", "1", "--horizon", "1s", "--seed", "-1"), "seed is -1; it must be a nat"),
        (("check", "--scheduler", "rda"), "unknown scheduler 'rda'. Did you mean 'rad'?"),
        (("check", "--scheduler", "no_mod:x"), "scheduler 'no_mod:x': no module 'no_"),
        (("check", "--scheduler", "radproof.mutants:chunk_128"), "scheduler 'radproof.mutants:chu"),
        (("check", "--claim", "token_rat"), "unknown claim 'token_rat'. Did you mean 'token_rate'"),
        (("check", "--claim", "radproof:rad"), "claim 'radproof:rad' is RuleScheduler, not a radp"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    assert one_line(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "path.json: the file is empty."),
        (
            "[[0, 128, 1], [0, 12",
            "path.json: line 1 column 21: the JSON ends in the middle; the fi",
        ),
        ("[[0, 128, 1], [0, 1.5, 1]]", "path.json: session 1: prompt is 1.5, a float; it must be "),
        ("[[0, 128, 1], [-3, 1, 1]]", "path.json: session 1: arrive is -3; it must be a natural n"),
        ("[[0, 128, 1], [3, 1]]", "path.json: session 1 is [3, 1]; it must be three numbers: arr"),
        ('{"schema": "other", "sessions": []}', "path.json: field \"schema\" is 'other'; this rad"),
        (
            '{"schema": "radproof.path/1", "sessions": [], "deployment": {"b_col": 0}}',
            'path.json: field "deployment": b_col is 0; it must be a whole number >= 1',
        ),
        ("[[0, " + "9" * 5000 + ", 1]]", "path.json: the JSON cannot be read: Exceeds the limit"),
        (
            '{"a": 1}\n{"a": 2}\n',
            "path.json: line 2 column 1: more than one JSON value, and a path",
        ),
    ],
    ids=range(9),
)
def test_a_bad_file_is_named_on_one_line(text: str, message: str) -> None:
    for command in ("run", "check", "replay", "explain"):
        assert one_line(command, path_file(text)).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run",), "give either FILE, or --rate R --horizon T to draw arrivals."),
        (("run", "x.json", "--rate", "1"), "give either FILE, or --rate R --"),
        (("run", "--rate", "1"), "--rate draws arrivals up to a horizon: add --horizon 100s."),
        (("run", "--rate", "1", "--horizon", "100"), "'100' is not a time; write a number and its"),
        (("run", "--rate", "1", "--horizon", "0.5us"), "'0.5us' is finer than a microsecond"),
        (("run", "--rate", "1", "--horizon", "9" * 5000 + "s"), "Error"),
        (("run", "--rate", "x", "--horizon", "1s"), "'x' is not a valid float"),
        (("run", "x.json", "--engine", "jump"), "'jump' is not one of 'leap', 'step'"),
        (("check", "--examples", "0"), "0 is not in the range x>=1"),
        (("check", "--seed", "-1"), "-1 is not in the range x>=0"),
        (("nothing",), "No such command 'nothing'"),
        (("check", "--nothing"), "No such option"),
        (("replay",), "Missing argument 'FILE'"),
    ],
    ids=range(13),
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


def test_a_scheduler_at_fault_on_a_file_is_one_line() -> None:
    name = user(ROUND_ROBIN)
    said = one_line("run", path_file("[[7, 1, 1]]"), "--scheduler", f"{name}:nothing")
    assert said.startswith("the scheduler never makes progress: at t = 7 it returned an empty ")


def test_a_claim_that_raises_is_a_message_and_not_a_traceback() -> None:
    name = user(
        "from radproof import Claim\n"
        "def holds(i, d):\n    return i.tokens / (i.decoders - i.decoders) > 1\n"
        "odd = Claim('odd', 'every iteration', holds)\n"
    )
    said = refused("check", path_file("[[0, 1, 1]]"), "--claim", f"{name}:odd")
    assert "ZeroDivisionError" in said


def test_a_saved_file_of_another_schema_is_named_and_stops_no_check() -> None:
    Path("kept").mkdir()
    Path("kept/x.json").write_text('{"schema": "radproof.path/9"}')
    result = radproof("check", "--claim", "clock", "--examples", "2", "--out", "kept")
    assert result.exit_code == 0
    assert result.stderr.startswith(
        "radproof: left out: kept/x.json: field \"schema\" is 'radproof.path/9'; this radproof"
    )
    Path("kept").rename("corpus")
    said = one_line("check", "--claim", "clock", "--examples", "2")
    assert said.startswith("corpus/x.json: field \"schema\" is 'radproof.path/9'; ")


def test_interrupting_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("radproof.cli.one_path.evaluate", interrupted)
    result = radproof("run", path_file("[[0, 1, 1]]"))
    assert result.exit_code == 130
    assert "radproof: interrupted; no file is left half-written." in result.stderr


def test_a_fault_of_radproof_s_own_ends_with_70_and_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 1 would say that a claim fails
    def crash(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError("in a reader")

    monkeypatch.setattr("radproof.proof.prove.prove", crash)
    result = radproof("prove", "--no-cache")
    assert result.exit_code == 70
    assert "ZeroDivisionError: in a reader" in result.stderr
    assert "this is a fault in radproof, and nothing was decided" in result.stderr


def test_python_m_radproof_is_the_same_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "radproof", "run", path_file(RAGGED), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == as_json("run", path_file(RAGGED))


def test_the_command_line_starts_without_z3_and_hypothesis() -> None:
    code = "import sys, radproof.cli.main; print({'z3', 'hypothesis', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_verdicts_of_run_are_those_of_the_library() -> None:
    found = as_json("run", path_file(RAGGED))
    verdict = check(leap(json.loads(RAGGED)), token_rate)
    assert found["claims"]["token_rate"]["checked"] == verdict.checked


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("check", "--scheduler", ""), "--scheduler"),
        (("check", "--laws="), "--laws"),
        (("check", "--claim", ""), "--claim"),
        (("check", "--out", "", "--examples", "3"), "--out"),
        (("run", ""), "an argument"),
        (("lean", "export", "path.json", "-o", ""), "-o"),
        (("",), "an argument"),
    ],
)
def test_an_empty_value_is_a_usage_error(arguments: tuple[str, ...], named: str) -> None:
    """A script's unset variable checked RAD, or no law, and the gate was green."""
    result = radproof(*arguments)
    assert result.exit_code == 2
    assert f"Error: {named} is empty; give a value, or leave it out." in result.output


def test_a_value_may_hold_an_equals_sign() -> None:
    assert one_line("run", "a=").startswith("a=: there is no such file.")


EXITS = """
import sys
from radproof import Claim, rad

def leaves(view):
    sys.exit(0)

late = Claim("late", "every iteration", lambda i, d: sys.exit(0))
over = Claim("over", "at end", lambda run, d: sys.exit(0))
yes = Claim("yes", "every iteration", lambda i, d: "no")
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--scheduler", "{}:leaves"), "the scheduler raised at t = 0, while 1 job is resident: "),
        (("--claim", "{}:late"), "the claim late raised SystemExit: 0 ("),
        (("--claim", "{}:over"), "the claim over raised SystemExit: 0 ("),
        (("--claim", "{}:yes"), "the claim yes returned 'no', a str, where True or False is ne"),
    ],
)
def test_code_that_leaves_python_does_not_end_a_check_as_if_all_held(
    arguments: tuple[str, str], said: str
) -> None:
    option, spec = arguments
    result = radproof("check", option, spec.format(user(EXITS)), "--examples", "3")
    assert result.exit_code == 2
    assert said in result.output
