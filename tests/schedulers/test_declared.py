"""What a scheduler declares of itself is read, and nothing else is."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from helpers import in_order

from radproof import RULES, SEED, BadInput, Deployment, Limits, RuleScheduler, View, rad
from radproof.mutants import CATALOGUE
from radproof.mutants.engines import Engine
from radproof.schedulers import Sarathi, faster_transformer, orca, rad_cycles, sarathi, slai, vllm
from radproof.schedulers.adapters import adapt
from radproof.schedulers.declared import counts, limits_of, overtakes, rules_that_decide
from radproof.schedulers.purity import watched


def engine(**attributes: Any) -> Any:
    """The class of an engine with these attributes."""

    class Named(Engine):
        def __init__(self, deployment: Deployment) -> None:
            super().__init__(deployment)
            vars(self).update(attributes)

    return Named


@attrs.frozen
class Declares:
    """A scheduler with limits that depend on the deployment."""

    def limits(self, deployment: Deployment) -> Limits:
        return Limits(2 * deployment.b_col, None)

    def schedule(self, view: View) -> Any:
        return in_order(view)


@pytest.mark.parametrize(
    ("found", "limits"),
    [
        (sarathi, Limits(128, 128)),
        (Sarathi(budget=7, active=2), Limits(7, 2)),
        (orca, Limits(None, 8)),
        (faster_transformer, Limits(None, 128, one_phase=True)),
        (Declares(), Limits(256, None)),
        (Engine, Limits(128, 128)),
        (engine(budget=None, one_phase=True), Limits(None, 128, one_phase=True)),
        (engine(max_num_seqs="many"), None),
        (engine(budget=False), None),
        (in_order, None),
        *((one, None) for one in (rad, rad_cycles, vllm, slai)),
    ],
)
def test_the_limits_of_a_scheduler(found: Any, limits: Limits | None) -> None:
    scheduler = adapt(found)
    assert limits_of(scheduler, SEED) == limits
    assert limits_of(watched(scheduler), SEED) == limits


def test_limits_that_are_no_limits_are_refused() -> None:
    @attrs.frozen
    class Wrong(Declares):
        def limits(self, deployment: Deployment) -> Any:
            return deployment.b_col

    with pytest.raises(BadInput, match=r"returned 128; it must return radproof.Limits\("):
        limits_of(adapt(Wrong()), SEED)


def test_the_rules_of_a_scheduler_in_rule_form_decide() -> None:
    class Own(RuleScheduler):
        def __call__(self, view: View) -> Any:
            return in_order(view)

    assert rules_that_decide(rad) is RULES
    assert rules_that_decide(watched(RuleScheduler(order=lambda job: -job.session))) is RULES
    assert rules_that_decide(Own()) is None
    assert rules_that_decide(in_order) is None


def test_who_overtakes_and_who_counts() -> None:
    assert overtakes(watched(slai), SEED) == "decodes are served by their deadlines"
    assert overtakes(adapt(engine(overtakes="by price")), SEED) == "by price"
    assert overtakes(adapt(engine(overtakes=True)), SEED) == ""
    assert overtakes(rad, SEED) == ""
    assert counts(watched(adapt(Engine)), SEED)
    assert counts(CATALOGUE["half_a_prompt"].scheduler, SEED)
    assert not counts(adapt(engine(left=5, computed=[])), SEED)
    assert not counts(sarathi, SEED)


def test_an_engine_that_cannot_be_made_declares_nothing() -> None:
    class Broken(Engine):
        def __init__(self, deployment: Deployment) -> None:
            raise OSError("no device")

    scheduler = adapt(Broken)
    assert limits_of(scheduler, SEED) is None
    assert not counts(scheduler, SEED)
