"""``radproof explain``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path as FilePath
from typing import Any

import attrs
import click

from radproof.cli.one_path import prepare, unlimited_digits
from radproof.cli.options import json_option, scheduler_option
from radproof.cli.output import report, reporting
from radproof.cli.progress import working
from radproof.cli.shaping import shaping_options, words
from radproof.errors import BadInput
from radproof.files.paths import PathFile, read
from radproof.files.states import is_state
from radproof.files.text import read_text, write_bytes
from radproof.laws import claim_named
from radproof.pictures import Story, explained, page_of
from radproof.traces import Shape

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
    shaping: Shape,
    as_json: bool,
) -> None:
    """Show what happens on FILE: a counterexample, a path file or a trace.

    Without an option, a small timeline in the terminal. The exit code is 0 once the picture is
    drawn, whatever the claims' results: check and replay judge.

    \b
    Examples:
      radproof explain .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
      radproof explain path.json --html path.html
      radproof explain AzureLLMInferenceTrace_conv.csv --tile pad --html hour.html
      radproof explain path.json --claim token_rate --perfetto trace.json --png path.png
    """
    if is_state(read_text(file)):
        raise BadInput(
            f"{file} is a counterexample to induction: a state, not a path, and cannot be drawn. "
            f"{shlex.join(['radproof', 'replay', file])} shows the step from it."
        )
    outputs = [str(out.resolve()) for out in (html, perfetto, png) if out is not None]
    if len({*outputs, str(FilePath(file).resolve())}) <= len(outputs):
        raise click.UsageError("FILE, --html, --perfetto and --png must name different files.")
    given = read(file)
    path, deployment, notes = prepare(given, shaping)
    shown = attrs.evolve(
        given,
        sessions=path,
        deployment=deployment,
        scheduler=scheduler_name or given.scheduler or "rad",
    )
    options = _options(scheduler_name, claim_name, shaping)
    if options and shown.breaks is not None:
        # the user changed the claim, the scheduler or the path
        kept = shown.breaks if claim_name is None else None
        shown = attrs.evolve(shown, breaks=kept and attrs.evolve(kept, minimal=False))
    made: list[tuple[str, FilePath, bytes]] = []
    with unlimited_digits(), working("running and drawing"):
        story = explained(shown, None if claim_name is None else claim_named(claim_name))
        if html is not None:
            command = _command(file, given, options)
            text = page_of(story, shown, FilePath(file).name, command, tuple(notes))
            made.append(("html", html, text.encode("utf-8", "backslashreplace")))
        if perfetto is not None:
            from radproof.pictures.perfetto import events

            made.append(("perfetto", perfetto, events(story).encode()))
        if png is not None:
            from radproof.pictures.plot import drawn

            made.append(("png", png, drawn(story)))
    written = {}
    for kind, place, content in made:  # everything is drawn before anything is written
        write_bytes(place, content)
        written[kind] = str(place)
    if as_json:
        report(json.dumps(_facts(story, written, notes), indent=1))
    else:
        _show(story, written, notes)


def _options(scheduler_name: str | None, claim_name: str | None, shaping: Shape) -> list[str]:
    """The options that the user gave beside FILE, as words of a command."""
    said = [] if scheduler_name is None else ["--scheduler", scheduler_name]
    if claim_name is not None:
        said += ["--claim", claim_name]
    return said + words(shaping)


def _command(file: str, given: PathFile, options: list[str]) -> str:
    """The command that runs the same again: replay for an unchanged counterexample, else check."""
    if given.breaks is not None and set(options[::2]) <= {"--scheduler"}:
        return shlex.join(["radproof", "replay", file, *options])
    if given.breaks is not None and "--claim" not in options and given.breaks.kind == "claim":
        options = ["--claim", given.breaks.name, *options]
    return shlex.join(["radproof", "check", file, *options])


def _facts(story: Story, written: dict[str, str], notes: list[str]) -> dict[str, Any]:
    from radproof.report.text import verdict_json

    mark = story.mark
    return {
        "files": written,
        "iterations": story.run.iterations,
        "sessions": len(story.run.path),
        "mark": None
        if mark is None
        else {"iteration": mark.index, "start": mark.start, "end": mark.end, "label": mark.label},
        "claims": {v.claim.name: verdict_json(v) for v in story.verdicts},
        "error": None if story.error is None else str(story.error),
        "notes": notes,
    }


@unlimited_digits()
def _show(story: Story, written: dict[str, str], notes: list[str]) -> None:
    from radproof.pictures.timeline import print_timeline

    for note in notes:
        report(f"note: {note}")
    if not written:
        with reporting():
            print_timeline(story)
    for kind, place in written.items():
        report(f"{kind:9} {place}")
