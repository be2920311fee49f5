"""A scheduler under watch is named where it is not pure, and is otherwise what it was."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from radproof import Entry, SchedulerError, View, leap, rad, run
from radproof.schedulers import sarathi
from radproof.schedulers.purity import Watched, watched

PATH = [(0, 128, 2), (0, 64, 3), (9_000, 0, 2)]


def named(scheduler: Any) -> SchedulerError:
    with pytest.raises(SchedulerError) as raised:
        run(PATH, scheduler=watched(scheduler))
    return raised.value


def test_a_scheduler_with_a_counter_is_named() -> None:
    calls = itertools.count()

    def counting(view: View) -> Any:
        jobs = view.jobs[next(calls) % len(view.jobs) :]
        return (Entry(jobs[0].session, jobs[0].phase, 1),), None

    error = named(counting)
    assert error.kind == "impure"
    assert "called twice with the same view at t = 0, it returned 1 of session 0, then " in str(
        error
    )
    assert "Keep all state in the memory that it returns" in str(error)


def test_a_scheduler_that_draws_is_named() -> None:
    drawing = random.Random(0)

    def shuffled(view: View) -> Any:
        job = drawing.choice(view.jobs)
        return (Entry(job.session, job.phase, 1),), None

    assert named(shuffled).kind == "impure"


def test_a_changed_memory_is_named() -> None:
    def remembering(view: View) -> Any:
        memory = view.memory if view.memory is not None else {}
        memory[view.now] = len(view.jobs)
        return rad(view)[0], memory

    assert "it changed its view" in str(named(remembering))


def test_a_generator_of_entries_is_read_once() -> None:
    def generating(view: View) -> Any:
        return (entry for entry in rad(view)[0]), None

    assert list(run(PATH, scheduler=watched(generating)).records) == list(run(PATH).records)


def test_what_is_no_batch_is_left_to_the_machine() -> None:
    with pytest.raises(SchedulerError) as raised:
        run(PATH, scheduler=watched(lambda view: 7))
    assert raised.value.kind == "shape"


def test_a_memory_without_equality_is_not_compared() -> None:
    class Memory:
        pass

    def remembering(view: View) -> Any:
        return rad(view)[0], Memory()

    assert run(PATH, scheduler=watched(remembering)).ended == 3


def test_a_watched_scheduler_is_what_it_was() -> None:
    under = watched(sarathi)
    assert isinstance(under, Watched)
    assert watched(under) is under
    assert watched(rad) is rad
    assert leap(PATH, scheduler=under).engine == "leap"
    assert leap(PATH, scheduler=under).completions == run(PATH, scheduler=sarathi).completions
