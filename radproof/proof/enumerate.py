"""Numpy as a reader of the lemmas: every case of a small range at once.

A `Column` holds one value for each case. Called with columns, a lemma's builder gives a column of
truths; the cases where the hypotheses hold and the goal does not are counterexamples.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from radproof.model import SEED
from radproof.number import both
from radproof.proof.obligations import Lemma, World
from radproof.readers.terms import Names

FEW = {1: SEED.b_col, 2: SEED.b_col, 3: 24}
"""The largest value of each variable, by how many are enumerated: about 16,000 cases at most."""


@attrs.frozen(eq=False)
class Column:
    """One int or truth for each case; arithmetic is case by case."""

    values: Any

    __hash__ = None  # type: ignore[assignment]

    def ite(self, then: Any, otherwise: Any) -> Column:
        """`then` in the cases where this is true."""
        return Column(np.where(self.values, _values(then), _values(otherwise)))

    def negate(self) -> Column:
        """True in the cases where this is false."""
        return Column(~self.values)

    def either(self, *others: Any) -> Column:
        """True where one of these is."""
        return Column(np.logical_or.reduce([self.values, *map(_values, others)]))

    def both(self, *others: Any) -> Column:
        """True where all of these are."""
        return Column(np.logical_and.reduce([self.values, *map(_values, others)]))

    def __bool__(self) -> bool:
        raise TypeError("a column has no one truth; use radproof.number's helpers")


def _values(value: Any) -> Any:
    return value.values if isinstance(value, Column) else value


def _operator(name: str) -> Any:
    ufunc = getattr(np, name)

    def apply(self: Column, other: Any) -> Column:
        return Column(ufunc(self.values, _values(other)))

    def reflected(self: Column, other: Any) -> Column:
        return Column(ufunc(_values(other), self.values))

    return apply, reflected


for _name, _ufunc in (
    ("add", "add"),
    ("sub", "subtract"),
    ("mul", "multiply"),
    ("floordiv", "floor_divide"),
    ("mod", "remainder"),
    ("le", "less_equal"),
    ("lt", "less"),
    ("ge", "greater_equal"),
    ("gt", "greater"),
    ("eq", "equal"),
    ("ne", "not_equal"),
):
    _apply, _reflected = _operator(_ufunc)
    setattr(Column, f"__{_name}__", _apply)
    if _name in ("add", "sub", "mul", "floordiv", "mod"):
        setattr(Column, f"__r{_name}__", _reflected)


def enumerate_cases(lemma: Lemma, world: World) -> tuple[int, dict[str, int] | None]:
    """Every case of the lemma's grid: how many meet its hypotheses, and the first that breaks it.

    The grid's variables go over 0..b_col of the seed's deployment (0..24 where there are three of
    them); the deployment's are the seed's, any other variable is 1.
    """
    most = FEW[len(lemma.grid)]
    axes = np.meshgrid(*[np.arange(most + 1, dtype=np.int64)] * len(lemma.grid), indexing="ij")
    fixed = {"tiles": 1, "slack": 0, "t_lin": SEED.t_lin, "t_nl": SEED.t_nl, "b_col": SEED.b_col}
    values: dict[str, Any] = {name: fixed.get(name, 1) for name in lemma.sorts}
    flat = {name: axis.ravel() for name, axis in zip(lemma.grid, axes, strict=True)}
    values |= {name: Column(column) for name, column in flat.items()}
    sequent = lemma.build(Names(values), world)
    size = flat[lemma.grid[0]].shape
    assumed = np.broadcast_to(_values(both(*sequent.given)), size)
    shown = np.broadcast_to(_values(sequent.conclusion), size)
    wrong = np.flatnonzero(assumed & ~shown)
    first = None
    if wrong.size:
        first = {name: int(column[wrong[0]]) for name, column in flat.items()}
    return int(assumed.sum()), first
