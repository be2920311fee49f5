"""The verdict of a row of the certificate, and its exit code."""

from __future__ import annotations

import attrs
import pytest
from proof.made_up import ABSURD, DEAD, FALSE, HARD, NEVER, TRUE

from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD
from radproof.proof import cvc5
from radproof.proof.answers import Answer
from radproof.proof.certificate import Exit, LemmaRow
from radproof.proof.prove import prove
from radproof.proof.questions import question
from radproof.proof.solver import solve


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


def test_more_than_half_of_the_budget_fails():
    lemma = next(one for one in LEMMAS if one.name == "rad_batch")
    used = solve(question(lemma, WORLD)).rlimit
    thin = attrs.evolve(lemma, budget=2 * used - 1)
    certificate = prove(WORLD, [thin])
    assert certificate.rows[0].over_half
    assert certificate.rows[0].outcome.verdict is Answer.PROVED
    assert certificate.exit_code is Exit.UNKNOWN
    assert prove(WORLD, [attrs.evolve(lemma, budget=3 * used)]).exit_code is Exit.HOLDS


def test_a_disagreement_is_a_failure():
    outcome = solve(question(TRUE, WORLD))
    refuted = cvc5.ask("made", question(FALSE, WORLD).text)
    row = LemmaRow(TRUE, outcome, refuted)
    assert row.disagreement == "z3 says proved, cvc5 says refuted"
    assert row.exit_code is Exit.UNKNOWN
    false = LemmaRow(
        FALSE, solve(question(FALSE, WORLD)), cvc5.ask("made", question(TRUE, WORLD).text)
    )
    assert false.exit_code is Exit.UNKNOWN
