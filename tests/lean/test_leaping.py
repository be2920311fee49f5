"""A leap by the mirror's text: refused where one of its tests fails."""

import attrs
import pytest

from radproof import SEED, Session
from radproof.lean import twin
from radproof.lean.errors import NotTheSame
from radproof.lean.interpret import leaping, machine
from radproof.lean.leaping import leap
from radproof.lean.reader import expression
from radproof.lean.values import to_lean, to_python

PROGRAM = leaping(machine())
CONFIG = twin.Config(SEED)
STATE = twin.start(CONFIG, (Session(0, 1280, 2), Session(60_000, 0, 1)))


def come_to(state, events):
    node = to_lean(PROGRAM, SEED, ("Deployment",))
    config = PROGRAM.names["Config.mk"].run((node, PROGRAM.value(expression("rad"))))
    return to_python(leap(PROGRAM, config, to_lean(PROGRAM, state, ("State",)), events))


@pytest.mark.parametrize("events", [1, 2, 9])
def test_a_leap_comes_to_the_state_of_its_events(events):
    after = state = attrs.evolve(STATE, pending=())
    for _ in range(events):
        after = twin.step(CONFIG, after)
    assert come_to(state, events) == after


@pytest.mark.parametrize(
    ("state", "events", "reason"),
    [
        (attrs.evolve(STATE, pending=()), 10, "a job has not enough left"),
        (STATE, 13, "a session comes before the last of its events"),
        (attrs.evolve(STATE, iter=(twin.Entry(0, False, 7),)), 1, "is not the one that would"),
        (attrs.evolve(STATE, iter=()), 1, "the batch that runs is not the one"),
        (attrs.evolve(STATE, iter_end=None), 1, "the batch that runs is not the one"),
    ],
)
def test_what_is_no_stretch_is_refused(state, events, reason):
    with pytest.raises(NotTheSame, match=reason):
        come_to(state, events)
