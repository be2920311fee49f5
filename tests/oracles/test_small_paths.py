"""The brute-force oracle: what RAD keeps, the smallest path of each property, and its machine."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radproof.claims import CLAIMS, Result, check
from radproof.errors import SchedulerError
from radproof.model import as_path
from radproof.rules import RULES
from radproof.runs import run
from radproof.schedulers import RuleScheduler
from tests.oracles.small_paths import DEPLOYMENTS, PROPERTIES, Loop, kinds, reads, truth
from tests.quality.changed import ENTRIES
from tests.quality.truth import Product, brute_force

FEW = tuple((d, min(most, 2)) for d, most in DEPLOYMENTS if d.b_col <= 2)


def of(name):
    return ENTRIES[name]


def test_rad_breaks_nothing_and_no_run_of_it_is_cut():
    found = truth(lambda d: Loop(RULES, None, d), reads=(), counts=False)
    assert found.broken == {}
    assert found.cut == 0
    assert found.states == 54_045


@pytest.mark.parametrize(
    ("name", "broken", "path", "tiles"),
    [
        ("no_t_nl", "token_rate", [(0, 0, 2)], (1, 1)),
        ("budget_127", "optimal_tiling", [(0, 2, 0)], (2, 2)),
        ("only_full_decodes", "tiled_progress", [(0, 0, 1)], (2, 2)),
        ("want: not a last token", "progress", [(0, 1, 0)], (1, 1)),
        ("prefill_first", "decodes_fit", [(0, 1, 1), (4, 1, 1)], (1, 1)),
        ("shortest_first", "arrival_order", [(0, 2, 0), (0, 1, 0)], (1, 1)),
        ("want: b_col", "one_part_filled", [(0, 2, 0), (0, 2, 0)], (1, 2)),
        ("duration: twice", "clock", [(0, 0, 2)], (1, 1)),
        ("last_chunk_short", "leap", [(0, 4, 0)], (2, 2)),
    ],
)
def test_the_smallest_path_that_breaks_a_property(name, broken, path, tiles):
    found = brute_force(of(name), [broken]).broken[broken]
    assert [*found.path] == path
    assert (found.deployment.b_col, found.deployment.b_lcm) == tiles


@pytest.mark.parametrize(
    "name",
    ["mixed", "budget_256", "chunk_64", "lifo_decode", "odd_sessions_first"],
)
def test_its_machine_is_radproofs(name):
    # the same search with either machine: every state that one reaches, the other does
    scheduler = of(name).scheduler
    for d, most in FEW[:3]:
        mine = truth(lambda d: Loop(scheduler.rules, scheduler.order, d), deployments=[(d, most)])
        theirs = truth(lambda d: Product(scheduler, d), deployments=[(d, most)])
        assert mine == theirs


@pytest.mark.parametrize(
    "name", ["mixed", "budget_256", "chunk_64", "shortest_first", "no_minimum", "runs_backwards"]
)
def test_runs_that_are_taken_for_one_break_the_same(name):
    scheduler = of(name).scheduler

    def made(d):
        return Loop(scheduler.rules, scheduler.order, d)

    for d, most in FEW[:3]:
        merged = truth(made, reads=reads(scheduler.order), counts=False, deployments=[(d, most)])
        apart = truth(made, deployments=[(d, most)])  # what could be read keeps runs apart
        assert set(merged.broken) == set(apart.broken)
        assert merged.states <= apart.states


@pytest.mark.parametrize("name", ["no_t_nl", "one_too_small", "served_twice", "decode_first"])
def test_a_path_that_breaks_a_claim_breaks_it_in_radproof(name):
    scheduler = of(name).scheduler
    found = brute_force(of(name), CLAIMS, FEW).broken
    assert found
    for claim, (path, d) in found.items():
        assert check(run(path, d, scheduler), CLAIMS[claim]).result is Result.FAILS


def test_a_path_that_gets_stuck_does_so_in_radproof():
    path, d = brute_force(of("only_full_decodes"), ["progress"]).broken["progress"]
    with pytest.raises(SchedulerError, match="never makes progress"):
        run(path, d, of("only_full_decodes").scheduler)


_SESSIONS = st.tuples(st.integers(0, 9), st.integers(0, 5), st.integers(0, 3))


@settings(deadline=None, max_examples=100, database=None)
@given(st.lists(_SESSIONS, max_size=4), st.integers(1, 3), st.sampled_from(sorted(ENTRIES)))
def test_no_drawn_path_breaks_a_claim_that_the_search_says_holds(sessions, b_col, name):
    # the other way round: radproof's own verdict on a path inside the space of kinds
    entry = of(name)
    if entry.sabotage is not None or entry.scheduler.order is not None:
        return
    d = next(d for d, _ in DEPLOYMENTS if d.b_col == b_col)
    allowed = [kind for kind, most in kinds(d.b_lcm).items() if most >= 2]
    path = as_path(
        (arrive, *allowed[(prompt * 4 + output) % len(allowed)])
        for arrive, prompt, output in sorted(sessions)[:2]
    )
    try:
        done = run(path, d, entry.scheduler, limit=80)
    except (SchedulerError, ArithmeticError, TypeError, ValueError):
        return
    for claim in CLAIMS.values():
        if check(done, claim).result is Result.FAILS:
            assert claim.name in brute_force(entry, [claim.name], [(d, 2)]).broken


def test_every_property_is_said_in_words():
    assert all(statement for statement in PROPERTIES.values())
    assert attrs.evolve(RuleScheduler()).order is None
