"""A run in stretches: which of its states are left out."""

import itertools

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radproof import RULES, SEED, Deployment, RuleScheduler, Session
from radproof.lean import twin
from radproof.lean.budget import MOST_RESIDENTS
from radproof.lean.errors import TooLarge
from radproof.lean.stretches import (
    events_of,
    every_event,
    fills_as_rad,
    repeats,
    stretches,
)

SMALL = Deployment(b_col=2, t_lin=40, t_nl=5, chunk=2)
SESSIONS = st.builds(Session, st.integers(0, 400), st.integers(0, 30), st.integers(0, 12))


def run(path, deployment=SEED, scheduler=None):
    config = twin.Config.of(deployment, scheduler or RuleScheduler())
    return config, list(twin.event_states(config, path))


def test_a_long_prompt_is_one_stretch():
    config, states = run((Session(0, 12800, 0),))
    found = stretches(config, states, "it")
    assert [moment.event for moment in found] == [0, 99, 100]
    assert events_of(found) == [0, 99, 1]


def test_an_arrival_ends_a_stretch_and_begins_one():
    config, states = run((Session(0, 12800, 0), Session(100_000, 12800, 0)))
    events = [moment.event for moment in stretches(config, states, "it")]
    arrival = next(n for n, s in enumerate(states) if not s.pending)
    assert {arrival - 1, arrival} <= set(events)


@given(st.lists(SESSIONS, max_size=5))
@settings(max_examples=150, deadline=None)
def test_what_is_left_out_lies_within_repetitions_and_nothing_else(path):
    config, states = run(tuple(path), SMALL)
    kept = [moment.event for moment in stretches(config, states, "it")]
    assert (kept[0], kept[-1]) == (0, len(states) - 1)
    again = [repeats(config, *pair) for pair in itertools.pairwise(states)]
    for event in range(1, len(states) - 1):
        assert (event in kept) is not (again[event - 1] and again[event])


def test_each_event_is_a_moment():
    _, states = run((Session(0, 256, 2),))
    assert [m.event for m in every_event(states, "it")] == list(range(len(states)))
    assert events_of(every_event(states, "it")) == [0, *[1] * (len(states) - 1)]
    assert events_of([]) == []


@pytest.mark.parametrize(
    ("scheduler", "fills"),
    [
        (RuleScheduler(), True),
        (RuleScheduler(attrs.evolve(RULES, duration=lambda tokens, d: tokens + 1)), True),
        (RuleScheduler(attrs.evolve(RULES, decode_mode=lambda k, n, d: k >= 1)), True),
        (RuleScheduler(attrs.evolve(RULES, take=lambda wanted, remaining: remaining)), False),
        (RuleScheduler(attrs.evolve(RULES, done_after=lambda done, share: done + 1)), False),
        (RuleScheduler(order=lambda job: (job.prompt,)), False),
    ],
)
def test_a_scheduler_that_fills_in_another_way_is_not_leapt(scheduler, fills):
    assert fills_as_rad(scheduler) is fills


def test_residents_of_all_events_are_bounded(monkeypatch):
    monkeypatch.setattr("radproof.lean.stretches.MOST_SERVED", 100)
    config, states = run((Session(0, 12800, 0),))
    with pytest.raises(TooLarge, match=r"it has more than 100 residents by t = 232000, counted"):
        stretches(config, states, "it")


def test_what_is_kept_has_the_budget_of_any_file():
    crowd = (Session(0, 1280, 0),) * (MOST_RESIDENTS + 1)
    config = twin.Config(SEED)
    with pytest.raises(
        TooLarge, match="it, each stretch counted as one event, has more than 500 residents"
    ):
        stretches(config, [twin.start(config, crowd)] * 3, "it")
