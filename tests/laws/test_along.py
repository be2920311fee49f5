"""One walk along a run for all laws of a path: the same on stretches, and bounded."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st
from radproof.strategies import cases, deployments

from radproof import Deployment, RuleScheduler, SchedulerError, leap, run
from radproof.claims import FAMILIES, Found, Result, check
from radproof.evaluators.general import leapable
from radproof.laws import LAWS, along
from radproof.laws.along import Breach
from radproof.laws.ledger import Moment
from radproof.mutants import CATALOGUE, MUTANTS
from radproof.number import either, ite, maximum, minimum
from radproof.rules import RULES
from radproof.schedulers.loading import BUILT_IN, load
from radproof.schedulers.protocol import Scheduler


@pytest.mark.parametrize("family", FAMILIES)
def test_the_verdicts_on_stretches_are_those_on_iterations(family: Any) -> None:
    @given(cases(family, max_sessions=12))
    @quick(60)
    def property_(case: Any) -> None:
        deployment, path = case
        leapt = leap(path, deployment)
        if leapt.iterations > 300:
            return
        stepped = run(path, deployment)
        for law in LAWS.values():
            assert check(stepped, law.claim) == check(leapt, law.claim)

    property_()


@pytest.mark.parametrize("name", ["budget_256", "round_robin", "prefill_first", "threshold_129"])
def test_the_verdicts_under_a_mutant_are_the_same_on_stretches(name: str) -> None:
    scheduler = CATALOGUE[name].scheduler
    path = [(40 * n, 2 * (1 + n % 4), n % 5) for n in range(30)]
    d = Deployment(b_col=2, t_lin=40, t_nl=5)
    stepped, leapt = run(path, d, scheduler), leap(path, d, scheduler)
    for law in LAWS.values():
        assert check(stepped, law.claim) == check(leapt, law.claim)


def test_a_horizon_in_the_middle_breaks_no_law() -> None:
    for horizon in range(0, 30_000, 577):
        result = run([(0, 300, 3), (100, 128, 0), (9_000, 0, 0), (5_000, 0, 2)], horizon=horizon)
        broken = [n for n, law in LAWS.items() if check(result, law.claim).result is Result.FAILS]
        assert broken == []


def test_a_run_that_was_cut_breaks_no_law() -> None:
    for limit in range(12):
        result = run([(0, 300, 3), (100, 128, 0), (9_000, 0, 0), (5_000, 0, 2)], limit=limit)
        broken = [n for n, law in LAWS.items() if check(result, law.claim).result is Result.FAILS]
        assert broken == []


def test_a_law_that_nothing_reached_is_not_evaluated() -> None:
    result = run([(0, 0, 3)])
    assert check(result, LAWS["prefill_order"].claim).result is Result.NOT_EVALUATED
    assert check(result, LAWS["finish_order"].claim).result is Result.NOT_EVALUATED
    assert check(result, LAWS["decode_bound"].claim).result is Result.OUT_OF_SCOPE


def test_a_long_run_is_unknown_past_the_most_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radproof.laws.ledger.MOST_ENTRIES", 10)
    verdict = check(run([(0, 0, 30)]), LAWS["served_recomputed"].claim)
    assert verdict.result is Result.UNKNOWN
    assert verdict.reason == "the law was checked for the first 10 iterations only"


def test_a_law_costs_as_much_on_a_long_stretch_as_on_a_short_one() -> None:
    long = leap([(0, 128 * 10**12, 10**15), (5, 0, 10**18)])
    results = {name: check(long, law.claim).result for name, law in LAWS.items()}
    assert Result.FAILS not in results.values()
    assert results["conservation"] is Result.HOLDS
    assert check(long, LAWS["clock"].claim).checked == long.iterations


# the same laws on stretches as on iterations, whatever the scheduler: drawn rules, each mutant in
# rule form and each scheduler that leaps

LEAPING: dict[str, Scheduler] = {
    **MUTANTS,
    **{name: load(name).call for name in BUILT_IN if leapable(load(name).call)},
}


def stretched(tokens: Any, d: Any) -> Any:
    """A batch takes as long as it has tokens, and no less than 1 us: no tile costs anything."""
    return maximum(1, d.t_nl * tokens)


def halves(decoding: Any, left: Any, d: Any) -> Any:
    """A chunk is half a tile; the last one is no stretch of its own."""
    return ite(decoding, 1, ite(left < d.chunk // 2, left, d.chunk // 2))


@st.composite
def rule_schedulers(draw: st.DrawFn) -> RuleScheduler:
    """RAD with some of its rules changed: a mutant's, or one of a drawn number."""
    some, least = draw(st.integers(0, 5)), draw(st.integers(0, 9))
    changed: dict[str, Any] = {
        "want": lambda decoding, left, d: ite(decoding, 1, minimum(left, some + 1)),
        "budget": lambda mode, d: d.b_col + some,
        "decode_mode": lambda decodes, residents, d: either(decodes > some, decodes == residents),
        "duration": lambda tokens, d: maximum(1, some * tokens + least),
    }
    rules: dict[str, Any] = {}
    for field in changed:
        like = [getattr(m.rules, field) for m in MUTANTS.values()]
        rules[field] = draw(st.sampled_from([getattr(RULES, field), changed[field], *like]))
    order = draw(st.sampled_from([m.order for m in MUTANTS.values()]))
    return RuleScheduler(attrs.evolve(RULES, **rules), order)


