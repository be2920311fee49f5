"""How large a file may be."""

import attrs
import pytest

from radproof import SEED, Session
from radproof.lean import twin
from radproof.lean.budget import MOST_EVENTS, MOST_JOBS, MOST_RESIDENTS, within_budget
from radproof.lean.errors import TooLarge

EMPTY = twin.start(twin.Config(SEED), ())


def crowded(count):
    """A state of so many residents."""
    return attrs.evolve(
        EMPTY, jobs=tuple(twin.Job(n, Session(0, 1, 0), False, 0) for n in range(count))
    )


@pytest.mark.parametrize(
    ("most", "one_more", "said"),
    [
        ([EMPTY] * (MOST_EVENTS + 1), EMPTY, "more than 200 events"),
        ([], crowded(MOST_RESIDENTS + 1), "more than 200 residents at once"),
        (
            [crowded(MOST_RESIDENTS)] * (MOST_JOBS // MOST_RESIDENTS),
            crowded(1),
            "more than 6000 jobs in the lists of its states",
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
