"""Code that asks for a type is found, wherever it can be reached by name."""

from __future__ import annotations

import builtins
import contextlib
import functools
from typing import Any

import pytest

from radproof import CLAIMS, model, rad
from radproof.model import DECODE, Phase
from radproof.mutants import MUTANTS
from radproof.readers.looks import CLASS, TYPE, asks, catches
from radproof.schedulers.purity import watched


def direct(x: Any) -> Any:
    return type(x) is int


def nested(x: Any) -> Any:
    return [id(y) for y in (x,)]


def helper(x: Any) -> Any:
    return direct(x)


def by_module(x: Any) -> Any:
    return builtins.type(x)


TABLE = {"direct": [direct]}


def by_table(x: Any) -> Any:
    return TABLE["direct"][0](x)


class Caller:
    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, x: Any) -> Any:
        return self.function(x)


class Method:
    __slots__ = ()

    def __call__(self, x: Any) -> Any:
        return self.look(x)

    @staticmethod
    def look(x: Any) -> Any:
        return type(x)


def closed(function: Any) -> Any:
    return lambda x: function(x)


ZERO = 0
NOBODY = object()


def is_zero(x: Any) -> Any:
    return x is ZERO


def is_the_other(x: Any) -> Any:
    return [y for y in (1, 2) if y is not x]


def is_an_attribute(x: Any) -> Any:
    return x is x.real


def is_no_number(x: Any) -> Any:
    return x is None or x is NOBODY or x is DECODE or x is Phase.DECODE or x is model.DECODE


def by_class(x: Any) -> Any:
    return x if isinstance(x, int) else 0


def plain(x: Any) -> Any:
    return x + 1


LOOKING = [
    *(direct, nested, helper, by_module, by_table, Caller(direct), Method(), closed(helper)),
    *(is_zero, is_the_other, is_an_attribute),
    *(functools.partial(direct), functools.lru_cache(direct), Method().__call__),
]


@pytest.mark.parametrize("thing", LOOKING, ids=range(len(LOOKING)))
def test_a_look_at_the_type_is_found(thing: Any) -> None:
    assert asks(thing, TYPE)
    assert asks(Caller(thing), TYPE)


@pytest.mark.parametrize(
    "thing", [plain, Caller(plain), closed(plain), by_class, is_no_number, rad, abs]
)
def test_code_without_one_is_left_alone(thing: Any) -> None:
    assert not asks(thing, TYPE)


def test_a_look_at_the_class_is_another_question() -> None:
    assert asks(by_class, CLASS)
    assert not asks(plain, CLASS)


@pytest.mark.parametrize("name", MUTANTS)
def test_no_scheduler_of_radproof_looks_at_types(name: str) -> None:
    assert not asks(watched(MUTANTS[name]), TYPE)


def raises(n: Any) -> Any:
    raise ValueError(n)


def tries(n: Any) -> Any:
    try:
        return n
    finally:
        n = 0


def suppresses(n: Any) -> Any:
    with contextlib.suppress(ValueError):
        return n


def inside(n: Any) -> Any:
    def within() -> Any:
        return tries(n)

    return within()


@pytest.mark.parametrize(
    "thing", [tries, suppresses, inside, Caller(tries), functools.partial(tries, 1)]
)
def test_code_that_may_catch_an_exception_is_found(thing: Any) -> None:
    assert catches(thing)


@pytest.mark.parametrize("thing", [plain, raises, by_class, Caller(plain), lambda n: n + 1])
def test_code_that_catches_nothing_is_left_alone(thing: Any) -> None:
    assert not catches(thing)


@pytest.mark.parametrize("claim", CLAIMS.values())
def test_no_claim_of_radproof_catches_anything(claim: Any) -> None:
    assert not catches(claim.holds)
    assert claim.term is not None
