"""The ledger counts again what the machine counted, from the path and the batches alone."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import DECODE, PREFILL, SEED, Deployment, Entry, leap, rad, run
from radproof.evaluators.general import general
from radproof.laws.ledger import Ledger, Moment, moments
from radproof.machine import states
from radproof.model import Phase, as_path
from radproof.readers.affine import pieces
from radproof.runs import Stretch


@pytest.mark.parametrize("engine", [run, leap])
def test_the_ledger_agrees_with_the_machine(engine: Any) -> None:
    result = engine([(0, 300, 5), (0, 0, 0), (9, 0, 7), (50_000, 1, 0), (50_000, 256, 2)])
    *_, last = moments(result)
    assert last.ended == dict(enumerate(result.completions))
    assert last.served == 300 + 5 + 7 + 1 + 256 + 2
    assert last.residents == 0
    assert last.idle == 50_000 - max(t for t in result.completions[:3] if t is not None)
    assert last.deployment is SEED


def test_a_moment_stands_before_its_batches() -> None:
    result = run([(0, 200, 2), (0, 128, 2), (30_000, 128, 1)])
    served, idle = 0, 0
    for index, (m, record) in enumerate(zip(moments(result), result.records, strict=False)):
        assert (m.index, m.served, m.due) == (index, served, record.start)
        assert (m.residents, len(m.decodes)) == (record.residents, record.decoding)
        assert m.idle >= idle
        served, idle = served + record.tokens, m.idle
    assert served == 200 + 2 + 128 + 2 + 128 + 1
    assert idle == 30_000 - max(time for time in result.completions[:2] if time is not None)


def test_what_a_stretch_of_many_batches_leaves_is_what_its_batches_leave_one_by_one() -> None:
    path = [(0, 640, 40), (100, 128, 7), (400, 0, 90)]
    stepped, leapt = (list(_ledgers(engine(path))) for engine in (run, leap))
    assert len(leapt) < len(stepped)
    assert [one for one in stepped if one in leapt] == leapt


def _ledgers(result: Any) -> Any:
    """What the ledger says at each moment of a run."""
    for m in moments(result):
        yield (
            (m.index, m.end, m.served, m.idle, m.waste, m.arrived_work),
            (dict(m.prefills), dict(m.decodes), dict(m.ended), set(m.partial)),
            (dict(m.started), dict(m.first_token)),
        )


def test_unfilled_tokens_and_a_run_of_prefills_are_counted() -> None:
    entries = [(m.waste, m.prefill_run, m.run_decodes) for m in moments(run([(0, 300, 1)]))]
    # two full tiles, the 44 tokens that are left of the prompt, and one decode
    assert entries == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (84, 0, 0), (84 + 127, 0, 0)]


def test_a_session_in_another_phase_has_had_no_tokens_to_count() -> None:
    result = run([(0, 128, 1)])
    stretches = list(result.stretches)
    wrong = attrs.evolve(stretches[0].first, batch=(Entry(0, DECODE, 1),))
    tampered = attrs.evolve(result, stretches=[Stretch(wrong), *stretches[1:]])
    m = next(moments(tampered))
    assert [m.had(entry) for entry in m.batch] == [None]
    assert m.had(Entry(0, PREFILL, 1)) == 0


SESSIONS = st.tuples(
    st.sampled_from((0, 0, 3, 7, 40)),
    st.sampled_from((0, 1, 2, 3, 4, 9)),
    st.sampled_from((0, 1, 5)),
)
TWO = Deployment(b_col=2, b_row=4, t_lin=3, t_nl=1)


@given(st.lists(SESSIONS, max_size=7), st.sampled_from((TWO, attrs.evolve(TWO, chunk=3))))
@quick(150)
def test_every_moment_is_the_machine_s_state(path: Any, d: Deployment) -> None:
    """The ledger asks the machine nothing: here each says what the other does."""
    sessions = as_path(path)
    walk = moments(run(path, d))
    ended: dict[int, int] = {}
    started: dict[int, int] = {}
    first_token: dict[int, int] = {}
    served = idle = waste = index = prefill_run = 0
    for state, record, after in states(sessions, d, rad):
        if record is None:
            idle += after.now - state.now
        else:
            m = next(walk)
            jobs = {phase: [j for j in state.jobs if j.phase is phase] for phase in Phase}
            assert [*m.prefills.items()] == [(j.session, j.done) for j in jobs[PREFILL]]
            assert [*m.decodes.items()] == [(j.session, j.done) for j in jobs[DECODE]]
            assert m.partial == {j.session for j in jobs[PREFILL] if j.done}
            assert (m.due, m.index, m.served) == (state.now, index, state.served)
            assert m.idle == idle
            assert (m.waste, m.tokens, m.residents) == (waste, record.tokens, record.residents)
            assert (m.ended, m.started, m.first_token) == (ended, started, first_token)
            assert m.arrived_work == sum(
                s.prompt + s.output for s in sessions if s.arrive <= state.now
            )
            assert m.waste_of_one == -record.tokens % d.b_col
            assert all(m.had(entry) is not None for entry in m.batch)
            if record.prefilled:
                assert m.prefill_run == prefill_run
                if prefill_run == 0:
                    before = record.decoding
                assert m.run_decodes == before
            prefill_run = prefill_run + 1 if record.prefilled else 0
            index, waste = index + 1, waste + m.waste_of_one
            for entry in record.batch:
                started.setdefault(entry.session, record.start)
                if entry.phase is DECODE:
                    first_token.setdefault(entry.session, record.end)
        ended |= dict(after.ended)
        served = after.served
    last = next(walk)
    assert (last.batch, last.tokens, last.served, last.index) == ((), 0, served, index)
    assert (last.ended, last.started, last.first_token) == (ended, started, first_token)
    assert (last.residents, last.due, last.waste) == (0, None, waste)
    assert list(walk) == []


@given(st.lists(SESSIONS, max_size=6))
@quick(60)
def test_the_ledger_of_a_leap_is_that_of_the_run_where_a_stretch_starts(path: Any) -> None:
    stepped = {each[0][0]: each for each in _ledgers(run(path, TWO))}
    for leapt in _ledgers(leap(path, TWO)):
        assert leapt == stepped[leapt[0][0]]


def test_time_without_work_is_idle_and_time_with_only_empty_sessions_is_too() -> None:
    m = next(moments(run([(100, 0, 0), (700, 0, 1)])))
    assert (m.idle, m.due) == (700, 700)
    idle = [m.idle for m in moments(run([(0, 0, 1), (5_000, 0, 0), (9_000, 0, 2), (9_001, 0, 1)]))]
    assert idle == [0, 9_000 - 4_005, 9_000 - 4_005, 9_000 - 4_005]


def test_prompts_without_an_output_are_counted_within_a_run_of_prefills() -> None:
    found = [
        (m.prefill_run, m.run_decodes, m.run_ended)
        for m in moments(run([(0, 4, 0), (0, 4, 0), (0, 4, 1), (0, 8, 0), (60, 4, 0)], TWO))
    ]
    # three end, a decode follows, and a new run counts its own
    assert found == [
        *((0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 0, 2), (4, 0, 2)),
        *((0, 0, 3), (0, 0, 0), (1, 0, 1)),
    ]


def test_what_a_run_that_was_cut_or_had_a_horizon_leaves() -> None:
    path = [(0, 8, 3), (5, 0, 0), (90, 0, 0), (100, 2, 0)]
    for horizon in (None, 4, 5, 89, 90, 99, 100):
        *_, last = moments(run(path, TWO, horizon=horizon))
        assert [session for session in (1, 2) if session in last.ended] == [
            n for n in (1, 2) if horizon is None or path[n][0] <= max(horizon, last.end)
        ]
    for horizon in (None, 95):
        *_, last = moments(run(path, TWO, horizon=horizon, limit=1))
        assert (last.residents, [*last.pending], last.due) == (1, [2, 3], last.end)


def at_each(m: Ledger, name: str) -> list[Any]:
    """A number of every iteration of a stretch, asked of as many at once as have one answer."""
    found: list[Any] = []

    def ask(low: int, size: int) -> Any:
        return getattr(Moment(m, low, size), name)

    for low, high, number in pieces(ask, m.stretch.count):
        step, first = getattr(number, "step", 0), getattr(number, "first", number)
        found += [first + step * n if step else first for n in range(high - low)]
    return found


NUMBERS = ("index", "served", "waste", "due", "begun")


@given(st.lists(SESSIONS, max_size=5), st.sampled_from((TWO, attrs.evolve(TWO, chunk=3))))
@quick(80)
def test_a_moment_inside_a_stretch_is_the_ledger_of_the_run(path: Any, d: Deployment) -> None:
    stepped = []
    for m in moments(run(path, d)):
        had = [m.had(entry) for entry in m.batch]
        stepped.append((m.index, m.served, m.waste, m.due, set(m.partial), m.prefill_run, had))
    for m in moments(general(as_path(path), d, rad, None)):
        if not m.batch:
            continue
        asked = {name: at_each(m, name) for name in NUMBERS}
        for k in range(m.stretch.count):
            one = Moment(m, k)
            alone = [getattr(one, name) for name in NUMBERS]
            assert alone == [asked[name][k] for name in NUMBERS]
            *said, prefill_run, had = stepped[m.index + k]
            assert alone == said
            assert [one.had(entry) for entry in m.batch] == had
            assert one.record == m.stretch.record(k)
            if one.record.prefilled:
                assert one.prefill_run == prefill_run


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_stretch_that_starts_late_is_late_at_its_first_repetition_alone(count: int) -> None:
    result = leap([(0, 0, count)])
    (stretch,) = result.stretches
    first = attrs.evolve(stretch.first, start=9, end=9 + 4005)
    late = attrs.evolve(result, stretches=[attrs.evolve(stretch, first=first)])
    m = next(moments(late))
    assert at_each(m, "due") == [0, *(9 + k * 4005 for k in range(1, count))]
    assert [Moment(m, k).due for k in range(count)] == at_each(m, "due")


def test_a_stretch_of_a_session_that_has_ended_is_due_at_no_time() -> None:
    result = leap([(0, 0, 3)])
    (stretch,) = result.stretches
    walk = moments(attrs.evolve(result, stretches=[stretch, stretch]))
    next(walk)
    assert at_each(next(walk), "due") == [None] * 3


def test_a_stretch_is_asked_about_in_as_few_parts_as_have_one_answer() -> None:
    """An arrival divides a prompt: it is begun in the first stretch, and before the second."""
    parts = []
    for m in moments(leap([(0, 16, 0), (15, 4, 0)], TWO)):
        if m.batch and m.stretch.count > 1:
            for name in ("begun", "due"):

                def ask(low: int, size: int, m: Ledger = m, name: str = name) -> Any:
                    return getattr(Moment(m, low, size), name)

                parts.append([(low, high) for low, high, _ in pieces(ask, m.stretch.count)])
    assert parts == [[(0, 1), (1, 2)], [(0, 2)], [(0, 2)], [(0, 2)]]


def test_a_session_that_does_not_prefill_begins_no_prompt() -> None:
    result = leap([(0, 0, 3)])
    (stretch,) = result.stretches
    stray = attrs.evolve(stretch.first, batch=(Entry(0, PREFILL, 1),))
    m = next(moments(attrs.evolve(result, stretches=[attrs.evolve(stretch, first=stray)])))
    assert at_each(m, "begun") == [set()] * 3


def test_empty_sessions_after_the_last_iteration_end_at_their_arrivals() -> None:
    *_, last = moments(run([(0, 0, 1), (9_500, 0, 0), (9_000, 0, 0)]))
    assert last.ended == {0: 4_005, 1: 9_500, 2: 9_000}


def test_what_follows_a_stray_in_a_batch_is_written_all_the_same() -> None:
    result = run([(0, 0, 1), (0, 0, 1)])
    (stretch,) = result.stretches
    batch = (Entry(0, PREFILL, 1), Entry(1, DECODE, 1))
    wrong = attrs.evolve(result, stretches=[Stretch(attrs.evolve(stretch.first, batch=batch))])
    *_, last = moments(wrong)
    assert (last.ended, last.started) == ({1: 4_010}, {0: 0, 1: 0})
