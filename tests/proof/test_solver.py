"""Verdicts: each word is given where it is deserved, and only there."""

from __future__ import annotations

import attrs
import pytest

from radproof.errors import RadproofError
from radproof.number import both, either
from radproof.proof import cvc5
from radproof.proof.answers import Answer
from radproof.proof.catalogue import LEMMAS
from radproof.proof.certificate import Exit, Row
from radproof.proof.obligations import WORLD, Lemma, Part, Sequent, numbers
from radproof.proof.prove import prove
from radproof.proof.questions import question
from radproof.proof.solver import solve, vacuity


def made(given, goal, names="x y", budget=100_000):
    """A lemma whose hypotheses and goal are functions of its variables."""
    return Lemma(
        "made",
        "",
        "made up",
        "QF witness",
        numbers(names),
        lambda v, world: Sequent(given(v), goal(v)),
        budget=budget,
    )


TRUE = made(lambda v: (v.x > 0,), lambda v: (Part("x + 1 > 1", v.x + 1 > 1),))
FALSE = made(lambda v: (v.x > 0,), lambda v: (Part("x > 1", v.x > 1),))
ABSURD = made(lambda v: (v.x > 0, v.x < 0), lambda v: (Part("anything", v.y == 7),))
DEAD = made(lambda v: (v.x > 0,), lambda v: (Part("either", either(v.x > 0, v.x < 0)),))
NEVER = made(lambda v: (v.x > 0,), lambda v: (Part("then", v.y == v.y + 1, when=v.x < 0),))
HARD = made(
    lambda v: (v.x > 1, v.y > 1),
    lambda v: (Part("a prime", v.x * v.y != 1_000_000_007 * 998_244_353),),
    budget=20_000,
)


@pytest.mark.parametrize(
    ("lemma", "verdict", "code"),
    [
        (TRUE, Answer.PROVED, Exit.HOLDS),
        (FALSE, Answer.REFUTED, Exit.FAILS),
        (ABSURD, Answer.VACUOUS, Exit.UNKNOWN),
        (DEAD, Answer.VACUOUS, Exit.UNKNOWN),
        (NEVER, Answer.VACUOUS, Exit.UNKNOWN),
        (HARD, Answer.UNKNOWN, Exit.UNKNOWN),
    ],
    ids=["true", "false", "absurd", "dead disjunct", "never asked", "hard"],
)
def test_the_verdict_and_its_exit_code(lemma, verdict, code):
    certificate = prove(WORLD, [lemma])
    assert certificate.rows[0].outcome.verdict is verdict
    assert certificate.exit_code is code


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


def test_more_than_half_of_the_budget_fails():
    lemma = next(one for one in LEMMAS if one.name == "rad_batch")
    used = solve(question(lemma, WORLD)).rlimit
    thin = attrs.evolve(lemma, budget=2 * used - 1)
    certificate = prove(WORLD, [thin])
    assert certificate.rows[0].over_half
    assert certificate.rows[0].outcome.verdict is Answer.PROVED
    assert certificate.exit_code is Exit.UNKNOWN
    assert prove(WORLD, [attrs.evolve(lemma, budget=3 * used)]).exit_code is Exit.HOLDS


def test_every_lemma_is_proved_by_both_and_reached():
    certificate = prove(solvers="both")
    assert {row.outcome.verdict for row in certificate.rows} == {Answer.PROVED}
    assert {row.second.verdict for row in certificate.rows} == {Answer.PROVED}
    assert all(not row.outcome.unreached and row.outcome.checks >= 2 for row in certificate.rows)
    assert certificate.exit_code is Exit.HOLDS
    assert len(certificate.rows) == len(LEMMAS)


@pytest.mark.parametrize(
    ("lemma", "verdict"),
    [(TRUE, Answer.PROVED), (FALSE, Answer.REFUTED), (ABSURD, Answer.PROVED)],
)
def test_cvc5_answers_the_same_text(lemma, verdict):
    assert cvc5.ask("made", question(lemma, WORLD).text).verdict is verdict


def test_cvc5_alone_is_still_asked_about_vacuity():
    certificate = prove(WORLD, [TRUE, DEAD, FALSE], solvers="cvc5")
    verdicts = [row.outcome.verdict for row in certificate.rows]
    assert verdicts == [Answer.PROVED, Answer.VACUOUS, Answer.REFUTED]


def test_a_disagreement_is_a_failure():
    outcome = solve(question(TRUE, WORLD))
    refuted = cvc5.ask("made", question(FALSE, WORLD).text)
    row = Row(TRUE, outcome, refuted)
    assert row.disagreement == "z3 says proved, cvc5 says refuted"
    assert row.exit_code is Exit.UNKNOWN
    false = Row(FALSE, solve(question(FALSE, WORLD)), cvc5.ask("made", question(TRUE, WORLD).text))
    assert false.exit_code is Exit.UNKNOWN


def test_a_proof_of_cvc5_is_kept_only_when_asked_for():
    text = question(TRUE, WORLD).text
    assert cvc5.ask("made", text).proof is None
    assert "declare-const x Int" in cvc5.ask("made", text, proof=True).proof
    assert cvc5.ask("made", question(FALSE, WORLD).text, proof=True).proof is None


def test_disjuncts_are_those_of_the_claim_itself():
    lemma = made(
        lambda v: (), lambda v: (Part("p", either(v.x > 0, both(v.x <= 0, v.y > 1), v.y <= 1)),)
    )
    assert question(lemma, WORLD).targets == ("p (1 of 3)", "p (2 of 3)", "p (3 of 3)")


def test_a_process_that_dies_is_told(monkeypatch):
    monkeypatch.setattr(cvc5.sys, "executable", "/bin/false")
    worker = cvc5.Worker([question(TRUE, WORLD)] * 2000)
    with pytest.raises(RadproofError, match="ended with code 1"):
        worker.opinions()
    worker.stop()
