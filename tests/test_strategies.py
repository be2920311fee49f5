"""What the strategies draw: sizes, situations, families, and what they shrink to."""

from __future__ import annotations

import itertools
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from helpers import quick
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from radproof.strategies import DIRECTED, cases, deployments, paths, small_paths
from radproof.strategies.numbers import HUGE, PAST_INT64

from radproof import SEED, Deployment, Session, leap
from radproof.model import Path
from radproof.rules import duration
from radproof.search.situations import SITUATIONS, reached

FAMILIES = pytest.mark.parametrize("family", ["natural", "assumption3"])


def draws(strategy: Any, examples: int) -> list[Any]:
    """What is drawn, with every health check on, as the search draws it."""
    drawn: list[Any] = []

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=(),
    )
    @given(strategy)
    def draw(value: Any) -> None:
        drawn.append(value)

    draw()
    return drawn


@FAMILIES
def test_a_thousand_examples_are_large_full_and_reach_everything(family: Any) -> None:
    drawn = draws(paths(family), 1_000)
    assert len(drawn) >= 1_000
    large = sum(len(path) >= 250 for path in drawn)
    met: Counter[str] = Counter()
    for path in drawn:
        met.update(reached(leap(path)))
    assert large >= 0.20 * len(drawn)
    assert met["full decode batch"] >= 0.10 * len(drawn)
    assert set(met) == set(SITUATIONS)
    assert max(len(path) for path in drawn) == 500
    assert min(len(path) for path in drawn) == 1
    assert max(s.output for path in drawn for s in path) > HUGE / 2
    assert max(s.arrive for path in drawn for s in path) > PAST_INT64


@pytest.mark.parametrize("directed", DIRECTED)
@FAMILIES
def test_every_family_draws_by_itself_and_respects_its_quantifier(
    family: Any, directed: str
) -> None:
    for d in (SEED, Deployment(b_col=3, b_row=6, t_lin=7, t_nl=2)):
        drawn = draws(paths(family, d, 60, directed), 40)
        assert len(set(drawn)) > 10
        for path in drawn:
            assert 1 <= len(path) <= 60
            assert all(type(s) is Session for s in path)
        off = [s for path in drawn for s in path if s.prompt % d.b_lcm]
        if family == "assumption3":
            assert off == []
        elif directed != "full_batches":
            assert off


WITNESSES = {
    "bursts": {"tie"},
    "saturation": {"more than b_col decodes", "full decode batch"},
    "full_batches": {"full decode batch"},
    "at_an_end": {"arrival at an iteration's end"},
    "ties": {"tie"},
    "idle_gaps": {"idle gap"},
    "crowds": {"full decode batch"},
}


@pytest.mark.parametrize("directed", WITNESSES)
def test_a_directed_family_reaches_what_it_aims_at(directed: str) -> None:
    met: Counter[str] = Counter()
    drawn = draws(paths("natural", only=directed), 60)
    for path in drawn:
        met.update(reached(leap(path)))
    for situation in WITNESSES[directed]:
        assert met[situation] >= 0.15 * len(drawn), (situation, met)


def test_saturation_is_reached_by_empty_prompts_and_by_ragged_ones() -> None:
    crowded = [
        path
        for path in draws(paths("natural", only="saturation"), 80)
        if "more than b_col decodes" in reached(leap(path))
    ]
    assert any(all(s.prompt == 0 for s in path[:129]) for path in crowded)
    assert any(all(s.prompt > 0 for s in path) for path in crowded)


def test_arrivals_come_at_one_before_and_one_after_an_end() -> None:
    met: Counter[int] = Counter()
    for path in draws(paths("natural", only="at_an_end"), 150):
        ends = {s.first.end + k * s.duration for s in leap(path).stretches for k in range(s.count)}
        for session in path:
            met.update(by for by in (-1, 0, 1) if session.arrive - by in ends)
    assert min(met[-1], met[0], met[1]) >= 10


def test_ties_have_sessions_that_differ() -> None:
    assert any(
        a.arrive == b.arrive and a.prompt != b.prompt
        for path in draws(paths("natural", only="ties"), 30)
        for a, b in pairwise(path)
    )


