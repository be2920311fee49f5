"""The command, on a project of one module: what it says, and with what it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers import TESTS
from mutation import __main__ as command
from mutation.__main__ import main

MODULE = "def larger(a, b):\n    return a if a > b else b\n"
ENDLESS = "def emptied(queue):\n    while queue:\n        queue.pop()\n    return queue\n"
TEST = """
import thing

def test_the_larger():
    assert thing.larger(1, 2) == thing.larger(2, 1) == 2
"""
EQUAL = '[[mutant]]\nmodule = "thing.py"\nin = "larger"\nwas = "a > b"\nnow = "a >= b"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "thing.py").write_text(MODULE)
    (tmp_path / "tests" / "mutation").mkdir(parents=True)
    (tmp_path / "tests" / "test_thing.py").write_text(TEST)
    (tmp_path / "tests" / "mutation" / "equivalent.toml").write_text(EQUAL)
    return tmp_path


def said(project: Path, *modules: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "mutation", *(modules or ["thing.py"])],
        cwd=project,
        # this project needs no plugin of pytest's, and each of its runs would load them all
        env={"PYTHONPATH": f"{TESTS}:.", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def listed(project: Path, text: str) -> None:
    (project / "tests" / "mutation" / "equivalent.toml").write_text(text)


def test_it_ends_with_0_where_only_what_is_listed_is_alive(project: Path) -> None:
    code, text = said(project)
    row = text.splitlines()[-1].split()
    assert (code, row[:5]) == (0, ["thing.py", "3", "2", "1", "0"])
    assert (project / "thing.py").read_text() == MODULE


def test_a_loop_that_a_fault_makes_endless_is_ended(project: Path) -> None:
    (project / "thing.py").write_text(ENDLESS)
    (project / "tests" / "test_thing.py").write_text(
        "import thing\ndef test_it():\n    assert thing.emptied([1, 2]) == []\n"
    )
    listed(project, "")
    code, text = said(project)
    row = text.splitlines()[-1].split()
    assert (code, row[:5]) == (0, ["thing.py", "2", "2", "0", "0"])


def test_a_fault_that_no_test_notices_is_named_until_one_does(project: Path) -> None:
    said(project)
    tests = project / "tests" / "test_thing.py"
    tests.write_text(TEST.replace("thing.larger(1, 2) == ", ""))
    code, text = said(project)
    assert code == 1
    assert "thing.py:2 larger: ifexp a > b  ->  ifexp True\n    is alive" in text
    tests.write_text(TEST)
    assert said(project)[0] == 0


def test_another_module_is_asked_about_the_same_tests(project: Path) -> None:
    (project / "other.py").write_text("def last(a):\n    return a[-1]\n")
    tests = TEST + "\ndef test_the_last():\n    import other\n    assert other.last('abc') == 'c'\n"
    (project / "tests" / "test_thing.py").write_text(tests)
    assert said(project)[0] == 0
    code, text = said(project, "other.py")
    row = text.splitlines()[-1].split()
    assert (code, row[:5]) == (0, ["other.py", "3", "3", "0", "0"])


def test_what_is_listed_must_exist_and_survive(project: Path) -> None:
    listed(project, EQUAL + EQUAL.replace("larger", "smaller"))
    code, text = said(project)
    assert (code, "thing.py: listed, but no such fault: {" in text) == (1, True)
    listed(project, EQUAL + EQUAL.replace("a > b", "ifexp a > b").replace("a >= b", "ifexp True"))
    code, text = said(project)
    assert code == 1
    assert "is listed as equivalent, but killed by tests/test_thing.py::test_the_larger" in text


def test_a_suite_that_fails_without_a_fault_is_refused(project: Path) -> None:
    (project / "tests" / "test_thing.py").write_text("def test_it():\n    assert False\n")
    code, text = said(project)
    assert code == 2
    assert "the suite fails without a fault: tests/test_thing.py::test_it" in text


def test_a_module_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no.py"]) == 2
    said = "no such module: no.py. Give a file, such as radproof/machine.py\n"
    assert capsys.readouterr().err == said


def test_every_core_module_is_there_once() -> None:
    assert len(command.MODULES) == len(set(command.MODULES))
    assert all((TESTS.parent / file).is_file() for file in command.MODULES)
