"""cvc5 on the same text: its verdicts, its proofs, and its process."""

from __future__ import annotations

import pytest
from proof.made_up import ABSURD, FALSE, TRUE

from radproof.errors import RadproofError
from radproof.lemmas.obligations import WORLD
from radproof.proof import cvc5
from radproof.proof.answers import Answer
from radproof.proof.questions import question


@pytest.mark.parametrize(
    ("lemma", "verdict"),
    [(TRUE, Answer.PROVED), (FALSE, Answer.REFUTED), (ABSURD, Answer.PROVED)],
)
def test_cvc5_answers_the_same_text(lemma, verdict):
    assert cvc5.ask("made", question(lemma, WORLD).text).verdict is verdict


def test_a_proof_of_cvc5_is_kept_only_when_asked_for():
    text = question(TRUE, WORLD).text
    assert cvc5.ask("made", text).proof is None
    assert "declare-const x Int" in cvc5.ask("made", text, proof=True).proof
    assert cvc5.ask("made", question(FALSE, WORLD).text, proof=True).proof is None


def test_a_process_that_dies_is_reported(monkeypatch):
    monkeypatch.setattr(cvc5.sys, "executable", "/bin/false")
    worker = cvc5.Worker([question(TRUE, WORLD)] * 2000)
    with pytest.raises(RadproofError, match="ended with code 1"):
        worker.opinions()
    worker.stop()
