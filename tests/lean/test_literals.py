"""Python values as Lean literals: each means the value that it was written for."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lean.drawn import PATHS, SMALL

from radproof import SEED, Session
from radproof.lean import literals, twin
from radproof.lean.errors import NotInLean
from radproof.lean.interpret import machine
from radproof.lean.reader import expression
from radproof.lean.values import to_python

NUMBERS = st.integers(0, 3)
SESSIONS = st.builds(Session, NUMBERS, NUMBERS, NUMBERS)
PLACES = st.integers(0, 12)
STATES = st.builds(
    twin.State,
    now=st.integers(0, 10**30),
    pending=st.lists(st.builds(twin.Arrival, PLACES, SESSIONS), max_size=12).map(tuple),
    jobs=st.lists(
        st.builds(twin.Job, PLACES, SESSIONS, st.booleans(), NUMBERS), max_size=12
    ).map(tuple),
    iter=st.lists(st.builds(twin.Entry, PLACES, st.booleans(), NUMBERS), max_size=12).map(tuple),
    iter_end=st.none() | NUMBERS,
    served=NUMBERS,
    last=st.none(),
    ended=st.lists(PLACES, max_size=30).map(tuple),
)  # fmt: skip
RECORDS = st.builds(twin.Record, *[st.integers(0, 10**30)] * len(attrs.fields(twin.Record)))


def meaning(text):
    return to_python(machine().value(expression(text)))


@given(STATES)
def test_a_state_is_read_back(state):
    assert meaning(literals.state(state, None)) == state


@given(RECORDS)
def test_a_record_is_read_back(record):
    assert meaning(literals.record(record)) == record


@given(PATHS)
def test_a_path_is_read_back(path):
    assert meaning(literals.path(path)) == path


@given(SMALL)
def test_a_deployment_is_read_back(deployment):
    assert meaning(literals.deployment(deployment)) == deployment


@given(STATES, RECORDS)
def test_lines_stay_within_their_length(state, record):
    small = attrs.evolve(state, now=0)
    texts = (literals.state(small, "i0"), literals.record(record))
    assert all(len(line) <= literals.LINE_LENGTH for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "[]"),
        ((Session(0, 1, 2),) * 2, "[Session.mk 0 1 2, Session.mk 0 1 2]"),
        ((Session(0, 1, 2),) * 3, "alike 3 (Session.mk 0 1 2)"),
        (
            (Session(0, 0, 1), *(Session(0, 1, 2),) * 3, Session(5, 0, 1)),
            "chains [[Session.mk 0 0 1], alike 3 (Session.mk 0 1 2), [Session.mk 5 0 1]]",
        ),
    ],
)
def test_three_alike_are_a_run(path, text):
    assert literals.path(path) == text


def test_consecutive_numbers_are_a_run():
    state = attrs.evolve(twin.start(twin.Config(SEED), ()), ended=(7, 3, 4, 5, 9))
    assert "ended := chains [[7], numbersFrom 3 3, [9]] }" in literals.state(state, None)


def test_a_record_has_the_name_of_its_definition():
    state = twin.start(twin.Config(SEED), ())
    assert "  last := some i3,\n" in literals.state(state, "i3")


@pytest.mark.parametrize("field", ["start", "end"])
def test_below_zero_there_is_no_literal(field):
    record = twin.Record(*[0] * len(attrs.fields(twin.Record)))
    with pytest.raises(NotInLean, match=f"{field} is -1 in this run"):
        literals.record(attrs.evolve(record, **{field: -1}))


def test_a_state_before_time_zero_has_no_literal():
    state = attrs.evolve(twin.start(twin.Config(SEED), ()), now=-5)
    with pytest.raises(NotInLean, match="now is -5 in this run"):
        literals.state(state, None)
