from __future__ import annotations

import inspect
import types
from typing import Any

import attrs
import pytest
from helpers import every, in_order

from radproof import SEED, Deployment, SchedulerError, Session, Stretch, leap, rad, run
from radproof.evaluators import evaluate
from radproof.evaluators import rad as rad_leap
from radproof.schedulers.loading import load
from radproof.search import crosscheck
from radproof.search.crosscheck import Disagreement, cross_check, first_difference
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


def test_runs_of_up_to_200_iterations_are_compared() -> None:
    def missed(output: int) -> Any:
        return attrs.evolve(leap([(0, 0, output)]), completions=(None,))

    with pytest.raises(SchedulerError):
        cross_check(missed(200))
    cross_check(missed(201))
    cross_check(attrs.evolve(missed(3), engine="step"))


def test_a_run_that_comes_out_otherwise_a_second_time_is_no_bug_of_radproof() -> None:
    """The definition meets the impurity alone: the leap comes out as it did."""

    class Once:
        leaps = True
        wrong = 0

        def __call__(self, view: Any) -> Any:
            batch, memory = rad(view)
            self.wrong -= 1
            return (batch[::-1] if self.wrong >= 0 else batch), memory

    scheduler = Once()
    leapt = leap([(0, 0, 3), (0, 0, 2)], Deployment(b_col=4), scheduler)
    assert leapt.engine == "leap"
    scheduler.wrong = leapt.iterations
    with pytest.raises(SchedulerError) as raised:
        cross_check(leapt)
    so_far = raised.value.so_far
    assert [entry.session for entry in so_far.stretches[0].first.batch] == [1, 0]
    assert raised.value.at == so_far.end == leapt.end


def test_the_first_difference_is_named() -> None:
    one = run([(0, 300, 2)])
    assert first_difference(one, one) is None
    stretches = list(one.stretches)
    stretches[1] = Stretch(attrs.evolve(stretches[1].first, tokens=7))
    other = first_difference(one, attrs.evolve(one, stretches=stretches))
    assert str(other).startswith("iteration 1: step Iteration(start=4640, end=9280")
    for changed, difference in (
        ({"iterations": 7}, "step has 5 iterations, leap 7"),
        (
            {"iterations": 4, "stretches": list(one.stretches)[:4]},
            "step has 5 iterations, leap 4",
        ),
        ({"completions": (1,)}, f"step ends sessions at ({one.end},), leap at (1,)"),
    ):
        assert first_difference(one, attrs.evolve(one, **changed)) == difference
    tiled = first_difference(one, attrs.evolve(one, deployment=Deployment(b_col=44)))
    assert str(tiled).startswith("token_rate: step Verdict(")


def test_a_claim_is_compared_on_paths_beyond_its_scope_too(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = every(lambda i, d: d.b_row == 1, given=lambda session, d: False)
    monkeypatch.setattr(crosscheck, "CLAIMS", {nowhere.name: nowhere})
    one = run([(0, 300, 2)])
    other = attrs.evolve(one, deployment=Deployment(b_row=2))
    assert str(first_difference(one, other)).startswith(f"{nowhere.name}: step Verdict(")


def test_a_run_that_was_cut_is_compared_as_far_as_it_goes() -> None:
    """A pure scheduler was said to be impure where the leap was cut and the definition not."""
    path = tuple(Session(0, 256, 1) for _ in range(9))
    cut = leap(path, SEED, in_order, work=500)
    assert not cut.whole
    assert 0 < cut.iterations < leap(path, SEED, in_order).iterations
    cross_check(cut)
