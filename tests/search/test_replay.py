"""A path run again: to the claim's answer, as a search looks for it."""

from __future__ import annotations

from typing import Any

from helpers import every, in_order, unleapt

from radproof import DECODE, SEED, Entry, Result, View
from radproof.evaluators.evaluate import SHARE
from radproof.runs import as_path
from radproof.search.replay import run_again

LATE = every(lambda i, d: i.served < 1_500)


def one_then_none(view: View) -> Any:
    """A token for one of two decodes, and then nothing."""
    return ((Entry(0, DECODE, 1),) if view.now == 0 else ()), None


def test_a_claim_broken_before_a_fault_is_judged_as_in_the_search() -> None:
    path = as_path([(0, 0, 2), (0, 0, 1)])
    alone = every(lambda i, d: i.decoders == i.residents)
    found, verdict, error = run_again(path, SEED, one_then_none, alone)
    assert (verdict.result, verdict.first) == (Result.FAILS, 0)
    assert error is not None
    assert (error.kind, found.whole, found.iterations) == ("stuck", False, 1)


def test_a_claim_that_holds_up_to_a_fault_is_not_broken() -> None:
    path = as_path([(0, 0, 2), (0, 0, 1)])
    _, verdict, error = run_again(path, SEED, one_then_none, LATE)
    assert verdict.failures == 0
    assert error is not None


def test_a_path_beyond_a_search_s_share_is_run_to_its_end() -> None:
    path = as_path([(0, 0, 2_000)])
    found, verdict, error = run_again(path, SEED, unleapt(in_order), LATE)
    assert found.iterations == 2_000
    assert found.work > SHARE
    assert (verdict.result, verdict.index, error) == (Result.FAILS, 1_500, None)
