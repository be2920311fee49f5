"""Fitting equation (7) to a log: t_lin, t_nl and b_col from batches and their durations.

    duration = constant + t_lin ceil(tokens / b_col) + t_nl tokens

Equation (7) has no constant (Bari, Hegde, de Veciana, arXiv 2508.01002); a real engine often has
one, for work that every iteration does whatever its batch. Both are fitted, and compared.

All batches of one size count as one point, their median duration, weighted by their number: a
compilation or a page fault among many of its size does not pull the fit. The fit is by least
squares, no coefficient is below 0, and b_col is the candidate with the least residual.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs

from radproof.errors import BadInput, Undecided
from radproof.model import Deployment
from radproof.number import ceil_div

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_ITERATIONS = 1_000_000
"""The most iterations that are fitted: they are held in memory."""

SIZES = 3
"""The fewest different batch sizes that are fitted: there are three coefficients."""

CLOSE = 0.10
"""How near a prediction must be to count as close, relative to what was measured."""

ENOUGH = 0.90
"""The share of iterations that must be predicted that closely for a model to fit."""

HELPS = 2.0
"""A constant is needed where it divides the root mean square of the residuals by more than this:
with a tile as large as the largest batch, t_lin can stand in for a constant, and be near enough."""

_STEP = 8
"""Candidates for b_col are multiples of this: tiles of real kernels are."""

_ALIKE = 1.001
"""Residuals up to this factor from the least are as good: they cannot tell tiles apart."""


@attrs.frozen
class Measured:
    """One iteration."""

    tokens: int
    """Of its batch."""
    duration: int
    """Microseconds."""
    line: int = 0
    """Where the log shows it."""


@attrs.frozen
class Fit:
    """One model, fitted. Coefficients and residuals in microseconds."""

    b_col: int
    constant: float
    t_lin: float
    t_nl: float
    alike: tuple[int, ...]
    """The candidates for b_col that are as good, this one included."""
    rms: float
    """The root of the mean square of the residuals."""
    close: float
    """The share of the iterations that are predicted within `CLOSE`."""
    worst: Measured
    """The iteration that is furthest off."""

    def predict(self, tokens: int) -> float:
        """Microseconds of a batch of so many tokens."""
        return self.constant + self.t_lin * int(ceil_div(tokens, self.b_col)) + self.t_nl * tokens

    @property
    def near(self) -> bool:
        """Whether `ENOUGH` of the iterations are predicted within `CLOSE`."""
        return self.close >= ENOUGH


@attrs.frozen
class Fitted:
    """Both models, fitted to one log."""

    plain: Fit
    """Equation (7) as it stands."""
    constant: Fit
    """Equation (7) with a constant."""
    deployment: Deployment
    """The plain fit in whole microseconds, as radproof runs it."""
    rounded: Fit
    """How that deployment predicts."""
    iterations: int
    sizes: int
    """Different batch sizes among the iterations."""

    @property
    def needs_constant(self) -> bool:
        """Whether a constant divides the residuals by more than `HELPS`, rounding aside."""
        return self.plain.rms > HELPS * self.constant.rms + 1

    @property
    def fits(self) -> bool:
        """Whether equation (7) fits as it stands: near enough, and no constant is needed."""
        return self.plain.near and not self.needs_constant


def fit(measured: Iterable[Measured], b_col: int | None = None) -> Fitted:
    """Both models, fitted to what was measured; searches for `b_col` unless it is given.

    Raises Undecided for fewer than three different batch sizes, BadInput for more than a million
    iterations, and for a batch without tokens or without a duration.
    """
    points = []
    for one in measured:
        if one.tokens < 1 or one.duration < 1:
            raise BadInput(
                f"line {one.line}: a batch of {one.tokens} tokens took {one.duration} us; both "
                "must be 1 or more."
            )
        points.append(one)
        if len(points) > MOST_ITERATIONS:
            raise BadInput(
                f"more than {MOST_ITERATIONS:,} iterations; fit a part of them with --limit."
            )
    sizes = sorted({one.tokens for one in points})
    if len(sizes) < SIZES:
        raise Undecided(
            f"{len(points)} iterations of {len(sizes)} different batch sizes; t_lin, t_nl and a "
            f"constant need at least {SIZES} sizes. Log a run with batches of more sizes."
        )
    candidates = [b_col] if b_col is not None else _candidates(sizes[-1])
    plain = _best(points, sizes, candidates, constant=False)
    with_constant = _best(points, sizes, candidates, constant=True)
    deployment = _whole(points, plain)
    rounded = _judged(
        points, deployment.b_col, (0.0, deployment.t_lin, deployment.t_nl), plain.alike
    )
    return Fitted(plain, with_constant, deployment, rounded, len(points), len(sizes))


def _candidates(largest: int) -> list[int]:
    """Tiles with which batches of one tile and of more can be seen."""
    return list(range(_STEP, largest, _STEP)) or list(range(1, largest))


def _best(
    points: Sequence[Measured], sizes: Sequence[int], candidates: Sequence[int], constant: bool
) -> Fit:
    import numpy as np

    tokens = np.array(sizes, dtype=float)
    durations, weights = _medians(points, sizes)
    found = []
    for tile in candidates:
        tiles = np.array([float(ceil_div(size, tile)) for size in sizes])
        columns = [tiles, tokens, np.ones_like(tokens)] if constant else [tiles, tokens]
        matrix = np.stack(columns, axis=1) * weights[:, None]
        coefficients, residual = _least(matrix, durations * weights)
        found.append((residual, tile, coefficients))
    least = min(residual for residual, _, _ in found)
    floor = 1e-13 * float(np.sum((durations * weights) ** 2))
    alike = [row for row in found if row[0] <= max(least * _ALIKE, floor)]
    # of those that are as good, the one with the largest power of two in it, as kernels' tiles have
    _, tile, (t_lin, t_nl, *rest) = max(alike, key=lambda row: row[1] & -row[1])
    found_ones = (rest[0] if rest else 0.0, t_lin, t_nl)
    return _judged(points, tile, found_ones, tuple(row[1] for row in alike))


def _medians(
    points: Sequence[Measured], sizes: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The median duration of each batch size, and the square root of how many batches have it."""
    import numpy as np

    grouped: dict[int, list[int]] = {size: [] for size in sizes}
    for one in points:
        grouped[one.tokens].append(one.duration)
    medians = np.array([float(np.median(group)) for group in grouped.values()])
    return medians, np.sqrt(np.array([float(len(group)) for group in grouped.values()]))


