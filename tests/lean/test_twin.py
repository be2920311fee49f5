"""The twin, event by event, gives the iterations of the definition."""

import attrs
import pytest
from hypothesis import given, settings
from lean.drawn import PATHS, SCHEDULERS, SMALL, run_or_reject

from radproof import SEED, Session, run
from radproof.lean import twin
from radproof.model import SCALARS


@settings(deadline=None)
@given(PATHS, SMALL, SCHEDULERS)
def test_its_iterations_are_those_of_machine_step(path, deployment, scheduler):
    fresh = run_or_reject(path, deployment, scheduler)
    states = list(twin.event_states(twin.Config.of(deployment, scheduler), path))
    records = twin.records(states)
    assert [attrs.astuple(r) for r in records] == [
        tuple(getattr(record, name) for name in SCALARS) for record in fresh.records
    ]
    ends = {number: state.now for state in states for number in state.ended}
    assert tuple(ends.get(number) for number in range(len(path))) == fresh.completions


@settings(deadline=None)
@given(PATHS, SMALL)
def test_a_horizon_is_inclusive(path, deployment):
    fresh = run(path, deployment, horizon=30)
    states = list(twin.event_states(twin.Config(deployment), path, horizon=30))
    assert len(twin.records(states)) == fresh.iterations


def test_an_arrival_precedes_an_end_at_the_same_instant():
    path = (Session(0, 128, 1), Session(4640, 128, 1))
    first, arrival, end, *_ = twin.event_states(twin.Config(SEED), path)
    assert first.iter_end == arrival.now == end.now == 4640
    assert arrival.iter == first.iter, "the iteration still runs"
    assert [entry.number for entry in end.iter] == [1]


def test_with_no_event_to_come_the_state_stays():
    config = twin.Config(SEED)
    *_, last = twin.event_states(config, (Session(0, 1, 1),))
    assert twin.over(last)
    assert twin.step(config, last) is last


@pytest.mark.parametrize("prompt", [0, 1])
def test_served_is_counted_when_an_iteration_starts(prompt):
    state = twin.start(twin.Config(SEED), (Session(0, prompt, 1),))
    assert state.served == 1
    assert state.last is not None
    assert state.last.served == 0
