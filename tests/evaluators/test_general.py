"""leap == run: on every family of paths, at every deployment, under every kind of scheduler.

RADPROOF_LEAP_EXAMPLES is the number of examples a family (60 unless set): 1819 make 20,000 in all.
"""

from __future__ import annotations

import inspect
import itertools
import os
import types
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from helpers import GOLDEN, deployment_of, in_order, lines, quick, unleapt
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from radproof.strategies import DIRECTED, cases, deployments, paths

from radproof import (
    CLAIMS,
    DECODE,
    PREFILL,
    SEED,
    BadInput,
    Deployment,
    Entry,
    RuleScheduler,
    SchedulerError,
    View,
    check,
    leap,
    rad,
    run,
    runs,
)
from radproof.evaluators import general as leaps
from radproof.evaluators import rad as rad_leap
from radproof.machine import initial
from radproof.model import Path
from radproof.mutants import MUTANTS
from radproof.rules import RULES
from radproof.search.crosscheck import first_difference

EXAMPLES = int(os.environ.get("RADPROOF_LEAP_EXAMPLES", "0"))
# The default run draws the same paths each time; one that asks for a number draws new ones.
LEAPS = settings(quick(EXAMPLES or 60), derandomize=not EXAMPLES)

FAR = 250
"""Iterations of `run` on one path. Further on, a horizon cuts it."""


@st.composite
def cut_cases(
    draw: st.DrawFn, only: str | None = None, sessions: int = 40, seeds: bool = True
) -> tuple[Deployment, Path, int | None]:
    """A deployment, a path, and a horizon where something happens, or beside it, or none."""
    deployment = SEED
    if not seeds or draw(st.integers(0, 2)):
        deployment = draw(deployments(chunks=True))
    else:
        sessions = 4 * sessions
    family = draw(st.sampled_from(("natural", "assumption3")))
    path = draw(paths(family, deployment, sessions, only))
    begun = run(path, deployment, limit=FAR)
    if begun.whole and not draw(st.booleans()):
        return deployment, path, None
    records = list(begun.records)
    if not records:
        return deployment, path, draw(st.integers(0, 10))
    # always before the last record's start: `run` goes no further than FAR iterations
    record = records[draw(st.integers(1, len(records))) - 1]
    at = draw(st.sampled_from((record.start, record.end, record.start - 1, record.start + 1)))
    return deployment, path, max(0, at if begun.whole else min(at, records[-1].start))


@pytest.mark.parametrize("family", DIRECTED)
def test_leap_is_run(family: str) -> None:
    @LEAPS
    @given(cut_cases(family))
    def property_(case: tuple[Deployment, Path, int | None]) -> None:
        deployment, path, horizon = case
        leapt = leap(path, deployment, horizon=horizon)
        assert leapt.engine == "leap"
        assert first_difference(run(path, deployment, horizon=horizon), leapt) is None

    property_()


@pytest.mark.parametrize("line", lines(GOLDEN), ids=lambda line: line["name"])
def test_leap_is_run_on_every_golden_path(line: dict[str, Any]) -> None:
    arguments = (line["path"], deployment_of(line), rad, line["horizon"])
    assert first_difference(run(*arguments), leap(*arguments)) is None


@given(cut_cases(seeds=False, sessions=20))
@quick(60)
def test_both_leaps_of_rad_are_the_same(case: tuple[Deployment, Path, int | None]) -> None:
    deployment, path, horizon = case
    general = leaps.general(path, deployment, rad, horizon)
    assert first_difference(run(path, deployment, horizon=horizon), general) is None


def outcome(evaluate: Callable[[], Any]) -> Any:
    """The run, or what the scheduler did wrong."""
    try:
        return evaluate()
    except SchedulerError as error:
        return error.kind, str(error)


