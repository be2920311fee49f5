from __future__ import annotations

import builtins
import contextlib
import random
from collections import Counter
from typing import Any

import attrs
import pytest
from helpers import every, in_order, unleapt
from hypothesis import strategies
from radproof.strategies import SMALLEST, small_paths

from radproof import (
    CLAIMS,
    DECODE,
    PREFILL,
    SEED,
    BadInput,
    Claim,
    Deployment,
    Entry,
    Result,
    RuleScheduler,
    SchedulerError,
    Session,
    View,
    check,
    leap,
    optimal_tiling,
    rad,
    run,
    token_rate,
)
from radproof.evaluators.evaluate import SHARE
from radproof.files.paths import Breaks, PathFile
from radproof.laws import GROUPS, LAWS, asked_of, checks
from radproof.model import as_path
from radproof.mutants import MUTANTS, TILE_OF_TWO
from radproof.mutants.engines import Engine
from radproof.report.text import finding_row
from radproof.rules import RULES
from radproof.schedulers.adapters import adapt
from radproof.schedulers.loading import Loaded, load
from radproof.search import search as search_module
from radproof.search.counterexample import Counterexample
from radproof.search.crosscheck import Disagreement, cross_check
from radproof.search.minimise import Minimised, OutOfBudget
from radproof.search.search import Finding, Interrupted, Plan, broken_names, search
from radproof.search.situations import SITUATIONS

SMALL = Plan(TILE_OF_TWO, examples=40, max_sessions=12)


def found(claim: Claim, scheduler: Any = rad, name: str = "under test", **more: Any) -> Finding:
    """The one finding of a search for one claim; `more` goes to the plan or to `search`."""
    asked = more.pop("claim_name", claim.name)
    plan = {"examples": 60, "seed": 1}
    plan |= {key: more.pop(key) for key in ("examples", "seed", "scaled") if key in more}
    loaded = Loaded(name, scheduler, scheduler)
    (finding,) = search({asked: claim}, loaded, Plan(**plan), **more)
    return finding


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


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_twenty_examples_reach_every_situation(claim: Claim) -> None:
    assert found(claim, examples=20, seed=0).missing == []


def test_a_claim_fails_with_a_minimal_counterexample() -> None:
    finding = found(optimal_tiling, MUTANTS["budget_256"], name="m:x", claim_name="c:y")
    assert (finding.result, finding.exit_code) == (Result.FAILS, 1)
    counterexample = finding.counterexample
    assert counterexample is not None
    assert (counterexample.scheduler.name, counterexample.claim_name) == ("m:x", "c:y")
    assert counterexample.verdict is not None
    assert counterexample.verdict.result is Result.FAILS
    assert counterexample.minimal
    assert len(counterexample.path) == 2
    assert counterexample.error is None


def test_progress_hears_that_a_path_is_made_minimal() -> None:
    told: list[int | None] = []
    finding = found(optimal_tiling, MUTANTS["budget_256"], progress=told.append)
    assert told == [*range(1, finding.paths + 1), None]


