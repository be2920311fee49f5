"""Laws along a path: a run that was tampered with breaks the one that it is about, and says why."""

from __future__ import annotations

import itertools
import math
from typing import Any

import attrs
import pytest
from helpers import in_order, quick
from hypothesis import given
from hypothesis import strategies as st

import radproof.mutants.engines
from radproof import (
    DECODE,
    PREFILL,
    SEED,
    Entry,
    Phase,
    Result,
    RuleScheduler,
    check,
    leap,
    rad,
    run,
)
from radproof.laws import LAWS, along
from radproof.laws.path import _on_tile
from radproof.mutants import CATALOGUE, MUTANTS, TILE_OF_TWO
from radproof.rules import RULES
from radproof.runs import Run, Stretch
from radproof.schedulers import Orca, Sarathi, sarathi
from radproof.schedulers.adapters import adapt
from radproof.schedulers.loading import BUILT_IN, load
from radproof.schedulers.protocol import Limits, View
from radproof.schedulers.purity import watched

PATH = [(0, 200, 2), (0, 128, 2), (30_000, 128, 1)]


def tampered(index: int, **changed: Any) -> Run:
    """RAD's run of PATH with one record changed."""
    result = run(PATH)
    stretches = list(result.stretches)
    stretches[index] = Stretch(attrs.evolve(stretches[index].first, **changed))
    return attrs.evolve(result, stretches=stretches)


def law_on(result: Run, name: str) -> Any:
    return check(result, LAWS[name].claim)


def ended(*completions: int | None) -> Run:
    """RAD's run of PATH with other completions."""
    return attrs.evolve(run(PATH), completions=completions)


TAMPERED = {
    "clock": (
        tampered(1, start=4650),
        "b_col x start is 595200, the work and the idle time 593920",
    ),
    "served_recomputed": (tampered(1, served=5), "served is 5, the batches sum to 128"),
    "counts_recomputed": (tampered(1, residents=3), "residents is 3; arrivals and batches leave 2"),
    "no_idling": (tampered(1, start=4650), "work has waited since 4640; the batch starts at 4650"),
    "conservation": (ended(17_955, None, 38_645), "200 + 2 tokens at 21660, and ends at 17955"),
    "progress": (ended(17_955, None, 38_645), "session 1 has not ended"),
    "lifecycle": (ended(4, 17_955, 38_645), "session 0 has its first token at"),
    "prefill_order": (
        tampered(0, batch=(Entry(1, PREFILL, 128),)),
        "session 1 is served before session 0, which comes first",
    ),
    "decode_order": (
        tampered(3, batch=(Entry(1, DECODE, 1), Entry(0, DECODE, 1))),
        "session 1 is served before session 0, which comes first",
    ),
    "work_conserving": (
        tampered(2, batch=(Entry(1, PREFILL, 55),), tokens=55),
        "session 1 gets 55 of 72 tokens, and the batch has 55 of 128 tokens",
    ),
    "one_partial": (
        tampered(0, batch=(Entry(0, PREFILL, 64), Entry(1, PREFILL, 64))),
        "sessions 0, 1 are all partly prefilled",
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_run_breaks_the_law(name: str) -> None:
    result, reason = TAMPERED[name]
    assert check(run(PATH), LAWS[name].claim).result is Result.HOLDS
    verdict = check(result, LAWS[name].claim)
    assert verdict.result is Result.FAILS
    assert reason in verdict.reason


def test_the_first_breach_is_reported_with_its_iteration() -> None:
    verdict = check(tampered(1, served=5), LAWS["served_recomputed"].claim)
    assert (verdict.index, verdict.first, verdict.failures) == (1, 4640, 1)
    assert verdict.record is not None
    assert verdict.record.served == 5


UNDER_A_MUTANT = {
    "finish_order": ("odd_sessions_first", [(0, 2, 0), (0, 2, 0)], "before session 0, which asks"),
    "chunk_starts": ("chunk_127", [(0, 2, 0)], "session 0 starts at 1, off the tile of 2"),
    "active_bound": (
        "greater",
        3 * [(0, 2, 1)],
        "3 decodes and 0 prompts are in flight, at most 2 allowed",
    ),
    "prefill_run": (
        "prefill_first",
        3 * [(0, 2, 1)],
        "3 consecutive prefill batches, at most 2 allowed (0 decodes at",
    ),
    "no_starvation": (
        "newest_request_first",
        [(0, 0, 2), *2 * [(1, 0, 1)], *3 * [(2, 0, 2)]],
        "session 1 waits, and 4 batches have served sessions that came after it, with 3 sessions "
        "resident; a policy that means to says why in an attribute overtakes",
    ),
    "conservation": ("two_tokens_done", [(0, 0, 2)], "has not had its 0 + 2 tokens"),
    "progress": ("nothing_done", [(0, 0, 1)], "iteration 1 starts, and only 1 tokens were asked"),
}


@pytest.mark.parametrize("name", UNDER_A_MUTANT)
def test_a_mutant_breaks_the_law_where_rad_keeps_it(name: str) -> None:
    mutant, path, reason = UNDER_A_MUTANT[name]
    claim = LAWS[name].claim
    assert check(run(path, TILE_OF_TWO), claim).result is Result.HOLDS
    verdict = check(run(path, TILE_OF_TWO, CATALOGUE[mutant].scheduler, limit=20), claim)
    assert verdict.result is Result.FAILS
    assert reason in verdict.reason


def test_every_law_along_a_path_is_broken_here() -> None:
    assert set(TAMPERED) | set(UNDER_A_MUTANT) == {*along.AT_MOMENT, *along.AT_END}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (Entry(2, PREFILL, 1), "session 2 gets 1 prefill tokens too many"),
        (Entry(0, DECODE, 1), "session 0 gets 1 decode tokens too many"),
        (Entry(0, PREFILL, 201), "session 0 gets 201 prefill tokens; it asked for 200"),
    ],
)
def test_no_session_gets_more_than_it_asked_for(entry: Entry, reason: str) -> None:
    verdict = check(tampered(0, batch=(entry,)), LAWS["conservation"].claim)
    assert (verdict.index, verdict.reason) == (0, reason)


