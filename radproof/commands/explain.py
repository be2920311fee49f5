"""``radproof explain``."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

import attrs
import click

from radproof.claims import CLAIMS, Claim, Result, check
from radproof.commands.one_path import claim_named, prepare, run_path, spelt_out
from radproof.commands.options import json_option, scheduler_option
from radproof.counterexample import Counterexample
from radproof.errors import BadInput, RadproofError, SchedulerError
from radproof.model import Deployment, Path
from radproof.pathfile import PathFile, read, write_text
from radproof.pictures import Story, tell
from radproof.pictures.story import until_fault
from radproof.progress import working
from radproof.scheduler import load
from radproof.traces import Shape, Window
from radproof.traces.options import shaping_options
from radproof.traces.shaping import Tile

_OUT = click.Path(path_type=FilePath, dir_okay=False)


@click.command("explain")
@click.argument("file")
@click.option("--html", type=_OUT, metavar="OUT", help="Write a page that a browser opens offline.")
@click.option(
    "--perfetto",
    type=_OUT,
    metavar="OUT",
    help="Write Chrome trace events (JSON), which ui.perfetto.dev opens.",
)
@click.option(
    "--png", type=_OUT, metavar="OUT", help="Draw a PNG; needs matplotlib (the extra plot)."
)
@scheduler_option
@click.option(
    "--claim",
    "claim_name",
    metavar="NAME",
    help="The claim or law to explain: a name, or module:name.  [default: the one FILE breaks, "
    "or the two claims]",
)
@shaping_options
@json_option
def explain_command(
    file: str,
    html: FilePath | None,
    perfetto: FilePath | None,
    png: FilePath | None,
    scheduler_name: str | None,
    claim_name: str | None,
    tile: Tile,
    speed: Fraction,
    window: Window | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Show what happens on FILE: a counterexample, a path file or a trace.

    Without an option, a small timeline in the terminal. The exit code is 0 when the picture is
    drawn, whatever the claims came to: check and replay are there to judge.

    \b
    Examples:
      radproof explain .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
      radproof explain path.json --html path.html
      radproof explain AzureLLMInferenceTrace_conv.csv --tile pad --html hour.html
      radproof explain path.json --claim token_rate --perfetto trace.json --png path.png
    """
    from radproof.proof import statefile

    if statefile.is_state_file(file):
        raise BadInput(
            f"{file} is a state, a counterexample to induction, and no path that can be drawn. "
            f"radproof replay {file} shows the step from it."
        )
    given = read(file)
    name = scheduler_name or given.scheduler or "rad"
    path, deployment, notes = prepare(given, Shape(tile, speed, window, limit))
    claims, hypothesis = _claims(given, claim_name)
    story = _story(path, deployment, name, given, claims, hypothesis)
    command = _command(file, given, scheduler_name, tile, speed, window, limit)
    written = {}
    with spelt_out(), working("drawing"):
        if html is not None:
            from radproof.pictures.page import page

            shown = attrs.evolve(given, sessions=path, deployment=deployment, scheduler=name)
            lean, no_lean = _lean(shown, FilePath(file).name)
            text = page(story, _words(story, command, lean, no_lean, notes))
            written["html"] = _write(html, text)
        if perfetto is not None:
            from radproof.pictures.perfetto import events

            written["perfetto"] = _write(perfetto, events(story))
        if png is not None:
            from radproof.pictures.plot import plot

            plot(story, png)
            written["png"] = str(png)
    if as_json:
        click.echo(json.dumps(_facts(story, written, notes), indent=1))
    else:
        _show(story, written, notes)


def _claims(given: PathFile, claim_name: str | None) -> tuple[list[Claim], bool]:
    """The claims to explain, and whether their hypothesis is demanded."""
    if claim_name is not None:
        return [claim_named(claim_name)], True
    if given.breaks is not None and given.breaks.kind == "claim":
        return [claim_named(given.breaks.name)], given.breaks.given
    return [*CLAIMS.values()], True


def _story(
    path: Path,
    deployment: Deployment,
    name: str,
    given: PathFile,
    claims: list[Claim],
    hypothesis: bool,
) -> Story:
    scheduler = load(name)
    try:
        result = run_path(path, deployment, scheduler, given.horizon, "leap")
    except SchedulerError as error:
        cut, at = until_fault(path, deployment, scheduler, error)
        return tell(cut, [], name, error, at)
    return tell(result, [check(result, claim, given=hypothesis) for claim in claims], name)


def _command(
    file: str,
    given: PathFile,
    scheduler_name: str | None,
    tile: Tile,
    speed: Fraction,
    window: Window | None,
    limit: int | None,
) -> str:
    """What runs the same again: replay for a counterexample, check for any other path."""
    words = ["radproof", "check" if given.breaks is None else "replay", file]
    if scheduler_name is not None:
        words += ["--scheduler", scheduler_name]
    if tile != "keep":
        words += ["--tile", tile]
    if speed != 1:
        words += ["--speed", str(speed)]
    if window is not None:
        words += ["--window", f"{window.start}us-{window.end}us"]
    if limit is not None:
        words += ["--limit", str(limit)]
    return shlex.join(words)


def _words(story: Story, command: str, lean: str, no_lean: str, notes: list[str]) -> Any:
    from radproof.pictures.page import Words

    return Words(_text(story), command, lean, no_lean, tuple(notes))


def _text(story: Story) -> str:
    """The counterexample in words, as check prints it; empty where nothing fails."""
    verdict = next((v for v in story.verdicts if v.result is Result.FAILS), None)
    if verdict is None and story.error is None:
        return ""
    claim = verdict.claim if verdict is not None else next(iter(CLAIMS.values()))
    return Counterexample(
        path=story.run.path,
        deployment=story.run.deployment,
        scheduler=story.run.scheduler,
        scheduler_name=story.scheduler_name,
        claim=claim,
        claim_name=claim.name,
        verdict=verdict,
        error=story.error,
        minimal=False,
    ).text()


def _lean(shown: PathFile, name: str) -> tuple[str, str]:
    """The Lean test term of what is shown, or why there is none."""
    from radproof.lean import export

    try:
        return export(shown, name).text, ""
    except RadproofError as error:
        return "", str(error)


def _write(target: FilePath, text: str) -> str:
    write_text(target, text)
    return str(target)


def _facts(story: Story, written: dict[str, str], notes: list[str]) -> dict[str, Any]:
    mark = story.mark
    return {
        "files": written,
        "iterations": story.run.iterations,
        "sessions": len(story.run.path),
        "mark": None
        if mark is None
        else {"iteration": mark.index, "start": mark.start, "end": mark.end, "label": mark.label},
        "error": None if story.error is None else str(story.error),
        "notes": notes,
    }


@spelt_out()
def _show(story: Story, written: dict[str, str], notes: list[str]) -> None:
    from radproof.pictures.timeline import print_timeline

    for note in notes:
        click.echo(f"note: {note}")
    if not written:
        print_timeline(story)
    for kind, place in written.items():
        click.echo(f"{kind:9} {place}")
