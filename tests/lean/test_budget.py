"""How large a file may be."""

import attrs
import pytest

from radproof import SEED, Session
from radproof.lean import twin
from radproof.lean.budget import MOST_DIGITS, MOST_EVENTS, MOST_JOBS, MOST_RESIDENTS, within_budget
from radproof.lean.errors import TooLarge

EMPTY = twin.start(twin.Config(SEED), ())


def crowded(count):
    """A state of so many residents."""
    return attrs.evolve(
        EMPTY, jobs=tuple(twin.Job(n, Session(0, 1, 0), False, 0) for n in range(count))
    )


def waiting(count):
    """A state of so many sessions to come."""
    session = Session(5, 1, 0)
    return attrs.evolve(EMPTY, pending=tuple(twin.Arrival(n, session) for n in range(count)))


def late(arrive):
    return attrs.evolve(EMPTY, pending=(twin.Arrival(0, Session(arrive, 1, 0)),))


@pytest.mark.parametrize(
    ("most", "one_more", "said"),
    [
        ([EMPTY] * (MOST_EVENTS + 1), EMPTY, "more than 200 events"),
        ([], crowded(MOST_RESIDENTS + 1), "more than 500 residents at once"),
        (
            [waiting(MOST_JOBS // 4)] * 4,
            waiting(1),
            "more than 6000 jobs and sessions to come in the lists of its states",
        ),
        ([], attrs.evolve(EMPTY, served=10**MOST_DIGITS), "more than 1000 digits in one number"),
        (
            [attrs.evolve(EMPTY, served=10**MOST_DIGITS - 1)],
            late(10**MOST_DIGITS),
            "more than 1000 digits in one number",
        ),
        (
            [crowded(MOST_RESIDENTS)] * (MOST_JOBS // MOST_RESIDENTS),
            crowded(1),
            "more than 6000 jobs and sessions to come in the lists of its states",
        ),
    ],
)
def test_the_budget_is_inclusive(most, one_more, said):
    assert within_budget(most, "the run") == most
    with pytest.raises(TooLarge, match=rf"^the run has {said} by t = 0.*Shrink the path"):
        within_budget([*most, one_more], "the run")


def test_it_stops_where_the_budget_does():
    def states():
        for _ in range(MOST_EVENTS + 2):
            yield EMPTY
        raise AssertionError("asked for more")

    with pytest.raises(TooLarge):
        within_budget(states(), "the run")
