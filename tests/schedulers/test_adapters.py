"""Schedulers of other shapes: each gives RAD's own run where it decides as RAD does."""

from __future__ import annotations

from itertools import chain
from typing import Any, ClassVar

import attrs
import pytest
from radproof.strategies import small_paths

from radproof import (
    DECODE,
    PREFILL,
    BadInput,
    Deployment,
    Entry,
    Job,
    SchedulerError,
    View,
    leap,
    rad,
    run,
)
from radproof.schedulers.adapters import Counted, _takes_one, adapt, counted
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

    leaps = False

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


def test_an_object_may_ask_not_to_be_leapt_over() -> None:
    assert leap(PATH, D, adapt(Methods)).engine == "step"
    assert leap(PATH, D, adapt(EntriesAlone)).engine == "leap"


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


class Told:
    """One prompt at a time, whole; it keeps what it was told, each instance by itself."""

    made: ClassVar[list[Told]] = []

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.queue: list[tuple[int, int]] = []
        Told.made.append(self)

    def add_request(self, number: int, prompt_tokens: int) -> None:
        self.told.append(("add", number, prompt_tokens))
        self.queue.append((number, prompt_tokens))

    def schedule(self) -> Any:
        self.told.append("schedule")
        return dict(self.queue[:1])

    def update(self, number: int, tokens: int, finished: bool) -> None:
        self.told.append(("update", number, tokens, finished))
        self.queue.pop(0)
        if not finished:
            self.queue.append((number, 1))


CALLS = [
    [("add", 1, 3), ("add", 0, 2), "schedule"],
    [("add", 2, 5), ("update", 1, 3, False), "schedule"],
    [("update", 0, 2, True), "schedule"],
    [("update", 2, 5, True), "schedule"],
]


def views() -> list[View]:
    """Four iterations: 1 arrives before 0, and 2 while they run; only 1 has an output."""
    jobs = [
        (Job(0, PREFILL, 5, 2), Job(1, PREFILL, 0, 3)),
        (Job(0, PREFILL, 5, 2), Job(2, PREFILL, 6, 5), Job(1, DECODE, 0, 3)),
        (Job(2, PREFILL, 6, 5), Job(1, DECODE, 0, 3)),
        (Job(1, DECODE, 0, 3),),
    ]
    return [View(10 * n, each, D, None) for n, each in enumerate(jobs)]


def test_an_engine_is_told_what_arrived_then_what_was_done_and_then_asked() -> None:
    Told.made.clear()
    scheduler, memory = adapt(Told), None
    batches = []
    for view in views():
        batch, memory = scheduler(attrs.evolve(view, memory=memory))
        batches += batch
    assert [told for engine in Told.made for told in engine.told] == [*chain(*CALLS)]
    assert len(Told.made) == 1
    assert batches == [
        *(Entry(1, PREFILL, 3), Entry(0, PREFILL, 2)),
        *(Entry(2, PREFILL, 5), Entry(1, DECODE, 1)),
    ]


def test_an_earlier_state_is_asked_of_a_new_engine_that_is_told_all_before_it() -> None:
    Told.made.clear()
    scheduler, memories = adapt(Told), [None]
    for view in views()[:3]:
        memories.append(scheduler(attrs.evolve(view, memory=memories[-1]))[1])
    again = attrs.evolve(views()[2], memory=memories[2])
    assert scheduler(again)[0] == (Entry(2, PREFILL, 5),)
    assert [engine.told for engine in Told.made] == [[*chain(*CALLS[:3])]] * 2
    # the same point at another deployment, and after it was asked about: new engines too
    last = scheduler(again)[1]
    scheduler(attrs.evolve(views()[3], memory=last, deployment=Deployment()))
    assert [len(engine.told) for engine in Told.made] == [8, 8, 8, 10]


def test_an_engine_that_raised_is_not_asked_again() -> None:
    class Fails(Told):
        def schedule(self) -> Any:
            answer = super().schedule()
            if len(Told.made) == 1 and len(self.told) > 3:
                raise ValueError("no more")
            return answer

    Told.made.clear()
    scheduler = adapt(Fails)
    first, second = views()[:2]
    second = attrs.evolve(second, memory=scheduler(first)[1])
    with pytest.raises(ValueError, match="no more"):
        scheduler(second)
    assert scheduler(second)[0] == (Entry(0, PREFILL, 2),)