def same(
    scheduler: Any, deployment: Deployment, path: Path, horizon: int | None = None
) -> str | None:
    """None where leap and run agree, errors and their messages included."""
    limit = FAR  # where it goes step by step both stop there
    leapt = outcome(lambda: leap(path, deployment, scheduler, horizon, limit))
    stepped = outcome(lambda: run(path, deployment, scheduler, horizon, limit))
    if isinstance(leapt, tuple) or isinstance(stepped, tuple):
        return None if leapt == stepped else f"step {stepped}, leap {leapt}"
    return first_difference(stepped, leapt)


length = st.one_of(st.just(0), st.integers(0, 12))
short = st.tuples(st.integers(0, 80), length, length)
few = st.lists(short, max_size=9)
horizons = st.one_of(st.none(), st.integers(0, 300))


@pytest.mark.parametrize("name", MUTANTS)
def test_leap_is_run_under_every_mutant(name: str) -> None:
    @given(few, deployments(chunks=True), horizons)
    @quick(25)
    def property_(path: Any, deployment: Deployment, horizon: int | None) -> None:
        assert same(MUTANTS[name], deployment, path, horizon) is None

    property_()


def test_the_engine_says_which_evaluator_ran() -> None:
    path = [(0, 128, 3)]
    assert leap(path).engine == "leap"
    assert leap(path, Deployment(chunk=64)).engine == "leap"
    assert leap(path, scheduler=MUTANTS["budget_127"]).engine == "leap"
    assert leap(path, scheduler=in_order).engine == "leap"
    assert leap(path, scheduler=unleapt(in_order)).engine == "step"
    assert leap(path, scheduler=MUTANTS["served_twice"]).engine == "step"
    assert run(path).engine == "step"


# Schedulers that are other Python code.


def alternating(view: View) -> Any:
    """Depends on the time."""
    job = view.jobs[view.now % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), None


def late(view: View) -> Any:
    """Depends on the time by a comparison."""
    job = view.jobs[-1 if view.now > 60 else 0]
    return (Entry(job.session, job.phase, 1),), None


def counting(view: View) -> Any:
    """Has a memory that changes with every call."""
    turn = view.memory or 0
    job = view.jobs[turn % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), turn + 1


def latched(view: View) -> Any:
    """Has a memory that changes once, in the middle of what looks like one stretch."""
    job = view.jobs[-1 if view.memory else 0]
    return (Entry(job.session, job.phase, 1),), view.now > 60 or view.memory


def remembers(view: View) -> Any:
    """Has a memory that stays the same for one call and then grows by the same step."""
    job = view.jobs[(view.memory or 0) % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), sum(job.generated for job in view.jobs)


def bit_lengths(view: View) -> Any:
    """Asks numbers for what only an int has."""
    job = view.jobs[view.now.bit_length() % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), None


def digits(view: View) -> Any:
    """Asks for a number's text."""
    job = view.jobs[int(str(view.now)[-1]) % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), None


def least_served(view: View) -> Any:
    """Serves the decode that has generated least: the batch changes with every token."""
    job = min(view.jobs, key=lambda job: (job.phase is DECODE, job.generated, job.session))
    tokens = 1 if job.phase is DECODE else min(3, job.prompt - job.done)
    return (Entry(job.session, job.phase, tokens),), None


def lazy(view: View) -> Any:
    """Waits for a second job."""
    return in_order(view) if len(view.jobs) > 1 or view.now > 100 else ((), None)


def fails_late(view: View) -> Any:
    """Raises once a session has generated 5 tokens."""
    if any(job.generated >= 5 for job in view.jobs):
        raise RuntimeError("five")
    return in_order(view)


def swallows(view: View) -> Any:
    """Depends on the time, and swallows what a number on a range raises."""
    try:
        job = view.jobs[-1 if view.now > 60 else 0]
    except Exception:
        job = view.jobs[0]
    return (Entry(job.session, job.phase, 1),), None