def test_a_smaller_path_is_looked_for_as_long_as_the_runs_are_short_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under an engine that goes step by step, 20,000 looks at a path took 25 minutes."""

    def counterexample() -> Counterexample:
        crowded = every(lambda i, d: i.decoding <= 5)
        (finding,) = search({"mine": crowded}, Loaded.of(unleapt(in_order)), SMALL)
        assert finding.counterexample is not None
        return finding.counterexample

    whole = counterexample()
    assert whole.minimal
    assert whole.path == (Session(0, 0, 1),) * 6
    monkeypatch.setattr(search_module, "WORK", 4_000)
    cut = counterexample()
    assert not cut.minimal
    assert cut.verdict is not None
    assert cut.verdict.result is Result.FAILS
    assert len(cut.path) > 6
    assert cut.evaluations < 20


def test_what_was_drawn_before_the_path_that_breaks_is_not_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = []
    evaluate = search_module.evaluate

    def watched(path: Any, *rest: Any, **more: Any) -> Any:
        ran.append(path)
        return evaluate(path, *rest, **more)

    monkeypatch.setattr(search_module, "evaluate", watched)
    finding = found(every(lambda i, d: i.decoding <= 250), examples=200)
    assert finding.result is Result.FAILS
    drawn = [path for path in ran[: finding.paths - 1] if len(path) > 3]
    assert len(drawn) > 3
    assert len(ran) > finding.paths  # it is shrunk and made minimal
    assert not set(drawn) & set(ran[finding.paths :])


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


LONG_PATH = PathFile((Session(0, 0, 4000),), deployment=SEED)


def test_paths_longer_than_there_is_work_for_are_counted_as_cut() -> None:
    true = every(lambda i, d: True)
    stepped = found(true, unleapt(in_order), saved=[LONG_PATH], examples=1)
    assert stepped.cut >= 1
    assert found(true, in_order, saved=[LONG_PATH], examples=1).cut == 0


def test_what_the_shorter_paths_leave_a_longer_one_takes() -> None:
    """4,000 iterations cost eight shares, which the eight paths before it have left."""
    true = every(lambda i, d: True)
    short = PathFile((Session(0, 0, 1),), deployment=SEED)
    saved = [LONG_PATH, *[short] * 8, LONG_PATH]
    assert found(true, unleapt(in_order), saved=saved, examples=1).cut == 1
    assert found(true, unleapt(in_order), saved=[*saved[:-4], LONG_PATH], examples=1).cut == 2


def test_one_path_takes_twenty_shares_at_most_whatever_was_left() -> None:
    """500 iterations cost a share or so: of 12,000 some are cut, of 9,000 none."""
    true, short = every(lambda i, d: True), PathFile((Session(0, 0, 1),), deployment=SEED)
    for output, cut in ((9_000, 0), (12_000, 1)):
        saved = [*[short] * 24, PathFile((Session(0, 0, output),), deployment=SEED)]
        assert found(true, unleapt(in_order), saved=saved, examples=1).cut == cut


def test_a_look_at_types_that_no_reader_of_code_finds_is_found_by_the_cross_check() -> None:
    def looking(view: View) -> Any:
        kind, done = getattr(builtins, "ty" + "pe"), view.jobs[0].done
        job = view.jobs[-1 if kind(done) is int and done % 2 else 0]
        return (Entry(job.session, job.phase, 1),), None

    with pytest.raises(Disagreement):
        cross_check(leap([(0, 0, 9), (0, 0, 9)], SEED, looking))
    # right code, and not of ours: it is asked about one iteration at a time, before a claim that
    # the leap alone breaks is said to fail
    two = [PathFile((Session(0, 0, 9),) * 2, deployment=SEED)]
    odd = every(
        lambda i, d: i.residents < 2 or i.start != 3 * 4005 or i.batch[0].session == 1,
        given=lambda s, d: (s.arrive, s.prompt, s.output) == (0, 0, 9),
    )
    assert check(run(two[0].sessions, SEED, looking), odd).result == "holds"
    assert check(leap(two[0].sessions, SEED, looking), odd).result == "fails"
    assert found(odd, looking, saved=two, examples=20).counterexample is None


def test_an_at_end_claim_is_not_broken_by_a_path_that_was_cut() -> None:
    done = Claim("done", "at end", lambda run, d: run.ended == len(run.path))
    finding = found(done, unleapt(in_order), saved=[LONG_PATH], examples=1)
    assert finding.cut
    assert finding.counterexample is None


def test_a_claim_that_raises_is_named() -> None:
    def holds(i: Any, d: Any) -> bool:
        raise RuntimeError("odd")

    with pytest.raises(BadInput, match="RuntimeError: odd"):
        found(every(holds), RuleScheduler())


# many claims and laws at once


def test_rad_keeps_everything() -> None:
    findings = search(checks(), load("rad"), Plan(TILE_OF_TWO, examples=150))
    expected = dict.fromkeys(checks(), Result.HOLDS)
    expected["own_count"] = Result.NOT_EVALUATED  # RAD counts nothing: it reads the view
    assert {f.claim.name: f.result for f in findings} == expected


def test_rad_keeps_the_laws_at_scaled_down_deployments() -> None:
    laws, _ = asked_of(GROUPS, rad, SEED)
    assert set(laws) == set(LAWS) - {"own_count"}
    findings = search(laws, load("rad"), Plan(scaled=True, examples=100))
    assert {f.result for f in findings} == {Result.HOLDS}


def test_the_same_seed_gives_the_same_report() -> None:
    one, other = (search(checks(), load("sarathi"), SMALL) for _ in range(2))
    assert [finding_row(f) for f in one] == [finding_row(f) for f in other]
    paths = [[f.counterexample and f.counterexample.path for f in fs] for fs in (one, other)]
    assert paths[0] == paths[1]
    texts = [[f.counterexample and f.counterexample.text() for f in fs] for fs in (one, other)]
    assert texts[0] == texts[1]


def test_a_faulty_scheduler_is_judged_by_the_rest_where_it_is_not_at_fault() -> None:
    findings = {f.claim.name: f for f in search(checks(), load("vllm"), SMALL)}
    assert findings["progress"].counterexample is not None
    assert findings["progress"].exit_code == 2
    assert findings["served_recomputed"].result is Result.HOLDS
    assert findings["batch_budget"].result is Result.FAILS


def test_a_saved_path_runs_at_its_own_deployment_alone() -> None:
    """One policy: a path that was found at another deployment is left out, and counted."""
    four = Deployment(b_col=4, t_lin=1, t_nl=1)
    saved = [PathFile((Session(0, 4, 1),) * 5, deployment=four)]
    laws = {"decode_bound": LAWS["decode_bound"].claim}
    greater = load("radproof.mutants:greater")
    (found,) = search(laws, greater, Plan(four, examples=1), saved=saved)
    assert found.counterexample is not None
    assert found.counterexample.deployment == four
    assert (found.paths, found.left_out) == (1, 0)
    (elsewhere,) = search(laws, greater, Plan(examples=1), saved=saved)
    assert elsewhere.left_out == 1
    assert elsewhere.counterexample is None
    assert elsewhere.paths > 1


def test_a_fault_fails_the_law_about_it_whichever_way_it_is_asked() -> None:
    """It said *not evaluated* where only the law was asked, and *fails* among all laws."""
    laws = {name: law.claim for name, law in LAWS.items() if law.group == "engine"}
    scheduler = load("radproof.mutants:only_full_decodes")
    alone = search({"progress": laws["progress"]}, scheduler, SMALL)
    among = {f.claim.name: f for f in search(laws, scheduler, SMALL)}["progress"]
    assert [f.claim.name for f in alone] == ["progress"]
    for finding in (*alone, among):
        assert (finding.result, finding.exit_code) == (Result.FAILS, 2)
        assert finding.counterexample is not None
        assert finding.counterexample.path == (Session(0, 0, 1),)


def test_a_fault_joins_the_findings_under_its_own_law() -> None:
    asked = {"well_formed": LAWS["well_formed"].claim}
    findings = search(asked, load("radproof.mutants:only_full_decodes"), SMALL)
    assert [(f.claim.name, f.result) for f in findings] == [
        ("well_formed", Result.HOLDS),
        ("progress", Result.FAILS),
    ]


def test_what_was_answered_before_a_fault_keeps_its_answer() -> None:
    ragged = every(lambda i, d: i.tokens >= 1, given=lambda s, d: s.prompt % d.b_lcm == 1)
    asked = {"ragged": ragged, "optimal_tiling": CLAIMS["optimal_tiling"]}
    one, other = search(asked, Loaded.of(refuses_tiles), SMALL)
    assert one.iterations > 0
    assert (one.claim, one.exit_code) == (ragged, 3)  # a situation has not been reached
    assert (other.claim.name, other.exit_code) == ("optimal_tiling", 2)


def refuses_tiles(view: View) -> Any:
    """At fault on a prompt of whole tiles."""
    assert all(job.prompt % view.deployment.b_lcm for job in view.jobs)
    return rad(view)


def test_what_nothing_reached_is_not_evaluated() -> None:
    free = attrs.evolve(TILE_OF_TWO, t_lin=0, t_nl=0)
    laws = {"clock": LAWS["clock"].claim}  # says nothing where a batch costs nothing
    (finding,) = search(laws, load("rad"), Plan(free, examples=5))
    assert finding.result is Result.NOT_EVALUATED
    assert finding.exit_code == 3


def test_a_prompt_longer_than_any_budget_is_always_tried() -> None:
    laws = {"progress": LAWS["progress"].claim}
    (finding,) = search(laws, load("vllm"), Plan(TILE_OF_TWO, examples=1))
    assert finding.counterexample is not None
    assert [s.prompt for s in finding.counterexample.path] == [33]  # 16 tiles and one token


# what could not be evaluated


def opaque(i: Any, d: Any) -> bool:
    """A claim that Python evaluates one iteration at a time alone."""
    return pow(i.served, 2) <= 10**40


BEYOND = PathFile((Session(0, 0, 2_000_000),))


def test_a_path_whose_verdict_is_unknown_is_counted_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was counted as cut, and gave no reason."""
    monkeypatch.setattr("radproof.evaluators.decide.BUDGET", 20_000)
    drawn = found(every(opaque), examples=150)
    finding = found(every(opaque), saved=[BEYOND, BEYOND], examples=150)
    assert (finding.unknown, finding.cut) == (drawn.unknown + 2, 0)
    assert "2000000 iterations, and this claim can only be evaluated one by one" in finding.reason
    assert finding.result is Result.HOLDS  # of the rest, which reached every situation
    assert finding.missing == []


