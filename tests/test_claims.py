from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np
import pytest
from helpers import counts, every, in_order

from radproof import (
    CLAIMS,
    SEED,
    BadInput,
    Claim,
    Deployment,
    Result,
    Run,
    Session,
    check,
    leap,
    optimal_tiling,
    rad,
    run,
    token_rate,
)
from radproof.claims import KINDS, prompt_is_tiled, sides
from radproof.evaluators import decide
from radproof.laws import LAWS
from radproof.mutants import MUTANTS
from radproof.number import either

TILED = [(0, 128, 1), (4640, 128, 1)]
RAGGED = [(0, 128, 1), (0, 129, 1)]
BOTH = pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])


@BOTH
def test_every_iteration_holds(evaluate: Any) -> None:
    for claim in CLAIMS.values():
        verdict = check(evaluate(TILED), claim)
        assert (verdict.result, verdict.checked, verdict.failures) == (Result.HOLDS, 3, 0)
        assert (verdict.first, verdict.index, verdict.record) == (None, None, None)
        assert str(verdict) == "holds (3 iterations)"


@BOTH
def test_every_iteration_fails_at_its_first_failure(evaluate: Any) -> None:
    result = evaluate([(0, 128, 3)])  # starts 0, 4640, 8645, 12650
    verdict = check(result, every(lambda i, d: i.start < 5000))
    assert (verdict.result, verdict.checked, verdict.failures) == (Result.FAILS, 4, 2)
    assert (verdict.first, verdict.index) == (8645, 2)
    assert verdict.record == list(result.records)[2]
    assert str(verdict) == "fails at 8645"


@BOTH
def test_some_iteration_is_witnessed_at_its_first_witness(evaluate: Any) -> None:
    claim = Claim("mine", "some iteration", lambda i, d: i.start > 5000)
    verdict = check(evaluate([(0, 128, 3)]), claim)
    assert (verdict.result, verdict.checked) == (Result.WITNESSED, 4)
    assert (verdict.first, verdict.index) == (8645, 2)
    assert str(verdict) == "witnessed at 8645"


@BOTH
def test_some_iteration_that_none_witnesses_is_not_evaluated_and_never_fails(evaluate: Any) -> None:
    verdict = check(evaluate(TILED), Claim("mine", "some iteration", lambda i, d: i.start > 10**9))
    assert verdict.result is Result.NOT_EVALUATED
    assert (verdict.checked, verdict.first) == (3, None)
    assert str(verdict) == "not evaluated (in none of 3 iterations)"


@BOTH
@pytest.mark.parametrize("kind", ["every iteration", "some iteration"])
def test_no_iteration_is_not_evaluated(evaluate: Any, kind: Any) -> None:
    verdict = check(evaluate([(0, 0, 0)]), Claim("mine", kind, lambda i, d: True))
    assert (verdict.result, verdict.checked) == (Result.NOT_EVALUATED, 0)
    assert str(verdict) == "not evaluated (no iteration)"


def all_ended(run: Run, d: Deployment) -> bool:
    return run.ended == len(run.path)


@BOTH
def test_at_end_is_asked_once_about_the_run(evaluate: Any) -> None:
    claim = Claim("mine", "at end", all_ended)
    verdict = check(evaluate(TILED), claim)
    assert (verdict.result, verdict.checked, str(verdict)) == (Result.HOLDS, 1, "holds")
    verdict = check(evaluate(TILED, horizon=9000), claim)
    assert (verdict.result, verdict.failures) == (Result.FAILS, 1)
    assert (verdict.first, verdict.index) == (9280, 1)
    assert verdict.record is not None
    assert verdict.record.start == 4640


@BOTH
def test_at_end_of_a_run_without_an_iteration(evaluate: Any) -> None:
    verdict = check(evaluate([(0, 0, 0)]), Claim("mine", "at end", lambda r, d: False))
    assert (verdict.result, verdict.first, verdict.index) == (Result.FAILS, 0, None)


