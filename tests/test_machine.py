import copy
import itertools
import sys
from typing import Any

import pytest
from helpers import Answers, counts, entries, quick, schedule
from hypothesis import given
from hypothesis import strategies as st
from radproof.strategies import cases
from reference import exec_lean

from radproof import (
    DECODE,
    PREFILL,
    SEED,
    Deployment,
    Entry,
    Run,
    Scheduler,
    SchedulerError,
    Session,
    View,
    initial,
    optimal_tiling,
    rad,
    run,
    step,
)
from radproof.evaluators.general import advance
from radproof.machine import states
from radproof.model import as_path
from radproof.number import minimum

TWO = Deployment(b_col=2, t_lin=10, t_nl=1)


def starts(result: Run) -> list[int]:
    return [record.start for record in result.records]


# The worked examples of the semantics, row by row.


def test_an_arrival_at_the_end_of_an_iteration_is_seen_by_the_next() -> None:
    result = run([(0, 128, 1), (4640, 128, 1)])
    assert schedule(result) == [
        [0, [[0, "p", 128]]],
        [4640, [[1, "p", 128]]],
        [9280, [[0, "d", 1], [1, "d", 1]]],
    ]
    assert result.completions == (13290, 13290)


def test_an_arrival_one_microsecond_later_is_not() -> None:
    result = run([(0, 128, 1), (4641, 128, 1)])
    assert schedule(result) == [
        [0, [[0, "p", 128]]],
        [4640, [[0, "d", 1]]],
        [8645, [[1, "p", 128]]],
        [13285, [[1, "d", 1]]],
    ]
    assert result.completions == (8645, 17290)


def test_a_ragged_tail_shares_its_batch_with_the_next_prefill() -> None:
    result = run([(0, 200, 1), (0, 300, 1)])
    assert [entries for _, entries in schedule(result)] == [
        [[0, "p", 128]],
        [[0, "p", 72], [1, "p", 56]],
        [[1, "p", 128]],
        [[1, "p", 116]],
        [[0, "d", 1], [1, "d", 1]],
    ]
    assert result.completions == (22510, 22510)


def test_many_short_prompts_fill_a_batch_and_the_last_is_cut() -> None:
    first, second = list(run([(0, 10, 1)] * 13).records)[:2]
    assert [(e.session, e.tokens) for e in first.batch] == [(i, 10) for i in range(12)] + [(12, 8)]
    assert [(e.session, e.tokens) for e in second.batch] == [(12, 2)]


def test_the_claim_without_its_given_fails_once_on_a_prompt_of_one_more_than_the_tile() -> None:
    result = run([(0, 129, 1)])
    assert counts(result, optimal_tiling) == {"checked": 3, "failures": 1, "first": 4640}


# The rules of the semantics, one by one.


def test_a_prompt_of_no_tokens_decodes_at_once() -> None:
    result = run([(0, 0, 2)])
    assert schedule(result) == [[0, [[0, "d", 1]]], [4005, [[0, "d", 1]]]]
    assert result.completions == (8010,)


def test_an_output_of_no_tokens_ends_with_the_prefill() -> None:
    result = run([(0, 128, 0)])
    assert (result.iterations, result.completions) == (1, (4640,))


def test_finishing_a_prefill_makes_no_output_token() -> None:
    assert [entries for _, entries in schedule(run([(0, 1, 3)]))] == [
        [[0, "p", 1]],
        *[[[0, "d", 1]]] * 3,
    ]


def test_no_tokens_at_all_end_on_arrival_without_an_iteration() -> None:
    result = run([(0, 0, 0), (7, 0, 0)])
    assert (result.iterations, result.completions) == (0, (0, 7))


def test_a_session_of_no_tokens_ends_at_its_own_arrival_while_an_iteration_runs() -> None:
    assert run([(0, 128, 0), (100, 0, 0), (4640, 0, 0)]).completions == (4640, 100, 4640)


