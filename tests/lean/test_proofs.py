"""The proofs' files: what they may consist of, and what a Lean is asked of them."""

import re
import shutil
import stat
import tomllib
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner
from pygments.lexers import find_lexer_class
from pygments.token import Error

from radproof.cli.lean import lean
from radproof.errors import BadInput
from radproof.lean.definitions import lemmas
from radproof.lean.errors import NoLean
from radproof.lean.proofs import (
    ALLOWED,
    FOLDER,
    NAMESPACE,
    as_stated,
    faults,
    in_order,
    statements,
    verify_proofs,
    without_comments,
)
from radproof.lean.verify import find_lean

ROOT = Path(__file__).parents[2] / "lean_mirror"
FOUND = in_order(ROOT)
TEXTS = {proof.file.stem: proof.text for proof in FOUND}
OPENS = f"namespace {NAMESPACE}\n"


def changed(stem, change):
    """The proofs, one of which has another text."""
    return [
        attrs.evolve(proof, text=change(proof.text)) if proof.file.stem == stem else proof
        for proof in FOUND
    ]


def with_line(line, stem="Rate"):
    return changed(stem, lambda text: text.replace(OPENS, f"{OPENS}\n{line}\n", 1))


def test_every_statement_has_the_theorem_of_its_name():
    assert faults(FOUND) == []
    assert len(statements()) == len(re.findall(r"^def \w+ : Prop :=", lemmas(), re.MULTILINE))
    assert {"BariRad_token_rate", "BariRad_optimal_tiling", "rad_handle"} < set(statements())
    assert as_stated(FOUND).count("\ntheorem AsStated.") == len(statements())


@pytest.mark.parametrize("name", statements())
def test_a_statement_without_its_theorem_is_named(name):
    proof = next(p for p in FOUND if f"theorem {name} :" in p.text)
    for change in (f"theorem {name}_2 : Radproof.{name}", f"theorem {name} : True"):
        text = proof.text.replace(f"theorem {name} : Radproof.{name}", change, 1)
        assert text != proof.text
        wrong = faults(changed(proof.file.stem, lambda _, text=text: text))
        assert len(wrong) == 1
        assert f"{name} wants one theorem {name} : Radproof.{name}" in wrong[0]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("theorem easy : 1 = 2 := sorry", "'sorry' has no place"),
        ("theorem easy : 1 = 2 := by native_decide", "'native_decide' has no place"),
        ("  axiom bad : False", "'axiom' has no place"),
        ("  #eval 1", "'#' has no place"),
        ("@[simp] theorem easy : True := True.intro", "'@[' has no place"),
        ('  macro "x" : tactic => `(tactic| trivial)', "'macro' has no place"),
        ("  local instance : Inhabited Nat := ⟨0⟩", "'local' has no place"),
        ("  set_option maxRecDepth 9", "'set_option' has no place"),
        ("open Nat", "begins no import"),
        ("abbrev R := 1", "begins no import"),
        ("def rad_handle : Prop := True", "def rad_handle takes a name that is not its own"),
        ("def Radproof.rad_batch : Prop := True", "takes a name that is not its own"),
        (f"end {NAMESPACE}\nnamespace Radproof", "all of it stands in one namespace"),
        ("theorem rad_batch : Radproof.rad_batch := rad_batch", "wants one theorem rad_batch"),
        ("/- /- -/ -/ theorem easy : False := sorry", "'sorry' has no place"),
        ("-- /-\ntheorem easy : False := sorry", "'sorry' has no place"),
        ("/-- -- -/ theorem easy : False := sorry --", "'sorry' has no place"),
    ],
)
def test_what_a_proof_may_not_have_is_named(line, what):
    wrong = faults(with_line(line))
    assert any(what in fault for fault in wrong), wrong
    with pytest.raises(BadInput, match=re.escape(what)):
        verify_proofs("lean", ROOT, with_line(line))