def test_a_breach_inside_a_stretch_is_reported_with_its_iteration() -> None:
    """Seven tokens for a session that asked for five: as a stretch and one by one."""
    long = leap([(0, 0, 5)])
    (stretch,) = long.stretches
    seven = attrs.evolve(stretch, count=7)
    for stretches in ([seven], list(map(Stretch, seven.records()))):
        verdict = check(attrs.evolve(long, stretches=stretches), LAWS["conservation"].claim)
        assert (verdict.index, verdict.reason) == (5, "session 0 gets 1 decode tokens too many")
        assert verdict.first == 5 * 4005


@pytest.mark.parametrize("path", [[(0, 0, 1)], [(0, 0, 1), (9_000, 0, 0)], [(0, 64, 0)]])
def test_a_session_that_ends_at_the_horizon_has_ended(path: Any) -> None:
    claim = LAWS["conservation"].claim
    end = max(time for time in run(path).completions if time is not None)
    for engine in (run, leap):
        at = engine(path, horizon=end)
        assert at.completions[-1] == end
        assert check(at, claim).result is Result.HOLDS
        missed = attrs.evolve(at, completions=(*at.completions[:-1], None))
        assert check(missed, claim).reason.endswith(f"at {end}, and has not ended")
        before = engine(path, horizon=end - 1)
        assert before.completions[-1] is None
        assert check(before, claim).result is Result.HOLDS
        early = attrs.evolve(before, completions=at.completions)
        assert check(early, claim).reason.endswith(f"and ends at {end}")


def test_more_iterations_than_tokens_are_counted_from_the_first_too_many() -> None:
    """Inside a stretch, and where an earlier session has taken some of them."""
    result = leap([(0, 0, 2), (50_000, 0, 3)])
    first, second = result.stretches
    long = attrs.evolve(result, stretches=[first, attrs.evolve(second, count=7)])
    verdict = check(long, LAWS["progress"].claim)
    assert (verdict.index, verdict.failures) == (5, 4)
    assert verdict.first == 50_000 + 3 * 4005
    assert verdict.reason == "iteration 5 starts, and only 5 tokens were asked for"
    assert check(result, LAWS["progress"].claim).result is Result.HOLDS


