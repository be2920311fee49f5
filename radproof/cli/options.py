"""What several commands share: the group that ends as an error says, and options."""

from __future__ import annotations

from typing import Any

import click

from radproof.errors import BadInput, RadproofError
from radproof.traces.times import microseconds

INTERRUPTED = 130


class Group(click.Group):
    """A group that turns a RadproofError into its message and its exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RadproofError as error:
            click.echo(f"radproof: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("radproof: interrupted; nothing is left half written.", err=True)
            ctx.exit(INTERRUPTED)


class Time(click.ParamType[int]):
    """A time with its unit, as whole microseconds."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        try:
            return microseconds(value)
        except BadInput as error:
            self.fail(str(error), param, ctx)


scheduler_option = click.option(
    "--scheduler",
    "scheduler_name",
    metavar="S",
    help="A built-in scheduler (rad), or yours as module:name.  [default: the file's, or rad]",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["leap", "step"]),
    default="leap",
    show_default=True,
    help="The evaluator: stretch by stretch where the scheduler allows it, or the definition.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a machine.")
