from __future__ import annotations

from typing import Any

import pytest
from helpers import every, quick
from hypothesis import given
from hypothesis import strategies as st
from pictures.stories import crowd, few, story

from radproof import (
    DECODE,
    PREFILL,
    SEED,
    BadInput,
    Claim,
    Deployment,
    Entry,
    Run,
    Scheduler,
    leap,
    rad,
    run,
    token_rate,
)
from radproof.claims import Found
from radproof.mutants import CATALOGUE
from radproof.number import ceil_div
from radproof.pictures.story import (
    Life,
    Mark,
    batch_text,
    fill,
    mode,
    slack_text,
    tell,
)
from radproof.schedulers import VLLM, CyclicRAD, FasterTransformer, Orca, Sarathi
from radproof.schedulers.loading import Loaded

SCHEDULERS: list[Scheduler] = [
    rad, VLLM(budget=256), Sarathi(budget=256), Orca(active=3), FasterTransformer(), CyclicRAD(),
]  # fmt: skip


def slowly(found: Run) -> list[tuple[Any, ...]]:
    """(number, first, joined, ended) of every session, from the records one by one."""
    lives = []
    for number, session in enumerate(found.path):
        takes = [
            (record, entry)
            for record in found.records
            for entry in record.batch
            if entry.session == number
        ]
        prefills = [(record, entry) for record, entry in takes if entry.phase is PREFILL]
        first = prefills[0][0].start if prefills else None
        done, joined = 0, None if session.prompt else session.arrive
        for record, entry in prefills:
            done += entry.tokens
            if done == session.prompt:
                joined = record.end
        lives.append((session.arrive, number, first, joined, found.completions[number]))
    return [(number, *rest) for _, number, *rest in sorted(lives, key=lambda live: live[:2])]


def facts(lives: tuple[Life, ...]) -> list[tuple[Any, ...]]:
    return [(life.number, life.first, life.joined, life.ended) for life in lives]


@quick(60)
@given(path=few, scheduler=st.sampled_from(SCHEDULERS))
def test_lives_are_what_the_records_say(path: Any, scheduler: Scheduler) -> None:
    for engine in ("leap", "step"):
        told = story(path, scheduler, engine=engine, claims=[])
        assert facts(told.lives) == slowly(told.run)
        tokens = sum(
            share * told.stretches[place].count
            for life in told.lives
            for place, share in life.chunks
        )
        assert tokens == sum(record.prefilled for record in told.run.records)


@quick(60)
@given(path=few, scheduler=st.sampled_from(SCHEDULERS))
def test_records_are_found_by_their_number(path: Any, scheduler: Scheduler) -> None:
    told = story(path, scheduler, claims=[])
    each = list(enumerate(told.run.records))
    assert list(told.records(0, told.run.iterations)) == each
    assert list(told.records(-3, 2)) == each[:2]
    for index, record in each:
        stretch = told.stretches[told.place(index)]
        assert stretch.record(index - told.first_of(told.place(index))) == record


@quick(60)
@given(path=few, scheduler=st.sampled_from(SCHEDULERS))
def test_slack_below_zero_is_where_token_rate_fails(path: Any, scheduler: Scheduler) -> None:
    told = story(path, scheduler, claims=[])
    for record in told.run.records:
        spare = told.spare(record)
        assert spare == 128 * record.start - record.served * (4000 + 5 * 128)
        assert (spare >= 0) == bool(token_rate.holds(record, SEED))
    for stretch, (first, last) in zip(told.stretches, told.slack, strict=True):
        assert first == told.spare(stretch.first)
        assert last == told.spare(stretch.record(stretch.count - 1))


def test_the_slack_s_formula_is_the_claim_s() -> None:
    assert slack_text() == "b_col x start - served x (t_lin + t_nl x b_col)"


def test_a_horizon_leaves_out_who_has_not_come_and_leaves_open_who_has_not_ended() -> None:
    told = story([(0, 128, 10**6), (5000, 128, 3), (10**9, 1, 1)], horizon=20_000)
    assert [(life.number, life.ended) for life in told.lives][:1] == [(0, None)]
    assert [life.number for life in told.lives] == [0, 1]
    assert told.end >= 20_000


def test_sessions_stand_in_order_of_arrival() -> None:
    told = story([(9000, 128, 1), (0, 128, 1), (9000, 0, 1)], claims=[])
    assert [life.number for life in told.lives] == [1, 0, 2]


def test_the_chosen_are_named_where_a_batch_takes_some_decodes_and_leaves_others() -> None:
    told = story([(0, 0, 5)] * 130, claims=[])
    record = told.stretches[0].first
    assert (record.decoders, record.decoding) == (128, 130)
    assert told.chosen(0) == tuple(range(128))
    alone = story([(0, 0, 5)] * 3, claims=[])
    assert alone.chosen(0) is None


def test_the_mark_is_the_first_claim_that_fails() -> None:
    told = story([(0, 128, 0)], CATALOGUE["chunk_127"].scheduler, "m")
    assert told.mark == Mark(0, 0, 4635, "optimal_tiling fails at 0", told.verdicts[1].claim)
    busy = every(lambda i, d: i.start < 50_000)
    later = story(crowd(20), claims=[token_rate, busy])
    assert later.mark is not None
    assert later.mark.start >= 50_000
    [(index, record)] = later.records(later.mark.index, later.mark.index + 1)
    assert (record.start, record.end) == (later.mark.start, later.mark.end)
    [(_, before)] = later.records(index - 1, index)
    assert before.start < 50_000