def test_at_one_instant_arrivals_join_before_the_prefill_that_ends_then() -> None:
    # Both decode from 4640 on; the arrival is first in the list.
    result = run([(0, 128, 1), (4640, 0, 1)])
    assert schedule(result)[1] == [4640, [[1, "d", 1], [0, "d", 1]]]


def test_ties_between_arrivals_go_by_session_number() -> None:
    result = run([(5, 128, 0), (5, 128, 0), (0, 128, 0)])
    assert [entries[0][0] for _, entries in schedule(result)] == [2, 0, 1]


def test_a_path_may_be_given_unsorted() -> None:
    result = run([(9000, 128, 1), (0, 128, 1)])
    assert result.completions == (9000 + 4640 + 4005, 8645)
    assert starts(result) == [0, 4640, 9000, 13640]


def test_the_engine_idles_only_while_the_list_is_empty() -> None:
    result = run([(100, 1, 1), (50_000, 1, 0)])
    assert starts(result) == [100, 4105, 50_000]


def test_the_first_128_decodes_are_served_until_they_finish_and_the_rest_wait() -> None:
    result = run([(0, 0, 2)] * 130)
    assert [[e.session for e in r.batch] for r in result.records] == [
        list(range(128)),
        list(range(128)),
        [128, 129],
        [128, 129],
    ]
    first = next(iter(result.records))
    assert (first.decoders, first.decoding, first.residents, first.demand) == (128, 130, 130, 130)


def test_decode_mode_starts_at_b_col_decodes_although_prefills_wait() -> None:
    modes = [e[0][1] for _, e in schedule(run([(0, 2, 1), (0, 2, 1), (0, 2, 1)], TWO))]
    assert modes == ["p", "p", "d", "p", "d"]


def test_a_prefill_that_finishes_rejoins_at_the_end_of_the_list() -> None:
    path = as_path([(0, 2, 1), (0, 2, 1), (0, 2, 1)])
    state = step(initial(path), path, TWO, rad)[0]  # idle up to the arrivals at 0
    state, _ = step(state, path, TWO, rad)
    assert [(job.session, job.phase) for job in state.jobs] == [
        (1, PREFILL),
        (2, PREFILL),
        (0, DECODE),
    ]


def test_a_record_reads_what_was_there_after_its_batch_was_formed() -> None:
    records = list(run([(0, 200, 1), (0, 300, 1)]).records)
    read = [(r.served, r.tokens, r.prefilled, r.decoders, r.residents, r.demand) for r in records]
    assert read == [
        (0, 128, 128, 0, 2, 256),
        (128, 128, 128, 0, 2, 72 + 128),
        (256, 128, 128, 0, 2, 128 + 1),
        (384, 116, 116, 0, 2, 116 + 1),
        (500, 2, 0, 2, 2, 2),
    ]
    assert [r.end for r in records] == [4640, 9280, 13920, 18500, 22510]


def test_decoders_are_counted_in_the_batch_and_not_in_the_list() -> None:
    def one_decode(view: View) -> Any:
        decode = next((j for j in view.jobs if j.phase is DECODE), None)
        return entries((decode.session, DECODE, 1)) if decode else rad(view)

    records = list(run([(0, 0, 1)] * 3, scheduler=one_decode).records)
    assert [(r.decoders, r.decoding, r.residents) for r in records] == [
        *((1, 3, 3), (1, 2, 2), (1, 1, 1))
    ]


def test_a_prefill_batch_may_be_several_tiles_of_b_col() -> None:
    result = run([(0, 5, 0), (0, 9, 0)], Deployment(b_col=2, b_row=6, t_lin=10, t_nl=1))
    assert schedule(result) == [
        [0, [[0, "p", 5], [1, "p", 1]]],
        [36, [[1, "p", 6]]],
        [72, [[1, "p", 2]]],
    ]


def test_a_chunk_bounds_what_one_prefill_takes_and_not_the_batch() -> None:
    result = run([(0, 5, 0), (0, 9, 0)], Deployment(b_col=8, chunk=3, t_lin=10, t_nl=1))
    assert [e for _, e in schedule(result)] == [
        [[0, "p", 3], [1, "p", 3]],
        [[0, "p", 2], [1, "p", 3]],
        [[1, "p", 3]],
    ]


