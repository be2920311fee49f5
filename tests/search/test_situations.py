from __future__ import annotations

import itertools
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from radproof.strategies import cases

from radproof import Deployment, leap, run
from radproof.mutants import MUTANTS
from radproof.search.situations import SITUATIONS, missing, reached

D = Deployment(b_col=2, t_lin=10, t_nl=1)  # a prefill of 2 lasts 12, a decode 11, two of them 12

# For each situation: a path that reaches it, and one beside it that does not.
EDGES: dict[str, tuple[Any, Any]] = {
    "full decode batch": ([(0, 0, 1)] * 2, [(0, 0, 1)]),
    "part-filled decode batch": ([(0, 0, 1)], [(0, 0, 1)] * 2),
    "prefill to decode": ([(0, 2, 1)], [(0, 2, 0), (99, 0, 0)]),
    "decode to prefill": ([(0, 0, 1), (11, 2, 0)], [(0, 2, 0), (12, 0, 1)]),
    "more than b_col decodes": ([(0, 0, 1)] * 3, [(0, 0, 1)] * 2),
    "idle gap": ([(0, 2, 0), (13, 2, 0)], [(0, 2, 0), (12, 2, 0)]),
    "tie": ([(5, 2, 0), (0, 2, 0), (5, 2, 0)], [(5, 2, 0), (0, 2, 0), (6, 2, 0)]),
    "arrival at an iteration's end": ([(0, 4, 0), (12, 0, 0)], [(0, 4, 0), (13, 0, 0)]),
    "empty prompt": ([(0, 0, 0)], [(0, 1, 0)]),
}


def test_every_situation_has_an_edge_here() -> None:
    assert list(EDGES) == list(SITUATIONS)


@pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_is_reached_by_its_path_and_not_by_the_one_beside_it(
    name: str, evaluate: Any
) -> None:
    reaching, beside = EDGES[name]
    assert name in reached(evaluate(reaching, D))
    assert name not in reached(evaluate(beside, D))


@pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])
@pytest.mark.parametrize(("arrive", "is_end"), [(11, False), (12, True), (24, True), (36, True)])
def test_every_end_inside_a_stretch_is_an_end(evaluate: Any, arrive: int, is_end: bool) -> None:
    result = evaluate([(0, 6, 0), (arrive, 0, 0)], D)
    assert ("arrival at an iteration's end" in reached(result)) is is_end


def test_an_arrival_at_a_start_after_idling_is_at_no_end() -> None:
    assert "arrival at an iteration's end" not in reached(run([(5, 2, 0), (40, 2, 0)], D))


def test_what_lies_beyond_the_horizon_was_not_reached() -> None:
    path = [(0, 2, 0), (30, 2, 0), (30, 2, 0)]
    assert "tie" in reached(run(path, D))
    assert not {"tie", "idle gap"} & reached(run(path, D, horizon=29))


def test_what_a_cut_run_did_not_come_to_was_not_reached() -> None:
    """`tie` and `empty prompt` were counted from the path, however early the run was cut."""
    path = [(0, 4, 0), (0, 2, 0), (50, 0, 3), (50, 0, 0)]
    assert {"tie", "empty prompt"} <= reached(run(path, D))
    apart = [(0, 4, 0), (12, 2, 0), (13, 0, 3), (13, 0, 0)]
    assert not {"tie", "empty prompt"} & reached(run(apart, D, limit=1))
    assert {"tie", "empty prompt"} <= reached(run(apart, D, limit=2))
    assert not {"tie", "empty prompt"} & reached(run([(5, 2, 0), (9, 0, 0)], D, horizon=8))


def test_a_mixed_batch_is_no_decode_batch() -> None:
    result = run([(0, 0, 1), (0, 1, 0)], D, MUTANTS["mixed"])
    assert not {"part-filled decode batch", "full decode batch"} & reached(result)


def test_no_iterations_reach_nothing_but_what_is_in_the_path() -> None:
    assert reached(run([], D)) == frozenset()
    assert reached(run([(0, 0, 0), (0, 0, 0)], D)) == {"tie", "empty prompt"}


def brute(result: Any) -> set[str]:
    """Read off the records, one by one."""
    records = list(result.records)
    b_col = result.deployment.b_col
    found = set()
    for r in records:
        if r.decoding > b_col:
            found.add("more than b_col decodes")
        if not r.prefilled:
            found.add("full decode batch" if r.decoders == b_col else "part-filled decode batch")
    for one, two in itertools.pairwise(records):
        if one.prefilled and not two.prefilled:
            found.add("prefill to decode")
        if two.prefilled and not one.prefilled:
            found.add("decode to prefill")
        if two.start > one.end:
            found.add("idle gap")
    arrivals = [s.arrive for s in result.path]
    if len(set(arrivals)) < len(arrivals):
        found.add("tie")
    if {r.end for r in records} & set(arrivals):
        found.add("arrival at an iteration's end")
    if any(s.prompt == 0 for s in result.path):
        found.add("empty prompt")
    return found


@given(cases(max_sessions=10))
@quick(80)
def test_a_leap_reaches_what_its_records_show(case: Any) -> None:
    deployment, path = case
    path = tuple(type(s)(s.arrive, s.prompt % 30, s.output % 12) for s in path)
    stepped, leapt = run(path, deployment), leap(path, deployment)
    assert reached(stepped) == reached(leapt) == brute(stepped)


def test_missing_is_what_was_not_reached_of_what_can_be() -> None:
    counts = dict.fromkeys(SITUATIONS, 1)
    assert missing("natural", counts) == []
    assert missing("natural", counts | {"tie": 0, "empty prompt": 0}) == ["tie", "empty prompt"]
    assert missing("positive", counts | {"tie": 0, "empty prompt": 0}) == ["tie"]
    assert missing("assumption3", {}) == list(SITUATIONS)
