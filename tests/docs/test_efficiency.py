"""Saturated efficiency against the figures of the notes on the paper, on fewer sessions."""

from __future__ import annotations

from typing import Any

import pytest

from docs.generate.efficiency import saturated, workload
from radproof import rad
from radproof.schedulers import VLLM, CyclicRAD, FasterTransformer, Orca, Sarathi

SESSIONS = 700
TILES = workload(SESSIONS, seed=1)
RAGGED = workload(SESSIONS, seed=1, ragged=True)
PROMPTS = {"tiles": TILES, "ragged": RAGGED}


@pytest.mark.parametrize(
    ("scheduler", "prompts", "share", "within"),
    [
        (rad, "tiles", 1.000, 0.001),
        (Sarathi(budget=128), "tiles", 1.000, 0.001),
        (Sarathi(budget=500), "tiles", 0.978, 0.005),
        (VLLM(active=100), "tiles", 0.945, 0.010),
        (Orca(active=8), "tiles", 0.241, 0.010),
        # few sessions make few cycles and few batches: the share of one run varies more
        (FasterTransformer(active=128), "tiles", 0.730, 0.050),
        (CyclicRAD(64), "tiles", 0.511, 0.050),
        (CyclicRAD(128), "tiles", 0.726, 0.060),
        (CyclicRAD(10**9, share_tail=False), "ragged", 0.929, 0.005),
    ],
    ids=lambda value: "rad" if value is rad else str(value),
)
def test_the_share_is_the_known_one(
    scheduler: Any, prompts: str, share: float, within: float
) -> None:
    assert saturated(PROMPTS[prompts], scheduler) == pytest.approx(share, abs=within)


def test_showing_few_of_the_waiting_prompts_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = saturated(TILES[:400], Orca(active=8))
    monkeypatch.setattr("docs.generate.efficiency._SEEN", 400)
    assert saturated(TILES[:400], Orca(active=8)) == few


def test_the_workload_is_the_same_for_the_same_seed() -> None:
    assert workload(5, seed=1) == workload(9, seed=1)[:5]
    assert all(session.prompt % 128 == 0 for session in TILES)
    assert any(session.prompt % 128 for session in RAGGED)
