from __future__ import annotations

import inspect
import types
from typing import Any

import pytest
from helpers import every

from radproof import SEED, Deployment, SchedulerError, Session, leap, rad
from radproof.evaluators import evaluate
from radproof.evaluators import rad as rad_leap
from radproof.schedulers.loading import load
from radproof.search.crosscheck import Disagreement, cross_check
from radproof.search.search import Plan, search


def wrong_leap(old: str, new: str) -> Any:
    text = inspect.getsource(rad_leap)
    assert text.count(old) == 1
    wrong = types.ModuleType("wrong")
    exec(compile(text.replace(old, new), "<wrong>", "exec"), wrong.__dict__)
    return lambda path, deployment, scheduler, horizon, work: wrong.leap_rad(
        path, deployment, scheduler, horizon
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if end > next_arrival:", "if False:"),
        ("repetitions = batch[0] // size - count", "repetitions = batch[0] // size - count + 1"),
    ],
    ids=["arrivals ignored", "one too long"],
)
def test_a_cross_check_catches_a_wrong_leap(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "leap", wrong_leap(old, new))
    claim = every(lambda i, d: i.residents >= 0)
    with pytest.raises(Disagreement) as raised:
        search({claim.name: claim}, load("rad"), Plan(examples=400, seed=1))
    assert "\non the path (Session(" in str(raised.value)


def test_a_cross_check_is_quiet_on_a_right_one_and_on_runs_too_long() -> None:
    cross_check(evaluate.evaluate((Session(0, 128, 3),), SEED, rad))
    cross_check(evaluate.evaluate((Session(0, 0, 10**12),), SEED, rad))


def test_two_evaluators_that_differ_under_an_impure_scheduler_are_no_bug_of_radproof() -> None:
    class Changes:
        calls = 0

        def __call__(self, view: Any) -> Any:
            self.calls += 1
            batch, memory = rad(view)
            return (batch[::-1] if self.calls % 7 == 0 else batch), memory

    leapt = leap([(0, 0, 3), (0, 0, 2), (1, 3, 2)], Deployment(b_col=4), Changes())
    with pytest.raises(SchedulerError, match="it served one path in two ways") as raised:
        cross_check(leapt)
    assert raised.value.kind == "impure"
    assert raised.value.so_far.iterations > 0
