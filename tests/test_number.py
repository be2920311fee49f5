import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import z3
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import number
from radproof.lemmas.symbols import Symbol, divisor
from radproof.readers.terms import Term, named

small = st.integers(-20, 20)
positive = st.integers(1, 20)


@given(small, small, positive)
@quick(100)
def test_on_ints_the_helpers_are_what_python_says(a: int, b: int, c: int) -> None:
    assert number.minimum(a, b) == min(a, b)
    assert number.maximum(a, b) == max(a, b)
    assert number.monus(a, b) == max(a - b, 0)
    assert number.floor_div(a, c) == a // c
    assert number.ceil_div(abs(a), c) == -(-abs(a) // c)
    assert number.ite(a < b, a, b) == (a if a < b else b)


@given(st.lists(st.booleans(), min_size=1, max_size=4))
@quick(40)
def test_on_bools_either_and_both_are_any_and_all(truths: list[bool]) -> None:
    assert number.either(*truths) is any(truths)
    assert number.both(*truths) is all(truths)
    assert number.negate(truths[0]) is (not truths[0])


FUNCTIONS = {
    "minimum": lambda a, b: number.minimum(a, b),
    "maximum": lambda a, b: number.maximum(a, b),
    "monus": lambda a, b: number.monus(a, b),
    "floor_div": lambda a, b: number.floor_div(a, b),
    "ceil_div": lambda a, b: number.ceil_div(a, b),
    "either": lambda a, b: number.ite(number.either(a < 3, b == 5, a > b), 1, 0),
    "both": lambda a, b: number.ite(number.both(a < 3, b == 5), 1, 0),
    "negate": lambda a, b: number.ite(number.negate(a < b), 1, 0),
}


@given(st.sampled_from(sorted(FUNCTIONS)), st.integers(0, 9), st.integers(1, 9))
@quick(150)
def test_terms_and_z3_read_the_same_number(name: str, a: int, b: int) -> None:
    function = FUNCTIONS[name]
    expected = function(a, b)
    names = named("a", "b")
    built = function(names.a, names.b)
    assert isinstance(built, Term)
    assert int(built.value({"a": a, "b": b})) == expected
    solver = z3.Solver()
    x, y = z3.Ints("x y")
    read = function(Symbol(x, False), divisor(Symbol(y, False))) != expected
    solver.add(x == a, y == b, read.term)
    assert solver.check() == z3.unsat


def test_a_known_disjunct_decides_and_an_open_one_stays() -> None:
    a = named("a").a
    open_ = a < 3
    assert number.either(open_, True) is True
    assert number.both(open_, False) is False
    assert number.either(False, open_) is open_
    assert number.both(True, open_) is open_
    symbol = Symbol(z3.Int("x"), False) < 3
    assert number.either(symbol, True) is True
    assert number.both(True, symbol) is symbol


NEITHER: list[Any] = [1, 0, np.True_, None, "x"]


@pytest.mark.parametrize("value", NEITHER)
def test_what_is_not_a_truth_is_refused_where_its_truth_is_needed(value: Any) -> None:
    for use in (
        lambda: number.ite(value, 1, 2),
        lambda: number.negate(value),
        lambda: number.either(value, value),
        lambda: number.both(value, True, value),
    ):
        with pytest.raises(TypeError, match="is not a truth: it must be True, False or a comp"):
            use()


@pytest.mark.parametrize("value", NEITHER)
def test_the_only_one_that_is_not_decided_is_handed_back_as_it_is(value: Any) -> None:
    assert number.either(False, value) is value
    assert number.both(value, True) is value
    assert number.either(value, True) is True
    assert number.both(False, value) is False


def test_what_is_not_a_truth_does_not_load_z3() -> None:
    program = """
import sys
from radproof import number
from radproof.readers import affine, arrays, intervals, terms
try:
    number.negate(1)
except TypeError:
    print("z3" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"
