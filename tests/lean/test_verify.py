"""Verifying with a Lean, with other programs, and without one."""

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from radproof.cli.lean import lean
from radproof.lean.errors import NoLean
from radproof.lean.fixtures import emitted
from radproof.lean.verify import find_lean, lean_version, verify_files

ROOT = Path(__file__).parents[2] / "lean_mirror"
ONE = ROOT / "Fixtures" / "Counterexamples" / "Chunk127.lean"


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without a Lean."""
    monkeypatch.delenv("RADPROOF_LEAN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("ELAN_HOME", str(tmp_path))


@pytest.fixture
def program(tmp_path):
    def make(body):
        file = tmp_path / "lean"
        version_line = (
            '[ "$1" = --version ] && { echo "Lean (version 4.34.0, Release)"; exit 0; }\n'
        )
        file.write_text(f"#!/bin/sh\n{version_line}{body}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    return make


FREE = """/bin/sed -n "s/^#print axioms \\(.*\\)/'\\1' does not depend on any axioms/p" "$1" """


def test_without_a_lean_nothing_is_verified(bare):
    ran = CliRunner().invoke(lean, ["verify", str(ONE)])
    assert ran.exit_code == 3
    assert "not verified: no lean found" in ran.output
    assert "checked" not in ran.output


def test_a_named_program_that_is_not_executable(bare, tmp_path):
    ran = CliRunner().invoke(lean, ["verify", "--lean", str(tmp_path / "none"), str(ONE)])
    assert ran.exit_code == 3
    assert "which is not executable" in ran.output


def test_a_program_that_is_not_lean(tmp_path):
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho Python 3\n")
    other.chmod(0o755)
    with pytest.raises(NoLean, match="is not Lean 4"):
        lean_version(str(other))


def test_the_flag_goes_before_the_variable(monkeypatch, program):
    monkeypatch.setenv("RADPROOF_LEAN", "/nowhere/lean")
    assert find_lean(program("")).endswith("lean")
    with pytest.raises(NoLean, match="RADPROOF_LEAN names"):
        find_lean()


@pytest.mark.parametrize(
    ("body", "exit_code", "said"),
    [
        (FREE, 0, "1 of 1 files checked, 7 theorems"),
        ('echo "$1:3:4: error: type mismatch"; exit 1', 1, "Chunk127.lean:3:4: error"),
        ("echo \"$1:3:4: warning: declaration uses 'sorry'\"", 1, "sorry"),
        ("echo \"'Radproof.t_0' depends on axioms: [sorryAx]\"", 1, "sorry"),
        ("echo \"'Radproof.t_0' depends on axioms: [propext, mine]\"", 1, "uses the axiom mine"),
        ("exit 0", 1, "no answer about the axioms"),
        ("exit 7", 1, "no answer about the axioms"),
        ("exec sleep 9", 3, "out of time"),
    ],
)
def test_what_a_lean_says_decides(program, body, exit_code, said):
    arguments = ["verify", "--lean", program(body), "--seconds", "1", str(ONE)]
    ran = CliRunner(env={"PATH": "/bin:/usr/bin"}).invoke(lean, arguments)
    assert ran.exit_code == exit_code, ran.output
    assert said in ran.output


def test_every_emitted_file_with_the_lean_that_is_here():
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    wrong = [row for row in verify_files(program, emitted(ROOT)) if row.verdict != "checked"]
    assert wrong == []
