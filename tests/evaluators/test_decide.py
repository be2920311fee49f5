"""Claims decided on stretches are the claims evaluated record by record."""

from __future__ import annotations

import contextlib
import json
import math
import numbers as numbers_abc
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from helpers import every, in_order, quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import Deployment, Result, Run, check, leap, optimal_tiling, run, token_rate
from radproof.claims import Claim
from radproof.evaluators import decide
from radproof.evaluators.columns import Columns
from radproof.model import DEPLOYMENT_NAMES, SCALARS, as_path
from radproof.number import both, either, ite, maximum, minimum, monus, negate
from radproof.readers.base import NoTruth

FEW, MANY = 0, 10**9
"""Stretches up to which numpy is not used: always, and never."""

session = st.tuples(st.integers(0, 120), st.integers(0, 12), st.integers(0, 15))


@st.composite
def runs(draw: st.DrawFn, far: bool = False) -> Run:
    """A leapt run whose stretches repeat, few enough to go through; far: beyond 2^63."""
    b_col = draw(st.integers(1, 4))
    deployment = Deployment(
        b_col=b_col,
        b_row=b_col * draw(st.integers(1, 2)),
        t_lin=draw(st.integers(0, 9)),
        t_nl=draw(st.integers(0, 3)),
    )
    path = draw(st.lists(session, min_size=1, max_size=10))
    by = draw(st.sampled_from((2**62, 2**63 - 50, 2**64))) if far else 0
    return leap([(a + by, p, o) for a, p, o in path], deployment)


# An expression is a tuple: (operator, arguments). `build` makes the claim that a user would write.

names = st.sampled_from([("i", n) for n in SCALARS] + [("d", n) for n in DEPLOYMENT_NAMES])
constants = st.tuples(st.just("constant"), st.one_of(st.integers(-3, 40), st.integers(0, 400)))


def numbers(children: Any) -> Any:
    two = st.tuples(st.sampled_from(("+", "-", "*", "min", "max", "monus")), children, children)
    positive = st.tuples(st.just("constant"), st.integers(1, 9))
    divided = st.tuples(st.sampled_from(("//", "%")), children, positive)
    by_tile = st.tuples(st.sampled_from(("//", "%")), children, st.just(("d", "b_col")))
    return st.one_of(two, divided, by_tile)


numeric = st.recursive(st.one_of(names, names, constants), numbers, max_leaves=4)
comparison = st.tuples(st.sampled_from(("<=", "<", ">=", ">", "=", "!=")), numeric, numeric)


def joined(children: Any) -> Any:
    return st.one_of(
        st.tuples(st.sampled_from(("either", "both")), children, children),
        st.tuples(st.just("negate"), children),
        st.tuples(st.just("ite"), children, children, children),
    )


statements = st.recursive(comparison, joined, max_leaves=4)

OPERATORS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": minimum,
    "max": maximum,
    "monus": monus,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "either": either,
    "both": both,
    "negate": negate,
    "ite": ite,
}


def build(expression: Any) -> Claim:
    def value(part: Any, i: Any, d: Any) -> Any:
        op, *arguments = part
        if op in ("i", "d"):
            return getattr(i if op == "i" else d, arguments[0])
        if op == "constant":
            return arguments[0]
        return OPERATORS[op](*(value(argument, i, d) for argument in arguments))

    return every(lambda i, d: value(expression, i, d))


def decided(run: Run, claim: Claim, few: int) -> tuple[int, int, int | None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decide, "_FEW", few)
        verdict = check(run, claim)
    return verdict.checked, verdict.failures, verdict.first if verdict.failures else None


def agree(run: Run, claim: Claim) -> None:
    """Counted, and found first where it is true and where it is not, as record by record."""
    truths = [bool(claim.holds(record, run.deployment)) for record in run.records]
    first = {
        truth: next(((n, r) for n, r in enumerate(run.records) if truths[n] is truth), None)
        for truth in (True, False)
    }
    expected = decide.Count(len(truths), truths.count(False), first[True], first[False])
    for few in (MANY, FEW):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(decide, "_FEW", few)
            found = decide.count(claim.holds, claim.term, run.stretches, run.deployment)
        assert found == expected


@given(runs(), statements)
@quick(500)
def test_a_boolean_combination_of_comparisons_is_decided_exactly(run: Run, statement: Any) -> None:
    agree(run, build(statement))


@given(runs(far=True), statements)
@quick(250)
def test_it_is_decided_exactly_beyond_machine_integers(run: Run, statement: Any) -> None:
    agree(run, build(statement))


