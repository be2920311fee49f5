from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof.claims import CLAIMS
from radproof.laws import LAWS
from radproof.model import Deployment, Iteration
from radproof.number import both, either, ite, minimum, negate
from radproof.readers.intervals import Maybe, NotShown, Unseen

small = st.integers(-6, 9)


@st.composite
def seen(draw: Any) -> tuple[int, Any]:
    """A number and what a log shows of it: itself, or bounds around it."""
    value = draw(small)
    if draw(st.booleans()):
        return value, value
    low = draw(st.one_of(st.just(-math.inf), st.integers(-9, value)))
    high = draw(st.one_of(st.just(math.inf), st.integers(value, 12)))
    return value, Unseen(low, high, ("x",))


def agrees(shown: Any, real: Any) -> None:
    if isinstance(shown, Unseen):
        assert shown.low <= real <= shown.high
    elif not isinstance(shown, Maybe):
        assert shown == real


ARITHMETIC = [operator.add, operator.sub, operator.mul]
COMPARISONS = [operator.le, operator.lt, operator.ge, operator.gt, operator.eq, operator.ne]


@quick(400)
@given(seen(), seen(), st.sampled_from([*ARITHMETIC, *COMPARISONS]))
def test_whatever_is_decided_is_so_for_the_number_itself(
    a: tuple[int, Any], b: tuple[int, Any], what: Callable[[Any, Any], Any]
) -> None:
    agrees(what(a[1], b[1]), what(a[0], b[0]))


@quick(200)
@given(seen(), st.integers(1, 5), st.sampled_from([operator.floordiv, operator.mod]))
def test_divisions_are_bounded(a: tuple[int, Any], by: int, what: Any) -> None:
    agrees(what(a[1], by), what(a[0], by))


@quick(300)
@given(seen(), seen(), seen())
def test_the_number_helpers_accept_them(
    a: tuple[int, Any], b: tuple[int, Any], c: tuple[int, Any]
) -> None:
    def formula(x: Any, y: Any, z: Any) -> Any:
        return either(negate(minimum(x, y) <= z), both(x == y, ite(x >= 1, y, z) > 2))

    agrees(formula(a[1], b[1], c[1]), formula(a[0], b[0], c[0]))