def test_what_is_left_of_a_prompt_is_what_earlier_stretches_left() -> None:
    """A stretch of chunks that is one too long, behind one that was right."""
    result = leap([(0, 640, 0), (5_000, 128, 0)])
    first, second, _ = result.stretches
    assert (first.count, second.count) == (2, 3)
    long = attrs.evolve(result, stretches=[first, attrs.evolve(second, count=4)], whole=False)
    verdict = check(long, LAWS["conservation"].claim)
    assert (verdict.index, verdict.failures) == (5, 1)
    assert verdict.reason == "session 0 gets 128 prefill tokens too many"


# what a law does not apply to is not counted, and what it names is the first


@pytest.mark.parametrize(("t_lin", "t_nl"), [(0, 1), (1, 0), (3, 3)])
def test_the_clock_is_asked_unless_a_batch_costs_nothing(t_lin: int, t_nl: int) -> None:
    d = attrs.evolve(TILE_OF_TWO, t_lin=t_lin, t_nl=t_nl)
    result = run([(0, 3, 2)], d)
    assert said(result, "clock") == (result.iterations, 0, None)
    free = attrs.evolve(d, t_lin=0, t_nl=0)
    assert law_on(run([(0, 3, 2)], free), "clock").result is Result.NOT_EVALUATED


def test_a_batch_after_all_work_is_done_has_nothing_to_wait_for() -> None:
    result = run([(0, 0, 2)])
    late = Stretch(attrs.evolve(result.stretches[0].first, start=9_000, end=13_005))
    more = attrs.evolve(result, stretches=[*result.stretches, late])
    verdict = law_on(more, "no_idling")
    assert (verdict.index, verdict.failures) == (2, 1)
    assert verdict.reason == "a batch starts at 9000, and no session has work left"


def test_every_entry_of_a_batch_is_asked_whether_it_gives_too_much() -> None:
    """The first of two gives all that was asked for, and no more."""
    verdict = law_on(tampered(0, batch=(Entry(0, PREFILL, 200), Entry(1, PREFILL, 129))),
                     "conservation")  # fmt: skip
    assert verdict.reason == "session 1 gets 129 prefill tokens; it asked for 128"


def test_too_many_tokens_are_counted_from_all_that_the_session_had() -> None:
    """Chunks of 64 for a prompt of 150, in a stretch that is one too long."""
    result = leap([(0, 150, 0)], attrs.evolve(SEED, chunk=64))
    first = result.stretches[0]
    long = attrs.evolve(result, stretches=[attrs.evolve(first, count=3)])
    verdict = law_on(long, "conservation")
    assert (verdict.index, verdict.reason) == (
        2,
        "session 0 gets 192 prefill tokens; it asked for 150",
    )


def test_a_wrong_end_is_dated_when_it_is_due_or_else_said() -> None:
    assert law_on(ended(17_955, None, 38_645), "conservation").first == 21_660
    none_due = run(PATH, horizon=5_000)
    early = attrs.evolve(none_due, completions=(4_700, None, None))
    verdict = law_on(early, "conservation")
    assert verdict.first == 4_700
    assert verdict.reason == "session 0 has not had its 200 + 2 tokens, and ends at 4700"


@pytest.mark.parametrize("name", ["conservation", "progress"])
def test_the_end_of_a_run_is_judged_where_there_is_one(name: str) -> None:
    whole = run(PATH)
    assert said(whole, name) == (whole.iterations + 1, 0, None)
    assert said(run([]), name) == (0, 0, None)
    cut = run(PATH, limit=3)
    assert said(cut, name) == (3, 0, None)


def test_a_run_up_to_a_horizon_need_not_end_its_sessions() -> None:
    result = run(PATH, horizon=10_000)
    assert None in result.completions
    assert said(result, "progress") == (result.iterations, 0, None)


def test_the_first_session_that_has_not_ended_is_named() -> None:
    verdict = law_on(ended(17_955, None, None), "progress")
    assert verdict.reason == "the run is over and session 1 has not ended"
    assert verdict.first == run(PATH).end


