"""Numpy as a reader of the lemmas: every case of a small range at once.

Called with columns (`readers.arrays.Column`), a lemma's builder gives a column of truths; the
cases where the hypotheses hold and the goal does not are counterexamples.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from radproof.lemmas.obligations import Lemma, World
from radproof.model import SEED
from radproof.number import Truth, both
from radproof.readers.arrays import Column
from radproof.readers.terms import Names

FEW = {1: SEED.b_col, 2: SEED.b_col, 3: 24}
"""The largest value of each variable, by their number: at most about 17,000 cases."""


def enumerate_cases(lemma: Lemma, world: World) -> tuple[int, dict[str, int] | None]:
    """How many cases of the lemma's grid meet its hypotheses, and the first that breaks it.

    The grid's variables range over 0..b_col of the seed's deployment (0..24 where there are three
    of them); the deployment's variables have the seed's values, any other variable is 1.
    """
    most = FEW[len(lemma.grid)]
    axes = np.meshgrid(*[np.arange(most + 1, dtype=np.int64)] * len(lemma.grid), indexing="ij")
    fixed = {"tiles": 1, "slack": 0, "t_lin": SEED.t_lin, "t_nl": SEED.t_nl, "b_col": SEED.b_col}
    values: dict[str, Any] = {name: fixed.get(name, 1) for name in lemma.sorts}
    flat = {name: axis.ravel() for name, axis in zip(lemma.grid, axes, strict=True)}
    values |= {name: Column(column, most) for name, column in flat.items()}
    sequent = lemma.build(Names(values), world)
    size = flat[lemma.grid[0]].shape
    assumed = _broadcast(both(*sequent.given), size)
    shown = _broadcast(sequent.conclusion, size)
    wrong = np.flatnonzero(assumed & ~shown)
    first = None
    if wrong.size:
        first = {name: int(column[wrong[0]]) for name, column in flat.items()}
    return int(assumed.sum()), first


def _broadcast(truth: Truth, size: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    found = truth.values if isinstance(truth, Column) else np.bool_(truth)
    return np.broadcast_to(found, size)