def test_a_chunk_larger_than_the_budget_is_bounded_by_it() -> None:
    result = run([(0, 5, 0)], Deployment(b_col=2, chunk=9, t_lin=10, t_nl=1))
    assert [e for _, e in schedule(result)] == [[[0, "p", 2]], [[0, "p", 2]], [[0, "p", 1]]]
    assert [r.demand for r in result.records] == [5, 3, 1]


def test_times_and_tokens_beyond_machine_integers_are_exact() -> None:
    late = 2**64 + 3
    result = run([(late, 0, 2)])
    assert result.completions == (late + 8010,)


# Held against a second definition, event by event.


def record_fields(result: Run) -> list[dict[str, Any]]:
    names = ("start", "served", "tokens", "decoders", "decoding", "residents", "demand")
    rows = zip(result.records, schedule(result), strict=True)
    return [{n: getattr(r, n) for n in names} | {"batch": e} for r, (_, e) in rows]


sessions = st.tuples(st.integers(0, 90), st.integers(0, 9), st.integers(0, 5))


@given(
    st.lists(sessions, max_size=9),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(1, 9),
    st.integers(0, 12),
    st.integers(0, 2),
    st.one_of(st.none(), st.integers(0, 200)),
)
@quick(400)
def test_the_step_is_serq_s_event_machine(
    path: Any, b_col: int, rows: int, chunk: int, t_lin: int, t_nl: int, horizon: int | None
) -> None:
    d = Deployment(b_col=b_col, b_row=b_col * rows, chunk=chunk, t_lin=t_lin, t_nl=t_nl)
    records, completions = exec_lean(path, b_col, d.b_lcm, chunk, t_lin, t_nl, horizon)
    result = run(path, d, horizon=horizon)
    assert record_fields(result) == records
    assert list(result.completions) == completions


@given(cases(max_sessions=12, chunks=True))
@quick(40)
def test_the_same_state_gives_the_same_step_and_is_not_changed(case: Any) -> None:
    deployment, path = case
    state = initial(path)
    for _ in range(12):
        before = copy.deepcopy(state)
        once, again = step(state, path, deployment, rad), step(state, path, deployment, rad)
        assert once == again
        assert state == before
        state = once[0]


def test_a_step_from_a_state_that_is_over_stays_there() -> None:
    path = as_path([(0, 1, 0)])
    state = initial(path)
    while not state.over:
        state, _ = step(state, path, SEED, rad)
    assert step(state, path, SEED, rad) == (state, None)


def test_the_order_of_arrival_is_stable() -> None:
    assert initial(as_path([(5, 1, 1), (0, 1, 1), (5, 2, 2), (0, 2, 2)])).pending == (1, 3, 0, 2)


def test_it_is_0_before_any_arrival() -> None:
    assert initial(as_path([(5, 1, 1)])).now == 0


def test_a_job_that_is_not_in_the_batch_stays_as_it_is_whatever_the_rules_count() -> None:
    class Generous:
        rules = type(rad.rules)(done_after=lambda done, share: done + share + 1)

        def __call__(self, view: View) -> Any:
            return entries((0, PREFILL, 3))

    path = as_path([(0, 9, 1), (0, 9, 1)])
    state = step(initial(path), path, SEED, Generous())[0]
    after, _ = step(state, path, SEED, Generous())
    assert [job.done for job in after.jobs] == [4, 0]


# What a scheduler sees and returns.


def test_a_scheduler_is_asked_with_the_jobs_the_time_and_its_memory() -> None:
    seen: list[View] = []

    def watching(view: View) -> Any:
        seen.append(view)
        return rad(view)[0], (view.memory or 0) + 1

    run([(3, 130, 1)], scheduler=watching)
    assert [view.memory for view in seen] == [None, 1, 2]
    assert [view.now for view in seen] == [3, 4643, 8653]
    assert [(j.phase, j.done) for view in seen for j in view.jobs] == [
        *((PREFILL, 0), (PREFILL, 128), (DECODE, 0))
    ]
    assert all(view.deployment is SEED for view in seen)


