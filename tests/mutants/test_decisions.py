"""RAD with another decision: each differs from RAD somewhere, and in the way it says."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import quick
from hypothesis import Phase, find, settings
from radproof.strategies import paths

from radproof import DECODE, PREFILL, SEED, Entry, Job, SchedulerError, View, rad, run
from radproof.mutants import CATALOGUE, MUTANTS, TILE_OF_TWO, decisions

DECISIONS = [name for name in CATALOGUE if name not in MUTANTS]


def outcome(scheduler: Any, path: Any) -> Any:
    try:
        result = run(path, TILE_OF_TWO, scheduler, limit=200)
    except SchedulerError as error:
        return error.kind
    return result.completions, [record.batch for record in result.records]


# `changes_its_memory` decides as RAD: what is wrong with it is another test's
@pytest.mark.parametrize("name", [name for name in DECISIONS if name != "changes_its_memory"])
def test_a_decision_differs_from_rad_s_on_some_path(name: str) -> None:
    scheduler = CATALOGUE[name].scheduler
    assert find(
        paths("natural", TILE_OF_TWO, 6).filter(lambda path: sum(map(work, path)) < 60),
        lambda path: outcome(scheduler, path) != outcome(rad, path),
        settings=settings(quick(2_000), phases=[Phase.generate]),
    )


def work(session: Any) -> int:
    return int(session.prompt + session.output)


def view(*jobs: Job, now: int = 0, memory: Any = None) -> View:
    return View(now, jobs, SEED, memory)


def prefill(session: int, prompt: int, done: int = 0) -> Job:
    return Job(session, PREFILL, 0, prompt, done)


def decode(session: int) -> Job:
    return Job(session, DECODE, 0, 1)


def test_sarathi_s_chunk_is_negative_where_decodes_exceed_the_budget() -> None:
    seen = view(*map(decode, range(130)), prefill(200, 5))
    batch, _ = decisions.negative_chunk(seen)
    assert batch[-1] == Entry(200, PREFILL, -2)


def test_a_batch_of_prefills_is_one_prompt_s() -> None:
    batch, _ = decisions.tail_alone(view(prefill(0, 3), prefill(1, 128)))
    assert batch == (Entry(0, PREFILL, 3),)


def test_a_prompt_behind_a_full_batch_gets_no_tokens() -> None:
    batch, _ = decisions.zero_tokens(view(prefill(0, 128), prefill(1, 128)))
    assert batch == (Entry(0, PREFILL, 128), Entry(1, PREFILL, 0))


def test_the_mode_stays_until_a_session_leaves() -> None:
    (first, memory) = decisions.latched_mode(view(decode(0)))
    assert first == (Entry(0, DECODE, 1),)
    batch, memory = decisions.latched_mode(view(decode(0), prefill(1, 128), memory=memory))
    assert batch == (Entry(0, DECODE, 1),)
    batch, _ = decisions.latched_mode(view(prefill(1, 128), memory=memory))
    assert batch == (Entry(1, PREFILL, 128),)


def test_a_counter_outside_the_view_turns_the_list() -> None:
    seen = view(*map(decode, range(200)))
    batches = [decisions.turns_by_a_counter(seen)[0] for _ in range(3)]
    assert batches[0] == batches[2] != batches[1]


def test_one_list_is_the_memory_of_every_call() -> None:
    batch, memory = decisions.changes_its_memory(view(decode(0)))
    assert (batch, memory) == (rad(view(decode(0)))[0], [0])
    _, again = decisions.changes_its_memory(view(decode(0), now=7, memory=memory))
    assert again is memory
    assert memory == [0, 7]


def test_an_empty_prompt_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        decisions.empty_prompt_raises(view(Job(0, DECODE, 0, 0)))
