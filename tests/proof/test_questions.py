"""The text that the solvers are asked."""

from __future__ import annotations

import z3
from proof.made_up import made

from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD, Part
from radproof.number import both, either
from radproof.proof.questions import header, logic, question


def test_the_text_is_the_same_twice():
    for lemma in LEMMAS:
        assert question(lemma, WORLD) == question(lemma, WORLD)


def test_the_last_assertion_is_the_negated_goal():
    (lemma,) = (one for one in LEMMAS if one.name == "tiled_rate")
    asked = question(lemma, WORLD)
    assertions = z3.parse_smt2_string(asked.text)
    assert len(assertions) == asked.hypotheses + 1
    assert z3.is_not(assertions[asked.hypotheses])
    assert len(z3.parse_smt2_string(asked.reach)) == asked.hypotheses + len(asked.targets)
    assert asked.text.endswith("(check-sat)\n")


def test_the_logic_is_linear_only_where_every_term_is():
    x, y = z3.Ints("x y")
    assert logic([3 * x + y / 2 <= y % 4]) == "QF_LIA"
    assert logic([x * y <= 3]) == "QF_NIA"
    assert logic([x / y <= 3]) == "QF_NIA"
    assert logic([3 % y <= 3]) == "QF_NIA"
    lists = {question(one, WORLD).text.splitlines()[0] for one in LEMMAS if "[" in one.name}
    assert lists == {"(set-logic QF_LIA)", "(set-logic QF_UFLIA)"}
    f = z3.Function("f", z3.IntSort(), z3.IntSort())
    assert logic([f(x) <= y]) == "QF_UFLIA"
    assert logic([f(x * y) <= y]) == "QF_UFNIA"


def test_the_header_names_lemma_rules_and_answer():
    head = header(LEMMAS[0], "abc")
    assert LEMMAS[0].name in head
    assert "rules, SHA-256: abc" in head
    assert "expected answer: unsat" in head
    assert all(line.startswith("; ") for line in head.splitlines())


def test_disjuncts_are_those_of_the_claim_itself():
    lemma = made(
        lambda v: (), lambda v: (Part("p", either(v.x > 0, both(v.x <= 0, v.y > 1), v.y <= 1)),)
    )
    assert question(lemma, WORLD).targets == ("p (1 of 3)", "p (2 of 3)", "p (3 of 3)")
