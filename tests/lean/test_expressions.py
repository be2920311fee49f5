"""Terms as Lean text."""

import attrs
import pytest

from radproof import RULES, RuleScheduler
from radproof.lean.definitions import rule_fields, rule_form, rules_definition
from radproof.lean.errors import NotInLean
from radproof.lean.expressions import lean_text, variable
from radproof.number import ite, maximum, minimum, monus, negate
from radproof.readers.terms import term

a, b, p = variable("a"), variable("b"), variable("p", truth=True)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (a + b * 2, "a + b * 2"),
        ((a + b) * 2, "(a + b) * 2"),
        (a - (b - 1), "a - (b - 1)"),
        (a // b % 3, "a / b % 3"),
        (a < b, "Nat.ble (a + 1) b"),
        (a > b, "Nat.ble (b + 1) a"),
        (a >= b, "Nat.ble b a"),
        (a != b, "cond (Nat.beq a b) false true"),
        (p == term(True), "same p true"),
        (negate(p), "cond p false true"),
        (minimum(a, b), "minimum a b"),
        (minimum(1, a), "minimum 1 a"),
        (maximum(1, a + b), "maximum 1 (a + b)"),
        (monus(a, b), "a - b"),
        (monus(a, b) * 2, "(a - b) * 2"),
        (ite(p, a, minimum(a, b)), "cond p a (minimum a b)"),
    ],
)
def test_text(made, text):
    assert lean_text(made) == text


def test_a_truth_and_a_number_are_not_compared():
    with pytest.raises(NotInLean, match="compares a truth with a number"):
        lean_text(p == a)


def test_a_rule_that_is_no_arithmetic_is_named():
    def want(decoding, left, d):
        return 1 if decoding else min(left, d.chunk)

    faulty = RuleScheduler(attrs.evolve(RULES, want=want))
    with pytest.raises(NotInLean, match=r"rule want .*radproof\.number"):
        rule_fields(faulty)


def test_a_number_below_zero_is_refused():
    faulty = RuleScheduler(attrs.evolve(RULES, take=lambda wanted, remaining: -1))
    with pytest.raises(NotInLean, match="below 0"):
        rule_fields(faulty)


def test_only_what_is_changed_is_written():
    changed = RuleScheduler(attrs.evolve(RULES, serves=lambda mode, decoding: True))
    assert rules_definition("changed", changed) == (
        "def changed : Rules :=\n  { rad with\n    serves := fun _ _ => true }"
    )


def test_an_order_may_differ_by_phase():
    order = RuleScheduler(order=lambda job: (job.phase == "decode", job.prompt - job.prefilled))
    assert rule_fields(order)["order"] == (
        "fun jobs => sortBy (fun j => cond j.decoding [1, j.session.prompt - j.session.prompt] "
        "[0, j.session.prompt - j.done]) jobs"
    )


def test_plain_code_is_not_in_rule_form():
    with pytest.raises(NotInLean, match="Write it in rule form"):
        rule_form(lambda view: ((), None), "mine:it")