def test_the_life_of_a_session_is_asked_from_its_second_event_on() -> None:
    assert said(run([]), "lifecycle") == (0, 0, None)
    assert said(run([(50, 0, 0)], horizon=10), "lifecycle") == (0, 0, None)
    assert said(run([(0, 0, 0)]), "lifecycle") == (1, 0, None)
    # the second has only arrived
    assert said(run([(0, 0, 1), (50_000, 0, 1)], horizon=5_000), "lifecycle") == (1, 0, None)


def test_an_order_is_asked_of_the_batches_that_serve_its_phase() -> None:
    result = run(PATH)
    prefills = sum(record.prefilled > 0 for record in result.records)
    assert 0 < prefills < result.iterations
    assert said(result, "prefill_order") == (prefills, 0, None)
    assert said(result, "decode_order") == (result.iterations - prefills, 0, None)


def test_the_first_session_out_of_order_is_named() -> None:
    result = run(3 * [(0, 40, 1)])
    first = result.stretches[0].first
    batch = (Entry(0, PREFILL, 40), Entry(2, PREFILL, 40))
    wrong = attrs.evolve(result, stretches=[Stretch(attrs.evolve(first, batch=batch))])
    reason = "session 2 is served before session 1, which comes first"
    assert law_on(wrong, "prefill_order").reason == reason


def test_a_prompt_that_is_done_is_not_partly_prefilled_by_one_chunk_more() -> None:
    """Session 1 gets a chunk of a prompt that it has had, and session 2 one of its own."""
    result = run([(0, 100, 1), (0, 156, 1), (0, 200, 1)])
    stretches = list(result.stretches)
    batch = (Entry(0, PREFILL, 1), Entry(1, PREFILL, 128))
    stretches[1] = Stretch(attrs.evolve(stretches[1].first, batch=batch))
    wrong = attrs.evolve(result, stretches=stretches[:2])
    assert said(wrong, "one_partial") == (2, 0, None)
    third = (Entry(0, PREFILL, 1), Entry(2, PREFILL, 1))
    stretches[1] = Stretch(attrs.evolve(stretches[1].first, batch=third))
    wrong = attrs.evolve(result, stretches=stretches[:2])
    assert law_on(wrong, "one_partial").reason == "sessions 1, 2 are all partly prefilled"


# work conservation and starvation, beside a slow restatement of them


@attrs.define
class Waiting:
    """A session, told of every batch of a run."""

    number: int
    arrive: int
    prompt: int
    output: int
    joined: int
    had: int = 0
    begun: bool = False
    passed: int = 0

    @property
    def phase(self) -> Phase:
        return PREFILL if self.had < self.prompt else DECODE

    def wants(self, chunk: int) -> int:
        return min(self.prompt - self.had, chunk) if self.phase is PREFILL else 1

    def came_after(self, other: Waiting) -> bool:
        later = self.arrive > other.arrive and self.joined > other.joined
        return self.phase is other.phase and later


def resident_at(result: Run) -> Any:
    """(record, who is resident, what each of them gets) of each iteration."""
    known = [Waiting(n, *attrs.astuple(s), joined=s.arrive) for n, s in enumerate(result.path)]
    for record in result.records:
        here = [s for s in known if s.arrive <= record.start and s.had < s.prompt + s.output]
        gets = {entry.session: entry.tokens for entry in record.batch}
        yield record, here, gets
        for session in here:
            tokens = gets.get(session.number, 0)
            before = session.phase
            session.had, session.begun = session.had + tokens, session.begun or tokens > 0
            session.joined = session.joined if session.phase is before else record.end


def conserves(result: Run, limits: Limits) -> tuple[int, int, int | None]:
    """(checked, failures, first failure) of `work_conserving`, from its words."""
    times = []
    for record, here, gets in resident_at(result):
        short = [s for s in here if gets.get(s.number, 0) < s.wants(result.deployment.chunk)]
        phases = {entry.phase for entry in record.batch}
        if limits.one_phase and len(phases) == 1:
            short = [s for s in short if s.phase in phases or s.number in gets]
        run_now = sum(s.begun or s.number in gets for s in here)
        if limits.max_num_seqs is not None and run_now >= limits.max_num_seqs:
            short = [s for s in short if s.begun or s.number in gets]
        if short and (limits.budget is None or record.tokens < limits.budget):
            times.append(record.start)
    return result.iterations, len(times), times[0] if times else None