@pytest.mark.parametrize(
    "comment", ["/- sorry -/", "-- axiom", "/- /- #eval -/ sorry -/", "/-- sorry\n-- -/"]
)
def test_words_in_comments_are_words(comment):
    assert faults(with_line(comment)) == []
    assert "sorry" not in without_comments(comment)


# Words that a Lean of today reserves. One of 2021 knows not all of them: `until` was a parameter of
# the mirror, which no Lean after 2022 would have parsed.
RESERVED = """abbrev all and assert axiom binder_predicate break calc catch class coinductive
constant continue dbg_trace decreasing_by default_instance deriving do elab else end example exists
export extends extern finally for forall generalizing haveI hiding if include infix infixl infixr
initialize instance invariants lemma let letI local macro matches meta module mut mutual nofun
nomatch noncomputable nonrec notation omit only opaque open partial postfix prefix prelude private
protected public renaming repeat return scoped section set_option suffices syntax termination_by
then this try universe unless unsafe until using variable when where while"""


@pytest.mark.parametrize("stem", ["Lemmas", *TEXTS])
def test_no_name_is_a_word_that_todays_lean_reserves(stem):
    text = without_comments(TEXTS.get(stem) or lemmas())
    names = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text))
    assert sorted(names & set(RESERVED.split()) - {"end", "where"}) == []


def test_the_order_is_of_the_imports(tmp_path):
    seen = {"Fixtures.Lemmas"}
    for proof in FOUND:
        assert set(proof.imports) <= seen
        seen.add(proof.module)
    root = Path(shutil.copytree(ROOT, tmp_path / "lean_mirror"))
    first = root / FOLDER / "Numbers.lean"
    for imported, what in (("Proofs.Rate", "imports itself"), ("Proofs.None", "is not there")):
        first.write_text(f"import {imported}\n" + TEXTS["Numbers"], encoding="utf-8")
        with pytest.raises(BadInput, match=what):
            in_order(root)
    with pytest.raises(BadInput, match="has no proofs"):
        in_order(tmp_path)


@pytest.mark.parametrize("stem", TEXTS)
def test_each_file_says_what_it_proves_and_reads_as_lean(stem):
    text = TEXTS[stem]
    assert re.match(r"(import \S+\n)+\n/-!\n# .+\n\n", text)
    assert max(map(len, text.splitlines())) <= 100
    lexer = find_lexer_class("Lean4") or find_lexer_class("Lean")
    assert [value for kind, value in lexer().get_tokens(text) if kind is Error] == []
    assert any(f"{FOLDER}/{stem}.lean" in line for line in guide().splitlines())


def guide():
    return (ROOT.parent / "docs" / "lean-proofs.md").read_text(encoding="utf-8")


def test_the_guide_names_every_statement_and_its_file():
    rows = [line for line in guide().splitlines() if line.startswith(f"| `{FOLDER}/")]
    for proof in FOUND:
        row = next(line for line in rows if f"`{FOLDER}/{proof.file.name}`" in line)
        own = {name.rpartition(".")[2] for name in proof.theorems} & set(statements())
        assert {name for name in re.findall(r"`(\w+)`", row) if name in statements()} == own


def test_the_guide_says_how_many_a_lean_checked():
    assert f"| {len(FOUND)} | {len(statements())} |" in guide()


def test_lake_builds_the_proofs():
    lake = tomllib.loads((ROOT / "lakefile.toml").read_text(encoding="utf-8"))
    assert "Proofs" in lake["defaultTargets"]
    assert {"name": "Proofs", "globs": ["Proofs.+"]} in lake["lean_lib"]


# With a Lean, or a program in its place.


