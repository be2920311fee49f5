"""The compositions: what each theorem's induction needs, and that nothing can be left out."""

from __future__ import annotations

import attrs
import pytest
import z3

from radproof.lemmas import composed_rate, composed_run
from radproof.lemmas.catalogue import (
    COMPOSITIONS,
    INVARIANTS,
    LOOP,
    THEOREMS,
    Theorem,
    assumed_by,
    shown_by,
)
from radproof.lemmas.composition import Invariant, composed, composition, looped
from radproof.lemmas.obligations import WORLD, Part, Sequent, Source, numbers
from radproof.lemmas.opaque import as_asked
from radproof.lemmas.symbols import NODE, boolean, node, variables
from radproof.lemmas.tiling import batch_fits
from radproof.proof import cvc5
from radproof.proof.questions import question
from radproof.readers.terms import Names


def follows(sequent: Sequent) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    solver.add(*map(boolean, sequent.given), *(boolean(use.truth) for use in sequent.uses))
    solver.add(z3.Not(boolean(sequent.conclusion)))
    return solver.check() == z3.unsat


def without(sequent: Sequent, place: int) -> Sequent:
    return attrs.evolve(sequent, uses=sequent.uses[:place] + sequent.uses[place + 1 :])


def claiming_less(sequent: Sequent, place: int, part: int) -> Sequent:
    use = sequent.uses[place]
    goal = use.sequent.goal[:part] + use.sequent.goal[part + 1 :]
    less = attrs.evolve(use, sequent=attrs.evolve(use.sequent, goal=goal))
    return attrs.evolve(sequent, uses=(*sequent.uses[:place], less, *sequent.uses[place + 1 :]))


@pytest.mark.parametrize("one", COMPOSITIONS, ids=lambda one: one.name)
def test_it_follows_from_its_lemmas_and_from_no_fewer(one):
    sequent = as_asked(one, WORLD)
    assert follows(sequent)
    for place, use in enumerate(sequent.uses):
        assert not follows(without(sequent, place)), f"{use.lemma.name} is redundant"


def test_every_conjunct_of_every_lemma_is_needed_somewhere():
    needed: dict[tuple[str, str], bool] = {}
    for one in COMPOSITIONS:
        sequent = as_asked(one, WORLD)
        for place, use in enumerate(sequent.uses):
            for number, part in enumerate(use.sequent.goal):
                key = use.lemma.name, part.text
                if not needed.get(key):
                    needed[key] = not follows(claiming_less(sequent, place, number))
    assert not [key for key, wanted in needed.items() if not wanted]


def test_an_instance_whose_hypothesis_nobody_discharges_gives_nothing():
    # chunk >= b_lcm is a hypothesis of the lemma: without the premise it says nothing
    [one] = [one for one in COMPOSITIONS if one.name == "token_rate.iteration"]
    sequent = as_asked(one, WORLD)
    less = [fact.holds for fact in sequent.facts if fact.source is not Source.PREMISE]
    assert len(less) == len(sequent.given) - 1
    assert not follows(attrs.evolve(sequent, given=tuple(less)))


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_every_invariant_that_a_theorem_assumes_is_shown_after_each_of_its_events(theorem):
    assert theorem.uncovered == ()
    for one in theorem.compositions:
        assert assumed_by(one) <= INVARIANTS.keys()
        for fact in as_asked(one, WORLD).facts:
            assert (fact.source is Source.INVARIANT) == bool(fact.invariant)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_no_case_of_a_theorem_can_be_left_out(theorem):
    for left_out in theorem.compositions:
        rest = tuple(one for one in theorem.compositions if one is not left_out)
        shorter = Theorem(theorem.name, "", theorem.claims)
        shorter.__dict__["compositions"] = rest
        lost = left_out in (*theorem.claims, *composed_run.CLAIMS)
        several = [
            one.name
            for one in rest
            if one.event == left_out.event and shown_by(one) == shown_by(left_out)
        ]
        # two cases of one event: of prompts and of decodes
        assert shorter.uncovered or lost or several, left_out.name


def test_a_case_is_about_an_event_of_what_it_shows():
    for one in COMPOSITIONS:
        for name in shown_by(one):
            assert one.event in INVARIANTS[name].events, one.name
    seen = {(name, one.event) for one in COMPOSITIONS for name in shown_by(one)}
    assert seen == {(name, event) for name, one in INVARIANTS.items() for event in one.events}


def test_the_rules_are_opaque():
    # what every rule does, and no lemma says, is not known
    @composition("an iteration", NODE | numbers("x"), name="taken")
    def taken(v, world):
        fewer = world.rules.take(v.x, v.x) <= v.x
        return composed((looped("x", v.x >= 0),), (Part("no more than wanted", fewer),))

    assert follows(taken.build(Names(variables(taken.sorts)), WORLD))
    assert not follows(as_asked(taken, WORLD))


def test_a_second_deployment_is_refused():
    @composition("an iteration", NODE | numbers("other"), name="elsewhere")
    def elsewhere(v, world):
        at = {name: getattr(v, name) for name in NODE} | {"slack": v.other}
        return composed((), (), (batch_fits.at(world, **at, mode=True),))

    with pytest.raises(Exception, match="a second deployment: chunk"):
        as_asked(elsewhere, WORLD)


def test_an_invariant_that_no_case_shows_leaves_the_theorem_open():
    never = Invariant("never shown", ("an iteration",), lambda v, world: (Part("x", v.x >= 0),))

    @composition("an iteration", numbers("x"), name="assumes")
    def assumes(v, world):
        return composed(never.given(v, world), (Part("x + 1 >= 0", v.x + 1 >= 0),))

    INVARIANTS[never.name] = never
    try:
        theorem = Theorem("made", "", (assumes,))
        assert "never shown after: an iteration" in theorem.uncovered
    finally:
        del INVARIANTS[never.name]


def test_the_whole_record_is_the_claims_own():
    # a record of which only two fields are known is not the claim
    v = Names(variables(composed_rate.rate_iterates.sorts))
    world = as_asked(composed_rate.rate_iterates, WORLD)
    text = " ".join(str(boolean(part.holds)) for part in world.goal)
    assert "token_rate_of_start_served(" in text
    assert "token_rate(now," in " ".join(text.split())
    assert node(v).b_lcm is not None


def test_cvc5_discharges_the_compositions_too():
    for one in COMPOSITIONS:
        assert cvc5.ask(one.name, question(one, WORLD).text).verdict == "proved", one.name


def test_what_is_below_a_theorem_are_lemmas():
    for theorem in THEOREMS:
        assert set(theorem.rests_on) <= set(theorem.tree)
        assert {one.name for one in theorem.compositions} <= set(theorem.tree)
        assert set(LOOP) <= set(theorem.rests_on)