def compared(path: Any, d: Deployment, scheduler: Scheduler, horizon: int | None) -> None:
    """Every law says the same of a run and of its leap."""
    try:
        leapt = leap(path, d, scheduler, horizon, limit=40)
        if not leapt.whole or leapt.iterations > 300:
            return
        stepped = run(path, d, scheduler, horizon)
    except SchedulerError:
        return
    for law in LAWS.values():
        assert check(stepped, law.claim, given=False) == check(leapt, law.claim, given=False)


def few_sessions() -> st.SearchStrategy[list[tuple[int, int, int]]]:
    """Up to five, many alike: their prompts end together, at a tile and off it."""
    arrivals = st.sampled_from((0, 0, 7, 40, 1_000))
    prompts = st.sampled_from((0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 48))
    return st.lists(st.tuples(arrivals, prompts, st.integers(0, 12)), max_size=5)


def many_sessions(path: Any) -> Any:
    """The path with numbers small enough to be run step by step."""
    return [(s.arrive, s.prompt % 60, s.output % 40) for s in path]


PATHS = few_sessions() | cases(max_sessions=8).map(lambda case: many_sessions(case[1]))
HORIZONS = st.none() | st.integers(0, 3_000)


@given(PATHS, deployments(), rule_schedulers(), HORIZONS)
@quick(300)
def test_every_law_says_the_same_of_a_leap_under_drawn_rules(
    path: Any, d: Deployment, scheduler: Scheduler, horizon: int | None
) -> None:
    compared(path, d, scheduler, horizon)


@pytest.mark.parametrize("name", LEAPING)
def test_every_law_says_the_same_of_a_leap_under_each_scheduler(name: str) -> None:
    @given(PATHS, deployments(), HORIZONS)
    @quick(12)
    def property_(path: Any, d: Deployment, horizon: int | None) -> None:
        compared(path, d, LEAPING[name], horizon)

    property_()


FOUR = Deployment(b_col=4, t_lin=1, t_nl=1)

INSIDE: dict[str, tuple[str, RuleScheduler, Any, tuple[int, int, int | None, int | None]]] = {
    # a duration without t_lin: the run failed at 5 with 99 failures, the leap held
    "a clock that drifts": (
        "clock",
        RuleScheduler(attrs.evolve(RULES, duration=stretched)),
        [(0, 0, 100)],
        (100, 99, 1, 1),
    ),
    # both prompts are open after the first two batches and closed by the third
    "two prompts that end together": (
        "one_partial",
        RuleScheduler(attrs.evolve(RULES, want=halves)),
        2 * [(0, 6, 0)],
        (3, 2, 0, 0),
    ),
    # chunks of 3 at 0, 3, 6 ... : every fourth one is on a tile of 4
    "every fourth chunk on a tile": (
        "chunk_starts",
        MUTANTS["chunk_127"],
        [(0, 30, 0)],
        (10, 7, 4, 1),
    ),
}


@pytest.mark.parametrize("case", INSIDE)
def test_a_law_is_counted_and_dated_inside_a_stretch(case: str) -> None:
    name, scheduler, path, (checked, failures, first, index) = INSIDE[case]
    for result in (run(path, FOUR, scheduler), leap(path, FOUR, scheduler)):
        verdict = check(result, LAWS[name].claim, given=False)
        assert (verdict.checked, verdict.failures) == (checked, failures)
        assert (verdict.first, verdict.index) == (first, index)


def test_failures_inside_a_stretch_are_counted_at_no_cost_of_its_length() -> None:
    """Chunks of 3 from 0: of 10^18 batches every fourth starts on a tile of 4."""
    long = leap([(0, 3 * 10**18, 0)], FOUR, MUTANTS["chunk_127"])
    assert check(long, LAWS["chunk_starts"].claim).failures == 3 * 10**18 // 4
    slow = leap([(0, 0, 10**18)], FOUR, INSIDE["a clock that drifts"][1])
    assert check(slow, LAWS["clock"].claim).failures == 10**18 - 1


# laws that answer what they are told

Answers = st.lists(st.sampled_from((None, True, False)), min_size=1, max_size=9)
DECODES = Deployment(b_col=1, t_lin=0, t_nl=10)


def told(answers: Any) -> Any:
    """A law that answers this of each iteration; False: it is broken there."""

    def ask(m: Moment) -> Any:
        answer = next(answer for n, answer in enumerate(answers) if m.index <= n)
        return Breach(lambda: f"at {m.record.start}") if answer is False else answer

    return ask