def test_paths_come_unsorted_too() -> None:
    assert any(
        a.arrive > b.arrive
        for path in draws(paths("natural", only="free"), 60)
        for a, b in pairwise(path)
    )


def test_huge_ones_come_before_small_ones() -> None:
    drawn = draws(paths("natural", only="huge_first"), 300)
    assert any(path[0].output > 2**63 for path in drawn)
    assert any(path[0].prompt > 10**9 for path in drawn)
    assert all(len(path) > 1 for path in drawn)


def test_beyond_machine_integers_every_arrival_is() -> None:
    drawn = draws(paths("natural", only="beyond_machine_integers"), 30)
    assert all(s.arrive >= 2**63 - 2 for path in drawn for s in path)


@pytest.mark.parametrize("most", [1, 2, 5, 130])
def test_max_sessions_is_respected_and_reached(most: int) -> None:
    sizes = [len(path) for path in draws(paths("natural", max_sessions=most), 150)]
    assert min(sizes) >= 1
    assert max(sizes) == most


def test_an_unknown_family_of_paths_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        paths(only="odd")


def shrinks_to(strategy: Any, condition: Any) -> Any:
    return find(strategy, condition, settings=settings(quick(3_000), max_examples=3_000))


def test_a_129_session_counterexample_shrinks_to_exactly_129() -> None:
    def crowded(path: Path) -> bool:
        return any(d > 128 for d in leap(path).stretches.column("decoding"))  # type: ignore[attr-defined]

    assert shrinks_to(paths("natural"), crowded) == (Session(0, 0, 1),) * 129


def test_a_long_output_shrinks_to_one_session() -> None:
    found = shrinks_to(paths("natural"), lambda path: any(s.output > 300 for s in path))
    assert found == (Session(0, 0, 301),)


def test_a_scaled_down_case_shrinks_to_the_smallest_deployment() -> None:
    deployment, path = shrinks_to(cases(max_sessions=4), lambda case: len(case[1]) >= 2)
    assert deployment == Deployment(b_col=1, t_lin=0, t_nl=0)
    assert path == (Session(0, 0, 0),) * 2


