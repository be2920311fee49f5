"""Who discharges each hypothesis of a lemma in use, and what is open without a lemma."""

from __future__ import annotations

import attrs
import pytest
from proof.changed_rules import CHANGED

from radproof.lemmas.catalogue import BESIDE, COMPOSITIONS, LEMMAS, THEOREMS
from radproof.lemmas.obligations import WORLD, World
from radproof.mutants import changed_rules
from radproof.proof.certificate import Certificate, Standing
from radproof.proof.composing import discharges, hypotheses, left_open
from radproof.proof.prove import prove

NAMED = {one.name: one for one in LEMMAS}
NEEDED = [one for one in LEMMAS if one.name not in BESIDE]


def standing(certificate: Certificate) -> dict[str, str]:
    return {theorem.name: certificate.theorem(theorem).value for theorem in THEOREMS}


def because(certificate: Certificate, name: str) -> str:
    [theorem] = [one for one in THEOREMS if one.name == name]
    return certificate.because(theorem)


def test_no_hypothesis_of_a_lemma_in_use_is_open():
    found = [one for composition in COMPOSITIONS for one in discharges(composition, WORLD)]
    assert len(found) > 300
    assert not [one for one in found if one.by is None]


def test_a_hypothesis_names_who_discharges_it():
    found = {
        (one.lemma, one.hypothesis): one.by
        for one in discharges(NAMED["token_rate.iteration"], WORLD)
    }
    by = found["startIteration_inv", "tokens <= b_lcm"]
    assert by is not None
    assert by[-3:] == (
        "the induction hypothesis (batch): a batch has no more than its budget",
        "the loop: limit",
        "batch_fits",
    )
    assert found["startIteration_inv", "slack >= 0"] == ("the premise: chunk >= b_lcm",)


def test_a_hypothesis_is_named_by_what_it_says():
    assert hypotheses(NAMED["handle_work"], WORLD) == (
        "total >= 0",
        "done >= 0",
        "done <= total",
        "share >= 1",
        "share <= left(total, done)",
    )


@pytest.mark.parametrize(
    ("composition", "missing", "opened"),
    [
        (
            "token_rate.iteration",
            "batch_fits",
            "token_rate.iteration, lemma startIteration_inv, hypothesis tokens <= b_lcm",
        ),
        ("run.fill", "wantOf.decode", "run.fill, lemma fillAmounts_sum, hypothesis want >= 0"),
        ("run.batch", "progress", "run.batch, a batch has a token or more"),
        (
            "leap.decodes",
            "leap_order.decodes",
            "leap.decodes, two jobs are passed in the same order again",
        ),
    ],
)
def test_without_a_lemma_the_hypothesis_that_it_discharges_is_open(composition, missing, opened):
    assert left_open(NAMED[composition], WORLD, {missing}) == opened
    assert left_open(NAMED[composition], WORLD, ()) is None


def test_a_batch_above_b_lcm_leaves_the_hypothesis_of_token_rate_open():
    # a decode budget of 4 b_lcm, and batches above b_lcm for free
    certificate = prove(CHANGED["budget: four tiles for decodes"][0], NEEDED)
    assert standing(certificate)["token_rate"] in (Standing.NOT, Standing.FALSE)
    assert standing(certificate)["run"] == "follows"


def test_does_not_follow_is_not_is_false():
    world = World(changed_rules.budget_256)
    certificate = prove(world, NEEDED)
    assert standing(certificate) | {"decodes_fit": ""} == {
        "run": "follows",
        "token_rate": "does not follow",
        "optimal_tiling": "is false",
        "arrival order": "does not follow",
        "decodes_fit": "",
        "clock": "follows",
        "leap": "follows",
    }
    assert because(certificate, "token_rate") == (
        "batch_fits is refuted; open: token_rate.iteration, lemma startIteration_inv, hypothesis "
        "tokens <= b_lcm; it may still be true: no path that breaks it was found"
    )
    assert because(certificate, "optimal_tiling") == (
        "the counterexample of rad_batch is a path that breaks it"
    )
    assert because(certificate, "clock") == ""


def test_a_refuted_lemma_takes_every_theorem_above_it_along():
    rows = prove(WORLD, NEEDED).rows
    [refuted] = prove(CHANGED["take: all the rest"][0], [NAMED["fillAmounts_sum"]]).rows
    whole = Certificate("rad", "", (), rows)
    assert set(standing(whole).values()) == {"follows"}
    for name in ("fillAmounts_sum", "mul_le_mul", "serves_in_order"):
        spoilt = [
            attrs.evolve(row, outcome=refuted.outcome) if row.lemma.name == name else row
            for row in rows
        ]
        said = standing(Certificate("rad", "", (), tuple(spoilt)))
        without = [row for row in rows if row.lemma.name != name]
        asked_less = standing(Certificate("rad", "", (), tuple(without)))
        for theorem in THEOREMS:
            below_it = name in {
                one for case in theorem.compositions for one in (*case.rests_on, case.name)
            } or (name == "mul_le_mul" and theorem.name in ("token_rate", "leap"))
            assert said[theorem.name] == ("does not follow" if below_it else "follows")
            assert asked_less[theorem.name] == ("open" if below_it else "follows")