@pytest.mark.parametrize(
    ("make", "takes"),
    [
        (lambda: 0, False),
        (lambda d: 0, True),
        (lambda d, /: 0, True),
        (lambda size=3: 0, False),
        (lambda size=3, deployment=None: 0, True),
        (lambda *rest, **named: 0, False),
        (lambda *, size: 0, False),
        (dict, False),
    ],
)
def test_an_engine_is_made_from_the_deployment_where_it_takes_one(make: Any, takes: bool) -> None:
    assert _takes_one(make) is takes


def test_an_answer_of_two_entries_is_no_pair_of_a_batch_and_a_memory() -> None:
    two = (Entry(0, PREFILL, 1), Entry(1, PREFILL, 1))

    class Two:
        def schedule(self, view: View) -> Any:
            return two

    view = View(0, (), D, "kept")
    assert adapt(Two)(view) == (two, "kept")


def test_an_object_that_says_nothing_may_be_leapt_over() -> None:
    class Declared(Methods):
        leaps = True

    assert [adapt(kind).leaps for kind in (Methods, EntriesAlone, Declared)] == [False, True, True]
    assert adapt(Engine).leaps is False


def test_a_class_that_needs_arguments_is_refused() -> None:
    class Needs:
        def __init__(self, size: int) -> None: ...

        def schedule(self, view: View) -> Any: ...

    with pytest.raises(BadInput, match="'my:Needs': the class cannot be instantiated without arg"):
        adapt(Needs, "my:Needs")


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


@pytest.mark.parametrize(
    ("answer", "pair"),
    [
        (((), Entry(0, PREFILL, 1)), True),
        ([(), "memory"], False),
        (((), "memory", "more"), False),
        ((), False),
        (iter(()), False),
    ],
)
def test_a_pair_is_a_tuple_of_two_that_does_not_start_with_an_entry(
    answer: Any, pair: bool
) -> None:
    class Fixed:
        def schedule(self, view: View) -> Any:
            return answer

    said = adapt(Fixed)(View(0, (), D, "kept"))
    assert said is answer if pair else said == (answer, "kept")


def test_an_engine_s_memory_is_its_own_and_costs_nothing_to_compare() -> None:
    """Compared by its calls, the memory of a long path would be compared call by call."""
    scheduler, view = adapt(Told), views()[0]
    one, other = scheduler(view)[1], scheduler(view)[1]
    assert one.batch == other.batch
    assert one != other
    assert adapt(Told) != adapt(Told)


class OneByOne(Told):
    """A decode of one session at a time, the least first."""

    def schedule(self) -> Any:
        self.told.append("schedule")
        return [(0, 1)]

    def update(self, number: int, tokens: int, finished: bool) -> None: ...


def test_an_engine_is_replayed_after_0_1_2_4_calls_so_that_a_path_costs_a_few_times_its_own() -> (
    None
):
    Told.made.clear()
    run([(0, 0, 20)], Deployment(t_lin=0, t_nl=1), watched(adapt(OneByOne)))
    ran = [engine.told.count("schedule") for engine in Told.made]
    # the first to run gives way to the one that repeated its call, and so on
    assert ran == [1, 2, 3, 5, 9, 17, 20]


class OnceOtherwise(OneByOne):
    """From the second engine on it decodes session 1 at the third call, where it was session 0."""

    def schedule(self) -> Any:
        self.told.append("schedule")
        third = self.told.count("schedule") == 3
        return [(int(third and len(Told.made) > 4), 1)]


def test_each_batch_of_a_replay_is_compared_so_that_one_that_differs_once_is_found() -> None:
    Told.made.clear()
    with pytest.raises(SchedulerError) as raised:
        run([(0, 0, 20), (0, 0, 20)], Deployment(t_lin=0, t_nl=1), watched(adapt(OnceOtherwise)))
    assert raised.value.kind == "impure"
    assert str(raised.value).startswith(
        "the engine is not a function of its calls: at t = 2 it returned 1 of session 0, and a new "
        "engine, called in the same way, 1 of session 1. It must not depend on the clock"
    )
    assert raised.value.so_far.iterations == 4  # the replay after four calls


def test_a_batch_that_is_nothing_or_very_long_is_shown() -> None:
    class Nothing(OneByOne):
        def schedule(self) -> Any:
            self.told.append("schedule")
            many = [(number, 1) for number in range(9)]
            return many if len(Told.made) < 3 else []

    Told.made.clear()
    with pytest.raises(SchedulerError) as raised:
        run([(0, 0, 20)] * 9, Deployment(b_col=9, t_lin=0, t_nl=1), watched(adapt(Nothing)))
    whole = ", ".join(f"1 of session {number}" for number in range(9))
    assert f"at t = 0 it returned {whole[:80]}, and a new engine, called in the same way, " in str(
        raised.value
    )
    assert "in the same way, nothing. It must not depend" in str(raised.value)
