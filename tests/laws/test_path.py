"""Laws along a path: a run that was tampered with breaks the one that it is about, and says why."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from helpers import in_order, quick
from hypothesis import given
from hypothesis import strategies as st

import radproof.mutants.engines
from radproof import DECODE, PREFILL, Entry, Phase, Result, check, leap, run
from radproof.laws import LAWS, along
from radproof.mutants import CATALOGUE, MUTANTS, TILE_OF_TWO
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


def ended(*completions: int | None) -> Run:
    """RAD's run of PATH with other completions."""
    return attrs.evolve(run(PATH), completions=completions)


TAMPERED = {
    "clock": (tampered(1, start=4650), "the work and the idle time"),
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