def test_a_claim_of_which_nothing_but_the_unknown_was_asked_is_unknown() -> None:
    alone = every(opaque, given=lambda s, d: s.output > 1_000_000)
    finding = found(alone, saved=[BEYOND], examples=5)
    assert finding.unknown == finding.paths > 0
    assert (finding.result, finding.exit_code) == (Result.UNKNOWN, 3)
    done = Claim("done", "at end", lambda run, d: True, given=alone.given)
    cut = found(done, unleapt(in_order), saved=[BEYOND], examples=5)
    assert cut.cut == cut.paths > 0
    assert (cut.unknown, cut.result, cut.exit_code) == (0, Result.NOT_EVALUATED, 3)


def test_what_only_a_path_that_was_not_evaluated_reached_was_not_reached() -> None:
    """The one path with a tie is the one that was cut, or the one without an answer."""
    tie = (Session(0, 0, 2_000_000),) * 2
    single = lambda s, d: s.output >= 1_000_000 or (s.prompt, s.output) == (0, 1)  # noqa: E731
    for scheduler in (rad, unleapt(in_order)):
        finding = found(every(opaque, given=single), scheduler, saved=[PathFile(tie)], examples=1)
        assert finding.cut + finding.unknown > 0
        assert finding.sometimes["tie"] < finding.paths
        assert finding.result is not Result.HOLDS


def test_a_claim_named_as_a_law_is_asked_for_the_situations() -> None:
    mine = Claim("clock", "every iteration", lambda i, d: True)
    finding = found(mine, examples=1)
    assert finding.missing
    assert (finding.result, finding.exit_code) == (Result.NOT_EVALUATED, 3)


# what is seen once, and not again


@attrs.define(eq=False)
class OnceReversed:
    """RAD, but for one call of its life: from the n-th on, the first batch of two is reversed."""

    after: int
    twice: bool = True
    calls: int = 0
    done: bool = False

    def asked_again(self, view: View) -> bool:
        return self.twice

    def __call__(self, view: View) -> Any:
        self.calls += 1
        batch, memory = rad(view)
        if self.done or self.calls < self.after or len(batch) < 2:
            return batch, memory
        self.done = True
        return batch[::-1], memory


@pytest.mark.parametrize("after", [0, 50, 400])
def test_an_impurity_that_is_not_seen_again_fails_with_both_answers(after: int) -> None:
    """It ended as *not evaluated* with a path of 0 sessions, or as "pure holds"."""
    laws = {name: law.claim for name, law in LAWS.items() if law.group == "engine"}
    for asked in (laws, {"pure": laws["pure"]}):
        findings = {f.claim.name: f for f in search(asked, Loaded.of(OnceReversed(after)), SMALL)}
        finding = findings["pure"]
        assert (finding.result, finding.exit_code) == (Result.FAILS, 2)
        counterexample = finding.counterexample
        assert counterexample is not None
        assert counterexample.error is not None
        assert counterexample.error.kind == "impure"
        assert (counterexample.minimal, counterexample.evaluations) == (False, 0)
        assert len(counterexample.path) >= 2
        assert counterexample.again.startswith("holds")
        text = counterexample.text()
        assert "(not reproducible)" in text.splitlines()[0]
        assert "it failed once, and not again" in text
        assert "1-minimal" not in text


def test_a_law_that_fails_once_is_not_made_minimal_and_the_scheduler_is_not_pure() -> None:
    laws = {name: LAWS[name].claim for name in ("decode_order", "clock")}
    unwatched = OnceReversed(50, twice=False)
    found = {f.claim.name: f for f in search(laws, Loaded.of(unwatched), SMALL)}
    order, pure = found["decode_order"], found["pure"]
    assert (order.result, order.exit_code) == (Result.FAILS, 1)
    assert (pure.result, pure.exit_code) == (Result.FAILS, 2)
    assert found["clock"].result is Result.HOLDS
    one, other = order.counterexample, pure.counterexample
    assert one is not None
    assert other is not None
    assert one.path == other.path
    assert one.verdict is not None
    assert one.verdict.result is Result.FAILS
    assert one.again == other.again
    assert one.again.startswith("holds")
    assert not one.minimal
    assert "decode_order: fails at" in str(other.error)


def test_a_witness_that_is_not_seen_again_witnesses_nothing() -> None:
    told: list[int] = []

    def once(i: Any, d: Any) -> bool:
        told.append(1)
        return len(told) == 200

    finding = found(Claim("once", "some iteration", once))
    assert (finding.result, finding.exit_code) == (Result.NOT_EVALUATED, 3)
    assert finding.counterexample is not None
    assert finding.counterexample.again.startswith("not evaluated (in none of")