def test_at_end_of_a_run_that_was_cut_short_is_no_answer() -> None:
    cut = run([(0, 0, 50)], limit=7)
    assert not cut.whole
    verdict = check(cut, Claim("mine", "at end", all_ended))
    assert verdict.result is Result.UNKNOWN


@BOTH
def test_given_puts_a_path_with_one_session_outside_it_out_of_scope(evaluate: Any) -> None:
    verdict = check(evaluate(RAGGED), optimal_tiling)
    assert (verdict.result, verdict.checked, verdict.failures) == (Result.OUT_OF_SCOPE, 0, 0)
    assert str(verdict) == ("out of scope (session 1, (0, 129, 1), is outside the claim's given)")
    assert check(evaluate(RAGGED), optimal_tiling, given=False).result is Result.FAILS
    assert check(evaluate(RAGGED), token_rate).result is Result.HOLDS


def test_given_is_about_sessions_that_never_arrive_too() -> None:
    verdict = check(run([(0, 128, 1), (10**9, 1, 1)], horizon=100), optimal_tiling)
    assert verdict.result is Result.OUT_OF_SCOPE


@pytest.mark.parametrize(
    ("prompt", "tiled"), [(0, True), (127, False), (128, True), (129, False), (256, True)]
)
def test_a_prompt_is_tiled_iff_a_multiple_of_b_lcm(prompt: int, tiled: bool) -> None:
    assert prompt_is_tiled(Session(0, prompt, 0), SEED) is tiled
    assert not prompt_is_tiled(Session(0, 4, 0), Deployment(b_col=4, b_row=6))


def test_token_rate_is_tight() -> None:
    """Full tiles from time 0 on serve as much as the bound allows, and one more token breaks it."""
    record = list(run([(0, 1280, 0)]).records)[-1]
    assert record.served * 4640 == 128 * record.start
    assert sides(token_rate, record, SEED) == [
        (
            "served x (t_lin + t_nl x b_col) <= b_col x start",
            "5345280 <= 5345280",
            True,
        )
    ]
    assert token_rate.holds(record, SEED) is True
    assert token_rate.holds(list(run([(0, 1280, 0)], scheduler=MUTANTS["no_t_nl"]).records)[-1],
                            SEED) is False  # fmt: skip


def test_optimal_tiling_is_b_col_tokens_or_every_resident_decoding() -> None:
    full, part, decodes = list(run([(0, 129, 1)]).records)
    assert optimal_tiling.holds(full, SEED)
    assert not optimal_tiling.holds(part, SEED)
    assert optimal_tiling.holds(decodes, SEED)
    assert sides(optimal_tiling, part, SEED) == [
        ("tokens % b_col = 0", "1 = 0", False),
        ("tokens >= b_col", "1 >= 128", False),
        ("tokens <= b_lcm", "1 <= 128", True),
        ("decoders = residents", "0 = 1", False),
    ]


def test_optimal_tiling_allows_any_whole_tiles_up_to_b_lcm() -> None:
    wide = Deployment(b_col=2, b_row=6, t_lin=1, t_nl=1)
    assert check(run([(0, 6, 1), (0, 12, 1)], wide), optimal_tiling).result is Result.HOLDS


def test_decoders_in_the_batch_count_and_not_those_that_wait() -> None:
    verdict = check(run([(0, 0, 1)] * 3, scheduler=in_order), optimal_tiling)
    assert (verdict.result, verdict.failures, verdict.checked) == (Result.FAILS, 2, 3)


def test_a_claim_in_plain_python_has_the_same_class() -> None:
    def holds(i: Any, d: Any) -> bool:
        if i.prefilled and i.decoders:
            return False
        return min(i.tokens, d.b_col) == i.tokens and len(i.batch) <= i.residents

    claim = Claim("separate", "every iteration", holds, given=lambda s, d: s.prompt < 10)
    assert claim.term is None
    assert check(run([(0, 5, 5)]), claim).result is Result.HOLDS
    assert check(run([(0, 128, 5)]), claim).result is Result.OUT_OF_SCOPE
    assert sides(claim, next(iter(run([(0, 5, 5)]).records)), SEED) == []
    mixed = check(run([(0, 0, 9), (3, 5, 5)], scheduler=MUTANTS["mixed"]), claim)
    assert mixed.result is Result.FAILS


