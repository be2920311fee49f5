"""``radproof replay``."""

from __future__ import annotations

import json
import sys

import click

from radproof.claims import CLAIMS, Claim, Result, Verdict, check
from radproof.cli.one_path import exit_by, run_path, show_run, unlimited_digits
from radproof.cli.options import json_option, scheduler_option
from radproof.cli.output import report
from radproof.errors import BadInput, SchedulerError
from radproof.files import states
from radproof.files.paths import Breaks, PathFile, read
from radproof.files.states import is_state
from radproof.files.text import read_text
from radproof.laws import claim_named
from radproof.model import SEED
from radproof.schedulers.loading import Loaded, load
from radproof.schedulers.purity import watched
from radproof.schedulers.rule_form import in_rule_form
from radproof.search.replay import BROKEN, run_again


@click.command("replay")
@click.argument("file")
@scheduler_option
@json_option
def replay_command(file: str, scheduler_name: str | None, as_json: bool) -> None:
    """Run a saved counterexample, or a counterexample to induction, again.

    The exit code is 1 if it still breaks its claim or law, 0 if it no longer does.

    \b
    Example:
      radproof replay .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
    """
    if is_state(read_text(file)):
        text, broken = _replay_state(file, scheduler_name)
        report(json.dumps({"reproduced": broken, "text": text}, indent=1) if as_json else text)
        sys.exit(int(broken))
    saved = read(file)
    name = scheduler_name or saved.scheduler or "rad"
    scheduler = load(name)
    deployment = saved.deployment or SEED
    breaks = saved.breaks
    if breaks is None:
        result = run_path(saved.sessions, deployment, scheduler.call, saved.horizon, "leap")
        verdicts = [check(result, claim) for claim in CLAIMS.values()]
        show_run(result, verdicts, [], as_json)
        exit_by(verdicts)
    else:
        _replay(saved, breaks, scheduler, as_json)


def _replay_state(file: str, scheduler_name: str | None) -> tuple[str, bool]:
    """Replay a counterexample to induction: the text to print, and whether it is reproduced."""
    found = states.read(file)
    scheduler = load(scheduler_name or found.scheduler or "rad")
    if not in_rule_form(scheduler.call):
        raise BadInput(
            f"{scheduler.name} is plain Python code: a state can be replayed only under a "
            "scheduler in rule form, whose rules and order its lemma is about. Name one, or leave "
            "out --scheduler to use the file's own."
        )
    try:
        if found.breaks is not None:
            from radproof.lean import cti_terms

            return cti_terms.event_report(found, scheduler.call, scheduler.name)
        from radproof.lemmas.obligations import world_of
        from radproof.proof.step_replay import step_report

        return step_report(found, world_of(scheduler), scheduler.name)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None


@unlimited_digits()
def _replay(saved: PathFile, breaks: Breaks, scheduler: Loaded, as_json: bool) -> None:
    deployment = saved.deployment or SEED
    claim = _claim(breaks)
    verdict: Verdict | None
    # watched, as in the search: only the watch detects an impure scheduler
    _, verdict, error = run_again(
        saved.sessions, deployment, watched(scheduler.call), claim, saved.horizon, breaks.given
    )
    if error is not None and breaks.kind == "claim" and verdict.result in BROKEN:
        error = None  # the claim is broken before the fault
    elif error is not None:
        verdict = None
    text, reproduced = _said(saved, breaks, scheduler, verdict, error)
    if as_json:
        record = {
            "reproduced": reproduced,
            "claim": claim.name if breaks.kind == "claim" else None,
            "result": verdict.result.value if verdict else Result.NOT_EVALUATED.value,
            "first": verdict.first if verdict else None,
            "checked": verdict.checked if verdict else 0,
            "failures": verdict.failures if verdict else 0,
            "error": str(error) if error else None,
        }
        report(json.dumps(record, indent=1))
    else:
        report(text)
        report("reproduced." if reproduced else "not reproduced: this path no longer breaks it.")
    if error is not None:
        sys.exit(error.exit_code)
    if verdict is not None:
        exit_by([verdict])


def _said(
    saved: PathFile,
    breaks: Breaks,
    scheduler: Loaded,
    verdict: Verdict | None,
    error: SchedulerError | None,
) -> tuple[str, bool]:
    """What a replay found, in words, and whether it reproduces what the file says."""
    from radproof.search.counterexample import Counterexample

    if verdict is not None and breaks.kind == "scheduler":
        return f"the scheduler is no longer at fault on this path ({breaks.name}).", False
    if error is not None:
        reproduced = breaks.kind == "scheduler" and breaks.name == error.kind
    else:
        reproduced = verdict is not None and verdict.result in BROKEN
    found = Counterexample(
        path=saved.sessions,
        deployment=saved.deployment or SEED,
        scheduler=scheduler,
        claim=_claim(breaks),
        claim_name=breaks.name,
        verdict=verdict,
        error=error,
        minimal=breaks.minimal and reproduced,
    )
    return found.text(), reproduced


def _claim(breaks: Breaks) -> Claim:
    """The claim that a file breaks; for a fault of the scheduler, any claim does."""
    return claim_named(breaks.name if breaks.kind == "claim" else "token_rate")
