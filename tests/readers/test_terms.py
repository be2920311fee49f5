from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof.number import both, either, ite, negate
from radproof.readers.terms import NotSymbolic, Term, named, term

N = named("a", "b", "c")

TEXTS: list[tuple[Any, str]] = [
    (N.a + N.b * 2 <= N.c, "a + b x 2 <= c"),
    ((N.a + N.b) * 2, "(a + b) x 2"),
    (N.a - (N.b - N.c), "a - (b - c)"),
    (N.a - N.b - N.c, "a - b - c"),
    (N.a // (N.b * N.c), "a // (b x c)"),
    (N.a % 7 == 0, "a % 7 = 0"),
    (3 - N.a, "3 - a"),
    (3 * N.a, "3 x a"),
    (100 // N.a, "100 // a"),
    (3 + N.a, "3 + a"),
    (N.a > 5, "a > 5"),
    (N.a != N.b, "a != b"),
    (either(N.a < 1, N.b < 2), "a < 1 or b < 2"),
    (both(either(N.a < 1, N.b < 2), N.c > 3), "(a < 1 or b < 2) and c > 3"),
    (negate(either(N.a < 1, N.b < 2)), "not (a < 1 or b < 2)"),
    (negate(N.a < 1), "not a < 1"),
    (ite(N.a <= N.b, N.a, N.b), "if a <= b then a else b"),
    (ite(N.a <= N.b, N.a, N.b) + 1, "(if a <= b then a else b) + 1"),
]


@pytest.mark.parametrize(("built", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_a_term_reads_as_it_would_be_written(built: Term, text: str) -> None:
    assert built.text() == text


def shape(a: Any, b: Any, c: Any) -> Any:
    inside = ite(either(a < b, negate(c == b)), a - c, (a + 3) // 2 * b)
    return both(inside <= c * c % 5, either(a >= b, b != 4), a > -9)


small = st.integers(-9, 9)


@given(small, small, small)
@quick(200)
def test_its_value_is_what_the_function_gives_on_ints(a: int, b: int, c: int) -> None:
    built = shape(N.a, N.b, N.c)
    assert built.value({"a": a, "b": b, "c": c}) is shape(a, b, c)


@given(small, small, small)
@quick(200)
def test_its_text_read_as_python_has_its_value(a: int, b: int, c: int) -> None:
    built = (N.a - (N.b - N.c) * 2) % 5 - N.a // 3 <= N.c - (N.a + N.b)
    text = built.text().replace(" x ", " * ")
    assert eval(text, {"a": a, "b": b, "c": c}) is built.value({"a": a, "b": b, "c": c})


def test_its_comparisons_come_from_left_to_right() -> None:
    built = either(both(N.a < 1, N.b >= 2), negate(N.c == 3), ite(N.a > 4, N.b < 5, N.c != 6))
    assert [c.text() for c in built.comparisons()] == [
        *("a < 1", "b >= 2", "c = 3", "a > 4", "b < 5", "c != 6")
    ]


ASKS: list[Callable[[], Any]] = [
    lambda: bool(N.a),
    lambda: bool(N.a < 3),
    lambda: 1 if N.a < 3 else 2,
    lambda: N.a < 3 and N.b < 4,
    lambda: min(N.a, N.b),
    lambda: 1 < N.a < 3,
    lambda: N.batch,
    lambda: N.a + 0.5,
    lambda: N.a == 1.0,
    lambda: N.a < "x",
    lambda: term(None),
]


@pytest.mark.parametrize("ask", ASKS, ids=range(len(ASKS)))
def test_what_needs_a_concrete_number_is_not_symbolic(ask: Callable[[], Any]) -> None:
    with pytest.raises(NotSymbolic):
        ask()


def test_a_term_is_no_key() -> None:
    with pytest.raises(TypeError):
        hash(N.a)


def test_an_unknown_name_is_named() -> None:
    with pytest.raises(NotSymbolic, match=r"^middle is not a number of the record or the deploym"):
        _ = N.middle
