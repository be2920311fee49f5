"""The lemmas on plain ints: the builders are arithmetic that Python itself can check."""

from __future__ import annotations

import random

import pytest

from radproof.errors import BadInput
from radproof.lemmas import bounds, composed_run, fill
from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import (
    COMPOSITION,
    WITNESS,
    WORLD,
    Lemma,
    Part,
    Sequent,
    World,
    lemma,
    lemmas_in,
    numbers,
    world_of,
)
from radproof.model import PREFILL, Deployment, Job
from radproof.mutants import lifo_prefill
from radproof.readers.terms import Names
from radproof.rules import Signature
from radproof.schedulers import RuleScheduler, rad
from radproof.schedulers.loading import Loaded
from radproof.schedulers.protocol import View

DRAWS = 400


def drawn(lemma, draw):
    """Values for the lemma's variables: small, so that its hypotheses are often met."""
    most = draw.choice([2, 4, 12])
    values = {
        name: _any_rule(sort, draw.random(), most)
        if isinstance(sort, Signature)
        else draw.randint(0, most)
        if sort is int
        else draw.random() < 0.5
        for name, sort in lemma.sorts.items()
    }
    if "left" in values and "k" in values and "tiles" in values and draw.random() < 0.8:
        values["left"] = values["tiles"] * values["b_col"] * values["k"]
    return values


def _any_rule(signature, seed, most):
    """A rule that is left open: some function of its numbers and truths."""

    def rule(*arguments):
        draw = random.Random(repr((seed, arguments)))
        return draw.randint(0, most) if signature.result is int else draw.random() < 0.5

    return rule


def settled(lemma, values):
    """The values with those of the loop's equations, each of which may need the one before."""
    for _ in range(12):
        found = {
            fact.defines: fact.value
            for fact in lemma.build(Names(values), WORLD).facts
            if fact.defines
        }
        if found.items() <= values.items():
            break
        values = values | found
    return values


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_it_holds_on_ints_wherever_its_hypotheses_do(lemma):
    draw = random.Random(lemma.name)
    met = 0
    for _ in range(DRAWS):
        values = drawn(lemma, draw)
        try:
            values = settled(lemma, values)
            sequent = lemma.build(Names(values), WORLD)
        except ZeroDivisionError:  # a tile of 0 tokens, which no deployment has
            continue
        if all(sequent.given):
            met += 1
            assert all(use.truth for use in sequent.uses), values
            assert all(part.truth for part in sequent.goal), values
    if "[" not in lemma.name and lemma.encoding != COMPOSITION:
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
    @lemma(WITNESS, numbers("x"))
    def false(v, world):
        return Sequent((), (Part("p", False),))

    @lemma(WITNESS, numbers("x"))
    def one(v, world):
        return Sequent((v.x > 0,), (Part("p", v.x > 1),), (false.at(world, x=v.x),))

    assert not one.at(WORLD, x=1).truth
    assert one.at(WORLD, x=2).truth
    assert one.at(WORLD, x=0).truth


def test_a_lemma_is_named_after_its_builder_and_says_its_docstring():
    @lemma(WITNESS, numbers("x"))
    def positive(v, world):
        """x + 1 is positive

        This is not said.
        """
        return Sequent((v.x >= 0,), (Part("p", v.x + 1 > 0),))

    @lemma(WITNESS, numbers("x"), name="positive.again")
    def again(v, world):
        """the same"""
        return Sequent((), (Part("p", True),), (positive.at(world, x=v.x),))

    assert isinstance(positive, Lemma)
    assert (positive.name, positive.statement) == ("positive", "x + 1 is positive")
    assert (again.name, again.rests_on) == ("positive.again", ("positive",))
    assert again.at(WORLD, x=-5).truth


def test_every_lemma_has_a_statement():
    assert all(one.statement for one in LEMMAS)


def test_a_module_states_the_lemmas_that_it_does_not_import():
    assert lemmas_in(fill)[0] is fill.fillAmounts_sum_base
    assert composed_run.progress in lemmas_in(bounds)
    assert composed_run.progress not in lemmas_in(composed_run)


def test_a_world_has_the_rules_and_the_order_of_its_scheduler():
    world = world_of(Loaded.of(lifo_prefill, "lifo"))
    assert world == World(lifo_prefill)
    assert world.rules is lifo_prefill.rules
    node = Deployment(b_col=4)
    first, second = (Job(number, PREFILL, number, 4) for number in range(2))
    batch, _ = world.scheduler(View(1, (first, second), node))
    assert [entry.session for entry in batch] == [1]
    assert not world.offered_first(first, second)
    assert WORLD.offered_first(first, second)


def test_only_rule_form_is_proved():
    assert world_of(Loaded.of(rad, "rad")) == WORLD

    def plain(view):
        return (), None

    with pytest.raises(BadInput, match="can only be tested, not proved"):
        world_of(Loaded.of(plain, "my_module:plain"))

    class Own(RuleScheduler):
        def __call__(self, view):
            return (), None

    with pytest.raises(BadInput, match="plain Python code"):
        world_of(Loaded.of(Own(), "mine"))
