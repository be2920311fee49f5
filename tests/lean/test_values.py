"""Values of the interpreter, and what they are in Python."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lean.test_literals import RECORDS, STATES

from radproof import Deployment, Session
from radproof.lean.core import Meaningless
from radproof.lean.interpret import machine
from radproof.lean.reader import expression
from radproof.lean.values import check_type, to_lean, to_python


@given(STATES, st.none() | RECORDS)
def test_there_and_back(state, last):
    whole = attrs.evolve(state, last=last)
    value = to_lean(machine(), whole, ("State",))
    check_type(machine(), value, ("State",))
    assert to_python(value) == whole


@pytest.mark.parametrize(
    ("text", "kind", "is_"),
    [
        ("1", ("Nat",), True),
        ("true", ("Nat",), False),
        ("1", ("Bool",), False),
        ("[1, 2]", ("List", ("Nat",)), True),
        ("[1, true]", ("List", ("Nat",)), False),
        ("Nat.ble", ("Rules",), False),
        ("rad", ("Rules",), True),
        ("Nat.ble 1", ("→", ("Nat",), ("Bool",)), True),
        ("some 1", ("Option", ("Nat",)), True),
        ("some true", ("Option", ("Nat",)), False),
        ("none", ("Option", ("Nat",)), True),
        ("Session.mk 1 2 3", ("Session",), True),
        ("Session.mk 1 2 true", ("Session",), False),
        ("Session.mk 1 2 3", ("Record",), False),
    ],
)
def test_a_value_is_of_its_type_with_all_its_parts(text, kind, is_):
    value = machine().value(expression(text))
    if is_:
        check_type(machine(), value, kind)
        return
    with pytest.raises(Meaningless, match="it is not a "):
        check_type(machine(), value, kind)


def test_a_deployment_has_the_least_multiple_of_its_tiles():
    node = to_lean(machine(), Deployment(b_col=4, b_row=6), ("Deployment",))
    assert to_python(node) == Deployment(b_col=4, b_row=6)
    with pytest.raises(Meaningless, match="bLcm is 24, but the tiles give 12"):
        to_python(node._replace(fields=(*node.fields[:3], 24, *node.fields[4:])))


def test_what_no_file_states_has_no_python_value():
    assert to_python(machine().value(expression("[Session.mk 1 2 3]"))) == (Session(1, 2, 3),)
    with pytest.raises(Meaningless, match=r"Rules\.mk makes no value that a file states"):
        to_python(machine().names["rad"])