@pytest.fixture
def program(tmp_path):
    def make(body):
        file = tmp_path / "lean"
        version = '[ "$1" = --version ] && { echo "Lean (version 4.34.0, Release)"; exit 0; }'
        file.write_text(f"#!/bin/sh\n{version}\n{body}\n", encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    return make


FREE = """/bin/sed -n "s/^#print axioms \\(.*\\)/'\\1' does not depend on any axioms/p" "$3" """


@pytest.mark.parametrize(
    ("body", "verdict", "message", "rows"),
    [
        (FREE, "checked", "", len(FOUND) + 1),
        ("exit 0", "fails", "no answer about the axioms", 1),
        ('[ "$3" = Fixtures/Lemmas.lean ] && exit 7\n' + FREE, "fails", "lean ended with 7", 1),
        ('[ "$3" = Proofs/Step.lean ] && echo ": error: no"\n' + FREE, "fails", "error: no", 3),
        (
            '[ "$3" = AsStated.lean ] && echo ": error: no"\n' + FREE,
            "fails",
            "error: no",
            len(FOUND) + 1,
        ),
        ("exec sleep 9", "out of time", "", 1),
        (
            FREE + "\necho \"'Radproof.Proved.not_zero' depends on axioms: [Quot.sound]\"",
            "fails",
            "uses the axiom Quot.sound",
            1,
        ),
    ],
)
def test_what_a_lean_says_decides(program, body, verdict, message, rows):
    checked = list(verify_proofs(program(body), ROOT, FOUND, seconds=1))
    assert checked[-1].verdict == verdict
    assert message in checked[-1].message
    assert len(checked) == rows
    assert all(row.verdict == "checked" for row in checked[:-1])


def test_a_proof_is_not_checked_alone(program):
    arguments = ["verify", "--lean", program(FREE), str(ROOT / FOLDER / "Rate.lean")]
    ran = CliRunner().invoke(lean, arguments)
    assert ran.exit_code == 2
    assert "imports Proofs.Step, so it cannot be checked alone" in ran.output


STRETCHES = ROOT / "Fixtures" / "Conformance" / "LongStretches.lean"


def test_a_file_in_stretches_is_checked_with_the_proofs_below_it(program):
    """They are compiled first, in order, and only those that it needs."""
    body = 'echo "${3:-$1}" >> "$(dirname "$0")/asked"\n' + FREE.replace('"$3"', '"${3:-$1}"')
    made = program(body)
    arguments = ["verify", "--lean", made, "--root", str(ROOT), str(STRETCHES)]
    ran = CliRunner().invoke(lean, arguments)
    assert ran.exit_code == 0, ran.output
    asked = Path(made).with_name("asked").read_text(encoding="utf-8").split()
    assert asked[0] == "Fixtures/Lemmas.lean"
    assert asked[-2] == "Proofs/Along.lean"
    assert asked[-1].endswith("Asked.lean")
    assert "Proofs/Tiling.lean" not in asked
    assert asked.index("Proofs/Step.lean") < asked.index("Proofs/Leap.lean")


def test_a_proof_that_breaks_leaves_no_stretch_checked(program):
    body = '[ "$3" = Proofs/Leap.lean ] && echo ": error: no"\n' + FREE
    arguments = ["verify", "--lean", program(body), "--root", str(ROOT), str(STRETCHES)]
    ran = CliRunner().invoke(lean, arguments)
    assert ran.exit_code == 1
    assert "a file imports Proofs.Along" in ran.output
    assert "Proofs/Leap.lean: : error: no" in ran.output


def test_without_the_proofs_no_stretch_is_checked(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(lean, ["verify", "--lean", program(FREE), str(STRETCHES)])
    assert ran.exit_code == 2
    assert "is not lean_mirror" in ran.output


def test_verify_has_the_proofs_too(program):
    body = FREE.replace('"$3"', '"${3:-$1}"')
    ran = CliRunner().invoke(lean, ["verify", "--lean", program(body), "--root", str(ROOT)])
    assert ran.exit_code == 0, ran.output
    assert f"{FOLDER}/Tiling.lean" in ran.output


def test_the_proofs_with_the_lean_that_is_here():
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    checked = list(verify_proofs(program, ROOT, FOUND))
    assert [row for row in checked if row.verdict != "checked"] == []
    assert set().union(*(row.axioms for row in checked)) <= ALLOWED
