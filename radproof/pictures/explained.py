"""From a file to its story and its page, for `radproof explain` and for a check's pictures.

A counterexample is explained by the claim that it breaks; any other path by the two claims.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path as FilePath

from radproof.claims import CLAIMS, Claim, Result, check
from radproof.errors import RadproofError, SchedulerError
from radproof.evaluators.evaluate import evaluate
from radproof.files.paths import PathFile, read
from radproof.files.text import write_text
from radproof.laws import claim_named
from radproof.model import SEED
from radproof.pictures.story import Story, tell, tell_fault
from radproof.schedulers.loading import load
from radproof.schedulers.purity import watched
from radproof.search.counterexample import Counterexample
from radproof.search.replay import BROKEN, run_again


def explained(given: PathFile, claim: Claim | None = None) -> Story:
    """The story of a path file: its scheduler (rad, unless named) on its path.

    claim: the one to explain; unless given, the one that the file breaks, or the two claims.
    Raises BadInput for an unknown scheduler or claim.
    """
    deployment, loaded = given.deployment or SEED, load(given.scheduler or "rad")
    # a counterexample is watched, as in the search: its scheduler may be impure
    scheduler = loaded.call if given.breaks is None else watched(loaded.call)
    try:
        if claim is None and given.breaks is not None and given.breaks.kind == "claim":
            broken = claim_named(given.breaks.name)
            run, verdict, error = run_again(
                given.sessions, deployment, scheduler, broken, given.horizon, given.breaks.given
            )
            if error is not None and verdict.result not in BROKEN:
                return tell_fault(error, loaded)
            return tell(run, [verdict], loaded)
        run = evaluate(given.sessions, deployment, scheduler, given.horizon)
    except SchedulerError as error:
        return tell_fault(error, loaded)
    asked = CLAIMS.values() if claim is None else (claim,)
    return tell(run, [check(run, one) for one in asked], loaded)


def page_of(
    story: Story, given: PathFile, name: str, command: str, notes: tuple[str, ...] = ()
) -> str:
    """The page of a story, with its words and its Lean term.

    given: what was explained; name: its file's, for the Lean term; command: what runs it again.
    """
    from radproof.pictures.page import Words, page

    lean, no_lean = _lean(given, name)
    minimal = given.breaks is not None and given.breaks.minimal
    return page(story, Words(_text(story, minimal), command, lean, no_lean, notes))


def write_beside(file: str | os.PathLike[str]) -> str:
    """Write the page of a saved counterexample beside it; returns its place, or why there is none.

    Never raises RadproofError: a failure must be reported even if it cannot be drawn.
    """
    target = FilePath(file).with_suffix(".html")
    try:
        given = read(file)
        command = shlex.join(["radproof", "replay", os.fspath(file)])
        text = page_of(explained(given), given, FilePath(file).name, command)
        write_text(target, text)
    except RadproofError as error:
        return f"no picture: {str(error).removeprefix(f'{os.fspath(file)}: ')}"
    return str(target)


def _text(story: Story, minimal: bool) -> str:
    """The counterexample in words, as check prints it; empty if nothing fails."""
    verdict = next((v for v in story.verdicts if v.result is Result.FAILS), None)
    if verdict is None and story.error is None:
        return ""
    claim = next(iter(CLAIMS.values())) if verdict is None else verdict.claim
    found = Counterexample.of(story.run, story.scheduler, claim, verdict, story.error, minimal)
    # a fault is the scheduler's, whichever claim was asked
    return found.text() if verdict else found.text().removeprefix(f"{claim.name} under ")


def _lean(given: PathFile, name: str) -> tuple[str, str]:
    """The Lean test term, empty if it cannot be written, and then the reason."""
    from radproof.lean import export

    try:
        return export(given, name).text, ""
    except RadproofError as error:
        return "", str(error)