def test_bounds_decide_where_they_can() -> None:
    """Sound and useless would be to decide nothing."""
    many = Unseen.at_least(5, "who waits")
    assert (many >= 5) is True
    assert (many == 4) is False
    assert (Unseen(0, 3, ("x",)) <= 3) is True
    assert (Unseen(0, 3, ("x",)) < 4) is True
    assert (many * 0) == 0
    assert (2 * many + 1 > 10) is True
    assert isinstance(many == 5, Maybe)
    assert (Unseen(3, 7, ("x",)) // 4).high == 1
    assert (Unseen(4, 7, ("x",)) // 4) == 1
    assert (Unseen(4, 7, ("x",)) % 1) == 0
    assert (7 // Unseen(4, 7, ("x",))).high == math.inf
    assert many.text == "5 or more"
    assert Unseen(3, 7, ("x",)).text == "3 to 7"


def test_an_open_truth_is_compared_and_counted_as_0_or_1() -> None:
    """`(i.decoders > 1) == (i.tokens > 1)` is open, not false, where one side is."""
    open_one = Unseen(0, 3, ("a",)) <= 2
    assert isinstance(open_one, Maybe)
    for compared in (open_one == True, True != open_one, open_one == open_one):  # noqa: E712, SIM300
        assert isinstance(compared, Maybe)
        assert compared.why == ("a",)
    assert (open_one + 1 <= 2) is True
    assert (open_one + (3 > 2) >= 1) is True
    assert isinstance(open_one + open_one <= 1, Maybe)


def test_a_comparison_with_a_fraction_is_decided_and_a_sum_with_one_refused() -> None:
    assert (Unseen(0, 3, ("x",)) <= 3.5) is True
    assert (Unseen(0, 3, ("x",)) > 3.5) is False
    for refused in (lambda: Unseen(0, 3, ("x",)) + 0.5, lambda: 0.5 * Unseen(0, 3, ("x",))):
        with pytest.raises(TypeError):
            refused()


def test_what_is_open_has_no_truth_and_says_why() -> None:
    open_one = Unseen(0, 3, ("a",)) <= Unseen(1, 2, ("b",))
    with pytest.raises(NotShown) as raised:
        bool(open_one)
    assert raised.value.why == ("a", "b")
    assert str(raised.value) == "a; b"
    with pytest.raises(NotShown):
        min(Unseen(0, 3, ("a",)), 2)
    assert either(open_one, True) is True
    assert both(open_one, False) is False


@quick(200)
@given(st.lists(st.integers(0, 6), min_size=9, max_size=9), st.sets(st.integers(0, 8)))
def test_every_claim_and_batch_law_agrees_with_itself_on_what_is_shown(
    numbers: list[int], hidden: set[int]
) -> None:
    """The same object, on a record and on the record with some of its numbers hidden."""
    deployment = Deployment(b_col=3, t_lin=2, t_nl=1)
    whole = Iteration(*numbers, batch=())
    part = [Unseen.at_least(0, "x") if n in hidden else value for n, value in enumerate(numbers)]
    shown = Iteration(*part, batch=())  # type: ignore[arg-type]
    laws = [law.claim for law in LAWS.values() if law.symbolic]
    for claim in [*CLAIMS.values(), *laws]:
        agrees(claim.holds(shown, deployment), claim.holds(whole, deployment))


def between(low: Any, high: Any) -> Any:
    return low if low == high else Unseen(low, high, ("x",))


def ends(found: Any) -> tuple[Any, Any]:
    return (found.low, found.high) if isinstance(found, Unseen) else (found, found)


RANGES = [(low, high) for low in range(-2, 4) for high in range(low, 4)]


@pytest.mark.parametrize("operation", [*ARITHMETIC, *COMPARISONS], ids=lambda o: o.__name__)
def test_bounds_are_those_of_all_the_numbers_inside(operation: Any) -> None:
    """No wider, and a comparison is open only where it is true of some and false of others."""
    for (low, high), (least, most) in itertools.product(RANGES, repeat=2):
        found = operation(between(low, high), between(least, most))
        real = {operation(a, b) for a in range(low, high + 1) for b in range(least, most + 1)}
        if operation in COMPARISONS and len(real) == 2:
            assert isinstance(found, Maybe)
        else:
            assert ends(found) == (min(real), max(real))


@pytest.mark.parametrize("by", [1, 2, 3])
def test_quotients_are_those_of_all_the_numbers_inside(by: int) -> None:
    for low, high in RANGES:
        real = [a // by for a in range(low, high + 1)]
        assert ends(between(low, high) // by) == (min(real), max(real))


INF = math.inf
UNBOUNDED: dict[str, tuple[Callable[[], Any], tuple[Any, Any]]] = {
    "sum": (lambda: between(1, INF) + between(2, 3), (3, INF)),
    "sum below": (lambda: between(-INF, 1) + between(2, 3), (-INF, 4)),
    "difference": (lambda: between(1, INF) - between(2, 3), (-2, INF)),
    "from an int": (lambda: 3 - between(1, INF), (-INF, 2)),
    "product": (lambda: between(2, INF) * between(3, 4), (6, INF)),
    "product across 0": (lambda: between(-2, INF) * between(3, 4), (-8, INF)),
    "product with a negative": (lambda: between(-2, INF) * between(-4, -3), (-INF, 8)),
    "product of two": (lambda: between(-INF, -1) * between(-INF, -2), (2, INF)),
    "product with 0": (lambda: between(0, INF) * between(0, 1), (0, INF)),
    "nothing": (lambda: between(-INF, INF) * 0, (0, 0)),
    "negation": (lambda: -between(2, INF), (-INF, -2)),
    "quotient": (lambda: between(5, INF) // 2, (2, INF)),
    "quotient below": (lambda: between(-INF, 5) // 2, (-INF, 2)),
    "quotient by a range": (lambda: between(5, 7) // between(1, 2), (-INF, INF)),
    "quotient by less than 1": (lambda: between(5, 7) // -1, (-INF, INF)),
    "remainder": (lambda: between(5, INF) % 3, (0, 2)),
    "remainder by 0": (lambda: between(5, 7) % 0, (-INF, INF)),
    "0 with a product": (lambda: between(0, 1) * between(0, INF), (0, INF)),
    "quotient by a fraction": (lambda: between(5, 7) // 2.0, (-INF, INF)),
    "sum beyond floats": (lambda: between(1, INF) + 10**400, (10**400 + 1, INF)),
    "product beyond floats": (lambda: between(2, INF) * 10**400, (2 * 10**400, INF)),
    "and the other way round": (lambda: -(10**400) * between(2, INF), (-INF, -2 * 10**400)),
    "beyond floats": (lambda: between(10**400, INF) + 1, (10**400 + 1, INF)),
}


@pytest.mark.parametrize("name", UNBOUNDED)
def test_a_side_without_a_bound_stays_without(name: str) -> None:
    compute, bounds = UNBOUNDED[name]
    assert ends(compute()) == bounds


def test_either_side_of_an_open_condition_is_possible() -> None:
    open_one, other = Unseen(0, 1, ("c",)) == 1, Unseen(0, 1, ("d",)) == 1
    assert ends(ite(open_one, 3, 7)) == ends(ite(open_one, 7, 3)) == (3, 7)
    assert ends(ite(open_one, between(1, 4), between(2, INF))) == (1, INF)
    assert ite(open_one, between(1, 4), 9).why == ("c", "x")
    assert ite(open_one, True, True) is True
    assert ite(open_one, False, False) is False
    assert isinstance(ite(open_one, True, 1), Maybe)
    assert isinstance(ite(open_one, 1, True), Maybe)
    for then, otherwise in ((True, False), (other, True), (True, other), (other, other)):
        found = ite(open_one, then, otherwise)
        assert isinstance(found, Maybe)
        named = any(one is other for one in (then, otherwise))
        assert found.why == (("c", "d") if named else ("c",))


def test_the_negation_of_what_is_open_is_open_and_a_number_that_may_be_0_has_no_truth() -> None:
    open_one = Unseen(0, 1, ("c",)) == 1
    assert negate(open_one).why == ("c",)
    assert either(open_one, Unseen(0, 1, ("d",)) == 1).why == ("c", "d")
    assert bool(Unseen(1, 4, ("x",)))
    for refused in (bool, int, hash, operator.index):
        with pytest.raises(NotShown, match="x"):
            refused(Unseen(0, 4, ("x",)))


def test_a_number_with_one_value_left_is_that_number() -> None:
    four = Unseen(4, 4, ("x",))
    assert (four == 4) is (four == Unseen(4, 4, ("y",))) is True
    assert (four == 5) is (four != 4) is False
    assert (four != 5) is True
    assert isinstance(four == Unseen(4, 5, ("y",)), Maybe)
    assert isinstance(Unseen(3, 4, ("y",)) == four, Maybe)
    assert type(four + 1) is int


def test_an_open_truth_is_no_key() -> None:
    with pytest.raises(TypeError):
        hash(Unseen(0, 1, ("c",)) == 1)