def _least(matrix: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[list[float], float]:
    """The coefficients >= 0 of least squares, and the sum of squares.

    There are at most three coefficients, so every choice of those above 0 is tried: exact.
    """
    import numpy as np

    q, r = np.linalg.qr(matrix)
    projected = q.T @ values
    outside = float(values @ values - projected @ projected)
    width = matrix.shape[1]
    best: tuple[list[float], float] = ([0.0] * width, float(values @ values))
    for count in range(1, width + 1):
        for chosen in itertools.combinations(range(width), count):
            part = r[:, chosen]
            solved = np.linalg.lstsq(part, projected, rcond=None)[0]
            if (solved < 0).any():
                continue
            miss = projected - part @ solved
            residual = max(0.0, outside) + float(miss @ miss)
            if residual < best[1]:
                coefficients = [0.0] * width
                for place, value in zip(chosen, solved.tolist(), strict=True):
                    coefficients[place] = value
                best = coefficients, residual
    return best


def _judged(
    points: Sequence[Measured],
    b_col: int,
    coefficients: tuple[float, float, float],
    alike: tuple[int, ...],
) -> Fit:
    """A model compared with every iteration, not with the medians it was fitted to."""
    constant, t_lin, t_nl = coefficients
    squares, close = 0.0, 0
    worst, furthest = points[0], -1.0
    for one in points:
        said = constant + t_lin * ceil_div(one.tokens, b_col) + t_nl * one.tokens
        miss = abs(one.duration - said)
        squares += miss * miss
        close += miss <= CLOSE * one.duration
        if miss > furthest:
            worst, furthest = one, miss
    return Fit(
        b_col=b_col,
        constant=constant,
        t_lin=t_lin,
        t_nl=t_nl,
        alike=alike,
        rms=(squares / len(points)) ** 0.5,
        close=close / len(points),
        worst=worst,
    )


def _whole(points: Sequence[Measured], plain: Fit) -> Deployment:
    """The plain fit in whole microseconds: t_lin and t_nl each up or down, whichever is nearest.

    The two are rounded together, since half a microsecond a token is much for a large batch.
    """
    import numpy as np

    tokens = np.array([float(one.tokens) for one in points])
    tiles = np.array([float(ceil_div(one.tokens, plain.b_col)) for one in points])
    wanted = plain.t_lin * tiles + plain.t_nl * tokens
    best: tuple[float, int, int] | None = None
    for t_nl in {int(plain.t_nl), int(plain.t_nl) + 1}:
        # t_lin makes up for the rounding of t_nl
        moved = float((tiles @ (wanted - t_nl * tokens)) / (tiles @ tiles))
        for t_lin in {max(0, int(moved)), max(0, int(moved) + 1)}:
            miss = wanted - t_lin * tiles - t_nl * tokens
            found = (float(miss @ miss), t_lin, t_nl)
            best = found if best is None else min(best, found)
    assert best is not None
    return Deployment(b_col=plain.b_col, t_lin=best[1], t_nl=best[2])