def test_what_is_not_seen_again_is_looked_at_once_and_not_made_smaller() -> None:
    told: list[int] = []

    def once(run: Any, d: Any) -> bool:
        told.append(1)
        return len(told) != 20

    finding = found(Claim("once", "at end", once))
    assert finding.counterexample is not None
    assert finding.counterexample.again
    assert len(told) == 20 + 1


@pytest.mark.parametrize("seed", range(6))
def test_what_is_shown_as_minimal_was_seen_to_fail_at_the_last_look(seed: int) -> None:
    """A claim that throws a coin: whatever is found, no path is shown that passed at the end."""
    coin = random.Random(seed)
    answers: list[bool] = []

    def holds(run: Any, d: Any) -> bool:
        answers.append(coin.random() < 0.9)
        return answers[-1]

    finding = found(Claim("coin", "at end", holds), examples=20)
    counterexample = finding.counterexample
    assert counterexample is not None
    assert finding.result is Result.FAILS
    assert bool(counterexample.again) == answers[-1]
    assert not (counterexample.again and counterexample.minimal)


# what a run that ends in a fault broke before


class LooksOnArrival:
    """Takes what waits in its queue on an arrival alone, one session at a time; no chunks."""

    def __init__(self, deployment: Deployment) -> None:
        self.queue: list[tuple[int, int]] = []
        self.now: list[tuple[int, int]] = []

    def add_request(self, number: int, prompt_tokens: int) -> None:
        if not self.now and self.queue:
            self.now.append(self.queue.pop(0))
        (self.queue if self.now else self.now).append((number, prompt_tokens))

    def schedule(self) -> list[tuple[int, int]]:
        return [(number, left or 1) for number, left in self.now]

    def update(self, number: int, tokens: int, finished: bool) -> None:
        self.now = [] if finished else [(number, 0)]


def test_what_a_stuck_run_broke_before_is_a_finding_of_its_own() -> None:
    """It was reported as *stuck* alone."""
    path = (Session(0, 0, 1), Session(0, 0, 1), Session(100, 0, 1))
    asked = {name: LAWS[name].claim for name in ("no_idling", "clock", "progress", "conservation")}
    engine = Loaded.of(LooksOnArrival)
    saved = [PathFile(path, deployment=TILE_OF_TWO)]
    findings = {f.claim.name: f for f in search(asked, engine, SMALL, saved=saved)}
    idling, stuck = findings["no_idling"], findings["progress"]
    assert (idling.result, idling.exit_code) == (Result.FAILS, 1)
    assert idling.counterexample is not None
    assert idling.counterexample.minimal
    assert idling.counterexample.error is None
    assert idling.counterexample.verdict is not None
    assert "work has waited since" in idling.counterexample.verdict.reason
    assert stuck.exit_code == 2
    assert stuck.counterexample is not None
    assert len(stuck.counterexample.path) == 2
    assert findings["conservation"].counterexample is None


def test_a_claim_broken_before_a_fault_fails_where_no_law_is_asked() -> None:
    """A claim was *not evaluated* on a run that broke it and then ended in a fault."""

    def refuses_late(view: View) -> Any:
        assert not view.now
        return rad(view)

    mine = every(lambda i, d: i.decoders < 2)
    finding = found(mine, refuses_late, saved=[PathFile((Session(0, 0, 2),) * 2)], examples=5)
    assert (finding.result, finding.exit_code) == (Result.FAILS, 1)
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 1),) * 2


@pytest.mark.parametrize("claim", ["token_rate", "conservation", "progress"])
def test_a_run_that_is_not_whole_breaks_no_law_of_its_end(claim: str) -> None:
    """A session without work ends in the idle time before the fault: the run saw no more of it."""

    def waits(view: View) -> Any:
        return (), None

    path = (Session(0, 0, 1), Session(50, 0, 0), Session(100, 0, 1))
    with pytest.raises(SchedulerError) as raised:
        run(path, TILE_OF_TWO, waits)
    verdict = check(raised.value.so_far, checks()[claim])
    assert verdict.failures == 0


# what is run, how far, and what is counted of it: a search of the saved paths alone


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """No path but the saved ones is run. Returns the draws that are asked for."""
    asked: list[Any] = []
    monkeypatch.setattr(Plan, "first", lambda self: iter(()))
    monkeypatch.setattr(Plan, "drawn", lambda self, family: family)
    monkeypatch.setattr(
        search_module, "draw", lambda *arguments, **options: asked.append((*arguments, options))
    )
    return asked


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """(path, work, engine) of each run."""
    seen: list[Any] = []
    evaluate = search_module.evaluate

    def watched_run(path: Any, *rest: Any, engine: Any, work: int) -> Any:
        seen.append((path, work, engine))
        return evaluate(path, *rest, engine=engine, work=work)

    monkeypatch.setattr(search_module, "evaluate", watched_run)
    return seen


@pytest.fixture
def crossed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The paths whose run was compared with the definition's."""
    seen: list[Any] = []
    monkeypatch.setattr(search_module, "cross_check", lambda run: seen.append(run.path))
    return seen


def files(*paths: list[tuple[int, int, int]], deployment: Any = SEED) -> list[PathFile]:
    return [PathFile(as_path(path), deployment=deployment) for path in paths]


def outputs(*numbers: int) -> list[PathFile]:
    """Paths of one session without a prompt."""
    return files(*([(0, 0, number)] for number in numbers))


TRUE = every(lambda i, d: True)
ONE_BY_ONE = unleapt(in_order)


def test_the_plan_of_a_search_is_one_of_the_seed_alone() -> None:
    assert attrs.astuple(Plan(), recurse=False) == (SEED, False, 300, 500, 0)


def test_small_paths_and_a_long_prompt_come_first_at_each_deployment_searched() -> None:
    cases = [*Plan(TILE_OF_TWO).first()]
    long = (TILE_OF_TWO, (Session(0, 100 * TILE_OF_TWO.b_lcm, 1),))
    assert cases == [*((TILE_OF_TWO, path) for path in small_paths(TILE_OF_TWO)), long]
    assert {d for d, _ in Plan(TILE_OF_TWO, scaled=True).first()} == set(SMALLEST)


