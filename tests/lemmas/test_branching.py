"""Code run on symbols: every sequence of truths once, and nothing that ints would not do."""

from __future__ import annotations

import itertools

import pytest
import z3

from radproof.errors import RadproofError
from radproof.lemmas import branching
from radproof.lemmas.branching import Excluded, Leaf, Question, always, explore, leaves
from radproof.lemmas.obligations import numbers, truths
from radproof.lemmas.symbols import boolean, variables
from radproof.number import both, either, ite, minimum, negate
from radproof.readers.terms import Names

V = Names(variables(numbers("x y z") | truths("p")))


def on(script, *names):
    return [script.number(getattr(V, name)) for name in names]


def proved(truth, *given):
    solver = z3.Solver()
    solver.add(*map(boolean, given), z3.Not(boolean(truth)))
    return solver.check() == z3.unsat


def middle(script):
    """The middle one of three numbers, in the way that code would find it."""
    x, y, z = on(script, "x", "y", "z")
    _, two, _ = sorted([x, y, z])
    return branching.plain(two)


def test_every_sequence_of_truths_is_run_once_and_its_result_is_right():
    tree = explore(middle)
    assert leaves(tree) == 6
    right = lambda found: both(  # noqa: E731
        either(found == V.x, found == V.y, found == V.z),
        ite(found >= V.x, 1, 0) + ite(found >= V.y, 1, 0) + ite(found >= V.z, 1, 0) >= 2,
        ite(found <= V.x, 1, 0) + ite(found <= V.y, 1, 0) + ite(found <= V.z, 1, 0) >= 2,
    )
    assert proved(always(tree, right))
    assert not proved(always(tree, lambda found: found == V.x))


def test_what_the_hypotheses_exclude_is_a_leaf_that_is_not_reached():
    def asks(script):
        (x,) = on(script, "x")
        return bool(x > 3)

    tree = explore(asks, [V.x == 5])
    assert isinstance(tree, Question)
    assert {type(tree.yes), type(tree.no)} == {Leaf, Excluded}
    assert proved(always(tree, lambda result: result), V.x == 5)
    assert not proved(always(tree, lambda result: result))


def test_a_truth_is_asked_once_however_it_is_asked():
    def asks(script):
        x, y = on(script, "x", "y")
        if x <= y:
            asked = [x > y, y >= x, negate(x > y), either(x > y, False), minimum(x, y) == x]
            return [bool(truth) for truth in asked]
        return None

    tree = explore(asks)
    assert leaves(tree) == 2
    answers = [leaf.result for leaf in (tree.yes, tree.no) if leaf.result is not None]
    assert answers == [[False, True, True, False, True]]


def test_equal_numbers_are_neither_less_nor_greater():
    def asks(script):
        x, y = on(script, "x", "y")
        return bool(x == y) and bool(x < y or x > y)

    assert proved(always(explore(asks), lambda found: found is False))


def test_numbers_are_keys_as_ints_are():
    def asks(script):
        x, y = on(script, "x", "y")
        return len({x, y}), {x: 1, y: 2}[x]

    tree = explore(asks)
    assert proved(always(tree, lambda found: ite(V.x == V.y, found == (1, 2), found == (2, 1))))


def test_a_truth_counts_as_a_number_and_a_number_as_a_truth():
    def asks(script):
        x, p = on(script, "x", "p")
        return branching.plain(sum([p, True, x > 0]) + 1), bool(x)

    tree = explore(asks)
    count = ite(V.p, 1, 0) + ite(V.x > 0, 1, 0) + 2
    assert proved(always(tree, lambda found: both(found[0] == count, (V.x != 0) == found[1])))


def test_code_that_asks_otherwise_when_it_is_called_again_is_refused():
    calls = itertools.count()

    def asks(script):
        x, y = on(script, "x", "y")
        return bool(x > 0) if next(calls) == 0 else bool(y > 0)

    with pytest.raises(RadproofError, match="not a function"):
        explore(asks)


def test_there_is_an_end_to_the_sequences_that_are_tried(monkeypatch):
    monkeypatch.setattr(branching, "MOST", 2)
    with pytest.raises(RadproofError, match="more than 2 sequences of truths"):
        explore(middle)


def test_on_ints_the_code_is_called_once():
    assert explore(lambda script: max(script.number(3), 2)) == Leaf(3)
