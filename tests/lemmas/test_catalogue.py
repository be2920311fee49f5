"""The lemmas as a whole: names, the tree, the page, and that nothing imports Z3 too early."""

from __future__ import annotations

import subprocess
import sys

import pytest

from radproof.errors import BadInput
from radproof.lemmas.catalogue import BESIDE, LEMMAS, THEOREMS, below, lemmas_named

NAMES = [one.name for one in LEMMAS]


def test_names_are_unique_and_dependencies_are_lemmas():
    assert len(set(NAMES)) == len(NAMES)
    for one in LEMMAS:
        assert set(one.rests_on) <= set(NAMES), one.name
        assert one.name not in below(one.rests_on), f"{one.name} rests on itself"


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


def test_a_lemma_rests_on_what_it_uses_an_instance_of():
    known = {one.name: one for one in LEMMAS}
    assert known["rad_batch"].rests_on == ("mul_mod", "le_mul")
    assert known["run.batch"].rests_on == ("progress",)
    assert below(("token_rate.iteration",)) == (
        "token_rate.iteration",
        "batch_fits",
        "startIteration_inv",
        "served_rate",
        "tiled_rate",
        "mul_le_mul",
    )


def test_every_base_has_its_step():
    for one in LEMMAS:
        if one.encoding.endswith(": base"):
            assert one.name.removesuffix(".base") in NAMES


def test_no_theorem_rests_on_these_lemmas():
    # restated from serQ, or about whole lists; every other is in the tree of a theorem
    assert {name.split("[")[0] for name in BESIDE} == {
        "fillAmounts_sum.base",
        "fillAmounts_le_want",
        "fillAmounts_zero",
        "fillAmounts_fifo",
        "fillIter_ones.base",
        "fillIter_ones",
        "mem_fillIter",
        "rad_start",
        "rad_handle.list",
        "leap_share.list",
    }


def test_the_theorems_have_lines_premises_and_lemmas_from_their_compositions():
    by_name = {theorem.name: theorem for theorem in THEOREMS}
    assert by_name["token_rate"].statement() == (
        "token_rate at every iteration. For b_col >= 1, b_lcm a positive multiple of b_col, "
        "t_lin >= 0, t_nl >= 0; if chunk >= b_lcm"
    )
    assert {name: theorem.premises() for name, theorem in by_name.items()} == {
        "run": ("chunk >= b_lcm",),
        "token_rate": ("chunk >= b_lcm",),
        "optimal_tiling": (
            "chunk >= b_lcm",
            "Assumption 3 (every prompt is a multiple of b_lcm)",
        ),
        "arrival order": ("chunk >= b_lcm",),
        "decodes_fit": (
            "chunk >= b_lcm",
            "Assumption 3 (every prompt is a multiple of b_lcm)",
            "every prompt has a token or more",
        ),
        "clock": ("chunk >= b_lcm", "t_lin + t_nl >= 1"),
        "leap": (
            "chunk >= b_lcm",
            "no session arrives, no job leaves, and what is left of a prompt covers its share "
            "again",
        ),
    }
    assert {"batch_fits", "progress", "wantOf.decode", "tiled_rate"} <= set(
        below(tuple(one.name for one in by_name["token_rate"].compositions))
    )


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