def test_deployments_are_scaled_down_of_every_kind() -> None:
    drawn = draws(deployments(chunks=True), 300)
    assert {d.b_col for d in drawn} == set(range(1, 9))
    assert {d.b_lcm // d.b_col for d in drawn} == {1, 2, 3}
    assert {(d.chunk > d.b_lcm) - (d.chunk < d.b_lcm) for d in drawn} == {-1, 0, 1}
    assert any(d.t_lin == 0 for d in drawn)
    assert any(d.t_nl == 0 for d in drawn)
    plain = draws(deployments(tiles=False), 60)
    assert all(d.chunk == d.b_lcm == d.b_col for d in plain)


@FAMILIES
def test_cases_saturate_with_few_sessions(family: Any) -> None:
    met: Counter[str] = Counter()
    drawn = draws(cases(family), 200)
    for deployment, path in drawn:
        assert len(path) <= 40
        if family == "assumption3":
            assert all(s.prompt % deployment.b_lcm == 0 for s in path)
        met.update(reached(leap(path, deployment)))
    assert set(met) == set(SITUATIONS)
    assert met["more than b_col decodes"] >= 0.1 * len(drawn)


def test_the_small_paths_are_all_those_of_up_to_three_sessions_with_corner_numbers() -> None:
    found = small_paths(SEED)
    assert len(found) == len(set(found))
    corner = itertools.product((0, 1, 127, 128, 129, 256), (0, 1, 2))
    short = [n for n in itertools.product((0, 1, 128), (0, 1, 2)) if any(n)]
    shorter = [n for n in itertools.product((0, 1, 128), (0, 1)) if any(n)]
    arrives = (0, 1, 4005, 4006)  # a batch of one token takes 4005 us
    lengths = {1: list(corner), 2: short, 3: shorter}
    for count, some in lengths.items():
        said = {p for p in found if len(p) == count and all(lengths_of(s) in some for s in p)}
        later = itertools.combinations_with_replacement(arrives, count - 1)
        times = [(0, *rest) for rest in later]
        assert said == {
            tuple(Session(arrive, *n) for arrive, n in zip(t, ns, strict=True))
            for t in times
            for ns in itertools.product(some, repeat=count)
        }
    at_once = {p for p in found if all(s.arrive == 0 for s in p)}
    assert len([p for p in at_once if len(p) == 2]) == 18 * 18
    assert len([p for p in at_once if len(p) == 3]) == 8**3
    assert {s.prompt for path in small_paths(Deployment(b_col=1)) for s in path} == {0, 1, 2}


def lengths_of(session: Session) -> tuple[int, int]:
    return session.prompt, session.output


def test_the_small_paths_come_the_smallest_first() -> None:
    for d in (SEED, Deployment(b_col=1, t_lin=0, t_nl=0), Deployment(b_col=2, b_row=4, chunk=3)):
        found = small_paths(d)
        assert found[0] == (Session(0, 0, 0),)
        sizes = [(len(path), sum(s.prompt + s.output for s in path)) for path in found]
        assert sizes == sorted(sizes)
        of_two = [path for path in found if len(path) == 2]
        assert of_two.index((Session(0, 0, 1),) * 2) < of_two.index(
            (Session(0, 0, 1), Session(1, 0, 1))
        )
        alike = [p for p in found if len(p) == 3 and sum(s.prompt + s.output for s in p) == 3]
        assert {lengths_of(s) for s in alike[0]} == {(0, 1)}
        assert {lengths_of(s) for s in alike[1]} == {(1, 0)}


def test_the_small_paths_have_a_prompt_beside_every_slot_budget_and_chunk() -> None:
    found = small_paths(Deployment(b_col=4, b_row=12, chunk=7))
    prompts = {s.prompt for path in found for s in path}
    assert prompts == {0, 1, 3, 4, 5, 6, 7, 8, 11, 12, 13, 24}


@pytest.mark.parametrize("directed", DIRECTED)
@pytest.mark.parametrize("family", ["natural", "assumption3", "positive"])
def test_every_family_draws_sessions_without_output_and_without_prompt(
    family: Any, directed: str
) -> None:
    sessions = [
        s for path in draws(paths(family, only=directed, max_sessions=140), 60) for s in path
    ]
    assert any(not s.output for s in sessions)
    assert any(not s.prompt for s in sessions) == (family != "positive")
    assert all(s.prompt % 128 == 0 for s in sessions) == (family != "natural")


def test_groups_have_as_many_sessions_as_a_batch_has_slots_and_one_beside() -> None:
    d = Deployment(b_col=100)
    for directed in ("any_groups", "bursts"):
        sizes: Counter[int] = Counter()
        for path in draws(paths("natural", d, 500, directed), 300):
            groups = itertools.groupby(path, key=lengths_of)
            sizes.update({len(list(group)) for _, group in groups})
        assert {99, 100, 101} <= set(sizes), (directed, sizes)


def test_lengths_are_drawn_at_the_slots_the_budget_and_the_chunk_and_one_beside() -> None:
    drawn = draws(paths("natural", Deployment(b_col=100, b_row=300, chunk=1000)), 600)
    corner = {full + by for full in (100, 300, 1000) for by in (-1, 0, 1)}
    assert corner <= {s.prompt for path in drawn for s in path}
    assert corner <= {s.output for path in drawn for s in path}


@FAMILIES
def test_cases_draw_chunks_that_the_claims_of_a_family_are_about(family: Any) -> None:
    met = Counter(
        (d.chunk > d.b_lcm) - (d.chunk < d.b_lcm) for d, _ in draws(cases(family, chunks=True), 200)
    )
    assert set(met) == ({-1, 0, 1} if family == "natural" else {0, 1})


def test_the_numbers_that_matter_are_drawn() -> None:
    drawn = draws(paths("natural"), 400)
    prompts = {s.prompt for path in drawn for s in path}
    assert {0, 1, 127, 128, 129, 1024} <= prompts
    gaps = {b.arrive - a.arrive for path in drawn for a, b in pairwise(path)}
    assert {0, duration(1, SEED), duration(128, SEED)} <= gaps


def test_strategies_can_be_used_as_they_are_documented() -> None:
    assert isinstance(paths(family="natural", deployment=SEED, max_sessions=500), st.SearchStrategy)
