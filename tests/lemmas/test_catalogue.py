"""The lemmas as a whole: names, the tree, the page, and that nothing imports Z3 too early."""

from __future__ import annotations

import subprocess
import sys

import pytest

from radproof.errors import BadInput
from radproof.lemmas.catalogue import LEMMAS, THEOREMS, lemmas_named
from radproof.lemmas.obligations import WORLD, Lemma
from radproof.lemmas.symbols import symbolic
from radproof.proof.certificate import below

NAMES = [one.name for one in LEMMAS]


def test_names_are_unique_and_dependencies_are_lemmas():
    assert len(set(NAMES)) == len(NAMES)
    for one in LEMMAS:
        assert set(one.depends_on) <= set(NAMES), one.name
        assert one.name not in below(one.depends_on), f"{one.name} rests on itself"


def test_the_lean_names_are_all_there():
    wanted = {
        "tiled_rate",
        "served_rate",
        "serves_rad",
        "rad_batch",
        "rad_start",
        "rad_handle",
        "rad_exec",
        "rad_settle",
        "rad_initial",
        "fillAmounts_sum",
        "fillAmounts_le_want",
        "fillAmounts_fifo",
        "fillAmounts_zero",
        "fillIter_ones",
        "mem_fillIter",
        "startIteration_inv",
        "step_inv",
    }
    assert wanted <= {one.lean for one in LEMMAS}


def test_a_lemma_names_every_lemma_it_uses(monkeypatch):
    # instances of other lemmas stand among the hypotheses: each must be proved, and be below
    used = []
    at = Lemma.at

    def note(self, world, **values):
        used.append(self.name)
        return at(self, world, **values)

    monkeypatch.setattr(Lemma, "at", note)
    for one in LEMMAS:
        used.clear()
        symbolic(one, WORLD)
        assert set(used) <= set(below(one.depends_on)), one.name


def test_every_induction_has_its_base_and_its_step():
    for one in LEMMAS:
        if one.encoding.endswith(": base"):
            steps = [s for s in LEMMAS if one.name in s.depends_on]
            assert [s.name for s in steps] == [one.name.removesuffix(".base")]


def test_a_theorem_rests_on_every_step_of_its_induction():
    assert {theorem.name for theorem in THEOREMS} >= {"token_rate", "optimal_tiling"}
    for theorem in THEOREMS:
        assert set(theorem.rests_on) <= set(NAMES)
    for one in LEMMAS:  # a bounded list is part of a theorem where it is about the loop alone
        used = any(one.name in below(theorem.rests_on) for theorem in THEOREMS)
        assert used != ("[" in one.name and not one.name.startswith("loop"))


def test_a_lemma_is_found_by_its_name_its_lean_name_or_its_family():
    assert [one.name for one in lemmas_named("tiled_rate")] == ["tiled_rate"]
    assert [one.name for one in lemmas_named("rad_start[3]")] == ["rad_start[3]"]
    assert len(lemmas_named("rad_start")) == 10
    assert {one.name for one in lemmas_named("fillIter_ones")} == {
        "fillIter_ones",
        "fillIter_ones.base",
    }
    with pytest.raises(BadInput, match="Did you mean 'rad_batch'"):
        lemmas_named("rad_bach")


@pytest.mark.parametrize(
    "module",
    [
        "radproof",
        "radproof.cli.main",
        "radproof.proof",
        "radproof.proof.reach",
        "radproof.proof.step_replay",
        "radproof.cli.prove",
        "radproof.proof.cvc5",
    ],
)
def test_importing_it_does_not_import_z3(module):
    code = f"import sys, {module}; sys.exit(bool({{'z3', 'cvc5'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