def test_an_empty_batch_waits_for_the_next_arrival_and_is_no_iteration() -> None:
    def together(view: View) -> Any:
        return rad(view) if len(view.jobs) == 2 else ((), "waited")

    result = run([(0, 1, 0), (77, 1, 0)], scheduler=together)
    assert starts(result) == [77]
    assert result.completions == (77 + 4010, 77 + 4010)


def test_a_batch_may_be_any_iterable() -> None:
    listed = run([(0, 1, 1)], scheduler=lambda view: (list(rad(view)[0]), None))
    drawn = run([(0, 1, 1)], scheduler=lambda view: (iter(rad(view)[0]), None))
    assert list(listed.records) == list(drawn.records) == list(run([(0, 1, 1)]).records)


def fault(scheduler: Scheduler, path: Any = ((0, 130, 2), (0, 0, 2))) -> tuple[str, str]:
    with pytest.raises(SchedulerError) as raised:
        run(path, scheduler=scheduler)
    assert raised.value.exit_code == 2
    return raised.value.kind, str(raised.value)


AT = "the scheduler's batch at t = 0: entry"


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (entries((7, PREFILL, 1)), "unknown", f"{AT} 0 names session 7, which is not "
            "resident."),
        (entries((0, PREFILL, 1), (0, PREFILL, 1)), "duplicate",
            f"{AT} 1 names session 0 a second time."),
        (entries((0, DECODE, 1)), "phase", f"{AT} 0 has phase <Phase.DECODE: 'decode'>, but "
            "session 0 is at prefill."),
        (entries((0, "prefill", 1)), "phase", f"{AT} 0 has phase 'prefill', but session 0 is "
            "at prefill."),
        (entries((0, PREFILL, 0)), "tokens", f"{AT} 0 has 0 tokens; it must have 1 or more."),
        (entries((0, PREFILL, -3)), "tokens", f"{AT} 0 has -3 tokens; it must have 1 or more."),
        (entries((0, PREFILL, 1.0)), "tokens", f"{AT} 0 has 1.0 tokens; it must have 1 or more."),
        (entries((0, PREFILL, True)), "tokens", f"{AT} 0 has True tokens; it must have 1 or more."),
        (entries((0, PREFILL, 131)), "too many", f"{AT} 0 gives session 0 131 tokens, more than "
            "the 130 left of its prompt."),
        (entries((0, PREFILL, 2), (1, DECODE, 2)), "decode", f"{AT} 1 gives a decode 2 tokens; a "
            "decode takes one."),
        (((("x", PREFILL, 1),), None), "shape", f"{AT} 0 is not a radproof.Entry(session, phase, "
            "tokens)."),
        (None, "shape", "the scheduler returned None at t = 0; it must return a pair: "
            "(the entries of the batch, its next memory)."),
        ([(), None], "shape", "the scheduler returned [(), None] at t = 0; it must return a pair: "
            "(the entries of the batch, its next memory)."),
        (((), None, 7), "shape", "the scheduler returned ((), None, 7) at t = 0; it must return a "
            "pair: (the entries of the batch, its next memory)."),
        ((7, None), "shape", "the scheduler returned (7, None) at t = 0; it must return a pair: "
            "(the entries of the batch, its next memory)."),
        ("x" * 78, "shape", f"the scheduler returned '{'x' * 78}' at t = 0; it must return a "
            "pair: (the entries of the batch, its next memory)."),
        ("x" * 79, "shape", f"the scheduler returned '{'x' * 76}... at t = 0; it must return a "
            "pair: (the entries of the batch, its next memory)."),
        ("x" * 99, "shape", f"the scheduler returned '{'x' * 76}... at t = 0; it must return a "
            "pair: (the entries of the batch, its next memory)."),
    ],
)  # fmt: skip
def test_an_invalid_batch_is_refused(answer: Any, kind: str, message: str) -> None:
    assert fault(Answers(answer)) == (kind, message)