def test_a_failure_goes_before_a_witness_and_a_witness_is_marked_too() -> None:
    seen = Claim("seen", "some iteration", lambda i, d: i.residents >= 1)
    fails = every(lambda i, d: i.residents < 1)
    path = [(0, 128, 1)]
    assert story(path, claims=[seen, fails]).mark.label == "mine fails at 0"  # type: ignore[union-attr]
    assert story(path, claims=[seen]).mark.label == "seen witnessed at 0"  # type: ignore[union-attr]
    assert story(path).mark is None
    assert story([]).mark is None


@pytest.mark.parametrize(
    ("at", "index"), [(0, 0), (4639, 0), (4640, 1), (9280, 2), (10_000, 2), (10**6, 4), (10**7, 5)]
)
def test_a_law_that_gives_a_time_alone_is_marked_in_the_iteration_of_that_time(
    at: int, index: int
) -> None:
    law = Claim("law", "whole run", lambda run, d: Found(checked=1, failures=1, first=at))
    told = story([(0, 256, 3), (10**7, 128, 0)], claims=[law])
    assert told.mark is not None
    assert told.mark.index == index
    record = next(told.records(index, index + 1))[1]
    assert (told.mark.start, told.mark.end) == (record.start, record.end)


def stubborn(view: Any) -> Any:
    """Serves whole prompts, and refuses the first decode."""
    job = view.jobs[0]
    if job.phase is DECODE:
        raise ValueError("no decode")
    return (Entry(job.session, job.phase, min(128, job.prompt - job.done)),), None


def test_a_fault_is_marked_and_the_run_before_it_is_kept() -> None:
    told = story([(0, 256, 1), (10**7, 1, 1)], stubborn, "stubborn")
    assert told.run.iterations == 2
    assert told.mark == Mark(2, 9280, 9280, "the scheduler is at fault")
    assert "no decode" in str(told.error)
    assert [(life.number, life.joined) for life in told.lives] == [(0, 9280)]
    assert told.end == 9280


def test_a_scheduler_that_counts_its_calls_is_drawn_as_it_ran() -> None:
    calls = []

    def tired(view: Any) -> Any:
        calls.append(view.now)
        if len(calls) > 5:
            raise ValueError("enough")
        return rad(view)

    tired.asked_again = lambda view: False  # type: ignore[attr-defined]
    tired.leaps = False  # type: ignore[attr-defined]
    told = story([(0, 128, 9)], tired, "tired")
    assert told.mark is not None
    assert told.run.iterations == told.mark.index >= 4
    assert told.mark.start == told.run.end


def test_a_late_fault_of_a_scheduler_that_leaps_is_leapt_to() -> None:
    def alone(view: Any) -> Any:
        if len(view.jobs) > 1:
            raise RuntimeError("two jobs")
        return rad(view)

    told = story([(0, 128, 10**12), (10**15, 128, 3)], alone, "alone")
    assert told.mark is not None
    assert told.run.iterations == told.mark.index > 10**11
    assert len(told.stretches) < 10


def test_a_tile_larger_than_a_machine_word_has_a_story() -> None:
    wide = Deployment(b_col=10**400, chunk=10**400)
    told = story([(0, 1, 1), (0, 10**399, 0)], deployment=wide, claims=[])
    assert [mode(record) for _, record in told.records(0, 9)][-1] == "decode"
    assert [batch_text(record.batch) for _, record in told.records(0, 9)]


def test_words_about_a_record() -> None:
    told = story([(0, 0, 9), *[(0, 200, 3)] * 6], Sarathi(budget=1100), claims=[])
    first = told.stretches[0].first
    assert mode(first) == "mixed"
    assert batch_text(first.batch) == (
        "decode 0; prefill 1 (200), 2 (200), 3 (200), 4 (200) and 2 more"
    )
    only = leap([(0, 0, 1), (50_000, 128, 0)])
    assert [mode(s.first) for s in only.stretches] == ["decode", "prefill"]


@quick(100)
@given(tokens=st.integers(1, 2000), b_col=st.integers(1, 300))
def test_fill_is_the_share_of_whole_tiles(tokens: int, b_col: int) -> None:
    record = leap([(0, 128, 0)]).stretches[0].first
    import attrs

    share = fill(attrs.evolve(record, tokens=tokens), b_col)
    assert 0 < share <= 1
    assert (share == 1) == (tokens % b_col == 0)
    assert tokens / share == pytest.approx(ceil_div(tokens, b_col) * b_col)


def test_nothing_is_asked_of_the_scheduler_again() -> None:
    calls = []

    def counted(view: Any) -> Any:
        calls.append(view.now)
        return rad(view)

    found = run([(0, 128, 5)], scheduler=counted)
    before = len(calls)
    told = tell(found, [], Loaded.of(counted))
    assert told.lives
    assert told.slack
    assert len(calls) == before


def test_bad_input_is_bad_input() -> None:
    with pytest.raises(BadInput):
        story([(0, -1, 1)])