def test_a_claim_that_helpers_write_is_a_term() -> None:
    claim = every(lambda i, d: either(i.served <= 7, i.residents == d.b_col))
    assert claim.term.text() == "served <= 7 or residents = b_col"
    assert Claim("mine", "at end", all_ended).term is None


@pytest.mark.parametrize("evaluate", [run, leap])
def test_holds_may_be_any_callable(evaluate: Any) -> None:
    class Below:
        """Compared by value, and so without a hash."""

        def __init__(self, bound: int) -> None:
            self.bound = bound

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Below) and other.bound == self.bound

        def __call__(self, i: Any, d: Any) -> Any:
            return i.start < self.bound

    bound = functools.partial(lambda bound, i, d: i.start < bound, 5000)
    for holds in (Below(5000), bound):
        assert check(evaluate([(0, 128, 3)]), every(holds)).failures == 2


def test_one_by_one_is_unknown_beyond_the_budget_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decide, "BUDGET", 1000)
    verdict = check(leap([(0, 0, 10**6)]), every(lambda i, d: i.start**2 >= 0))
    assert (verdict.result, verdict.checked, verdict.first) == (Result.UNKNOWN, 0, None)
    assert str(verdict).startswith("unknown (1000000 iterations, and this claim can only be ")


@pytest.mark.parametrize("kind", ["always", "", None, "every  iteration"])
def test_a_wrong_kind_is_bad_input(kind: Any) -> None:
    with pytest.raises(BadInput) as raised:
        Claim("mine", kind, lambda i, d: True)
    assert str(raised.value) == (
        f"kind of a claim is {kind!r}; it must be one of: every iteration, some iteration, at end, "
        "whole run"
    )


def test_a_wrong_family_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"^family of a claim is 'odd'; it must be one of: natural"):
        every(lambda i, d: True, family="odd")


def test_the_two_claims_by_name() -> None:
    assert list(CLAIMS) == ["token_rate", "optimal_tiling"]
    assert (token_rate.family, optimal_tiling.family) == ("natural", "assumption3")
    assert (token_rate.given, token_rate.kind) == (None, "every iteration")


@pytest.mark.parametrize(
    ("name", "rate", "tiling"),
    [
        ("served_twice", (4, 3, 4640), (4, 0, None)),
        ("floor_for_ceil", (4, 1, 9285), (4, 0, None)),
        ("budget_127", (5, 0, None), (5, 3, 0)),
    ],
)
def test_what_the_claims_count_on_a_faulty_scheduler(name: str, rate: Any, tiling: Any) -> None:
    result = run([(0, 256, 2)], scheduler=MUTANTS[name])
    found = [tuple(counts(result, claim).values()) for claim in CLAIMS.values()]
    assert found == [rate, tiling]


def test_rad_is_the_default_scheduler_and_the_seed_the_default_deployment() -> None:
    assert run(TILED) == run(TILED, SEED, rad, None)


def test_a_claim_at_end_that_reads_every_record_comes_back_on_a_leapt_run() -> None:
    """100 million million records are not read: the claim is unknown, and says how to write it."""
    run = leap([(0, 128, 10**14)])
    claim = Claim("served", "at end", lambda r, d: sum(i.tokens for i in r.records) > 0)
    verdict = check(run, claim)
    assert (verdict.result, verdict.checked) == (Result.UNKNOWN, 0)
    assert "read run.stretches instead, each a first record and its count" in verdict.reason
    on_stretches = Claim(
        "served", "at end", lambda r, d: sum(s.count * s.first.tokens for s in r.stretches) > 10**14
    )
    assert check(run, on_stretches).result is Result.HOLDS