def test_more_than_what_is_left_counts_what_was_prefilled() -> None:
    def two_chunks(view: View) -> Any:
        return entries((0, PREFILL, 128))

    assert fault(two_chunks, [(0, 130, 1)]) == (
        "too many",
        "the scheduler's batch at t = 4640: entry 0 gives session 0 128 tokens, more than the 2 "
        "left of its prompt.",
    )


def test_a_session_that_ended_has_no_job() -> None:
    def again(view: View) -> Any:
        return entries((0, DECODE, 1)) if view.now else rad(view)

    assert fault(again, [(0, 0, 1), (9, 5, 1)])[0] == "unknown"


@pytest.mark.parametrize(("jobs", "say"), [(1, "1 job is"), (2, "2 jobs are")])
def test_a_scheduler_that_never_makes_progress_is_stuck(jobs: int, say: str) -> None:
    assert fault(Answers(((), None)), [(4, 1, 1)] * jobs) == (
        "stuck",
        f"the scheduler never makes progress: at t = 4 it returned an empty batch while "
        f"{say} resident and no arrivals remain. Return at least one entry while a job is "
        "resident.",
    )


def raising(view: View) -> Any:
    raise ValueError("no such tile")


@pytest.mark.parametrize(("jobs", "say"), [(1, "1 job is"), (2, "2 jobs are")])
def test_a_scheduler_that_raises_is_named_with_its_file_and_line(jobs: int, say: str) -> None:
    line = raising.__code__.co_firstlineno + 1
    assert fault(raising, [(6, 1, 1)] * jobs) == (
        "raised",
        f"the scheduler raised at t = 6, while {say} resident: "
        f"ValueError: no such tile ({__file__}, line {line})",
    )


def leaving(view: View) -> Any:
    sys.exit(0)


def test_a_scheduler_that_exits_is_at_fault_and_does_not_end_the_check_with_success() -> None:
    kind, message = fault(leaving)
    assert kind == "raised"
    assert "SystemExit: 0" in message


def calls_radproof(view: View) -> Any:
    return minimum(None, view.now)


def test_the_place_named_is_the_user_s_and_not_radproof_s_own() -> None:
    line = calls_radproof.__code__.co_firstlineno + 1
    assert fault(calls_radproof)[1].endswith(f"({__file__}, line {line})")


def test_the_scheduler_s_own_exception_stays_the_cause() -> None:
    with pytest.raises(SchedulerError) as raised:
        run([(0, 1, 1)], scheduler=raising)
    assert isinstance(raised.value.__cause__, ValueError)


def test_the_machine_runs_by_the_rules_that_a_scheduler_carries() -> None:
    class Slow:
        rules = type(rad.rules)(duration=lambda tokens, d: 100 * tokens)

        def __call__(self, view: View) -> Any:
            return rad(view)

    assert starts(run([(0, 128, 2)], scheduler=Slow())) == [0, 12800, 12900]


@given(cases("natural", max_sessions=6))
@quick(40)
def test_states_go_by_steps_to_the_end_of_the_path(case: Any) -> None:
    deployment, path = case
    state = initial(path)
    for before, record, after in itertools.islice(states(path, deployment, rad), 100):
        assert before == state
        assert (after, record) == step(before, path, deployment, rad)
        state = after
    assert state.over or state.served > 0
    assert list(states((), deployment, rad)) == []


def test_states_go_as_far_at_a_time_as_one_says() -> None:
    path = as_path([(5, 0, 10**9), (5, 0, 10**9)])
    far = list(states(path, TWO, rad, advance))
    assert [stretch and stretch.count for _, stretch, _ in far] == [None, 10**9]
    assert far[-1][-1].over
    assert far[-1][-1].ended == ((0, 5 + 12 * 10**9), (1, 5 + 12 * 10**9))


def test_the_arguments_are_not_changed() -> None:
    path = [Session(3, 1, 1), Session(0, 1, 1)]
    run(path)
    assert path == [Session(3, 1, 1), Session(0, 1, 1)]
    assert Entry(0, PREFILL, 1) == Entry(0, PREFILL, 1)