def starves(result: Run) -> tuple[int, int, int | None]:
    """(checked, failures, first failure) of `no_starvation`, from its words."""
    asked, times = 0, []
    for record, here, gets in resident_at(result):
        late = False
        for session in here:
            if session.number in gets:
                session.passed = 0
            elif any(s.number in gets and s.came_after(session) for s in here):
                session.passed += 1
                late = late or session.passed > len(here)
        asked += len(gets) < len(here)
        times += [record.start] if late else []
    return asked, len(times), times[0] if times else None


def said(result: Run, name: str) -> tuple[int, int, int | None]:
    verdict = check(result, LAWS[name].claim)
    return verdict.checked, verdict.failures, verdict.first


ENGINES = [name for name in CATALOGUE if name in vars(radproof.mutants.engines)]
LIMITED = {
    "sarathi": (sarathi, Limits(2, 2)),
    "sarathi of 5": (Sarathi(budget=5, active=3), Limits(5, 3)),
    "orca of 1": (Orca(1), Limits(None, 1)),
    "faster_transformer": (load("faster_transformer").call, Limits(None, 2, one_phase=True)),
    **{name: (CATALOGUE[name].scheduler, Limits(2, 2)) for name in ENGINES},
}
ANY = {
    **{name: load(name).call for name in BUILT_IN if name != "slai"},
    **{name: CATALOGUE[name].scheduler for name in ENGINES},
    **{name: MUTANTS[name] for name in ("lifo_decode", "lifo_prefill", "shortest_first")},
    "in_order": in_order,
}
OF_RAD = ("chunk_127", "greater", "prefill_first", "lifo_prefill", "budget_256")
CROWDS = st.lists(
    st.tuples(st.sampled_from((0, 0, 1, 45, 90)), st.integers(0, 7), st.integers(0, 12)),
    max_size=7,
)


@pytest.mark.parametrize("name", LIMITED)
def test_work_is_conserved_as_its_words_say(name: str) -> None:
    scheduler, limits = LIMITED[name]

    @given(CROWDS)
    @quick(25)
    def property_(path: Any) -> None:
        stepped = run(path, TILE_OF_TWO, scheduler)
        for result in (stepped, leap(path, TILE_OF_TWO, scheduler)):
            assert said(result, "work_conserving") == conserves(stepped, limits)

    property_()


@pytest.mark.parametrize("name", ANY)
def test_a_session_starves_as_the_words_say(name: str) -> None:
    @given(CROWDS)
    @quick(25)
    def property_(path: Any) -> None:
        scheduler: Any = ANY[name]
        stepped = run(path, TILE_OF_TWO, scheduler, limit=150)
        for result in (stepped, leap(path, TILE_OF_TWO, scheduler, limit=150)):
            if result.iterations == stepped.iterations:
                assert said(result, "no_starvation") == starves(stepped)

    property_()


def opens(result: Run) -> Any:
    """(record, failed or None where it is not asked) of `one_partial`, from its words."""
    for record, here, gets in resident_at(result):
        had = [s.had + gets.get(s.number, 0) for s in here if s.phase is PREFILL]
        prompts = [s.prompt for s in here if s.phase is PREFILL]
        begun = sum(0 < h < p for h, p in zip(had, prompts, strict=True))
        yield record, begun > 1 if record.prefilled else None


def starts_off_tile(result: Run) -> Any:
    """The same of `chunk_starts`."""
    for record, here, gets in resident_at(result):
        starts = [s.had for s in here if s.number in gets and s.phase is PREFILL]
        yield record, any(n % result.deployment.b_lcm for n in starts) if starts else None


def has_in_flight(result: Run) -> Any:
    """The same of `active_bound`."""
    for record, here, _ in resident_at(result):
        in_flight = [s for s in here if s.phase is DECODE or s.had]
        yield record, len(in_flight) > result.deployment.b_col


