"""Laws along a path: a run that was tampered with breaks the one that it is about, and says why."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radproof import DECODE, PREFILL, Entry, Result, check, run
from radproof.laws import LAWS
from radproof.runs import Run, Stretch

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
    "no_idling": (tampered(1, start=4650), "work waits since 4640, the batch starts at 4650"),
    "conservation": (ended(17_955, None, 38_645), "200 + 2 tokens at 21660, and ends at 17955"),
    "progress": (ended(17_955, None, 38_645), "session 1 has not ended"),
    "lifecycle": (ended(4, 17_955, 38_645), "session 0 has its first token at"),
    "prefill_order": (
        tampered(0, batch=(Entry(1, PREFILL, 128),)),
        "session 1 is served where session 0 was before it",
    ),
    "decode_order": (
        tampered(3, batch=(Entry(1, DECODE, 1), Entry(0, DECODE, 1))),
        "session 1 is served where session 0 was before it",
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


def test_the_first_breach_is_told_with_its_iteration() -> None:
    verdict = check(tampered(1, served=5), LAWS["served_recomputed"].claim)
    assert (verdict.index, verdict.first, verdict.failures) == (1, 4640, 1)
    assert verdict.record is not None
    assert verdict.record.served == 5
