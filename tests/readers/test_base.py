"""Every reader's number answers to every operator, with an int on either side."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

from radproof.readers.affine import Affine, NotAffine
from radproof.readers.arrays import Column, Ends
from radproof.readers.base import (
    ARITHMETIC,
    COMPARISONS,
    NoAttribute,
    NoTruth,
    NoValue,
    Number,
    Operation,
    Proposition,
    believed,
    truth,
)
from radproof.readers.intervals import Maybe, Unseen
from radproof.readers.terms import Term

HUNDRED = {
    # a number that is 100, or may be, and the ints of what it makes
    "term": (Term("constant", (100,)), lambda n: n.value({})),
    "column": (Column.of([100]), lambda n: n.values[0]),
    "ends": (Ends(Column.of([100])), lambda n: n.numbers.values[0]),
    "unseen": (Unseen(100, 100, ("why",)), lambda n: n),
    "affine": (Affine(100, 7, 2), lambda n: getattr(n, "first", n)),
}


@pytest.mark.parametrize("operation", [*ARITHMETIC, *COMPARISONS], ids=lambda o: o.__name__)
@pytest.mark.parametrize("reader", HUNDRED)
def test_a_number_on_either_side_is_read_as_an_int_is(reader: str, operation: Operation) -> None:
    hundred, value = HUNDRED[reader]
    for other in (7, 108):
        for a, b, expected in (
            (hundred, other, operation(100, other)),
            (other, hundred, operation(other, 100)),
        ):
            try:
                found = operation(a, b)
            except NotAffine:
                assert reader == "affine"
                assert operation in ARITHMETIC
                continue
            if isinstance(found, Unseen):  # a quotient by it has no bounds
                assert found.low <= expected <= found.high
            else:
                assert value(found) == expected


def test_a_reader_says_what_its_operations_are() -> None:
    with pytest.raises(NotImplementedError):
        Number() + 1


@pytest.mark.parametrize("name", ["ite", "negate", "either", "both"])
def test_a_truth_says_what_its_connectives_are(name: str) -> None:
    arguments = (1, 2) if name == "ite" else ()
    with pytest.raises(NotImplementedError):
        getattr(Proposition(), name)(*arguments)


REFUSED: list[Callable[[], Any]] = [
    lambda: {Column.of([1])},
    lambda: {Ends(Column.of([1]))},
    lambda: {Maybe(("why",))},
    lambda: Affine(0, 1, 9) + "x",
    lambda: 0.5 * Unseen(0, 3, ("why",)),
]


@pytest.mark.parametrize("use", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_key_or_no_number_is_refused(use: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        use()


def test_a_refusal_that_was_swallowed_is_raised_again() -> None:
    def swallows(*refusals: Exception) -> int:
        for refusal in refusals:
            with contextlib.suppress(Exception):
                raise refusal
        return 7

    assert believed(swallows) == 7
    with pytest.raises(NoAttribute, match="bits"):
        believed(lambda: swallows(NoValue("digits"), NoAttribute("bits")))
    assert believed(lambda: swallows(ValueError())) == 7  # the one before is forgotten
    with pytest.raises(NoValue, match="digits"):
        believed(lambda: swallows(NoValue("digits")))


def test_what_the_code_raises_itself_is_raised() -> None:
    def fails() -> int:
        with contextlib.suppress(NoValue):
            raise NoValue("digits")
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        believed(fails)
    assert believed(lambda: 7) == 7


def test_a_refusal_says_why() -> None:
    with pytest.raises(NoAttribute, match="no bit_length"):
        Affine(0, 1, 9).bit_length()
    with pytest.raises(NoValue, match="only one int"):
        abs(Affine(0, 1, 9))


def test_a_truth_is_known_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most commands do not import it."""
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert truth(True) is True
    with pytest.raises(NoTruth, match="0, a int, where True or False is needed"):
        truth(0)