def prefills_long(result: Run) -> Any:
    """The same of `prefill_run`."""
    longest, length, done = max((s.prompt for s in result.path), default=0), 0, 0
    for record, here, gets in resident_at(result):
        if not record.prefilled:
            length = 0
            yield record, None
            continue
        if not length:
            decodes, done = sum(s.phase is DECODE for s in here), 0
        served = [s for s in here if s.number in gets and s.phase is PREFILL and not s.output]
        room = max(0, result.deployment.b_col - decodes + done + len(served))
        ends = sum(s.had + gets[s.number] == s.prompt for s in served)
        yield record, length >= room * longest // result.deployment.b_lcm
        length, done = length + 1, done + ends


def by_thirds(view: View) -> Any:
    """Serves every job: a session of a prompt one, two or three tokens, by its number."""
    return (
        tuple(
            Entry(j.session, j.phase, 1)
            if j.phase is DECODE
            else Entry(j.session, j.phase, min(1 + j.session % 3, j.prompt - j.done))
            for j in view.jobs
        ),
        None,
    )


OF_SIX = attrs.evolve(TILE_OF_TWO, b_row=3, chunk=6)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one_partial", opens),
        ("chunk_starts", starts_off_tile),
        ("active_bound", has_in_flight),
        ("prefill_run", prefills_long),
    ],
)
@pytest.mark.parametrize("scheduler", [in_order, by_thirds, *map(MUTANTS.get, OF_RAD)])
def test_a_law_of_rad_is_what_its_words_say(name: str, words: Any, scheduler: Any) -> None:
    claim = attrs.evolve(LAWS[name].claim, given=None)

    @given(CROWDS, st.sampled_from((TILE_OF_TWO, OF_SIX)))
    @quick(25)
    def property_(path: Any, d: Any) -> None:
        stepped = run(path, d, scheduler, limit=150)
        asked = [(record.start, failed) for record, failed in words(stepped) if failed is not None]
        times = [start for start, failed in asked if failed]
        first = times[0] if times else None
        for result in (stepped, leap(path, d, scheduler, limit=150)):
            if result.iterations == stepped.iterations:
                verdict = check(result, claim)
                found = (verdict.checked, verdict.failures, verdict.first)
                assert found == (len(asked), len(times), first)

    property_()


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 13)), min_size=1, max_size=3),
    st.integers(1, 12),
)
@quick(300)
def test_the_repetitions_in_which_all_start_on_a_tile_come_round(starts: Any, tile: int) -> None:
    far = range(200)
    on = {k for k in far if all((first + k * each) % tile == 0 for first, each in starts)}
    found = _on_tile(starts, tile)
    assert (found is None) == (not on)
    if found is not None:
        at, every = found
        assert 0 <= at < every
        assert on == {*far[at::every]}


def test_more_decodes_than_a_batch_takes_leave_no_prefill_batch() -> None:
    claim = attrs.evolve(LAWS["prefill_run"].claim, given=None)
    verdict = check(run([*4 * [(0, 0, 9)], (0, 2, 1)], TILE_OF_TWO, by_thirds), claim)
    assert verdict.reason == (
        "1 consecutive prefill batches, at most 0 allowed (4 decodes at the start)"
    )


def test_a_chunk_off_the_tile_inside_a_stretch_is_named_by_where_it_starts() -> None:
    """Four chunks of two tokens, all on the tile, and four of three."""
    verdict = law_on(leap([(0, 0, 9), (0, 8, 0), (0, 12, 0)], TILE_OF_TWO, by_thirds),
                     "chunk_starts")  # fmt: skip
    assert (verdict.index, verdict.failures) == (1, 2)
    assert verdict.reason == "a chunk of session 2 starts at 3, off the tile of 2"


@pytest.mark.parametrize("name", ["one_partial", "chunk_starts", "active_bound", "prefill_run"])
def test_a_law_of_chunks_is_not_asked_where_they_are_smaller_than_a_tile(name: str) -> None:
    result = run([(0, 4, 1)], attrs.evolve(TILE_OF_TWO, chunk=1))
    assert said(result, name) == (0, 0, None)


