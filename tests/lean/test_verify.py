"""Verifying with a Lean, with other programs, and without one."""

import functools
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from radproof.cli.lean import lean
from radproof.lean import export_file
from radproof.lean.errors import NoLean
from radproof.lean.fixtures import emitted
from radproof.lean.proofs import compile_for_leaps
from radproof.lean.verify import SECONDS, find_lean, lean_version, verify_files

ROOT = Path(__file__).parents[2] / "lean_mirror"
CHUNK_127 = ROOT / "sources" / "counterexamples" / "chunk_127.json"
OLEAN = "RadproofMirror.olean"
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
        (FREE, 0, "1 of 1 files checked, 9 theorems"),
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


@pytest.mark.parametrize(
    "more", ["#eval 1\n", "axiom bad : False\n", "theorem more : 1 = 1 := rfl\n"]
)
def test_what_radproof_did_not_write_is_refused_and_no_lean_runs(program, tmp_path, more):
    file = tmp_path / "It.lean"
    file.write_text(ONE.read_text(encoding="utf-8") + more, encoding="utf-8")
    ran = CliRunner().invoke(lean, ["verify", "--lean", program("touch $0.ran"), str(file)])
    assert ran.exit_code == 1
    assert "refused" in ran.output
    assert "expected `end Radproof` and the end of the file; radproof did not write" in ran.output
    assert not list(tmp_path.glob("*.ran"))


def test_an_answer_that_the_file_gives_itself_does_not_count(program, tmp_path):
    """Lean is asked for each theorem; one that it does not answer for is not checked."""
    body = FREE + "| /bin/sed -e '/right_t_1/d'"
    ran = CliRunner().invoke(lean, ["verify", "--lean", program(body), str(ONE)])
    assert ran.exit_code == 1
    assert "no answer about the axioms of Radproof.right_t_1" in ran.output


def test_the_mirror_is_compiled_for_what_imports_it(program, tmp_path):
    imports = tmp_path / "Imports.lean"
    imports.write_text(export_file(CHUNK_127, imports=True).text, encoding="utf-8")
    body = f'[ "$1" = -o ] && {{ /bin/cp "$3" "$2"; exit; }}\n/bin/test -s "$LEAN_PATH/{OLEAN}"'
    ran = CliRunner().invoke(lean, ["verify", "--lean", program(f"{body} && {FREE}"), str(imports)])
    assert ran.exit_code == 0, ran.output
    ran = CliRunner().invoke(lean, ["verify", "--lean", program("exit 1"), str(imports)])
    assert ran.exit_code == 1
    assert "does not compile the mirror" in ran.output
    slow = ["verify", "--lean", program("exec /bin/sleep 9"), "--seconds", "0.2", str(imports)]
    ran = CliRunner().invoke(lean, slow)
    assert ran.exit_code == 3
    assert "not verified: " in ran.output


def test_what_imports_the_mirror_with_the_lean_that_is_here(tmp_path):
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    file = tmp_path / "Imports.lean"
    file.write_text(export_file(CHUNK_127, imports=True).text, encoding="utf-8")
    (row,) = verify_files(program, [file])
    assert (row.verdict, row.theorems) == ("checked", 9)


def test_a_program_named_from_here_is_found_from_anywhere(monkeypatch, program, tmp_path):
    program(FREE)
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(lean, ["verify", "--lean", "./lean", str(ONE)])
    assert ran.exit_code == 0, ran.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "byte 0 is not UTF-8 text"),
        (b"\xef\xbb\xbf/-\n", "it begins with a byte-order mark"),
        (b"theorem t : 1 = 1 := rfl\n", "expected the comment that begins a file"),
        (b"", "expected the comment that begins a file"),
    ],
)
def test_a_file_of_another_kind_gets_one_message(program, tmp_path, content, said):
    file = tmp_path / "It.lean"
    file.write_bytes(content)
    for command in (["verify", "--lean", program(FREE)], ["read"]):
        ran = CliRunner().invoke(lean, [*command, str(file)])
        assert ran.exit_code in (1, 2)
        assert said in ran.output
        assert "Traceback" not in ran.output


def test_every_emitted_file_with_the_lean_that_is_here():
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    proofs = functools.partial(compile_for_leaps, program, ROOT, seconds=SECONDS)
    rows = list(verify_files(program, emitted(ROOT), compile_proofs=proofs))
    assert [row for row in rows if row.verdict != "checked"] == []
    counterexamples = [row for row in rows if row.file.parent.name == "Counterexamples"]
    assert len(counterexamples) >= 10
    assert {row.axioms for row in counterexamples} == {()}
