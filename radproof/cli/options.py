"""What several commands share: the group that turns errors into exit codes, and options."""

from __future__ import annotations

import functools
import itertools
import traceback
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import attrs
import click

from radproof.cli.output import with_a_report
from radproof.errors import CRASHED, BadInput, RadproofError
from radproof.traces.times import microseconds

INTERRUPTED = 130

F = TypeVar("F", bound=Callable[..., Any])


def together(
    made: type[attrs.AttrsInstance], name: str, options: Sequence[Callable[[Any], Any]]
) -> Callable[[F], F]:
    """A decorator that adds options to a command, which takes them as one object, `name`.

    made: the object's class, with a field for each option.
    """
    fields = [attribute.name for attribute in attrs.fields(made)]

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def gathered(*args: object, **given: object) -> object:
            one = made(**{field: given.pop(field) for field in fields})
            return command(*args, **{name: one}, **given)

        for option in reversed(options):
            gathered = option(gathered)
        return gathered  # type: ignore[return-value]

    return decorate


class Group(click.Group):
    """A group that turns an error into its message and its exit code.

    A RadproofError has its own code. Any other error is a fault of radproof's: its traceback is
    shown, and the code is CRASHED.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # A script's unset variable must not check RAD, or no law.
        for before, word in itertools.pairwise(["", *args]):
            if not word or (word.startswith("--") and word.partition("=")[1:] == ("=", "")):
                option = (word or before).partition("=")[0]
                what = option if option.startswith("-") else "an argument"
                raise click.UsageError(f"{what} is empty; give a value, or leave it out.", ctx)
        return super().parse_args(ctx, args)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        if cmd.callback is not None:
            cmd.callback = with_a_report(cmd.callback)
        super().add_command(cmd, name)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RadproofError as error:
            click.echo(f"radproof: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("radproof: interrupted; no file is left half-written.", err=True)
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception:
            traceback.print_exc()
            click.echo(
                "radproof: this is a fault in radproof, and nothing was decided. Please report it "
                "with the lines above.",
                err=True,
            )
            ctx.exit(CRASHED)


class Time(click.ParamType[int]):
    """A time with its unit, as whole microseconds."""

    name = "time"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
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
