"""The generated files are fresh, whole, and say so when they are not."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from pygments.lexers import find_lexer_class
from pygments.token import Error

from radproof import __version__
from radproof.cli.lean import lean
from radproof.errors import BadInput
from radproof.lean.fixtures import _places, emitted, find_root, generate, stale
from radproof.lean.roundtrip import read_back

ROOT = Path(__file__).parents[2] / "lean_mirror"
FILES = emitted(ROOT)
FORBIDDEN = (
    r"\b(sorry|native_decide|axiom|unsafe|opaque|extern|implemented_by|partial|termination_by)\b"
)


@pytest.fixture(scope="module")
def generated():
    return generate(ROOT)


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(ROOT, tmp_path / "lean_mirror")


def test_none_is_stale_and_twice_gives_the_same_bytes(generated):
    assert stale(ROOT, generated) == ""
    assert generate(ROOT) == generated


def test_there_are_enough_of_every_kind(generated):
    groups = [fixture.place.split("/")[1] for fixture in generated if fixture.place.count("/") == 2]
    assert groups.count("Conformance") >= 24
    assert groups.count("Counterexamples") >= 10
    assert groups.count("Cti") >= 7


def test_one_byte_changed_is_a_diff_and_bless_mends_it(copy):
    file = copy / "Fixtures" / "Counterexamples" / "Chunk127.lean"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("served := 127", "served := 128", 1), encoding="utf-8")
    ran = CliRunner().invoke(lean, ["fixtures", "--check", "--root", str(copy)])
    assert ran.exit_code == 1
    assert "-    served := 128,\n+    served := 127," in ran.output
    assert "radproof lean fixtures --bless" in ran.output
    ran = CliRunner().invoke(lean, ["fixtures", "--bless", "--root", str(copy)])
    assert ran.exit_code == 0
    assert "written: Fixtures/Counterexamples/Chunk127.lean" in ran.output
    assert file.read_text(encoding="utf-8") == text


def test_a_file_without_a_source_is_stale_and_bless_removes_it(copy):
    extra = copy / "Fixtures" / "Conformance" / "Extra.lean"
    extra.write_text("-- nobody's\n", encoding="utf-8")
    ran = CliRunner().invoke(lean, ["fixtures", "--check", "--root", str(copy)])
    assert ran.exit_code == 1
    ran = CliRunner().invoke(lean, ["fixtures", "--bless", "--root", str(copy)])
    assert "deleted: Fixtures/Conformance/Extra.lean" in ran.output
    assert "written" not in ran.output
    assert not extra.exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ragged_pair", "would both be written to Fixtures/Conformance/RaggedPair.lean"),
        ("Ragged-Pair", "would both be written to Fixtures/Conformance/RaggedPair.lean"),
        ("raggedpair", "would both be written to Fixtures/Conformance/RaggedPair.lean"),
        ("2026Run", "'2026Run' makes no name of a Lean module"),
        ("My trace", "'My trace' makes no name of a Lean module"),
        ("a.b", "'a.b' makes no name of a Lean module"),
        ("été", "'été' makes no name of a Lean module"),
        ("-", "'-' makes no name of a Lean module"),
        ("x -- y", "makes no name of a Lean module"),
    ],
)
def test_a_source_without_a_module_s_name_of_its_own_is_refused(copy, name, said):
    conformance = copy / "sources" / "conformance"
    before = {file: file.read_bytes() for file in copy.glob("**/*.lean")}
    shutil.copy(conformance / "tie.json", conformance / f"{name}.json")
    for mode in ("--check", "--bless"):
        ran = CliRunner().invoke(lean, ["fixtures", mode, "--root", str(copy)])
        assert ran.exit_code == 2
        assert said in re.sub("Raggedpair", "RaggedPair", ran.output)
        assert "Rename" in ran.output
    assert {file: file.read_bytes() for file in copy.glob("**/*.lean")} == before


def test_a_group_without_a_module_s_name_is_refused(copy):
    (copy / "sources" / "conformance").rename(copy / "sources" / "2 runs")
    with pytest.raises(BadInput, match="'2 runs' makes no name of a Lean module"):
        list(_places(sorted((copy / "sources").glob("*/*.json"))))


def test_every_lean_file_but_the_serq_terms_belongs_to_a_library():
    lake = tomllib.loads((ROOT / "lakefile.toml").read_text(encoding="utf-8"))
    libraries = {library["name"] for library in lake["lean_lib"]}
    assert libraries == set(lake["defaultTargets"])
    files = ROOT.glob("**/*.lean")
    tops = {file.relative_to(ROOT).parts[0].removesuffix(".lean") for file in files}
    assert tops == libraries | {"serq"}


def test_ends_of_lines_count(copy):
    file = copy / "RadproofMirror.lean"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    ran = CliRunner().invoke(lean, ["fixtures", "--root", str(copy)])
    assert ran.exit_code == 1


def test_outside_the_repository_it_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(lean, ["fixtures"])
    assert ran.exit_code == 2
    assert "--root" in ran.output
    with pytest.raises(Exception, match="is not lean_mirror"):
        find_root()


def test_the_list_as_json():
    ran = CliRunner().invoke(lean, ["fixtures", "--json", "--root", str(ROOT)])
    rows = json.loads(ran.stdout)
    assert {"file", "events", "theorems", "bytes"} == set(rows[0])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_forbidden_word_and_no_error_token(file):
    text = file.read_text(encoding="utf-8")
    assert not re.search(FORBIDDEN, text)
    assert f"radproof {__version__}" in text or "Generated; never edit it" in text or "serQ" in text
    lexer = find_lexer_class("Lean4") or find_lexer_class("Lean")
    assert [value for kind, value in lexer().get_tokens(text) if kind is Error] == []


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.parent.parent.name == "Fixtures"], ids=lambda file: file.stem
)
def test_it_reads_back(file):
    text = file.read_text(encoding="utf-8")
    assert read_back(text, file.name).theorems == len(re.findall("^theorem ", text, re.MULTILINE))