def test_the_budget_of_records_is_its_size_and_cannot_be_swallowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decide, "BUDGET", 100)

    def ordered(run: Any, d: Any) -> bool:
        try:
            return all(record.start >= 0 for record in run.records)
        except Exception:
            return True

    for kind in ("at end", "whole run"):
        claim = Claim("ordered", kind, ordered)  # type: ignore[arg-type]
        assert check(leap([(0, 0, 102)]), claim).result is Result.UNKNOWN
    # 101 records, of which the first is there and 100 are made
    claim = Claim("ordered", "at end", ordered)
    assert check(leap([(0, 0, 101)]), claim).result is Result.HOLDS
    assert check(run([(0, 0, 200)]), claim).result is Result.HOLDS


# what is no truth, and what a claim raises

NOT_TRUTHS: list[tuple[Any, str]] = [
    ("no", "'no', a str"), (1, "1, a int"), (0, "0, a int"), (None, "None"), (0.5, "0.5, a float"),
    ([], "[], a list"), (np.int64(1), "np.int64(1), a int64"),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(("answer", "shown"), NOT_TRUTHS)
@pytest.mark.parametrize("kind", ["every iteration", "some iteration", "at end"])
def test_only_a_truth_is_an_answer(evaluate: Any, kind: Any, answer: Any, shown: str) -> None:
    """Python takes each of these for a truth, and the claim held, or failed, by accident."""
    for path in (TILED, [(0, 0, 50)]):
        with pytest.raises(BadInput) as found:
            check(evaluate(path), Claim("mine", kind, lambda i, d: answer))
        assert str(found.value) == (
            f"the claim mine returned {shown}, where True or False is needed"
        )


@BOTH
def test_a_number_that_grows_with_the_iterations_is_no_truth(evaluate: Any) -> None:
    with pytest.raises(BadInput, match="the claim mine returned 0, a int, where True or False"):
        check(evaluate([(0, 0, 50)]), every(lambda i, d: i.served))


def test_numpy_s_truths_are_truths() -> None:
    for truth, result in ((np.True_, Result.HOLDS), (np.False_, Result.FAILS)):
        assert check(leap([(0, 0, 50)]), every(lambda i, d, t=truth: t)).result is result
        assert check(leap(TILED), Claim("mine", "at end", lambda r, d, t=truth: t)).result is result


def test_a_given_that_is_no_truth_or_raises_is_bad_input() -> None:
    said = "the given of the claim mine returned 128, a int, where True or False is needed"
    with pytest.raises(BadInput) as found:
        check(run(TILED), every(lambda i, d: True, given=lambda s, d: s.prompt))
    assert str(found.value) == said
    with pytest.raises(BadInput, match="the given of the claim mine raised ZeroDivisionError"):
        check(run(TILED), every(lambda i, d: True, given=lambda s, d: s.prompt < 1 / 0))


def leaves(*_: Any) -> Any:
    sys.exit(0)


class Unsaid(Exception):
    def __str__(self) -> str:
        raise ValueError("not this")


def cannot_be_shown(*_: Any) -> Any:
    raise Unsaid


@BOTH
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("holds", "said"),
    [
        (leaves, "SystemExit: 0 ("),
        (cannot_be_shown, "Unsaid: (its message cannot be shown: __str__ raised ValueError) ("),
    ],
)
def test_whatever_a_claim_raises_is_bad_input_with_its_place(
    evaluate: Any, kind: Any, holds: Any, said: str
) -> None:
    """``sys.exit(0)`` ended a check with 0, as if every claim held."""
    for path in (TILED, [(0, 0, 50)]):
        with pytest.raises(BadInput) as found:
            check(evaluate(path), Claim("mine", kind, holds))
        assert str(found.value).startswith(f"the claim mine raised {said}")
        assert f"{__file__}, line " in str(found.value)


def test_a_whole_run_claim_returns_a_found() -> None:
    with pytest.raises(BadInput) as found:
        check(run(TILED), Claim("mine", "whole run", lambda r, d: True))
    assert str(found.value) == (
        "the claim mine returned True; a claim of the kind 'whole run' returns a "
        "radproof.claims.Found"
    )


def test_a_fault_of_a_law_of_ours_is_not_blamed_on_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("radproof.laws.along.follow", None)
    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        check(run(TILED), LAWS["clock"].claim)
