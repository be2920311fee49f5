"""The lemmas on plain ints: the builders are arithmetic that Python itself can check."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from radproof.proof.catalogue import LEMMAS
from radproof.proof.obligations import WORLD, Lemma, Part, Sequent, numbers

DRAWS = 400


def drawn(lemma, draw):
    """Values for the lemma's variables: small, so that its hypotheses are often met."""
    most = draw.choice([2, 4, 12])
    values = {
        name: draw.randint(0, most) if sort is int else draw.random() < 0.5
        for name, sort in lemma.sorts.items()
    }
    if "left" in values and "k" in values and "tiles" in values and draw.random() < 0.8:
        values["left"] = values["tiles"] * values["b_col"] * values["k"]
    return values


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_it_holds_on_ints_wherever_its_hypotheses_do(lemma):
    draw = random.Random(lemma.name)
    met = 0
    for _ in range(DRAWS):
        values = drawn(lemma, draw)
        try:
            sequent = lemma.build(SimpleNamespace(**values), WORLD)
        except ZeroDivisionError:  # a tile of 0 tokens, which no deployment has
            continue
        if all(sequent.given):
            met += 1
            assert all(sequent.uses), values
            assert all(part.truth for part in sequent.goal), values
    if "[" not in lemma.name:
        assert met, "no draw met the hypotheses: this test says nothing"


def test_a_sequent_is_an_implication_of_its_parts():
    sequent = Sequent((False,), (Part("p", False),))
    assert sequent.truth
    assert not sequent.conclusion
    assert Part("p", False, when=False).truth
    assert not Part("p", False).truth
    assert not Sequent((True,), (Part("p", True), Part("q", False))).truth


def test_a_lemma_used_elsewhere_is_the_lemma_itself_and_not_its_instances():
    # `uses` are left out of the truth: an instance may not be assumed in passing
    lemma = Lemma(
        "l",
        "",
        "",
        "QF witness",
        numbers("x"),
        lambda v, world: Sequent((v.x > 0,), (Part("p", v.x > 1),), (False,)),
    )
    assert not lemma.at(WORLD, x=1)
    assert lemma.at(WORLD, x=2)
    assert lemma.at(WORLD, x=0)
