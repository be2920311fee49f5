"""Which files a Lean may be run on."""

from pathlib import Path

import pytest
from lean.drawn import subject

from radproof.lean.errors import NotTheSame
from radproof.lean.export import conformance
from radproof.lean.fixtures import emitted
from radproof.lean.written import theorems_of

ROOT = Path(__file__).parents[2] / "lean_mirror"
SERQ = (ROOT / "serq" / "RaggedPair.lean").read_text(encoding="utf-8")
MIRROR = (ROOT / "RadproofMirror.lean").read_text(encoding="utf-8")
LEMMAS = (ROOT / "Fixtures" / "Lemmas.lean").read_text(encoding="utf-8")
RUN = conformance(subject()).text()
REFUTED = (ROOT / "Fixtures" / "Counterexamples" / "Mixed.lean").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", emitted(ROOT), ids=lambda file: file.stem)
def test_every_emitted_file_is_one(file):
    text = file.read_text(encoding="utf-8")
    said = [line.split()[1] for line in text.splitlines() if line.startswith("theorem ")]
    assert [name.rpartition(".")[2] for name in theorems_of(text)] == said


COMMANDS = (
    "#eval 1",
    "axiom bad : False",
    "theorem bad : 1 = 2 := sorry",
    "theorem bad : 1 = 1 := by decide",
    "def bad : Nat := 1",
    'macro "x" : term => `(1)',
    "attribute [simp] step",
    "@[simp] theorem t : 1 = 1 := rfl",
    "instance : Inhabited Nat := Inhabited.mk 1",
    "example : 1 = 1 := rfl",
    "open Nat",
    "end Radproof namespace Evil",
    "set_option trace.Meta true",
    "initialize IO.println 1",
    "-- a comment",
    "/- a comment -/",
    "run_cmd 1",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_more_and_it_is_none(command):
    for text in (RUN, REFUTED, SERQ, MIRROR, LEMMAS):
        theorems_of(text)
        parts = text.split("\n\n")
        for place in (0, 1, len(parts) // 2, len(parts) - 2, len(parts) - 1, len(parts)):
            changed = "\n\n".join([*parts[:place], command, *parts[place:]])
            with pytest.raises(NotTheSame):
                theorems_of(changed)
        for theorem in ("theorem t_1 :", "theorem now_1 :", "theorem refuted :"):
            if theorem in text:
                with pytest.raises(NotTheSame):
                    theorems_of(text.replace(theorem, f"{command} {theorem}"))


def test_a_note_is_no_theorem():
    text = SERQ.replace("Ragged prompts share", "theorem boom :", 1)
    assert "RadproofTerm.boom" not in theorems_of(text)
