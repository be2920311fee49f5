"""Verdicts: each word is given where it is deserved, and only there."""

from __future__ import annotations

from proof.made_up import ABSURD, DEAD, FALSE, HARD, NEVER, TRUE

from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD, world_of
from radproof.proof.answers import Answer
from radproof.proof.questions import question
from radproof.proof.solver import solve, vacuity
from radproof.schedulers.loading import load


def test_the_reasons_say_what_could_not_be_reached():
    assert solve(question(ABSURD, WORLD)).reason == "not reached: the hypotheses"
    assert solve(question(DEAD, WORLD)).reason == "not reached: either (2 of 2)"
    assert solve(question(NEVER, WORLD)).reason == "not reached: then"
    assert solve(question(HARD, WORLD)).reason == "out of its budget"
    assert vacuity(question(DEAD, WORLD)) == ("either (2 of 2)",)
    assert vacuity(question(TRUE, WORLD)) == ()


def test_a_model_satisfies_the_hypotheses_and_breaks_the_goal():
    outcome = solve(question(FALSE, WORLD))
    assert outcome.model == {"x": 1, "y": 1}


def test_resources_are_the_same_in_two_runs_and_counted_for_the_goal():
    lemma = next(one for one in LEMMAS if one.name == "rad_batch")
    first, again = (solve(question(lemma, WORLD)) for _ in range(2))
    assert first.rlimit == again.rlimit > 0


def test_what_z3_gives_up_on_is_refuted_with_usual_values_where_these_refute_it():
    [lemma] = [one for one in LEMMAS if one.name == "clock_identity"]
    wrong = solve(question(lemma, world_of(load("radproof.mutants:tile_too_many"))))
    assert wrong.rlimit >= lemma.budget  # Z3 gave up on every value at once
    assert (wrong.verdict, wrong.reason) == (Answer.REFUTED, "")
    assert wrong.model is not None
    assert (wrong.model["b_col"], wrong.model["t_lin"], wrong.model["tokens"]) == (2, 4000, 2)


def test_what_usual_values_do_not_refute_stays_unknown():
    hard = solve(question(HARD, WORLD))
    assert (hard.verdict, hard.model) == (Answer.UNKNOWN, None)
