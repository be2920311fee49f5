"""The invariants on a state, by their Lean names: the states that they must refuse."""

import attrs
import pytest
from hypothesis import given
from lean.drawn import PATHS, SMALL

from radproof import Deployment, Session
from radproof.lean import twin
from radproof.lean.state_invariants import INVARIANTS

TWO = Deployment(b_col=2, b_row=1, b_red=1, t_lin=40, t_nl=5, chunk=2)
RAD = twin.Config(TWO)
RUNNING = twin.State(
    now=0,
    pending=(),
    jobs=(twin.Job(0, Session(0, 2, 1), False, 0),),
    iter=(twin.Entry(0, False, 2),),
    iter_end=50,
    served=2,
    last=None,
    ended=(),
)


def holds(name, **changes):
    return INVARIANTS[name](RAD, attrs.evolve(RUNNING, **changes))


def test_a_state_of_a_run_has_all_three():
    assert all(holds(name) for name in INVARIANTS)


def test_r5_asks_the_job_not_the_entry_of_its_phase():
    """Its one token leaves a prompt of 1: the state by which `rad_handle` was false."""
    mislabelled = attrs.evolve(RUNNING, iter=(twin.Entry(0, True, 1),), iter_end=45, served=1)
    assert not INVARIANTS["R"](RAD, mislabelled)
    assert not INVARIANTS["R"](RAD, twin.step(RAD, mislabelled))
    decode = twin.Job(0, Session(0, 0, 3), True, 0)
    assert holds("R", jobs=(decode,), iter=(twin.Entry(0, True, 1),))


@pytest.mark.parametrize("numbers", [(0,), (1, 1)])
def test_r2_counts_the_sessions_to_come(numbers):
    pending = tuple(twin.Arrival(number, Session(60, 2, 1)) for number in numbers)
    assert not holds("R", pending=pending)
    assert holds("R", pending=pending[:1]) is (numbers != (0,))


@pytest.mark.parametrize(
    ("now", "arrivals", "truth"),
    [(7, (7, 7, 9), True), (7, (6,), False), (7, (9, 8), False), (0, (), True)],
)
def test_the_rate_wants_the_sessions_to_come_in_order_and_not_before_now(now, arrivals, truth):
    pending = tuple(twin.Arrival(k + 1, Session(t, 2, 1)) for k, t in enumerate(arrivals))
    assert holds("RateInv", now=now, pending=pending) is truth


@given(PATHS, SMALL)
def test_rad_keeps_them_event_by_event(path, small):
    node = attrs.evolve(small, chunk=small.b_lcm)
    tiled = tuple(attrs.evolve(s, prompt=s.prompt * node.b_lcm) for s in path)
    config = twin.Config(node)
    for state in twin.event_states(config, tiled):
        assert INVARIANTS["R"](config, state)
        assert INVARIANTS["RateInv"](config, state)