@pytest.mark.parametrize(("most", "sessions"), [(7, 7), (500, 40)])
def test_a_scaled_down_search_draws_deployments_chunks_and_short_paths(
    monkeypatch: pytest.MonkeyPatch, most: int, sessions: int
) -> None:
    monkeypatch.setattr(search_module, "cases", lambda *asked, **options: (asked, options))
    asked: Any = Plan(scaled=True, max_sessions=most).drawn("positive")
    assert asked == (("positive", sessions), {"chunks": True})


def test_a_search_of_one_deployment_draws_its_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def paths(*arguments: Any) -> Any:
        asked.append(arguments)
        return strategies.just(())

    monkeypatch.setattr(search_module, "paths", paths)
    Plan(TILE_OF_TWO, max_sessions=99).drawn("positive")
    assert asked == [("positive", TILE_OF_TWO, 99)]


def test_a_saved_path_belongs_to_the_search_of_its_deployment() -> None:
    path = (Session(0, 0, 1),)
    unnamed, two = PathFile(path), PathFile(path, deployment=TILE_OF_TWO)
    belongs = [[plan.judges(file) for file in (unnamed, two)] for plan in (
        Plan(SEED), Plan(TILE_OF_TWO), Plan(Deployment(b_col=4), scaled=True)
    )]  # fmt: skip
    assert belongs == [[True, False], [False, True], [True, True]]


def test_the_counts_of_a_finding_are_those_of_its_paths(draws: list[Any]) -> None:
    two = files([(0, 0, 1), (0, 0, 2)])
    finding = found(TRUE, saved=[*two, *outputs(1, 5), *files([(0, 2, 1)], deployment=TILE_OF_TWO)])
    assert (finding.paths, finding.iterations) == (3, 2 + 1 + 5)
    assert (finding.cut, finding.unknown, finding.left_out) == (0, 0, 1)
    assert (finding.sometimes["tie"], finding.sometimes["empty prompt"]) == (1, 3)
    assert (finding.result, finding.reason) == (Result.NOT_EVALUATED, "")
    assert len(draws) == 1


def test_a_saved_path_that_names_no_deployment_is_the_seed_s(draws: list[Any]) -> None:
    claim = every(lambda i, d: d == SEED and i.tokens < 1)
    finding = found(claim, saved=[PathFile((Session(0, 0, 1),))])
    assert finding.counterexample is not None
    assert finding.counterexample.deployment == SEED


def test_a_path_that_is_cut_counts_as_far_as_it_was_run(draws: list[Any]) -> None:
    part = run([(0, 0, 4000)], SEED, ONE_BY_ONE, work=SHARE).iterations
    finding = found(TRUE, ONE_BY_ONE, saved=outputs(4000, 4000))
    assert (finding.paths, finding.cut, finding.iterations) == (2, 2, 2 * part)
    assert set(finding.sometimes.values()) == {0}
    assert finding.result is Result.NOT_EVALUATED


def test_the_first_path_without_an_answer_gives_the_reason(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radproof.evaluators.decide.BUDGET", 20_000)
    finding = found(every(opaque), saved=outputs(2_000_000, 3_000_000))
    assert (finding.paths, finding.cut, finding.unknown) == (2, 0, 2)
    assert finding.reason.startswith("2000000 iterations")
    assert finding.result is Result.UNKNOWN


def test_a_law_holds_where_one_iteration_was_asked(draws: list[Any]) -> None:
    claim = LAWS["decode_order"].claim
    for saved, result in (
        (files([(0, 1, 0)]), Result.NOT_EVALUATED),
        (outputs(1), Result.HOLDS),
        ([*outputs(1), *files([(0, 1, 0)])], Result.HOLDS),
    ):
        finding = found(claim, saved=saved)
        assert (finding.result, finding.paths) == (result, len(saved))


def test_each_path_may_cost_what_the_shorter_ones_have_left(
    draws: list[Any], runs: list[Any]
) -> None:
    one = run([(0, 0, 1)], SEED, ONE_BY_ONE).work
    over = run([(0, 0, 4000)], SEED, ONE_BY_ONE, work=3 * SHARE - 2 * one).work
    assert over > 3 * SHARE - 2 * one  # the iteration that goes beyond it is run
    found(TRUE, ONE_BY_ONE, saved=outputs(1, 1, 4000, 1))
    assert [work for _, work, _ in runs] == [
        SHARE,
        2 * SHARE - one,
        3 * SHARE - 2 * one,
        SHARE,
    ]


def test_no_path_may_cost_more_than_twenty_shares(draws: list[Any], runs: list[Any]) -> None:
    found(TRUE, ONE_BY_ONE, saved=outputs(*[1] * 25))
    assert max(work for _, work, _ in runs) == 20 * SHARE == runs[-1][1]


def test_what_is_left_to_longer_paths_has_a_bound(
    draws: list[Any], runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "SAVED", 2 * SHARE)
    found(TRUE, ONE_BY_ONE, saved=outputs(1, 1, 1, 1))
    assert [work for _, work, _ in runs][2:] == [2 * SHARE] * 2


def test_one_path_in_twenty_is_run_through_the_definition_too(
    draws: list[Any], crossed: list[Any]
) -> None:
    found(TRUE, saved=outputs(*range(1, 42)))
    assert [path[0].output for path in crossed] == [1, 21, 41]


def test_a_path_that_is_shown_is_run_through_the_definition_at_the_last_look(
    draws: list[Any], crossed: list[Any], runs: list[Any]
) -> None:
    finding = found(every(lambda i, d: i.served < 3), saved=outputs(1, 9))
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 4),)
    assert [path[0].output for path in crossed] == [1, 4]
    assert len(runs) > 4


