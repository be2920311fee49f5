from __future__ import annotations

from typing import Any

import pytest
from helpers import every, in_order

from radproof import (
    DECODE,
    SEED,
    BadInput,
    Claim,
    Deployment,
    Entry,
    Result,
    RuleScheduler,
    Session,
    View,
    optimal_tiling,
    rad,
    token_rate,
)
from radproof.files.paths import Breaks, PathFile
from radproof.mutants import MUTANTS
from radproof.search.search import Finding, search
from radproof.search.situations import SITUATIONS


def found(claim: Claim, scheduler: Any = rad, **more: Any) -> Finding:
    more = {"scheduler_name": "under test", "examples": 60, "seed": 1} | more
    return search(claim, scheduler, **more)


def test_a_claim_holds_where_nothing_breaks_it_and_everything_was_reached() -> None:
    told: list[int | None] = []
    finding = found(token_rate, examples=150, progress=told.append)
    assert finding.result is Result.HOLDS
    assert (finding.exit_code, finding.counterexample, finding.missing) == (0, None, [])
    assert finding.paths >= 150
    assert told == list(range(1, finding.paths + 1))
    assert finding.iterations > finding.paths
    assert list(finding.sometimes) == list(SITUATIONS)
    assert all(0 < count <= finding.paths for count in finding.sometimes.values())


def test_a_claim_fails_with_a_minimal_counterexample() -> None:
    finding = found(optimal_tiling, MUTANTS["budget_256"], scheduler_name="m:x", claim_name="c:y")
    assert (finding.result, finding.exit_code) == (Result.FAILS, 1)
    counterexample = finding.counterexample
    assert counterexample is not None
    assert (counterexample.scheduler_name, counterexample.claim_name) == ("m:x", "c:y")
    assert counterexample.verdict is not None
    assert counterexample.verdict.result is Result.FAILS
    assert counterexample.minimal
    assert len(counterexample.path) == 2
    assert counterexample.error is None


def test_progress_hears_that_a_path_is_made_minimal() -> None:
    told: list[int | None] = []
    finding = found(optimal_tiling, MUTANTS["budget_256"], progress=told.append)
    assert told == [*range(1, finding.paths + 1), None]


def test_the_counterexample_stays_inside_the_claim_s_given() -> None:
    finding = found(optimal_tiling, MUTANTS["budget_127"])
    assert finding.counterexample is not None
    assert all(s.prompt % 128 == 0 for s in finding.counterexample.path)


def test_a_claim_is_not_evaluated_where_something_was_not_reached() -> None:
    finding = found(token_rate, examples=1)
    assert (finding.result, finding.exit_code) == (Result.NOT_EVALUATED, 3)
    assert "full decode batch" in finding.missing
    assert finding.counterexample is None


def test_what_no_path_of_a_family_can_reach_is_not_asked_for() -> None:
    there = every(lambda i, d: i.residents >= 1, family="positive", given=lambda s, d: s.prompt > 0)
    finding = found(there, examples=150)
    assert finding.sometimes["empty prompt"] == 0
    assert finding.missing == []
    assert finding.result is Result.HOLDS


def test_a_claim_whose_given_no_path_meets_is_not_evaluated() -> None:
    finding = found(every(lambda i, d: True, given=lambda s, d: False), examples=30)
    assert (finding.result, finding.paths, finding.iterations) == (Result.NOT_EVALUATED, 0, 0)
    assert finding.missing == list(SITUATIONS)


def test_some_iteration_is_witnessed_by_a_minimal_path() -> None:
    crowded = Claim("crowded", "some iteration", lambda i, d: i.decoding > d.b_col)
    finding = found(crowded, examples=300)
    assert (finding.result, finding.exit_code) == (Result.WITNESSED, 0)
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 1),) * 129
    assert finding.counterexample.minimal


def test_some_iteration_that_none_witnesses_is_not_evaluated_although_all_was_reached() -> None:
    finding = found(Claim("never", "some iteration", lambda i, d: i.start < 0), examples=150)
    assert finding.missing == []
    assert (finding.result, finding.exit_code) == (Result.NOT_EVALUATED, 3)


def test_an_at_end_claim_is_searched_too() -> None:
    finding = found(Claim("short", "at end", lambda run, d: run.iterations < 6))
    assert finding.result is Result.FAILS
    assert finding.counterexample is not None
    assert finding.counterexample.minimal
    assert finding.counterexample.verdict is not None
    assert finding.counterexample.verdict.index == 5


def at_fault_late(view: View) -> Any:
    """Names a session twice once three are resident."""
    entries = rad(view)[0]
    return (entries + entries if len(view.jobs) >= 3 else entries), None


