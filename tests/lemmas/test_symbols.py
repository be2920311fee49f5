"""Z3's numbers as rules read them: the operations of ints with the same meaning, and no others."""

from __future__ import annotations

import math
import operator

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from radproof.errors import BadInput
from radproof.lemmas.obligations import WITNESS, WORLD, Part, Sequent, lemma, numbers, truths
from radproof.lemmas.symbols import Symbol, boolean, divisor, job, node, symbolic, variables
from radproof.model import DECODE, PREFILL, Job
from radproof.number import both, either, ite, negate
from radproof.readers.base import ARITHMETIC, COMPARISONS
from radproof.readers.terms import Names, NotSymbolic

V = Names(variables(numbers("x y") | truths("p q")))


def value(symbol, **values):
    """The int or bool that a symbol has at these values of the variables."""
    known = [(z3.Int(name) if type(v) is int else z3.Bool(name), v) for name, v in values.items()]
    pairs = [(variable, z3.IntVal(v) if type(v) is int else z3.BoolVal(v)) for variable, v in known]
    found = z3.simplify(z3.substitute(symbol.term, *pairs))
    return z3.is_true(found) if symbol.is_truth else found.as_long()


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    st.sampled_from([*ARITHMETIC, *COMPARISONS]),
    st.integers(-(10**20), 10**20),
    st.integers(-9, 9),
)
def test_an_operation_means_what_it_means_on_ints(operation, a, b):
    x, y = V.x, V.y
    if operation in (operator.floordiv, operator.mod):
        b, y = abs(b) + 1, divisor(y)
        assert value(operation(a, y), y=b) == operation(a, b)
        assert value(operation(x, b), x=a) == operation(a, b)
    expected = operation(a, b)
    assert value(operation(x, y), x=a, y=b) == expected
    if operation not in (operator.floordiv, operator.mod):
        assert value(operation(x, b), x=a) == expected
        assert value(operation(a, y), y=b) == expected
    assert value(-x, x=a) == -a


@given(st.booleans(), st.booleans())
@settings(deadline=None, derandomize=True, database=None)
def test_a_connective_means_what_it_means_on_bools(p, q):
    assert value(either(V.p, V.q), p=p, q=q) is (p or q)
    assert value(both(V.p, V.q), p=p, q=q) is (p and q)
    assert value(negate(V.p), p=p) is (not p)
    assert value(ite(V.p, 3, V.x), p=p, x=5) == (3 if p else 5)
    assert value(ite(V.p, V.q, True), p=p, q=q) is (q if p else True)
    assert value(V.p == V.q, p=p, q=q) is (p == q)
    assert value(V.p != True, p=p) is (p is not True)  # noqa: E712


@pytest.mark.parametrize(
    "ask",
    [
        lambda: bool(V.x),
        lambda: bool(V.x == V.y),
        lambda: bool(V.x == V.x),
        lambda: V.x in (1, 2),
        lambda: {1: 2}.get(V.x, 0),
        lambda: 3 if V.p else 4,
        lambda: min(V.x, V.y),
        lambda: V.x / 2,
        lambda: 2 / V.x,
        lambda: V.x**2,
        lambda: 2**V.x,
        lambda: divmod(V.x, 2),
        lambda: int(V.x),
        lambda: float(V.x),
        lambda: round(V.x),
        lambda: math.floor(V.x),
        lambda: math.ceil(V.x),
        lambda: abs(V.x),
        lambda: [1, 2][V.x],
        lambda: range(V.x),
        lambda: f"{V.x}",
        lambda: str(V.x),
        lambda: V.x * 1.0,
        lambda: V.x + "1",
        lambda: V.x == "1",
        lambda: V.x == None,  # noqa: E711
        lambda: V.x // V.y,
        lambda: V.x % V.y,
        lambda: V.x // 0,
        lambda: V.x % -3,
        lambda: 5 // V.x,
        lambda: V.x % (node_of().b_col - 1),
        lambda: V.x + V.p,
        lambda: V.p + 1,
        lambda: -V.p,
        lambda: V.p <= V.q,
        lambda: V.p == 1,
        lambda: V.x == True,  # noqa: E712
        lambda: ite(V.x, 1, 2),
        lambda: ite(V.p, 1, V.q),
        lambda: ite(V.p, 1.0, 2),
        lambda: either(V.p, V.x),
        lambda: both(V.x, V.p),
        lambda: negate(V.x),
        lambda: boolean(V.x),
    ],
)
def test_what_ints_and_solvers_read_differently_is_refused(ask):
    with pytest.raises(NotSymbolic):
        ask()


def node_of():
    """The deployment in symbols."""
    return node(Names(variables(numbers("slack tiles t_lin t_nl b_col"))))


@pytest.mark.parametrize("name", ["b_col", "b_lcm", "chunk"])
def test_the_tiles_and_the_chunk_divide(name):
    d = node_of()
    assert isinstance(V.x // getattr(d, name), Symbol)
    assert isinstance(V.x % getattr(d, name), Symbol)


@pytest.mark.parametrize("name", ["t_lin", "t_nl"])
def test_a_time_may_be_0_and_does_not_divide(name):
    with pytest.raises(NotSymbolic, match="a divisor may be 0 or less"):
        V.x // getattr(node_of(), name)


@pytest.mark.parametrize("phase", [PREFILL, DECODE])
def test_a_job_in_symbols_has_the_numbers_of_a_job(phase):
    one = job(phase, 1, 2, 30, 4)
    real = Job(1, phase, 2, 30, 4)
    for name in ("session", "phase", "arrive", "prompt", "done", "prefilled", "generated"):
        assert getattr(one, name) == getattr(real, name)


def test_a_lemma_that_asks_for_a_truth_is_refused():
    @lemma(WITNESS, numbers("x"))
    def asks(v, world):
        return Sequent((), (Part("p", v.x >= 0 or v.x < 0),))

    with pytest.raises(BadInput, match=r"lemma asks: .* is not known"):
        symbolic(asks, WORLD)
