"""Replay: run again a path that broke a claim."""

from __future__ import annotations

from radproof.claims import Claim, Result, Verdict, check
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import SHARE, evaluate
from radproof.model import Deployment, Path
from radproof.runs import Run
from radproof.schedulers.protocol import Scheduler

BROKEN = (Result.FAILS, Result.WITNESSED)
"""The results that a search looks for."""


def run_again(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    claim: Claim,
    horizon: int | None = None,
    given: bool = True,
) -> tuple[Run, Verdict, SchedulerError | None]:
    """The run of the path, the claim's verdict on it, and the scheduler's fault that ended it.

    `given` is as for `claims.check`. A run that ends in a fault is judged up to it, as a search
    judges it. The path is first run as far as a search runs one, since a scheduler may serve
    without progress for ever. Where the claim does not break there, it is run to its end.
    """
    work: int | None = SHARE
    while True:
        error = None
        try:
            found = evaluate(path, deployment, scheduler, horizon, work=work)
        except SchedulerError as raised:
            found, error = raised.so_far, raised
        verdict = check(found, claim, given=given)
        done = found.whole or error is not None or work is None
        if done or verdict.result in BROKEN:
            return found, verdict, error
        work = None