def finishes(result: Run) -> tuple[int, int]:
    """(checked, failures) of `finish_order`, from its words."""
    order = sorted(range(len(result.path)), key=lambda n: result.path[n].arrive)
    asks = [(s.prompt, s.output) for s in result.path]
    ends = [math.inf if end is None else end for end in result.completions]
    alike = [(ends[a], ends[b]) for a, b in itertools.combinations(order, 2) if asks[a] == asks[b]]
    return any(b < math.inf for _, b in alike), any(a > b for a, b in alike)


@given(
    st.lists(st.tuples(st.sampled_from((0, 1, 2)), st.just(0), st.integers(1, 2)), max_size=3),
    st.data(),
)
@quick(100)
def test_sessions_finish_in_order_as_the_words_say(path: Any, data: st.DataObject) -> None:
    ends = data.draw(st.tuples(*(st.sampled_from((None, 5, 6, 7)) for _ in path)))
    result = attrs.evolve(run(path, TILE_OF_TWO), completions=ends)
    assert said(result, "finish_order")[:2] == finishes(result)


def test_a_session_that_ends_before_one_that_came_first_is_dated_by_its_end() -> None:
    result = run([(1, 0, 1), (0, 0, 1)], TILE_OF_TWO)
    for first, last in ((7, 5), (None, 5)):
        verdict = law_on(attrs.evolve(result, completions=(last, first)), "finish_order")
        assert (verdict.failures, verdict.first) == (1, 5)
        assert verdict.reason.startswith("session 0 ends at 5, before session 1, which asks for")


def test_an_entry_that_serves_nobody_hides_no_other_one() -> None:
    """A stray, before one that gets less than its chunk."""
    batch = (Entry(2, PREFILL, 1), Entry(0, PREFILL, 5))
    assert law_on(tampered(0, batch=batch, tokens=6), "work_conserving").reason == (
        "session 0 gets 5 of 200 tokens, and the batch has 6 of 128 tokens"
    )


def test_a_decode_wants_what_the_rules_say_of_one_that_has_nothing_left() -> None:
    """Its prompt is done, however few of its own tokens it has had."""

    def want(decoding: Any, left: Any, d: Any) -> Any:
        return 1 if decoding and left == 0 else min(left, d.chunk)

    result = run([(0, 9, 3)], TILE_OF_TWO, RuleScheduler(attrs.evolve(RULES, want=want)))
    assert said(result, "work_conserving") == (result.iterations, 0, None)


def test_whom_a_batch_of_rules_leaves_out_is_named() -> None:
    verdict = law_on(tampered(2, batch=(Entry(0, PREFILL, 72),), tokens=72), "work_conserving")
    assert verdict.reason == ("session 1 waits, the batch has 72 of 128 tokens, and 2 requests run")


@pytest.mark.parametrize(
    ("limits", "first", "how_full"),
    [
        (Limits(4, 3), 3, "1 of 4 tokens, and 1 of 3"),
        (Limits(None, 3), 3, "1 tokens, and 1 of 3"),
        (Limits(4, None), 3, "1 of 4 tokens, and 1"),
        (Limits(4, 3, one_phase=True), 1, "1 of 4 tokens, and 1 of 3"),
    ],
)
def test_whom_a_batch_leaves_out_against_its_limits_is_named(
    limits: Limits, first: int, how_full: str
) -> None:
    """The decode of session 0 leaves out two more, and a prompt."""

    def one_by_one(view: View) -> Any:
        return in_order(view)

    declaring: Any = one_by_one
    declaring.limits = lambda deployment: limits
    path = [(0, 0, 2), (0, 0, 1), (0, 0, 1), (0, 3, 1)]
    reason = f"session {first} waits, the batch has {how_full} requests run"
    assert law_on(run(path, TILE_OF_TWO, declaring), "work_conserving").reason == reason


def test_the_session_that_was_passed_most_is_the_one_that_starves() -> None:
    """Session 0 is passed once by session 1, and both then by session 2, batch after batch."""

    def newest(view: View) -> Any:
        job = view.jobs[-1]
        return (Entry(job.session, job.phase, 1),), None

    d = TILE_OF_TWO
    each = run([(0, 0, 1)], d).end
    path = [(0, 0, 5), (each, 0, 5), (2 * each, 0, 9)]
    assert law_on(leap(path, d, newest), "no_starvation").reason.startswith(
        "session 0 waits, and 4 batches have served sessions that came after it, with 3 sessions"
    )


