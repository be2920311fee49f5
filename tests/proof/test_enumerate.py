"""Numpy reads the lemmas as ints do, and finds what is false."""

from __future__ import annotations

import pytest
from proof.changed_rules import CHANGED

from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD
from radproof.model import SEED
from radproof.proof.enumerate import enumerate_cases

GRIDS = [lemma for lemma in LEMMAS if lemma.grid]


@pytest.mark.parametrize("lemma", GRIDS, ids=lambda lemma: lemma.name)
def test_every_case_of_the_range_holds(lemma):
    cases, wrong = enumerate_cases(lemma, WORLD)
    assert wrong is None
    assert cases > SEED.b_col - 1


def test_the_lemmas_over_a_tile_are_enumerated():
    assert {"tiled_rate", "fillAmounts_sum", "fillIter_ones", "handle_work"} <= {
        lemma.name for lemma in GRIDS
    }


@pytest.mark.parametrize(
    ("change", "lemma", "first"),
    [
        ("duration: floor for ceil", "tiled_rate", {"tokens": 1}),
        ("take: the larger", "fillAmounts_sum", {"budget": 0, "want": 1, "rest": 0}),
        ("done_after: forgets", "handle_work", {"total": 1, "done": 0, "share": 1}),
    ],
)
def test_a_false_lemma_is_found_at_its_first_case(change, lemma, first):
    (one,) = (one for one in GRIDS if one.name == lemma)
    _, wrong = enumerate_cases(one, CHANGED[change][0])
    assert wrong == first


def test_the_hypotheses_are_kept():
    (one,) = (one for one in GRIDS if one.name == "fillIter_ones")
    cases, _ = enumerate_cases(one, WORLD)
    # rest + 1 <= budget, both up to 128
    assert cases == sum(rest + 1 <= budget for budget in range(129) for rest in range(129))
