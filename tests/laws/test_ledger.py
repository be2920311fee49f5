"""The ledger counts again what the machine counted, from the path and the batches alone."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radproof import DECODE, SEED, Entry, leap, run
from radproof.laws.ledger import moments
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


def test_an_entry_of_a_session_in_another_phase_is_a_stray() -> None:
    result = run([(0, 128, 1)])
    stretches = list(result.stretches)
    wrong = attrs.evolve(stretches[0].first, batch=(Entry(0, DECODE, 1),))
    tampered = attrs.evolve(result, stretches=[Stretch(wrong), *stretches[1:]])
    m = next(moments(tampered))
    assert m.strays == [Entry(0, DECODE, 1)]