def test_a_scheduler_of_ours_that_the_leap_gets_wrong_is_an_error_of_ours(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(run: Any) -> None:
        if run.engine == "leap":
            raise Disagreement(run, run, "they differ")

    monkeypatch.setattr(search_module, "cross_check", differs)
    with pytest.raises(Disagreement):
        found(TRUE, saved=outputs(1))


def test_code_that_the_leap_cannot_read_is_run_again_step_by_step(
    draws: list[Any], runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(run: Any) -> None:
        if run.engine == "leap":
            raise Disagreement(run, run, "they differ")

    monkeypatch.setattr(search_module, "cross_check", differs)
    finding = found(TRUE, in_order, saved=outputs(1, 2), seed=None)
    assert [engine for *_, engine in runs] == ["leap", "step", "step"]
    assert (finding.paths, finding.iterations) == (2, 3)


def test_a_seed_that_is_drawn_is_one_of_2_to_the_32(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Drawn:
        def randrange(self, most: int) -> int:
            return most

    monkeypatch.setattr(search_module.random, "SystemRandom", Drawn)
    assert found(TRUE, seed=None).seed == 2**32
    assert found(TRUE, seed=5).seed == 5
    assert [seed for _, _, _, seed, _ in draws] == [2**32, 5]


def test_paths_are_drawn_of_the_families_that_are_asked_for(draws: list[Any]) -> None:
    given = lambda s, d: s.prompt > 0  # noqa: E731
    for family in ("natural", "assumption3", "positive"):
        found(every(lambda i, d: True, family=family, given=given), examples=9, seed=4)
    assert [(family, examples, seed, more) for family, _, examples, seed, more in draws] == [
        (family, 9, 4, {"shrink": False}) for family in ("natural", "assumption3", "positive")
    ]


def test_a_claim_is_asked_of_the_paths_in_its_scope_alone(
    draws: list[Any], runs: list[Any]
) -> None:
    told: list[int | None] = []
    even = every(lambda i, d: i.tokens < 1, given=lambda s, d: s.output % 2 == 0)
    mixed = files([(0, 0, 1), (0, 0, 2)])
    finding = found(even, saved=[*mixed, *outputs(1)], progress=told.append)
    assert (finding.paths, finding.iterations, runs, told) == (0, 0, [], [])
    assert finding.result is Result.NOT_EVALUATED
    broken = found(even, saved=[*mixed, *outputs(4)])
    assert broken.counterexample is not None
    assert broken.counterexample.path == (Session(0, 0, 2),)


def test_the_paths_are_run_in_order_until_one_breaks_the_claim(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saved ones, then small ones, then drawn ones; a saved or a small one is not drawn again."""
    claim = every(lambda i, d: i.served < 2)
    told: list[int | None] = []
    finding = found(claim, saved=outputs(1, 3, 1), progress=told.append)
    assert (finding.paths, told, draws) == (2, [1, 2, None], [])
    small = [(SEED, as_path([(0, 0, number)])) for number in (1, 3, 1)]
    monkeypatch.setattr(Plan, "first", lambda self: iter(small))
    finding = found(claim, saved=outputs(1))
    assert (finding.paths, draws) == (3, [])
    assert finding.counterexample is not None
    assert (finding.counterexample.minimal, finding.result) == (True, Result.FAILS)


def test_what_is_drawn_is_shrunk_by_what_drew_it_and_then_made_minimal(
    monkeypatch: pytest.MonkeyPatch, runs: list[Any]
) -> None:
    shown: list[tuple[list[bool], bool]] = []

    def draw(drawn: Any, interesting: Any, *rest: Any, shrink: bool = True) -> Any:
        lasting = ([(0, 0, number)] for number in (9, 5, 2, 7))
        answers = [interesting((SEED, as_path(path))) for path in (TWICE, *lasting)]
        shown.append((answers, shrink))
        return (SEED, as_path([(0, 0, 5)])) if shrink else None

    monkeypatch.setattr(Plan, "first", lambda self: iter(()))
    monkeypatch.setattr(search_module, "draw", draw)
    finding = found(every(lambda i, d: i.served < 3))
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 4),)
    # the search is settled from the 9 on; of what is drawn before the 9 none is looked at again
    assert shown == [
        ([False, True, True, True, True], False),
        ([False, True, True, False, True], True),
    ]
    assert [path for path, *_ in runs].count(as_path(TWICE)) == 1


@pytest.mark.parametrize("drawn_again", [True, False])
def test_half_of_the_work_of_a_smaller_path_is_for_the_draws(
    drawn_again: bool, monkeypatch: pytest.MonkeyPatch, runs: list[Any]
) -> None:
    """Each look at the same path costs the same; six are paid for, three of them drawn."""
    case = (SEED, as_path([(0, 0, 9)] * 3))
    each = run(case[1], SEED, ONE_BY_ONE).work
    monkeypatch.setattr(search_module, "WORK", 6 * each)
    monkeypatch.setattr(Plan, "first", lambda self: iter(()))

    def draw(drawn: Any, interesting: Any, *rest: Any, shrink: bool = True) -> Any:
        for _ in range(10 if shrink else 1):
            if drawn_again or not shrink:
                interesting(case)

    def minimise(path: Any, fails: Any, tile: int) -> Any:
        assert (path, tile) == (case[1], SEED.b_lcm)
        looks: list[bool] = []
        with contextlib.suppress(OutOfBudget):
            while len(looks) < 20:
                looks.append(fails(path))
        assert all(looks)
        return Minimised(path, minimal=False, evaluations=len(looks))

    monkeypatch.setattr(search_module, "draw", draw)
    monkeypatch.setattr(search_module, "minimise", minimise)
    finding = found(every(lambda i, d: i.served < 3), ONE_BY_ONE)
    assert finding.counterexample is not None
    assert not finding.counterexample.minimal
    assert finding.counterexample.evaluations == (3 if drawn_again else 6)
    # the path that breaks it, a second look, six of smaller ones, and the last one
    assert len(runs) == 1 + 1 + 6 + 1


def test_a_law_says_why_it_cannot_be_asked_unless_it_was(draws: list[Any]) -> None:
    law = LAWS["work_conserving"].claim
    finding = found(law, in_order, saved=outputs(1))
    assert finding.result is Result.NOT_EVALUATED
    assert finding.reason.startswith("the scheduler declares no limits")
    assert found(attrs.evolve(law), in_order, saved=outputs(1)).reason == ""

    class Limited(Engine):
        """Its budget is known at small deployments alone."""

        def __init__(self, deployment: Deployment) -> None:
            super().__init__(deployment)
            if deployment == SEED:
                self.budget = "unknown"  # type: ignore[assignment]

    asked = files([(0, 2, 1)], deployment=TILE_OF_TWO)
    finding = found(law, adapt(Limited), saved=asked, scaled=True)
    assert (finding.result, finding.reason) == (Result.HOLDS, "")
    assert LAWS["work_conserving"].unless(adapt(Limited), SEED) != ""


# faults, one run at a time


def faulty(view: View) -> Any:
    """At fault with two residents: one it names twice, where both have prompts one it invents."""
    if len(view.jobs) < 2:
        return in_order(view)
    job = view.jobs[0]
    if job.phase is DECODE:
        return (Entry(job.session, DECODE, 1),) * 2, None
    return (Entry(9, PREFILL, 1),), None


TWICE = [(0, 0, 1), (0, 0, 1)]
INVENTED = [(0, 1, 0), (0, 1, 0)]


def test_a_fault_joins_under_its_law_with_the_first_path_that_shows_it(draws: list[Any]) -> None:
    laws = {"clock": LAWS["clock"].claim}
    told: list[int | None] = []
    saved = [*outputs(2), *files(TWICE, INVENTED, [(0, 0, 3)])]
    clock, law = search(laws, Loaded.of(faulty), Plan(), saved=saved, progress=told.append)
    assert (clock.result, clock.paths, clock.iterations) == (Result.HOLDS, 2, 5)
    assert told == [1, 1, 1, 2, None]
    assert (law.claim.name, law.paths, law.result) == ("well_formed", 1, Result.FAILS)
    assert law.counterexample is not None
    assert law.counterexample.error is not None
    assert law.counterexample.error.kind == "duplicate"
    assert law.counterexample.path == as_path(TWICE)


def test_the_law_of_a_fault_is_not_joined_where_claims_alone_are_asked(draws: list[Any]) -> None:
    """The fault ends the search: it is the answer of the first claim that is left."""
    one, two = every(lambda i, d: True), attrs.evolve(TRUE, name="other")
    asked = {"one": one, "other": two, "third": attrs.evolve(TRUE, name="third")}
    saved = [*outputs(2), *files(TWICE, [(0, 0, 3)])]
    (finding,) = search(asked, Loaded.of(faulty), Plan(), saved=saved)
    assert finding.claim is one
    assert (finding.result, finding.exit_code, finding.paths) == (Result.NOT_EVALUATED, 2, 1)
    assert draws == []


def test_a_law_among_claims_is_enough_for_faults_to_have_theirs(draws: list[Any]) -> None:
    asked = {"mine": TRUE, "clock": LAWS["clock"].claim}
    found = search(asked, Loaded.of(faulty), Plan(), saved=files(TWICE, [(0, 0, 3)]))
    assert [(f.claim.name, f.paths, f.counterexample is None) for f in found] == [
        ("mine", 1, True),
        ("clock", 1, True),
        ("well_formed", 1, False),
    ]


def test_what_was_broken_before_a_fault_is_counted_and_ends_no_search(draws: list[Any]) -> None:
    """Two claims, both broken as the run ends in the fault: no claim is left without an answer."""

    def late(view: View) -> Any:
        return ((), None) if view.now else in_order(view)

    asked = {name: every(lambda i, d: i.tokens < 1, statement=name) for name in ("one", "other")}
    told: list[int | None] = []
    found = search(asked, Loaded.of(late), Plan(), saved=outputs(5, 6), progress=told.append)
    for finding in found:
        assert (finding.result, finding.paths, finding.iterations) == (Result.FAILS, 1, 1)
        assert finding.counterexample is not None
        assert finding.counterexample.error is None
        assert set(finding.sometimes.values()) == {0}
    assert len(found) == 2
    assert told == [0, None, None]


def test_a_law_that_a_fault_breaks_keeps_the_fault(draws: list[Any]) -> None:
    """The run breaks `progress` before it is stuck: one path, counted once, and the fault shown."""

    @attrs.frozen
    class NothingDone:
        rules = attrs.evolve(RULES, done_after=lambda done, share: done)
        leaps = False

        def __call__(self, view: View) -> Any:
            calls = view.memory or 0
            return (in_order(view)[0] if calls < 3 else ()), calls + 1

    finding = found(LAWS["progress"].claim, NothingDone(), saved=outputs(1))
    assert (finding.paths, finding.result, finding.exit_code) == (1, Result.FAILS, 2)
    assert finding.counterexample is not None
    assert finding.counterexample.verdict is None


def test_the_names_that_break_are_those_of_claims_and_of_the_laws_of_faults(
    draws: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [(SEED, as_path(TWICE))]
    monkeypatch.setattr(Plan, "first", lambda self: iter(small))
    asked = {"clock": LAWS["clock"].claim, "mine": every(lambda i, d: i.tokens < 1)}
    assert broken_names(asked, Loaded.of(faulty), Plan()) == ["well_formed"]
    assert broken_names(asked, Loaded.of(in_order), Plan()) == ["mine"]


# what is seen once, one run at a time


def test_a_failure_that_is_not_seen_again_makes_the_scheduler_impure_among_laws(
    draws: list[Any],
) -> None:
    def once() -> Claim:
        told: list[int] = []
        return Claim("once", "at end", lambda run, d: bool(told.append(1)) or len(told) > 1)

    first, clock, pure = search(
        {"once": once(), "clock": LAWS["clock"].claim}, Loaded.of(rad), Plan(), saved=outputs(4)
    )
    assert (first.result, clock.result, pure.result) == (
        Result.FAILS,
        Result.HOLDS,
        Result.FAILS,
    )
    assert (first.exit_code, clock.exit_code, pure.exit_code) == (1, 0, 2)
    assert first.counterexample is not None
    assert first.counterexample.path == (Session(0, 0, 4),)
    assert not first.counterexample.minimal
    assert first.counterexample.again.startswith("holds")
    (alone,) = search({"once": once()}, Loaded.of(rad), Plan(), saved=outputs(4))
    assert alone.result is Result.FAILS
    broken = {"mine": every(lambda i, d: i.tokens < 1), "clock": LAWS["clock"].claim}
    assert len(search(broken, Loaded.of(rad), Plan(), saved=outputs(4))) == 2


def test_a_failure_that_the_last_look_does_not_show_is_shown_as_it_was_found(
    draws: list[Any],
) -> None:
    """Each path of one session is looked at until none is smaller; the last look passes."""
    told: list[int] = []

    def until_the_fourth(run: Any, d: Any) -> bool:
        told.append(len(run.path))
        return len(told) > 2

    finding = found(Claim("fading", "at end", until_the_fourth), saved=outputs(1))
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 1),)
    assert (finding.counterexample.minimal, finding.counterexample.evaluations) == (False, 0)
    assert finding.counterexample.again.startswith("holds")


# the parts


def test_a_finding_ends_with_the_code_of_its_fault_or_of_its_result(draws: list[Any]) -> None:
    (base,) = search({"mine": TRUE}, Loaded.of(rad), Plan())
    codes = {result: attrs.evolve(base, result=result).exit_code for result in Result}
    assert {code: {r for r in codes if codes[r] == code} for code in (0, 1)} == {
        0: {Result.HOLDS, Result.WITNESSED},
        1: {Result.FAILS},
    }
    assert set(codes.values()) == {0, 1, 3}


def test_the_work_that_shows_a_failure_again_is_twice_what_came_up_to_it() -> None:
    long = run([(0, 0, 4000)], SEED, ONE_BY_ONE)
    fault = SchedulerError("stuck", "the scheduler is stuck.")
    late = check(long, every(lambda i, d: i.served < 3999))
    early = check(long, every(lambda i, d: i.served < 9))
    for seen, work in (
        (search_module._Outcome(late), 2 * long.work),
        (search_module._Outcome(early), SHARE),
        (search_module._Outcome(error=fault), 2 * long.work),
    ):
        asked = search_module._Asked("mine", TRUE)
        asked.breaks_on((SEED, long.path), "natural", seen, "fails", long)
        assert asked.work == work
        assert (asked.found_in, asked.failure, asked.seen) == ("natural", "fails", seen)


def test_the_work_up_to_an_iteration_is_that_of_the_stretches_up_to_its_own() -> None:
    found = leap([(0, 300, 5), (0, 0, 3), (50_000, 200, 0)])
    assert max(stretch.count for stretch in found.stretches) > 1
    index = 0
    for place, stretch in enumerate(found.stretches, 1):
        work = attrs.evolve(found, stretches=found.stretches[:place]).work
        for _ in range(stretch.count):
            assert search_module._work_to(found, index) == work
            index += 1
    assert search_module._work_to(found, None) == found.work == work


def test_an_outcome_is_told_by_its_fault_or_its_verdict() -> None:
    fault = SchedulerError("stuck", "the scheduler is stuck.")
    verdict = check(run([(0, 0, 1)]), TRUE)
    both = search_module._Outcome(verdict, fault, ("scheduler: stuck", "fails"))
    assert both.only("fails") == search_module._Outcome(verdict)
    assert both.only("scheduler: stuck") == search_module._Outcome(error=fault)
    assert str(both) == "the scheduler is stuck"
    assert str(search_module._Outcome(verdict)) == str(verdict)
    assert str(search_module._Outcome()) == "a path out of the claim's scope"


def test_what_reached_every_situation_holds_and_what_none_witnesses_does_not() -> None:
    reached = Counter(dict.fromkeys(SITUATIONS, 1))
    never = Claim("never", "some iteration", lambda i, d: False)
    for claim, result in ((TRUE, Result.HOLDS), (never, Result.NOT_EVALUATED)):
        asked = search_module._Asked(claim.name, claim, whole=True, sometimes=reached)
        assert search_module._result(asked, None) is result


def test_a_witness_that_is_seen_again_is_one(draws: list[Any]) -> None:
    finding = found(Claim("there", "some iteration", lambda i, d: i.served > 1), saved=outputs(5))
    assert (finding.result, finding.exit_code) == (Result.WITNESSED, 0)
    assert finding.counterexample is not None
    assert finding.counterexample.path == (Session(0, 0, 3),)


@pytest.mark.parametrize("after", [1, 2])
def test_an_interrupted_search_has_what_it_has_found(after: int) -> None:
    few = every(lambda i, d: i.residents < 4)
    claims = {"one": few, "other": few, "batch_budget": checks()["batch_budget"]}
    told: list[tuple[str, bool]] = []
    left = after

    def stop(done: int | None) -> None:
        nonlocal left
        left -= done is None  # before a path is made minimal
        if not left:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        search(
            claims,
            Loaded.of(rad, "rad"),
            SMALL,
            progress=stop,
            found=lambda found, made: told.append((found.claim_name, made)),
        )
    one, other, budget = stopped.value.findings
    assert [f.result for f in (one, other, budget)] == [Result.FAILS, Result.FAILS, Result.HOLDS]
    assert one.counterexample is not None
    assert other.counterexample is not None
    assert (one.counterexample.minimal, other.counterexample.minimal) == (after == 2, False)
    assert told == [("one", False), ("other", False), ("one", True)][: after + 1]


def test_a_search_interrupted_on_its_way_leaves_open_what_is_open() -> None:
    def stop(done: int | None) -> None:
        if done == 3:
            raise KeyboardInterrupt

    claims = {name: checks()[name] for name in ("batch_budget", "optimal_tiling")}
    with pytest.raises(Interrupted) as stopped:
        search(claims, Loaded.of(rad, "rad"), SMALL, progress=stop)
    for finding in stopped.value.findings:
        assert (finding.result, finding.reason) == (
            Result.NOT_EVALUATED,
            "the search was interrupted",
        )
