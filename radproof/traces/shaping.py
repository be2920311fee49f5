"""Shaping a path: cut it to a window or a number of sessions, scale its clock, tile its prompts.

Pure functions of paths, applied by `shape` in one order: the window and the limit in the trace's
own time, then the speed, then the tile.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.model import SEED, Deployment, Path
from radproof.traces.times import microseconds

Tile: TypeAlias = Literal["pad", "drop", "keep"]
TILE_CHOICES: tuple[Tile, ...] = ("pad", "drop", "keep")


@attrs.frozen
class Padding:
    """What rounding prompts up to the tile cost: sessions changed, tokens before and after."""

    sessions: int
    before: int
    after: int

    def __str__(self) -> str:
        share = 100 * (self.after - self.before) / self.before if self.before else 0.0
        return (
            f"{self.sessions} prompts rounded up to the tile: {self.after - self.before} tokens "
            f"more than {self.before}, {share:.2f} %"
        )


def pad(path: Path, deployment: Deployment) -> tuple[Path, Padding]:
    """The path with every prompt rounded up to a multiple of b_lcm, and what that cost."""
    tile = deployment.b_lcm
    padded = tuple(
        attrs.evolve(s, prompt=-(-s.prompt // tile) * tile) if s.prompt % tile else s for s in path
    )
    changed = sum(a is not b for a, b in zip(path, padded, strict=True))
    before, after = (sum(s.prompt for s in p) for p in (path, padded))
    return padded, Padding(changed, before, after)


@attrs.frozen
class Dropped:
    """Sessions left out because their prompt is off the tile, of how many."""

    sessions: int
    of: int

    def __str__(self) -> str:
        share = 100 * self.sessions / self.of if self.of else 0.0
        return (
            f"{self.sessions} of {self.of} sessions left out, {share:.2f} %: "
            "their prompt is off the tile"
        )


def drop(path: Path, deployment: Deployment) -> tuple[Path, Dropped]:
    """The sessions whose prompt is a multiple of b_lcm (0 included), and how many were not."""
    kept = tuple(s for s in path if s.prompt % deployment.b_lcm == 0)
    return kept, Dropped(len(path) - len(kept), len(path))


@attrs.frozen
class Window:
    """Arrivals from `start` up to, and not including, `end`; microseconds of the trace's clock."""

    start: int
    end: int

    def __attrs_post_init__(self) -> None:
        if self.end <= self.start:
            raise BadInput(f"the window ends at {self.end} us, not after its start {self.start} us")

    @classmethod
    def parse(cls, text: str) -> Window:
        """The window of a text like ``10min-20min`` (start-end). Raises BadInput for any other."""
        start, dash, end = text.partition("-")
        if not dash:
            raise BadInput(f"{text!r} is not a window; write start-end with units: 10min-20min.")
        return cls(microseconds(start), microseconds(end))


def cut(path: Path, window: Window) -> Path:
    """The sessions that arrive in the window, which starts at 0 in what is returned."""
    return tuple(
        attrs.evolve(s, arrive=s.arrive - window.start)
        for s in path
        if window.start <= s.arrive < window.end
    )


def earliest(path: Path, limit: int) -> Path:
    """The `limit` earliest sessions, in the path's order; of a tie, those that stand first."""
    if limit >= len(path):
        return path
    numbers = sorted(range(len(path)), key=lambda n: path[n].arrive)[:limit]
    return tuple(path[n] for n in sorted(numbers))


def sped_up(path: Path, speed: Fraction) -> Path:
    """The path on a clock that runs `speed` times as fast: an arrival at t comes at t / speed.

    Exact, then rounded to the nearest microsecond (the even one of two), so that order and ties
    are kept. Raises BadInput for a speed that is not positive.
    """
    if speed <= 0:
        raise BadInput(f"speed is {speed}; it must be positive: 2 doubles the load, 0.5 halves it.")
    return tuple(attrs.evolve(s, arrive=round(s.arrive / speed)) for s in path)


@attrs.frozen
class Shape:
    """What is done to a path before it is run; the default does nothing."""

    tile: Tile = "keep"
    """Prompts off the tile of b_lcm tokens: round them up (pad), leave their sessions out (drop),
    or keep them, which puts the path out of optimal_tiling's scope."""
    speed: Fraction = Fraction(1)
    """How many times as fast the clock runs."""
    window: Window | None = None
    """The arrivals that are kept; None: all."""
    limit: int | None = None
    """The most sessions that are kept, the earliest; None: all."""


def shape(path: Path, shape: Shape, deployment: Deployment = SEED) -> tuple[Path, tuple[str, ...]]:
    """The shaped path, and a note to the user on each change.

    Raises BadInput where nothing is left.
    """
    notes: list[str] = []
    whole = len(path)
    if shape.window is not None:
        path = cut(path, shape.window)
    if shape.limit is not None:
        path = earliest(path, shape.limit)
    if len(path) != whole:
        notes.append(f"{len(path):,} of {whole:,} sessions are in the window and the limit")
    if shape.speed != 1:
        path = sped_up(path, shape.speed)
        notes.append(f"the clock of the arrivals runs {shape.speed} times as fast")
    path, note = _tiled(path, shape.tile, deployment)
    notes += [note] if note else []
    if whole and not path:
        raise BadInput(
            f"none of the {whole:,} sessions is left: {'; '.join(notes)}. Widen the window, or "
            "choose another tile."
        )
    return path, tuple(notes)


def _tiled(path: Path, tile: Tile, deployment: Deployment) -> tuple[Path, str]:
    """The path with its prompts off the tile dealt with, and the note; "" where there are none."""
    if tile == "pad":
        path, padding = pad(path, deployment)
        return path, str(padding)
    if tile == "drop":
        path, dropped = drop(path, deployment)
        return path, str(dropped)
    off = sum(s.prompt % deployment.b_lcm != 0 for s in path)
    if not off:
        return path, ""
    return path, (
        f"{off:,} of {len(path):,} prompts are off the tile of {deployment.b_lcm}, so "
        "optimal_tiling is out of scope; --tile pad rounds them up, --tile drop leaves them out"
    )
