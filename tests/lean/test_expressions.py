"""Terms as Lean text, and the names of fields."""

import attrs
import pytest

from radproof import Deployment
from radproof.lean import twin
from radproof.lean.errors import NotInLean
from radproof.lean.expressions import (
    DEPLOYMENT,
    lean_field,
    lean_text,
    python_field,
    read_term,
    uses,
    variable,
)
from radproof.number import ite, maximum, minimum, monus, negate
from radproof.readers.terms import term
from radproof.rules import Rules

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


def test_python_that_asks_a_term_for_its_truth_is_refused_with_what_it_is():
    with pytest.raises(NotInLean, match=r"^the thing cannot be written in Lean: .*radproof.number"):
        read_term(min, (a, b), "the thing")


def test_a_number_that_lean_does_not_have_is_refused():
    with pytest.raises(NotInLean, match="b_third"):
        read_term(lambda d: d.b_third, (DEPLOYMENT,), "a rule")


def test_a_variable_is_used_where_it_or_a_field_of_it_occurs():
    body = read_term(lambda n, d: n + d.t_lin, (a, DEPLOYMENT), "a rule")
    assert uses(body, "a")
    assert uses(body, "d")
    assert not uses(body, "b")


@pytest.mark.parametrize("kind", [Rules, Deployment, twin.State, twin.Record, twin.Config])
def test_a_field_has_one_name_in_lean_and_gets_its_own_back(kind):
    names = [field.name for field in attrs.fields(kind)]
    assert [python_field(lean_field(name)) for name in names] == names
    assert len({lean_field(name) for name in names}) == len(names)


def test_the_end_has_another_name_since_lean_reserves_it():
    assert lean_field("end") == "stop"
    assert lean_field("iter_end") == "iterEnd"