def test_a_long_wait_is_counted_inside_a_stretch() -> None:
    """Of 10^15 batches that pass two of three sessions, those after the third starve them."""
    path = [(0, 4, 0), (1, 1, 1), (2, 2 * 10**15, 0)]
    result = leap(path, TILE_OF_TWO, MUTANTS["lifo_prefill"])
    checked, failures, _ = said(result, "no_starvation")
    assert checked > 10**15
    assert failures == 10**15 - 3


def test_what_a_scheduler_declares_as_its_reason_is_not_asked() -> None:
    def newest_first(view: View) -> Any:
        job = view.jobs[-1]
        tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, view.deployment.b_lcm)
        return (Entry(job.session, job.phase, tokens),), None

    path = [(0, 0, 2), (1, 0, 9)]
    claim = LAWS["no_starvation"].claim
    assert check(run(path, TILE_OF_TWO, newest_first), claim).result is Result.FAILS
    declaring: Any = newest_first
    declaring.overtakes = "the newest goes first"
    for scheduler in (declaring, watched(declaring)):
        verdict = check(run(path, TILE_OF_TWO, scheduler), claim)
        assert str(verdict) == (
            "not evaluated (the scheduler declares that its requests overtake: the newest goes "
            "first)"
        )


def test_a_law_that_needs_what_is_not_declared_says_how_to_declare_it() -> None:
    result = run([(0, 3, 2), (0, 0, 1)], TILE_OF_TWO, in_order)
    for name, how in (
        ("work_conserving", "a method limits(deployment) that returns radproof.Limits"),
        ("own_count", "attribute left or computed, a mapping from request number to tokens"),
    ):
        verdict = check(result, LAWS[name].claim)
        assert verdict.result is Result.NOT_EVALUATED
        assert how in verdict.reason


def test_a_law_can_be_asked_of_what_declares_what_it_needs() -> None:
    engine = adapt(radproof.mutants.engines.Engine)
    for name, schedulers in (
        ("work_conserving", (rad, sarathi)),
        ("own_count", (engine,)),
        ("no_starvation", (rad, in_order)),
    ):
        for scheduler in schedulers:
            assert LAWS[name].unless(scheduler, TILE_OF_TWO) == ""
    for name in ("work_conserving", "own_count"):
        assert LAWS[name].unless(in_order, TILE_OF_TWO).startswith("the scheduler ")


# the engine's own count


def test_an_engine_s_own_count_is_compared_before_every_batch() -> None:
    path = [(0, 5, 3), (0, 0, 2)]
    good = run(path, TILE_OF_TWO, adapt(radproof.mutants.engines.Engine))
    assert said(good, "own_count") == (good.iterations, 0, None)
    counted_off = run(path, TILE_OF_TWO, CATALOGUE["decodes_uncounted"].scheduler)
    verdict = check(counted_off, LAWS["own_count"].claim)
    assert (verdict.result, verdict.index) == (Result.FAILS, 3)
    assert verdict.record is not None
    assert verdict.record.start == verdict.first
    assert verdict.reason == "the engine's computed of session 1 is 0, not 1"


def test_a_wrong_count_at_a_call_without_a_batch_has_no_iteration() -> None:
    class Late(radproof.mutants.engines.Engine):
        """It waits for a second request, and counts one token too many meanwhile."""

        def add_request(self, number: int, prompt_tokens: int) -> None:
            super().add_request(number, prompt_tokens)
            self.computed[number] = 1 - number

        def schedule(self) -> dict[int, int]:
            if len(self.computed) == 1 and 0 in self.computed:
                return {}
            self.computed[0] = 0
            return super().schedule()

    verdict = check(run([(0, 1, 0), (9, 1, 0)], TILE_OF_TWO, adapt(Late)), LAWS["own_count"].claim)
    assert (verdict.first, verdict.index, verdict.record) == (0, None, None)
    assert verdict.failures == 2
