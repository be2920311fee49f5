"""The built-in schedulers: their switches, their leaps, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from radproof.strategies import cases

from radproof import BadInput, Deployment, SchedulerError, leap, rad, run
from radproof.schedulers import SLAI, CyclicRAD, Sarathi, slai
from radproof.schedulers.loading import BUILT_IN, load
from radproof.schedulers.purity import watched
from radproof.search.crosscheck import first_difference

D = Deployment(b_col=2, t_lin=40, t_nl=5)
VARIANTS: dict[str, Any] = {
    **{name: load(name).call for name in BUILT_IN},
    "counted at the end": CyclicRAD(1, counted="end"),
    "not ended by an empty node": CyclicRAD(1, empty_ends=False),
    "arrivals do not join": CyclicRAD(2, arrivals_join=False),
    "tails alone": CyclicRAD(2, share_tail=False),
    "small budget": Sarathi(budget=5, active=3),
    "shortest prompt": SLAI(order="shortest prompt", tbt=100),
}


def outcome(engine: Any, path: Any, deployment: Deployment, scheduler: Any) -> Any:
    """The run, or the kind of the scheduler's fault."""
    try:
        return engine(path, deployment, scheduler, None, 200)
    except SchedulerError as error:
        return error.kind


@pytest.mark.parametrize("name", VARIANTS)
def test_a_scheduler_is_pure_and_its_leaps_are_its_steps(name: str) -> None:
    scheduler = VARIANTS[name]

    @given(cases(max_sessions=10))
    @settings(
        max_examples=25,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def property_(case: Any) -> None:
        deployment, path = case
        stepped = outcome(run, path, deployment, watched(scheduler))
        if isinstance(stepped, str):
            assert stepped == "stuck"
        elif stepped.whole:
            assert first_difference(stepped, leap(path, deployment, scheduler)) is None

    property_()


def batches(scheduler: Any, path: Any) -> str:
    """Each batch as session numbers, prefills with a p."""
    return " | ".join(
        " ".join(f"{e.session}{'p' if e.phase == 'prefill' else ''}" for e in record.batch)
        for record in run(path, D, scheduler).records
    )


def test_a_cycle_of_no_end_is_rad() -> None:
    path = [(0, 3, 2), (0, 2, 1), (60, 0, 3), (90, 5, 0), (400, 5, 1)]
    assert batches(CyclicRAD(10**9), path) == batches(rad, path)


def test_what_the_switches_of_a_cycle_change() -> None:
    path = [(0, 2, 2), (0, 2, 1), (0, 2, 1)]
    assert batches(CyclicRAD(1), path) == "0p | 0 | 0 | 1p | 1 | 2p | 2"
    assert batches(CyclicRAD(2), path) == "0p | 1p | 0 1 | 0 | 2p | 2"
    short = [(0, 1, 1), (0, 1, 1)]
    assert batches(CyclicRAD(2), short) == "0p 1p | 0 1"
    assert batches(CyclicRAD(2, share_tail=False), short) == "0p | 1p | 0 1"
    later = [(0, 2, 3), (51, 2, 1)]
    assert batches(CyclicRAD(2), later) == "0p | 0 | 1p | 0 1 | 0"
    assert batches(CyclicRAD(2, arrivals_join=False), later) == "0p | 0 | 0 | 0 | 1p | 1"
    alone = [(0, 2, 1), (500, 2, 1), (500, 2, 1)]
    assert batches(CyclicRAD(2), alone) == "0p | 0 | 1p | 2p | 1 2"
    assert batches(CyclicRAD(2, empty_ends=False), alone) == "0p | 0 | 1p | 1 | 2p | 2"


def test_counting_at_the_end_lets_no_more_prompts_in() -> None:
    path = [(0, 4, 2), (0, 4, 1)]
    for counted in ("start", "end"):
        scheduler = CyclicRAD(1, counted=counted)  # type: ignore[arg-type]
        assert batches(scheduler, path) == "0p | 0p | 0 | 0 | 1p | 1p | 1"


def test_slai_serves_a_decode_when_it_becomes_critical() -> None:
    patient = SLAI(budget=2, tbt=400, theta=1)
    path = [(0, 0, 3), (1, 8, 1)]
    first, *rest = batches(patient, path).split(" | ")
    assert first == "0"
    assert rest[0] == "1p 0"  # nobody is critical, and there is room for the other decodes
    urgent = SLAI(budget=2, tbt=0)
    assert batches(urgent, path).split(" | ")[1] == "0 1p"


def test_slai_takes_the_shortest_prompt_or_those_who_pay_first() -> None:
    path = [(0, 8, 1), (0, 2, 1)]
    assert batches(SLAI(budget=2), path).startswith("0p")
    assert batches(SLAI(budget=2, order="shortest prompt"), path).startswith("1p")
    assert batches(SLAI(budget=2, first=lambda job: job.session == 1), path).startswith("1p")
    assert batches(slai, path).startswith("0p")


def test_slai_is_earlier_where_the_memory_is_full() -> None:
    path = [(0, 0, 6), (1, 8, 1)]
    roomy, full = SLAI(budget=2, tbt=300, memory=10**6), SLAI(budget=2, tbt=300, memory=1)
    assert batches(roomy, path) != batches(full, path)


def test_what_a_scheduler_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="counted of a cycle is 'middle'"):
        CyclicRAD(counted="middle")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="n is 0"):
        CyclicRAD(0)
    with pytest.raises(BadInput, match="order of SLAI is 'longest'"):
        SLAI(order="longest")  # type: ignore[arg-type]