# Constants of every size, so that a sum or a product of a few of them leaves int64 anywhere.

powers = st.sampled_from([0, 8, 16, 30, 31, 32, 33, 47, 61, 62, 63, 64, 70])
of_every_size = st.one_of(
    st.integers(-3, 40),
    st.tuples(powers, st.integers(-2, 2), st.sampled_from((1, -1))).map(
        lambda drawn: drawn[2] * (2 ** drawn[0] + drawn[1])
    ),
    st.integers(-(2**70), 2**70),
)
large_constants = st.tuples(st.just("constant"), of_every_size)
positive = st.tuples(st.just("constant"), of_every_size.map(lambda n: abs(n) + 1))
large_leaf = st.one_of(names, large_constants)


def large_numbers(children: Any) -> Any:
    compared = st.tuples(st.sampled_from(("<=", "=", ">")), children, children)
    return st.one_of(
        st.tuples(st.sampled_from(("+", "-", "*", "*", "min", "max", "monus")), children, children),
        st.tuples(st.sampled_from(("//", "%")), children, positive),
        st.tuples(st.just("ite"), compared, children, children),
    )


large = st.recursive(large_leaf, large_numbers, max_leaves=6)
large_comparison = st.tuples(st.sampled_from(("<=", "<", ">=", ">", "=", "!=")), large, large)
large_statements = st.recursive(large_comparison, joined, max_leaves=3)


@given(runs(), large_statements)
@quick(500)
def test_constants_of_every_size_are_exact(run: Run, statement: Any) -> None:
    agree(run, build(statement))


@given(runs(far=True), large_statements)
@quick(250)
def test_constants_of_every_size_are_exact_beyond_machine_integers(
    run: Run, statement: Any
) -> None:
    agree(run, build(statement))


OVERFLOWING = [
    lambda i, d: ite(i.tokens > 0, 5 * 10**9, 0) * ite(i.tokens > 0, 3 * 10**9, 1) <= 0,
    lambda i, d: i.start * d.t_nl <= 2**63 * i.served,
    lambda i, d: (i.start - 2**64) // 7 + i.served * 2**63 <= -(2**60),
    lambda i, d: minimum(i.start, 2**64) - maximum(2**65, i.end) <= -(2**63),
]


@pytest.mark.parametrize("t_nl", [5, 2**61, 10**30])
@pytest.mark.parametrize("holds", OVERFLOWING, ids=range(len(OVERFLOWING)))
def test_what_overflows_int64_is_decided_in_pythons_ints(holds: Any, t_nl: int) -> None:
    path = [(0, 0, 10)] + [(4005 * (10**4 + 9 * k), 128 * (k % 3), 3) for k in range(40)]
    run = leap(path, Deployment(t_nl=t_nl))
    assert len(run.stretches) > 16
    agree(run, every(holds))


@given(runs(), st.sampled_from(("start", "end", "served", "demand")), st.data())
@quick(150)
def test_the_roots_of_an_equality_are_hit(run: Run, name: str, data: st.DataObject) -> None:
    records = list(run.records)
    if not records:
        return
    at = getattr(records[data.draw(st.integers(0, len(records) - 1))], name)
    at += data.draw(st.sampled_from((0, 0, 1, -1)))
    agree(run, every(lambda i, d: getattr(i, name) != at))
    agree(run, every(lambda i, d: getattr(i, name) == at))
    agree(run, every(lambda i, d: either(getattr(i, name) < at, getattr(i, name) > at)))


@given(runs())
@quick(60)
def test_the_seeds_claims_are_decided_exactly(run: Run) -> None:
    agree(run, token_rate)
    agree(run, every(optimal_tiling.holds))
    # tight: some iteration comes close to the bound, from either side
    agree(run, every(lambda i, d: i.served * (d.t_lin + d.t_nl) <= d.b_col * i.start))


# What a user writes.


def with_if(i: Any, d: Any) -> bool:
    if i.start > 100:
        return bool(i.tokens == d.b_col or i.decoders == i.residents)
    return True


def with_and(i: Any, d: Any) -> bool:
    return bool((40 < i.start < 70 and i.served % 2 == 0) or not i.prefilled)


def with_min(i: Any, d: Any) -> bool:
    return bool(min(i.start, 90) <= max(i.served, 60))


def with_batch(i: Any, d: Any) -> bool:
    return len({entry.session for entry in i.batch}) == len(i.batch) <= i.residents


def with_square(i: Any, d: Any) -> bool:
    return bool(i.start**2 < 9_000)


def with_modulus(i: Any, d: Any) -> bool:
    return bool(i.start % 7 != 3)


