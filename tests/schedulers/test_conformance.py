"""The engines' batches on one small path, as the authors' code gives them.

A, B and C decode with 2, 4 and 3 tokens of output left; D and E, one token of prompt and one of
output each, arrive during the first batch. The budget is 4 tokens, Orca's 5 requests.
"""

from __future__ import annotations

import pytest

from radproof import DECODE, SEED, Scheduler, Session, run
from radproof.schedulers import VLLM, FasterTransformer, Orca, Sarathi

PATH = (
    Session(0, 0, 2),
    Session(0, 0, 4),
    Session(0, 0, 3),
    Session(1, 1, 1),
    Session(1, 1, 1),
)


def batches(scheduler: Scheduler) -> str:
    """The batches of the run: A to E, with d for a decode and p for a prefill."""
    return " | ".join(
        "".join(
            "ABCDE"[entry.session] + ("d" if entry.phase is DECODE else "p")
            for entry in record.batch
        )
        for record in run(PATH, SEED, scheduler).records
    )


@pytest.mark.parametrize(
    ("scheduler", "expected"),
    [
        (VLLM(budget=4), "AdBdCd | DpEp | AdBdCdDd | BdCdEd | Bd"),
        (Orca(active=5), "AdBdCd | AdBdCdDpEp | BdCdDdEd | Bd"),
        (FasterTransformer(), "AdBdCd | AdBdCd | BdCd | Bd | DpEp | DdEd"),
        (Sarathi(budget=4), "AdBdCd | AdBdCdDp | BdCdDdEp | BdEd"),
    ],
    ids=lambda value: type(value).__name__ if callable(value) else "batches",
)
def test_the_batches_are_the_engine_s_own(scheduler: Scheduler, expected: str) -> None:
    assert batches(scheduler) == expected
