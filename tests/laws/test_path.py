"""Laws along a path: a run that was tampered with breaks the one that it is about, and says why."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radproof import DECODE, PREFILL, Entry, Result, check, leap, run
from radproof.laws import LAWS, along
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.runs import Run, Stretch

PATH = [(0, 200, 2), (0, 128, 2), (30_000, 128, 1)]


def tampered(index: int, **changed: Any) -> Run:
    """RAD's run of PATH with one record changed."""
    result = run(PATH)
    stretches = list(result.stretches)
    stretches[index] = Stretch(attrs.evolve(stretches[index].first, **changed))
    return attrs.evolve(result, stretches=stretches)


def ended(*completions: int | None) -> Run:
    """RAD's run of PATH with other completions."""
    return attrs.evolve(run(PATH), completions=completions)


TAMPERED = {
    "clock": (tampered(1, start=4650), "the work and the idle time"),
    "served_recomputed": (tampered(1, served=5), "served is 5, the batches sum to 128"),
    "counts_recomputed": (tampered(1, residents=3), "residents is 3; arrivals and batches leave 2"),
    "no_idling": (tampered(1, start=4650), "work has waited since 4640; the batch starts at 4650"),
    "conservation": (ended(17_955, None, 38_645), "200 + 2 tokens at 21660, and ends at 17955"),
    "progress": (ended(17_955, None, 38_645), "session 1 has not ended"),
    "lifecycle": (ended(4, 17_955, 38_645), "session 0 has its first token at"),
    "prefill_order": (
        tampered(0, batch=(Entry(1, PREFILL, 128),)),
        "session 1 is served before session 0, which comes first",
    ),
    "decode_order": (
        tampered(3, batch=(Entry(1, DECODE, 1), Entry(0, DECODE, 1))),
        "session 1 is served before session 0, which comes first",
    ),
    "one_partial": (
        tampered(0, batch=(Entry(0, PREFILL, 64), Entry(1, PREFILL, 64))),
        "sessions 0, 1 are all partly prefilled",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_run_breaks_the_law(name: str) -> None:
    result, reason = TAMPERED[name]
    assert check(run(PATH), LAWS[name].claim).result is Result.HOLDS
    verdict = check(result, LAWS[name].claim)
    assert verdict.result is Result.FAILS
    assert reason in verdict.reason


def test_the_first_breach_is_reported_with_its_iteration() -> None:
    verdict = check(tampered(1, served=5), LAWS["served_recomputed"].claim)
    assert (verdict.index, verdict.first, verdict.failures) == (1, 4640, 1)
    assert verdict.record is not None
    assert verdict.record.served == 5


UNDER_A_MUTANT = {
    "finish_order": ("odd_sessions_first", [(0, 2, 0), (0, 2, 0)], "before session 0, which asks"),
    "chunk_starts": ("chunk_127", [(0, 2, 0)], "session 0 starts at 1, off the tile of 2"),
    "active_bound": (
        "greater",
        3 * [(0, 2, 1)],
        "3 decodes and 0 prompts are in flight, at most 2 allowed",
    ),
    "prefill_run": (
        "prefill_first",
        3 * [(0, 2, 1)],
        "3 consecutive prefill batches, at most 2 allowed (0 decodes at",
    ),
    "conservation": ("two_tokens_done", [(0, 0, 2)], "has not had its 0 + 2 tokens"),
    "progress": ("nothing_done", [(0, 0, 1)], "iteration 1 starts, and only 1 tokens were asked"),
}


@pytest.mark.parametrize("name", UNDER_A_MUTANT)
def test_a_mutant_breaks_the_law_where_rad_keeps_it(name: str) -> None:
    mutant, path, reason = UNDER_A_MUTANT[name]
    claim = LAWS[name].claim
    assert check(run(path, TILE_OF_TWO), claim).result is Result.HOLDS
    verdict = check(run(path, TILE_OF_TWO, CATALOGUE[mutant].scheduler, limit=20), claim)
    assert verdict.result is Result.FAILS
    assert reason in verdict.reason


def test_every_law_along_a_path_is_broken_here() -> None:
    assert set(TAMPERED) | set(UNDER_A_MUTANT) == {*along.AT_MOMENT, *along.AT_END}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (Entry(2, PREFILL, 1), "session 2 gets 1 prefill tokens too many"),
        (Entry(0, DECODE, 1), "session 0 gets 1 decode tokens too many"),
        (Entry(0, PREFILL, 201), "session 0 gets 201 prefill tokens; it asked for 200"),
    ],
)
def test_no_session_gets_more_than_it_asked_for(entry: Entry, reason: str) -> None:
    verdict = check(tampered(0, batch=(entry,)), LAWS["conservation"].claim)
    assert (verdict.index, verdict.reason) == (0, reason)


def test_a_breach_inside_a_stretch_is_reported_with_its_iteration() -> None:
    """Seven tokens for a session that asked for five: as a stretch and one by one."""
    long = leap([(0, 0, 5)])
    (stretch,) = long.stretches
    seven = attrs.evolve(stretch, count=7)
    for stretches in ([seven], list(map(Stretch, seven.records()))):
        verdict = check(attrs.evolve(long, stretches=stretches), LAWS["conservation"].claim)
        assert (verdict.index, verdict.reason) == (5, "session 0 gets 1 decode tokens too many")
        assert verdict.first == 5 * 4005


@pytest.mark.parametrize("path", [[(0, 0, 1)], [(0, 0, 1), (9_000, 0, 0)], [(0, 64, 0)]])
def test_a_session_that_ends_at_the_horizon_has_ended(path: Any) -> None:
    claim = LAWS["conservation"].claim
    end = max(time for time in run(path).completions if time is not None)
    for engine in (run, leap):
        at = engine(path, horizon=end)
        assert at.completions[-1] == end
        assert check(at, claim).result is Result.HOLDS
        missed = attrs.evolve(at, completions=(*at.completions[:-1], None))
        assert check(missed, claim).reason.endswith(f"at {end}, and has not ended")
        before = engine(path, horizon=end - 1)
        assert before.completions[-1] is None
        assert check(before, claim).result is Result.HOLDS
        early = attrs.evolve(before, completions=at.completions)
        assert check(early, claim).reason.endswith(f"and ends at {end}")


def test_more_iterations_than_tokens_are_counted_from_the_first_too_many() -> None:
    """Inside a stretch, and where an earlier session has taken some of them."""
    result = leap([(0, 0, 2), (50_000, 0, 3)])
    first, second = result.stretches
    long = attrs.evolve(result, stretches=[first, attrs.evolve(second, count=7)])
    verdict = check(long, LAWS["progress"].claim)
    assert (verdict.index, verdict.failures) == (5, 4)
    assert verdict.first == 50_000 + 3 * 4005
    assert verdict.reason == "iteration 5 starts, and only 5 tokens were asked for"
    assert check(result, LAWS["progress"].claim).result is Result.HOLDS


def test_what_is_left_of_a_prompt_is_what_earlier_stretches_left() -> None:
    """A stretch of chunks that is one too long, behind one that was right."""
    result = leap([(0, 640, 0), (5_000, 128, 0)])
    first, second, _ = result.stretches
    assert (first.count, second.count) == (2, 3)
    long = attrs.evolve(result, stretches=[first, attrs.evolve(second, count=4)], whole=False)
    verdict = check(long, LAWS["conservation"].claim)
    assert (verdict.index, verdict.failures) == (5, 1)
    assert verdict.reason == "session 0 gets 128 prefill tokens too many"