def swallows_type_errors(view: View) -> Any:
    """The same, of an operation that only an int has."""
    try:
        job = view.jobs[-1 if view.now & 32 else 0]
    except (TypeError, AttributeError):
        job = view.jobs[0]
    return (Entry(job.session, job.phase, 1),), None


def asks_the_type(view: View) -> Any:
    """Serves another job where the time is an int."""
    job = view.jobs[-1 if type(view.now) is int and view.now > 60 else 0]
    return (Entry(job.session, job.phase, 1),), None


class AlwaysEqual:
    """A memory that equals every other, and counts."""

    def __init__(self, turns: int) -> None:
        self.turns = turns

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def equal_memory(view: View) -> Any:
    """Has a memory that changes with every call and equals the one before."""
    turns = view.memory.turns if view.memory else 0
    job = view.jobs[turns // 3 % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), AlwaysEqual(turns + 1)


def one_and_true(view: View) -> Any:
    """Has a memory that changes from 1 to True to 1.0, all of which are equal."""
    kinds = {type(None): 1, int: True, bool: 1.0, float: 1.0}
    job = view.jobs[-1 if isinstance(view.memory, float) else 0]
    return (Entry(job.session, job.phase, 1),), (kinds[type(view.memory)])


def nested_kinds(view: View) -> Any:
    """The same inside a tuple."""
    (kind,) = view.memory or (1,)
    job = view.jobs[-1 if isinstance(kind, bool) else 0]
    return (Entry(job.session, job.phase, 1),), (True,)


def in_an_array(view: View) -> Any:
    """Keeps its turns in an array, whose equality is no truth."""
    turns = np.array([0, 0]) if view.memory is None else view.memory
    job = view.jobs[int(turns[0]) // 3 % len(view.jobs)]
    return (Entry(job.session, job.phase, 1),), turns + 1


OTHERS = (
    swallows,
    swallows_type_errors,
    asks_the_type,
    equal_memory,
    one_and_true,
    nested_kinds,
    in_an_array,
    in_order,
    alternating,
    late,
    counting,
    latched,
    remembers,
    bit_lengths,
    digits,
    least_served,
    lazy,
)
OTHERS += (fails_late,)


@pytest.mark.parametrize("scheduler", OTHERS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("leaps", [False, True], ids=["stepped", "leapt"])
def test_leap_is_run_under_other_python_code(scheduler: Any, leaps: bool) -> None:
    under_test = scheduler if leaps else unleapt(scheduler)

    @given(few, deployments(chunks=True), horizons)
    @quick(40)
    def property_(path: Any, deployment: Deployment, horizon: int | None) -> None:
        assert same(under_test, deployment, path, horizon) is None

    property_()


def test_a_scheduler_of_plain_python_leaps_over_what_it_repeats() -> None:
    result = leap([(0, 0, 10**30)], scheduler=in_order)
    assert (result.engine, result.iterations) == ("leap", 10**30)
    assert result.completions == (4005 * 10**30,)
    assert len(result.stretches) == 1


def test_a_list_that_is_changed_in_place_is_not_leapt_over() -> None:
    def in_place(view: View) -> Any:
        turns = [] if view.memory is None else view.memory
        job = view.jobs[len(turns) // 3 % len(view.jobs)]
        turns.append(view.now)
        return (Entry(job.session, job.phase, 1),), turns

    path = [(0, 0, 20), (0, 0, 20)]
    assert first_difference(run(path, scheduler=in_place),
                            leap(path, scheduler=in_place)) is None  # fmt: skip


def test_a_scheduler_that_swallows_a_split_is_divided_there() -> None:
    result = leap([(0, 0, 10**12), (0, 0, 10**12)], scheduler=swallows)
    assert result.completions == (4005 * 2 * 10**12, 4005 * (10**12 + 1))


def test_a_scheduler_that_compares_the_time_is_split_there_and_not_stepped() -> None:
    result = leap([(0, 0, 10**12), (0, 0, 10**12)], scheduler=late)
    assert (result.engine, result.iterations) == ("leap", 2 * 10**12)
    assert len(result.stretches) < 6
    # session 0 is served until the time is over 60 (one iteration), then session 1
    assert result.completions == (4005 * 2 * 10**12, 4005 * (10**12 + 1))


@pytest.mark.parametrize("off", [-2, 0, 1])
def test_a_split_of_another_range_divides_nothing(off: int) -> None:
    """Serves one job, and raises a Split that it kept: at the end of the range, or beyond it."""

    def raises_another(view: View) -> Any:
        if hasattr(view.now, "count"):
            raise leaps.Split(view.now.count + off)
        return in_order(view)

    path = [(0, 0, 9)]
    result = leap(path, scheduler=raises_another)
    assert first_difference(run(path, scheduler=raises_another), result) is None


def test_a_batch_over_a_range_that_is_another_one_is_not_believed() -> None:
    def other_over_a_range(view: View) -> Any:
        first = not hasattr(view.now, "count") and view.now < 4005 * 4
        job = view.jobs[0 if first else -1]
        return (Entry(job.session, job.phase, 1),), None

    path = [(0, 0, 9), (0, 0, 5)]
    result = leap(path, scheduler=other_over_a_range)
    assert [stretch.count for stretch in result.stretches] == [1, 1, 1, 1, 5, 5]
    assert first_difference(run(path, scheduler=other_over_a_range), result) is None


def grows(view: View) -> Any:
    """A share one larger than what the job has, and another one once it has half."""
    job = view.jobs[0]
    return (Entry(job.session, job.phase, job.done + 1 if job.done < 50 else 1),), None


def calls_of(scheduler: Any, path: Any, **more: Any) -> tuple[int, list[int]]:
    """How often a leap asks a scheduler, and how many iterations each stretch has."""
    calls: list[Any] = []

    def counted(view: View) -> Any:
        calls.append(view)
        return scheduler(view)

    found = leap(path, scheduler=counted, **more)
    return len(calls), [stretch.count for stretch in found.stretches]


def test_a_scheduler_is_asked_for_a_stretch_where_its_batch_can_repeat() -> None:
    assert calls_of(in_order, [(0, 0, 1)]) == (1, [1])
    assert calls_of(in_order, [(0, 0, 2)]) == (2, [2])
    assert calls_of(in_order, [(0, 0, 1), (0, 128, 1)]) == (3, [1, 1, 1])
    # all but the last chunk, at which `min` chooses the other number
    assert calls_of(in_order, [(0, 1280, 0)])[1] == [9, 1]
    assert calls_of(grows, [(0, 100, 0)])[1] == [1] * 6 + [37]
    # once more for each repetition, and no more where it asks for what only an int has
    assert calls_of(bit_lengths, [(0, 0, 3)]) == (5, [1, 1, 1])
    # whose memory changes is not asked again
    assert calls_of(counting, [(0, 0, 3)]) == (3, [1, 1, 1])


@pytest.mark.parametrize("early", [0, 1, 4004])
@pytest.mark.parametrize(
    ("arrives", "horizon", "counts"),
    [
        (10, None, [10, 90, 1, 1]),
        (10, 20, [10, 11]),
        (10, 9, [10]),
        (10, 10, [10, 1]),
        (200, None, [100, 1, 1]),
    ],
)
def test_a_stretch_goes_on_until_a_job_arrives_or_ends_or_the_horizon(
    early: int, arrives: int, horizon: int | None, counts: list[int]
) -> None:
    """Iterations of 4005 us from the second on; session 1 arrives in one, or as it ends."""

    def at(iteration: int) -> int:
        return 4005 * (1 + iteration)

    path = [(at(0), 0, 100), (at(arrives) - early, 0, 1), (at(300), 0, 1)]
    found = leap(path, SEED, in_order, None if horizon is None else at(horizon))
    assert [stretch.count for stretch in found.stretches] == counts
    if horizon is not None:
        shorter = leap(path, SEED, in_order, at(horizon) - 1)
        assert shorter.iterations == found.iterations - 1


def test_a_state_jumps_over_no_repetition_as_it_is() -> None:
    result = leap([(0, 0, 9)], scheduler=in_order)
    state = initial(result.path)
    assert leaps._jump(state, result.stretches[0], 0) is state


@pytest.mark.parametrize("duration", [0, 1, 2])
@pytest.mark.parametrize("horizon", [None, 0, 2, 3])
def test_a_clock_that_stands_still_lets_nobody_arrive(duration: int, horizon: int | None) -> None:
    still = RuleScheduler(attrs.evolve(RULES, duration=lambda tokens, d: duration))
    for path in ([(0, 0, 9)], [(0, 0, 9), (3, 0, 4)], [(0, 300, 2), (1, 0, 4)]):
        assert same(still, SEED, leaps.as_path(path), horizon) is None


def test_the_time_grows_in_a_stretch_by_the_duration_of_its_batch() -> None:
    def late_by_fifty(view: View) -> Any:
        job = view.jobs[-1 if view.now > 4005 * 50 else 0]
        return (Entry(job.session, job.phase, 1),), None

    found = leap([(4005, 0, 100)] * 2, scheduler=late_by_fifty)
    assert [stretch.count for stretch in found.stretches] == [50, 100, 50]


# Ends, limits and bad arguments.


def test_leap_refuses_what_run_refuses() -> None:
    for evaluate in (leap, run):
        with pytest.raises(BadInput, match=r"^session 0: prompt is -1"):
            evaluate([(0, -1, 0)])
        with pytest.raises(BadInput, match=r"^horizon is -5; it must be a natural number"):
            evaluate([], horizon=-5)


def test_limit_is_the_most_stretches_of_a_leap() -> None:
    path = [(0, 0, output) for output in range(1, 6)]
    cut = leap(path, scheduler=in_order, limit=3)
    assert (cut.engine, len(cut.stretches), cut.whole) == ("leap", 3, False)
    assert leap(path, scheduler=in_order, limit=5).whole


def test_limit_is_for_schedulers_that_go_step_by_step() -> None:
    assert leap([(0, 0, 50)], scheduler=unleapt(in_order), limit=7).iterations == 7
    assert leap([(0, 0, 50)], limit=7).iterations == 50


def test_a_path_of_no_sessions_has_no_iterations() -> None:
    assert first_difference(run([]), leap([])) is None
    assert (leap([]).iterations, leap([]).completions, leap([]).end) == (0, (), 0)


# Lengths that only a leap can go.


def test_five_hundred_huge_sessions_have_the_totals_of_a_formula() -> None:
    outputs = [10**12 + i for i in range(500)]
    result = leap([(0, 128 * 10**9, output) for output in outputs])
    # 128 decode at once. Session i takes the place of session i - 128, which ends before it.
    ends = list(outputs[:128])
    for i in range(128, 500):
        ends.append(ends[i - 128] + outputs[i])
    assert ends == sorted(set(ends))  # one at a time, as the formula has it
    prefills, decodes = 500 * 10**9, ends[-1]
    assert result.iterations == prefills + decodes
    assert result.end == 4640 * prefills + 4000 * decodes + 5 * sum(outputs)
    assert result.ended == 500
    assert result.completions[-1] == result.end
    # session 0 ends before any prefill beyond the first 128
    assert result.completions[0] == 4640 * 128 * 10**9 + 4640 * outputs[0]
    last = result.stretches[-1]
    served = last.record(last.count - 1).served + last.first.tokens
    assert served == 500 * 128 * 10**9 + sum(outputs)
    for claim in CLAIMS.values():
        verdict = check(result, claim)
        assert (verdict.result, verdict.checked) == ("holds", prefills + decodes)


def test_one_output_of_any_size_is_one_stretch() -> None:
    result = leap([(7, 0, 10**100)])
    assert (result.iterations, result.completions) == (10**100, (7 + 4005 * 10**100,))
    assert leap([(7, 0, 10**100)], horizon=7 + 4005 * 3).iterations == 4


# Wrong leaps: what the comparison must find.


def patched(source: types.ModuleType, old: str, new: str) -> types.ModuleType:
    """The module with one piece of its text changed."""
    text = inspect.getsource(source)
    assert text.count(old) == 1, f"the text to break is no longer there once: {old!r}"
    wrong = types.ModuleType(f"wrong_{source.__name__}")
    exec(compile(text.replace(old, new), "<wrong leap>", "exec"), wrong.__dict__)
    return wrong


WRONG_RAD = {
    "a decode stretch one too long": (
        "repetitions = batch[0] // size - count",
        "repetitions = batch[0] // size - count + 1",
    ),
    "a prefill stretch one too long": (
        "repetitions = rest // chunk\n",
        "repetitions = rest // chunk; repetitions += repetitions > 1\n",
    ),
    "arrivals ignored": ("if end > next_arrival:", "if False:"),
    "an arrival at an end counted as after it": (
        "repetitions = -((now - next_arrival) // each)",
        "repetitions = -((now - next_arrival) // each) + ((next_arrival - now) % each == 0)",
    ),
    "horizon not cut": ("if end > last_start:", "if False:"),
    "horizon an iteration late": ("if end > last_start:", "if end > last_start + each:"),
    "horizon exclusive": ("(last_start - now) // each + 1", "-((now - last_start) // each)"),
    "horizon not seen when idle": (
        "if next_arrival > last_start or arrived == size:",
        "if arrived == size:",
    ),
    "no tokens end when they are seen": (
        "completions[session] = next_arrival",
        "completions[session] = now",
    ),
    "no tokens forgotten behind the horizon's iteration": (
        "completions[session] = arrivals[place]",
        "pass",
    ),
    "demand beyond a chunk": (
        "wanted += left[session] if left[session] < chunk else chunk",
        "wanted += left[session]",
    ),
    "the last chunk's demand kept": ("wanted += rest - chunk\n", "pass\n"),
    "the ties turned round": (
        "key=[session.arrive for session in path].__getitem__",
        "key=lambda s: (path[s].arrive, -s)",
    ),
    "more than b_col decodes at once": (
        "while waiting and len(batch) < b_col:",
        "while waiting and len(batch) <= b_col:",
    ),
    "a ragged tail alone in its batch": (
        "        if not remaining:\n            break",
        "        break",
    ),
}

WRONG_GENERAL = {
    "a stretch one too long": ("    return count\n", "    return count + 1\n"),
    "a jump one too short": (
        "state = _jump(state, stretch, stretch.count - 1)",
        "state = _jump(state, stretch, max(0, stretch.count - 2))",
    ),
    "arrivals ignored": ("if moves and state.pending:", "if False:"),
    "horizon not cut": (
        "if moves and horizon is not None:\n        count",
        "if False:\n        count",
    ),
    "demand kept as it was": (
        "return sum(want.step for want in wants if isinstance(want, Affine))",
        "return 0",
    ),
    "the memory not looked at": (
        "if not unchanged(state.memory, memory):",
        "if False:",
    ),
}


def difference(
    make: Callable[..., Any],
    path: Path,
    d: Deployment,
    horizon: int | None,
    against: Callable[..., Any] = run,
) -> Any:
    if len(path) > 60:
        return None
    try:
        wrong = make(path, d, horizon)
    except Exception as error:  # a crash is found, too
        return f"{type(error).__name__}"
    return first_difference(against(path, d, wrong.scheduler, horizon), wrong)


def found_by(make: Callable[..., Any], against: Callable[..., Any] = run) -> str:
    """What the comparison says on the first path on which it finds the wrong leap."""
    small = st.lists(short, min_size=1, max_size=6).map(lambda p: leaps.as_path(p))
    drawn = st.tuples(small, deployments(most_b_col=3, chunks=True), horizons)
    first = settings(quick(2_000), phases=[Phase.generate])
    case = find(drawn, lambda case: difference(make, *case, against) is not None, settings=first)
    said = difference(make, *case, against)
    assert isinstance(said, str)
    return said


@pytest.mark.parametrize("fault", WRONG_RAD)
def test_the_comparison_finds_a_wrong_leap_of_rad(fault: str) -> None:
    wrong = patched(rad_leap, *WRONG_RAD[fault])

    def make(path: Path, d: Deployment, horizon: int | None) -> Any:
        # chunk b_lcm, as this leap is for
        return wrong.leap_rad(path, Deployment(d.b_col, d.b_row, 1, d.t_lin, d.t_nl), rad, horizon)

    said = found_by(lambda path, d, horizon: _at_tile(make, path, d, horizon))
    assert said.startswith(("iteration ", "step has ", "step ends "))


def _at_tile(make: Callable[..., Any], path: Path, d: Deployment, horizon: int | None) -> Any:
    if d.chunk != d.b_lcm:
        return run(path, d, horizon=horizon)  # nothing to find here
    return make(path, d, horizon)


@pytest.mark.parametrize("fault", WRONG_GENERAL)
def test_the_comparison_finds_a_wrong_general_leap(fault: str) -> None:
    wrong = patched(leaps, *WRONG_GENERAL[fault])
    scheduler = remembers if fault == "the memory not looked at" else rad
    said = found_by(lambda path, d, horizon: wrong.general(path, d, scheduler, horizon))
    assert said.startswith(("iteration ", "step has ", "step ends "))


def test_the_comparison_finds_completions_past_the_horizon() -> None:
    """`run` and the general leap are collected by the same code; RAD's own leap is not."""
    wrong = patched(runs, "if horizon is None or time <= horizon:", "if True:")

    def make(path: Path, d: Deployment, horizon: int | None) -> Any:
        return leap(path, d, rad, horizon)

    assert found_by(make, against=wrong.run).startswith("step ends ")


def test_the_first_differing_iteration_is_named() -> None:
    wrong = patched(rad_leap, *WRONG_RAD["arrivals ignored"])
    path = leaps.as_path([(0, 0, 3), (5, 2, 0)])
    d = Deployment(b_col=2, t_lin=10, t_nl=1)
    said = first_difference(run(path, d), wrong.leap_rad(path, d, rad, None))
    assert said is not None
    assert said.startswith("iteration 1: step Iteration(start=11, ")


def test_the_hot_path_is_taken_for_rad_and_the_general_one_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[str] = []

    def watched(name: str) -> Any:
        real = getattr(leaps, name)

        def call(*arguments: Any) -> Any:
            taken.append(name)
            return real(*arguments)

        return call

    for name in ("leap_rad", "general", "run"):
        monkeypatch.setattr(leaps, name, watched(name))
    for scheduler, d in itertools.product(
        (rad, RuleScheduler(), MUTANTS["greater"], unleapt(in_order)), (SEED, Deployment(chunk=5))
    ):
        leap([(0, 7, 1)], d, scheduler)
    assert taken == ["leap_rad", "general"] * 2 + ["general"] * 2 + ["run"] * 2


@given(cases("natural", max_sessions=8))
@quick(40)
def test_a_stretch_s_records_are_evenly_spaced(case: Any) -> None:
    deployment, path = case
    end = 0
    for stretch in leap(path, deployment).stretches:
        first, last = stretch.first, stretch.record(stretch.count - 1)
        assert first.start >= end
        end = last.end
        assert last.end == first.start + stretch.count * stretch.duration
        assert first.prefilled == sum(e.tokens for e in first.batch if e.phase is PREFILL)