def with_float(i: Any, d: Any) -> bool:
    return bool(i.start / 3 < 31.5)


def with_float_equality(i: Any, d: Any) -> bool:
    return bool(i.start != 60.0)


def with_membership(i: Any, d: Any) -> bool:
    return i.start not in (0, 30, 60, 61, 90)


def with_table(i: Any, d: Any) -> bool:
    return {0: False, 60: False}.get(i.start, True)


def with_digits(i: Any, d: Any) -> bool:
    return str(i.start)[-1] != "0"


def with_bit_length(i: Any, d: Any) -> bool:
    return bool(i.start.bit_length() < 6)


def with_assert(i: Any, d: Any) -> bool:
    assert i.residents >= i.decoders
    return bool(i.start < 60)


def with_a_sum_of_truths(i: Any, d: Any) -> Any:
    return (i.prefilled > 0) + (i.decoders > 0) + (i.start > 50) <= 1


def with_an_equality_of_truths(i: Any, d: Any) -> Any:
    return (i.decoders > 1) == (i.tokens > 1)


def with_an_equality_of_growing_truths(i: Any, d: Any) -> Any:
    return (i.start > 50) == (i.served > 12)


def constantly(i: Any, d: Any) -> bool:
    return False


USERS = [value for name, value in list(globals().items()) if name.startswith("with_")]
USERS.append(constantly)


@pytest.mark.parametrize("holds", USERS, ids=lambda holds: holds.__name__)
def test_a_claim_in_plain_python_is_decided_exactly(holds: Any) -> None:
    @given(runs())
    @quick(60)
    def property_(run: Run) -> None:
        agree(run, every(holds))

    property_()


def long_run() -> Run:
    """More than `_FEW` stretches, the first of them 10^30 long."""
    path = [(0, 0, 10**30)] + [(4005 * (10**30 + 9 * k), 0, 1) for k in range(40)]
    return leap(path)


@pytest.mark.parametrize("few", [FEW, MANY], ids=["numpy", "scalar"])
def test_huge_counts_are_exact(few: int) -> None:
    run = long_run()
    assert run.iterations == 10**30 + 40
    assert len(run.stretches) > 16
    bound = 4005 * 7 * 10**20
    claim = every(lambda i, d: i.start <= bound)
    assert decided(run, claim, few) == (
        10**30 + 40,
        10**30 + 40 - (7 * 10**20 + 1),
        bound + 4005,
    )
    once = every(lambda i, d: i.served != 3 * 10**29)
    assert decided(run, once, few) == (10**30 + 40, 1, 4005 * 3 * 10**29)


def test_first_and_record_are_those_of_the_deciding_iteration() -> None:
    verdict = check(long_run(), every(lambda i, d: i.served < 12345))
    assert (verdict.first, verdict.index) == (4005 * 12345, 12345)
    assert verdict.record is not None
    assert (verdict.record.start, verdict.record.served) == (4005 * 12345, 12345)


def test_a_claim_that_can_only_be_evaluated_one_by_one_is_unknown_beyond_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decide, "BUDGET", 100)
    claim = every(lambda i, d: i.start**2 >= 0)
    assert check(leap([(0, 0, 100)]), claim).result is Result.HOLDS
    assert check(leap([(0, 0, 101)]), claim).result is Result.UNKNOWN
    # a term is decided however long it is
    assert check(leap([(0, 0, 10**9)]), every(lambda i, d: i.start >= 0)).result is Result.HOLDS


def test_the_budget_is_of_all_stretches_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "BUDGET", 100)
    claim = every(lambda i, d: i.start**2 >= 0)
    assert check(leap([(0, 0, 60), (60 * 4005, 0, 60)]), claim).result is Result.UNKNOWN


