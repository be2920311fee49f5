"""The command line's options for shaping a path: --tile, --speed, --window, --limit."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from radproof.cli.options import together
from radproof.errors import BadInput
from radproof.traces.shaping import TILE_CHOICES, Shape, Window


class Speed(click.ParamType[Fraction]):
    """A positive decimal number or fraction, exactly: 2, 0.5, 3/2."""

    name = "factor"

    def convert(
        self, value: str | Fraction, param: click.Parameter | None, ctx: click.Context | None
    ) -> Fraction:
        """The factor as a fraction."""
        if isinstance(value, Fraction):
            return value
        pattern = r"\d{1,18}(?:\.\d{1,18}|/\d{1,18})?"
        try:
            found = Fraction(value) if re.fullmatch(pattern, value, re.ASCII) else Fraction(0)
        except ZeroDivisionError:
            found = Fraction(0)
        if found <= 0:
            self.fail(f"{value!r} is not a positive number; write 2, 0.5 or 3/2.", param, ctx)
        return found


class WindowType(click.ParamType[Window]):
    """A window of arrivals: start-end, each with its unit."""

    name = "start-end"

    def convert(
        self, value: str | Window, param: click.Parameter | None, ctx: click.Context | None
    ) -> Window:
        """The window in microseconds."""
        if isinstance(value, Window):
            return value
        try:
            return Window.parse(value)
        except BadInput as error:
            self.fail(str(error), param, ctx)


_OPTIONS = (
    click.option(
        "--tile",
        type=click.Choice(TILE_CHOICES),
        default="keep",
        show_default=True,
        help="Prompts off the tile: round them up, drop their sessions, or keep them, which puts "
        "optimal_tiling out of scope.",
    ),
    click.option(
        "--speed",
        type=Speed(),
        default="1",
        show_default=True,
        help="Run the arrivals' clock FACTOR times as fast: 2, 0.5, 3/2.",
    ),
    click.option(
        "--window",
        type=WindowType(),
        help="Only arrivals in [start, end) of FILE's time: 10min-20min.",
    ),
    click.option("--limit", type=click.IntRange(min=1), help="Only the N earliest sessions."),
)


shaping_options = together(Shape, "shaping", _OPTIONS)
"""The four options, for a command that takes them as one `Shape`."""


def words(shaping: Shape) -> list[str]:
    """The options that give this shape, as words of a command."""
    said = []
    if shaping.tile != "keep":
        said += ["--tile", shaping.tile]
    if shaping.speed != 1:
        said += ["--speed", str(shaping.speed)]
    if shaping.window is not None:
        said += ["--window", f"{shaping.window.start}us-{shaping.window.end}us"]
    if shaping.limit is not None:
        said += ["--limit", str(shaping.limit)]
    return said
