"""Schedulers of other shapes: each gives RAD's own run where it decides as RAD does."""

from __future__ import annotations

from typing import Any

import pytest
from radproof.strategies import small_paths

from radproof import BadInput, Deployment, SchedulerError, View, leap, rad, run
from radproof.schedulers.adapters import Counted, adapt, counted
from radproof.schedulers.purity import watched

D = Deployment(b_col=2, t_lin=40, t_nl=5)
PATH = [(0, 3, 2), (0, 2, 1), (60, 0, 3), (400, 5, 1)]


class Engine:
    """RAD with its state inside."""

    def __init__(self, deployment: Deployment) -> None:
        self.tile = deployment.b_col
        self.waiting: dict[int, int] = {}
        self.running: list[int] = []

    def add_request(self, number: int, prompt_tokens: int) -> None:
        if prompt_tokens:
            self.waiting[number] = prompt_tokens
        else:
            self.running.append(number)

    def schedule(self) -> Any:
        if len(self.running) >= self.tile or not self.waiting:
            return [(number, 1) for number in self.running[: self.tile]]
        batch, room = {}, self.tile
        for number, left in self.waiting.items():
            if room:
                batch[number] = min(left, room)
                room -= batch[number]
        return batch

    def update(self, number: int, tokens: int, finished: bool) -> None:
        if number in self.running:
            if finished:
                self.running.remove(number)
            return
        self.waiting[number] -= tokens
        if not self.waiting[number]:
            del self.waiting[number]
            if not finished:
                self.running.append(number)


class Methods:
    """RAD as a method."""

    leaps = True

    def schedule(self, view: View) -> Any:
        return rad(view)


class EntriesAlone:
    """RAD as a method that has no memory to return."""

    def schedule(self, view: View) -> Any:
        return rad(view)[0]


@pytest.mark.parametrize("found", [Engine, Methods, Methods(), EntriesAlone, EntriesAlone(), rad])
def test_every_shape_gives_the_same_run(found: Any) -> None:
    scheduler = adapt(found)
    for path in (PATH, *small_paths(D)):
        assert list(run(path, D, scheduler).records) == list(run(path, D).records)


def test_an_object_says_whether_it_leaps() -> None:
    assert leap(PATH, D, adapt(Methods)).engine == "leap"
    assert leap(PATH, D, adapt(EntriesAlone)).engine == "step"


def test_an_engine_is_driven_again_to_a_point_that_is_asked_about_twice() -> None:
    scheduler = adapt(Engine)
    assert run(PATH, D, watched(scheduler)).completions == run(PATH, D).completions
    first, second = run(PATH, D, scheduler), run(PATH, D, scheduler)
    assert list(first.records) == list(second.records)


def test_an_engine_that_forgets_where_it_was_is_named() -> None:
    shared: list[int] = []

    class Sharing(Engine):
        def schedule(self) -> Any:
            shared.append(1)
            return [(number, 1 + len(shared) % 2) for number in list(self.waiting)[:1]]

    with pytest.raises(SchedulerError) as raised:
        run([(0, 9, 0)], D, watched(adapt(Sharing)))
    assert raised.value.kind == "impure"


def test_what_an_engine_returns_is_checked() -> None:
    class Wrong(Engine):
        def schedule(self) -> Any:
            return 5

    class Stranger(Engine):
        def schedule(self) -> Any:
            return [(77, 1)]

    with pytest.raises(SchedulerError, match=r"schedule\(\) returned 5 at t = 0; it must return"):
        run(PATH, D, adapt(Wrong))
    with pytest.raises(SchedulerError, match="names session 77, which is not resident"):
        run(PATH, D, adapt(Stranger))


def test_an_engine_that_is_there_already_is_refused() -> None:
    with pytest.raises(BadInput, match="every path needs a new one: name the class"):
        adapt(Engine(D), "my:engine")


def test_what_is_no_scheduler_is_refused() -> None:
    with pytest.raises(BadInput, match="scheduler 'my:x' is of type int, which is not callable"):
        adapt(7, "my:x")


def counts_of(path: Any, **own: Any) -> Counted:
    """What is compared along a path where an engine's counts are these."""

    class Counting(Engine):
        def __getattr__(self, name: str) -> Any:
            if name in own:
                return own[name](self) if callable(own[name]) else own[name]
            raise AttributeError(name)

    return counted(run(path, D, adapt(Counting)).memory)


def test_an_engine_s_counts_are_compared_before_each_of_its_batches() -> None:
    def left(engine: Engine) -> dict[int, int]:
        return {n: engine.waiting.get(n, 0) for n in (*engine.waiting, *engine.running)}

    assert counts_of(PATH, left=left) == Counted(compared=run(PATH, D).iterations)
    assert counts_of([(0, 3, 0)], left={0: 3}) == Counted(
        2, 1, 50, "the engine's left of session 0 is 3, not 1"
    )
    assert counts_of([(0, 3, 1)], computed={0: 0, 9: 5}) == Counted(
        3, 2, 50, "the engine's computed of session 0 is 0, not 2"
    )


def test_what_is_no_count_is_not_compared() -> None:
    for own in ({"left": 5}, {"left": {}}, {"computed": {0: "three"}}, {"computed": [3]}, {}):
        assert counts_of([(0, 3, 1)], **own) == Counted()
    assert counted(run(PATH, D).memory) == Counted()