@given(Answers, st.sampled_from((None, True, False)))
@quick(150)
def test_a_law_is_counted_and_dated_as_its_answers_are(answers: list[Any], at_end: Any) -> None:
    path = [(5, 0, len(answers))]
    broken = answers.index(False) if False in answers else None
    last = Breach("at the end", first=7) if at_end is False else at_end
    found = Found(
        checked=sum(answer is not None for answer in [*answers, at_end]),
        failures=[*answers, at_end].count(False),
    )
    if broken is not None:
        first = 5 + 10 * broken
        found = attrs.evolve(found, first=first, index=broken, reason=f"at {first}")
    elif at_end is False:
        found = attrs.evolve(found, first=7, reason="at the end")
    for result in (run(path, DECODES), leap(path, DECODES)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(along, "AT_MOMENT", {"told": told(answers)})
            patch.setattr(along, "AT_END", {"told": lambda m, run: last})
            said = along.follow(result, ["told"])["told"]
        record = None if broken is None else list(result.records)[broken]
        assert said == attrs.evolve(found, record=record)


@pytest.mark.parametrize(
    ("breach", "expected"),
    [
        (Breach("why"), (9, 0, 5)),
        (Breach("why", after=3), (6, 3, 35)),
        (Breach("why", after=3, failures=4), (4, 3, 35)),
        (Breach(lambda: "why", first=77), (9, 0, 77)),
    ],
)
def test_a_breach_says_how_many_of_the_iterations_asked_about_are_broken(
    breach: Breach, expected: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(along, "AT_MOMENT", {"told": lambda m: breach})
    monkeypatch.setattr(along, "AT_END", {})
    found = along.follow(leap([(5, 0, 9)], DECODES), ["told"])["told"]
    assert (found.checked, found.reason) == (9, "why")
    assert (found.failures, found.index, found.first) == expected


@pytest.mark.parametrize(
    ("sessions", "most", "cut"),
    [(7, 3, None), (7, 2, 2), (8, 6, None), (8, 5, 2), (24, 12, None), (24, 11, 2)],
)
def test_a_run_is_followed_for_so_many_entries_and_sessions(
    sessions: int, most: int, cut: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three batches of one entry; every eighth session of the path costs as much as one."""
    monkeypatch.setattr("radproof.laws.ledger.MOST_ENTRIES", most)
    monkeypatch.setattr(along, "AT_MOMENT", {"told": lambda m: True})
    monkeypatch.setattr(along, "AT_END", {})
    path = [(0, 0, 1)] * 3 + [(0, 0, 0)] * (sessions - 3)
    found = along.follow(run(path, DECODES), ["told"])["told"]
    assert (found.checked, found.cut) == (3 if cut is None else cut, cut is not None)
    said = "" if cut is None else f"the law was checked for the first {cut} iterations only"
    assert found.reason == said


def test_a_law_that_was_broken_before_the_cut_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("radproof.laws.ledger.MOST_ENTRIES", 2)
    monkeypatch.setattr(along, "AT_MOMENT", {"told": told([True, False, True])})
    monkeypatch.setattr(along, "AT_END", {"told": lambda m, run: Breach("not reached")})
    found = along.follow(run([(0, 0, 3)], DECODES), ["told"])["told"]
    assert (found.checked, found.failures, found.cut) == (2, 1, True)
    assert found.reason == "at 10"


def test_a_run_is_followed_once_for_the_laws_that_were_asked_of_the_run_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[tuple[Any, list[str]]] = []
    real = along.follow

    def follow(run: Any, names: list[str]) -> Any:
        followed.append((run, names))
        return real(run, names)

    monkeypatch.setattr(along, "follow", follow)
    monkeypatch.setattr(along, "_followed", along._Followed())
    two, three, both = run([(0, 0, 2)]), run([(0, 0, 3)]), ("clock", "served_recomputed")

    def ask(result: Any, names: Any) -> list[int]:
        return [along.reader(name)(result, result.deployment).checked for name in names]

    for result, names in ((two, both), (two, both), (three, both), (two, both[:1]), (three, both)):
        assert ask(result, names) == [result.iterations] * len(names)
    assert followed == [
        (two, ["clock"]),  # of the first run it is not known what else will be asked
        (two, ["served_recomputed"]),
        (three, [*both]),
        (two, [*both]),
        (three, ["clock"]),  # the run before was asked about that alone
        (three, ["served_recomputed"]),
    ]
    assert all(a is b for (a, _), b in zip(followed, (two, two, three, two, three, three)))  # noqa: B905


def test_a_law_s_words_are_the_same_alone_and_among_all_of_them() -> None:
    result = run([(0, 3, 2), (0, 2, 1), (60, 0, 3)], DECODES)
    names = list(along.AT_MOMENT | along.AT_END)
    assert along.follow(result, names) == {
        name: found for each in names for name, found in along.follow(result, [each]).items()
    }