@pytest.mark.parametrize("b_col", [1, 2])
def test_the_numpy_path_is_taken_for_runs_of_many_stretches_of_every_evaluator(
    b_col: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_path([(0, 1, 1)] * 20)
    called = []
    real = decide._on_columns
    monkeypatch.setattr(decide, "_on_columns", lambda *a: called.append(1) or real(*a))
    d = Deployment(b_col=b_col, t_lin=1, t_nl=1)
    leapt = leap(path, d)
    assert isinstance(leapt.stretches, Columns)
    check(leapt, token_rate)
    check(run(path, d), token_rate)
    check(leap(path, d, in_order), token_rate)
    assert called == [1, 1, 1]
    check(run(path[:1], d), token_rate)
    assert called == [1, 1, 1]


def test_columns_decide_a_run_of_many_stretches_whose_truths_do_not_change_inside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, asked, counted = long_run(), [], []
    real = decide.Count.add
    monkeypatch.setattr(decide, "_one", lambda *a: asked.append(a[1]))
    monkeypatch.setattr(decide.Count, "add", lambda *a: counted.append(1) or real(*a))

    def found(holds: Any) -> tuple[int, int, int]:
        """The iterations checked, and the parts that the truth had to be counted for."""
        counted.clear()
        total = decide.count(holds, token_rate.term, run.stretches, run.deployment)
        return total.checked, total.failures, len(counted)

    many, stretches = run.iterations, len(run.stretches)
    assert found(lambda i, d: i.served >= 0) == (many, 0, 1)
    assert found(lambda i, d: i.served < 0) == (many, many, 1)
    assert found(lambda i, d: d.b_col == 128) == (many, 0, 1)
    assert found(lambda i, d: d.b_col != 128) == (many, many, 1)
    assert found(lambda i, d: i.start < 4005 * 10**30) == (many, 40, stretches)
    assert asked == []
    found(lambda i, d: i.served != 3 * 10**29)
    assert asked == [run.stretches[0]]


@pytest.mark.parametrize(
    ("output", "term", "searches"),
    [(1, None, 0), (2, None, 1), (2, token_rate.term, 0)],
    ids=["no repetition", "a repetition", "a term"],
)
def test_the_code_of_a_claim_is_searched_where_a_stretch_repeats(
    output: int, term: Any, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(decide, "asks", lambda *arguments: asked.append(arguments))
    run = leap([(0, 0, output)])
    assert [stretch.count for stretch in run.stretches] == [output]
    decide.count(with_if, term, run.stretches, run.deployment)
    assert asked == searches * [(with_if, decide.TYPE)]


def test_a_stretch_of_one_iteration_is_its_record() -> None:
    result = run([(0, 0, 3)])
    seen: list[Any] = []
    decide.count(lambda i, d: seen.append(i) or True, None, result.stretches, result.deployment)
    assert all(i is stretch.first for i, stretch in zip(seen, result.stretches, strict=True))


def without_columns(i: Any, d: Any) -> Any:
    return np.False_


def test_what_is_no_truth_on_columns_is_refused_on_the_first_record() -> None:
    run = leap([(4005 * 9 * k, 5, 9) for k in range(20)])
    with pytest.raises(NoTruth, match="'no', a str, where True or False is needed"):
        decide.count(lambda i, d: "no", token_rate.term, run.stretches, run.deployment)


@pytest.mark.parametrize("holds", [with_if, with_batch, with_square, without_columns])
def test_a_claim_that_does_not_work_with_columns_is_decided_without_them(holds: Any) -> None:
    run = leap([(4005 * 9 * k, 5, 9) for k in range(20)])
    term = token_rate.term
    assert len(run.stretches) > 16
    found = decide.count(holds, term, run.stretches, run.deployment)
    assert found == decide.count(holds, None, run.stretches, run.deployment)


# Claims that swallow what a number on a range raises, or that look at what it is.


def swallows_everything(i: Any, d: Any) -> bool:
    try:
        return bool(i.start < 60)
    except Exception:
        return True


def swallows_silently(i: Any, d: Any) -> bool:
    with contextlib.suppress(Exception):
        return bool(i.start < 60)
    return True


def swallows_type_errors(i: Any, d: Any) -> bool:
    try:
        return bool(i.start % 7 != 3)
    except (TypeError, AttributeError):
        return True


def swallows_an_attribute(i: Any, d: Any) -> bool:
    try:
        return bool(i.start.bit_length() < 6)
    except AttributeError:
        return True


def swallows_bits(i: Any, d: Any) -> bool:
    try:
        return bool(i.start & 4 == 0 and abs(i.served) < 40 and math.trunc(i.start) != 7)
    except TypeError:
        return True


def swallows_a_float(i: Any, d: Any) -> bool:
    try:
        return bool(i.start + 0.5 < 60)
    except TypeError:
        return True


def swallows_digits(i: Any, d: Any) -> bool:
    try:
        return json.dumps([str(i.start)]) < "7"
    except TypeError:
        return True


def swallows_and_returns_a_term(i: Any, d: Any) -> Any:
    try:
        if i.start >= 60:
            return False
    except Exception:
        return i.tokens <= d.b_lcm
    return i.tokens <= d.b_lcm


def swallows_in_the_end(i: Any, d: Any) -> bool:
    found = True
    try:
        found = bool(i.start < 60)
    finally:
        return found  # noqa: B012


def looks_at_the_class(i: Any, d: Any) -> Any:
    return i.start < 60 if isinstance(i.start, int) else True


def matches_the_class(i: Any, d: Any) -> Any:
    match i.start:
        case int():
            return i.start < 60
        case _:
            return i.tokens <= d.b_lcm


def looks_at_the_type(i: Any, d: Any) -> bool:
    return type(i.start) is not int or bool(i.start != 60)


def looks_through_a_helper(i: Any, d: Any) -> bool:
    return looks_at_the_type(i, d)


def looks_at_the_abstract_class(i: Any, d: Any) -> bool:
    return not isinstance(i.start, numbers_abc.Integral) or bool(i.start < 60)


def has_bits(i: Any, d: Any) -> bool:
    return not hasattr(i.start, "bit_length") or bool(i.start < 60)


def asks_numpy(i: Any, d: Any) -> bool:
    return bool(np.max(np.array([i.start, 7])) < 60)


def asks_a_range(i: Any, d: Any) -> bool:
    return i.start not in range(0, 10**6, 3)


CHEATS = [
    value
    for name, value in list(globals().items())
    if name.startswith(("swallows_", "looks_", "matches_", "has_", "asks_"))
]


@pytest.mark.parametrize("holds", CHEATS, ids=lambda holds: holds.__name__)
def test_a_refusal_that_a_claim_swallows_is_noticed(holds: Any) -> None:
    @given(runs())
    @quick(25)
    def property_(run: Run) -> None:
        agree(run, every(holds))

    property_()


SWALLOWED = {
    "hash": lambda n: hash(n) % 3 == 0,
    "minus": lambda n: -n <= -90,
    "plus": lambda n: +n >= 90,
    "set": lambda n: n in {0, 100, 200},
    "digits": lambda n: f"{n}" < "5",
    "format": lambda n: format(n, "d") < "5",
    "percent": lambda n: "%d" % n < "5",  # noqa: UP031
    "repr": lambda n: repr(n) < "5",
    "fraction": lambda n: Fraction(n, 3) < 20,
    "half": lambda n: n + 0.5 < 90,
}


@pytest.mark.parametrize("question", SWALLOWED.values(), ids=SWALLOWED)
@pytest.mark.parametrize("catch", ["try", "with"])
def test_what_an_int_can_do_and_a_term_cannot_is_not_swallowed(question: Any, catch: str) -> None:
    """The claim was taken for the term that its handler returns, and held by that."""

    def tries(i: Any, d: Any) -> Any:
        try:
            return question(i.start)
        except Exception:
            return i.start <= i.start

    def suppresses(i: Any, d: Any) -> Any:
        with contextlib.suppress(Exception):
            return question(i.start)
        return i.start <= i.start

    claim = every(tries if catch == "try" else suppresses)
    path = [(40 * k, 0, 1) for k in range(20)]
    node = Deployment(b_col=1, t_lin=1, t_nl=0)
    leapt = leap(path, node)
    assert len(leapt.stretches) > 16
    assert claim.term is None
    one_by_one = sum(not question(record.start) for record in run(path, node).records)
    assert 0 < one_by_one < 20
    assert check(leapt, claim).failures == one_by_one


def test_a_claim_that_swallows_a_split_is_decided_on_both_sides_of_it() -> None:
    run = leap([(0, 0, 4 * 10**11)])
    bound = 4005 * 10**11

    def swallowing(i: Any, d: Any) -> bool:
        try:
            return bool(i.start < bound)
        except Exception:
            return True

    assert check(run, every(swallowing)).first == bound
    assert check(run, every(swallowing)).failures == 3 * 10**11


def test_a_claim_that_swallows_a_refusal_is_unknown_beyond_the_budget() -> None:
    run = leap([(0, 0, 4 * 10**11)])
    for holds in (swallows_type_errors, looks_at_the_type, asks_numpy):
        assert check(run, every(holds)).result is Result.UNKNOWN


def test_a_number_looked_for_in_a_range_is_not_compared_with_all_of_it() -> None:
    run = leap([(0, 0, 100)])
    began = time.process_time()
    assert check(run, every(lambda i, d: i.start not in range(0, 10**8, 2))).failures == 50
    assert time.process_time() - began < 5


def test_a_split_of_another_range_divides_nothing() -> None:
    kept: list[Exception] = []

    def holds(i: Any, d: Any) -> bool:
        try:
            return bool(i.start < 4005 * 90)
        except Exception as error:
            kept.append(error)
        if len(kept) > 1:
            raise kept[0]
        return True

    assert check(leap([(0, 0, 100)]), every(holds)).failures == 10