def test_a_scheduler_at_fault_ends_the_search_with_its_smallest_path() -> None:
    finding = found(token_rate, at_fault_late)
    assert (finding.result, finding.exit_code) == (Result.NOT_EVALUATED, 2)
    counterexample = finding.counterexample
    assert counterexample is not None
    assert counterexample.verdict is None
    assert counterexample.error is not None
    assert counterexample.error.kind == "duplicate"
    assert len(counterexample.path) == 3
    assert counterexample.minimal


def two_faults(view: View) -> Any:
    """A smaller path shows another mistake: nothing at all for one job, raising for three."""
    if len(view.jobs) >= 3:
        raise RuntimeError("three")
    if len(view.jobs) == 2 and view.now > 0:
        return (), None
    return rad(view)


def test_minimising_keeps_the_mistake_that_was_found() -> None:
    finding = found(token_rate, two_faults)
    assert finding.counterexample is not None
    error = finding.counterexample.error
    assert error is not None
    smallest = {"raised": 3, "stuck": 2}
    assert len(finding.counterexample.path) == smallest[error.kind]


def test_the_same_seed_finds_the_same() -> None:
    def key(finding: Finding) -> Any:
        c = finding.counterexample
        return finding.result, finding.paths, finding.sometimes, c and (c.path, c.evaluations)

    for claim, scheduler in ((token_rate, rad), (optimal_tiling, MUTANTS["budget_256"])):
        assert key(found(claim, scheduler, examples=30)) == key(
            found(claim, scheduler, examples=30)
        )
    assert key(found(token_rate, examples=30)) != key(found(token_rate, examples=30, seed=2))


def test_the_environment_does_not_change_what_a_seed_means(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from hypothesis import settings

    before = found(token_rate).sometimes
    monkeypatch.setenv("CI", "true")
    settings.register_profile("odd", max_examples=3, derandomize=True, database=None)
    current = settings.get_current_profile_name()
    settings.load_profile("odd")
    try:
        assert found(token_rate).sometimes == before
    finally:
        settings.load_profile(current)


def test_no_seed_draws_one_and_says_which() -> None:
    finding = found(token_rate, examples=20, seed=None)
    again = found(token_rate, examples=20, seed=finding.seed)
    assert again.sometimes == finding.sometimes


def test_saved_paths_are_tried_first() -> None:
    claim = every(lambda i, d: i.residents < 200)
    path = (Session(0, 0, 1),) * 201
    file = PathFile(path, deployment=SEED, breaks=Breaks("claim", "mine"))
    finding = found(claim, saved=[file])
    assert finding.paths == 1
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 1),) * 200


def test_saved_paths_of_another_deployment_are_left_out() -> None:
    file = PathFile((Session(0, 0, 1),) * 201, deployment=Deployment(b_col=2))
    assert found(every(lambda i, d: d.b_col == 128), saved=[file], examples=5).result != "fails"


def test_saved_paths_that_break_nothing_cost_one_look_each() -> None:
    file = PathFile((Session(0, 128, 1),))
    without, with_one = found(token_rate, examples=20), found(token_rate, examples=20, saved=[file])
    assert with_one.paths == without.paths + 1


def test_scaled_down_search_draws_deployments() -> None:
    tiles = set()

    def holds(i: Any, d: Any) -> bool:
        tiles.add(d.b_col)
        return True

    finding = found(every(holds), scaled=True, examples=80)
    assert finding.scaled
    assert len(tiles) > 4
    assert max(tiles) <= 8


def test_a_scaled_down_counterexample_says_its_deployment() -> None:
    finding = found(optimal_tiling, MUTANTS["threshold_127"], scaled=True, examples=200)
    assert finding.counterexample is not None
    assert finding.counterexample.deployment.b_col <= 8
    assert len(finding.counterexample.path) <= 4


def test_paths_longer_than_the_step_evaluator_goes_are_counted_as_cut() -> None:
    def slow(view: View) -> Any:
        job = view.jobs[0]
        tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, 128)
        return (Entry(job.session, job.phase, tokens),), None

    long = PathFile((Session(0, 0, 5000),), deployment=SEED)
    finding = found(every(lambda i, d: True), slow, saved=[long], examples=1)
    assert finding.cut >= 1


def test_an_at_end_claim_is_not_broken_by_a_path_that_was_cut() -> None:
    done = Claim("done", "at end", lambda run, d: run.ended == len(run.path))
    long = PathFile((Session(0, 0, 5000),), deployment=SEED)
    finding = found(done, in_order, saved=[long], examples=1)
    assert finding.counterexample is None


def test_a_claim_that_raises_is_named() -> None:
    def holds(i: Any, d: Any) -> bool:
        raise RuntimeError("odd")

    with pytest.raises(BadInput, match="RuntimeError: odd"):
        found(every(holds), RuleScheduler())
