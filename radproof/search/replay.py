"""Replay: run again a path that broke a claim."""

from __future__ import annotations

from radproof.claims import Claim, Result, Verdict, check
from radproof.evaluators.evaluate import LIMIT, evaluate
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
) -> tuple[Run, Verdict]:
    """The run of the path, and the claim's verdict on it; `given` as for `claims.check`.

    The path is first run up to the limit of a search, since a scheduler may serve without progress
    for ever. Where the claim does not break there, it is run to its end. Raises SchedulerError.
    """
    limit: int | None = LIMIT
    while True:
        found = evaluate(path, deployment, scheduler, horizon, limit=limit)
        verdict = check(found, claim, given=given)
        if found.whole or limit is None or verdict.result in BROKEN:
            return found, verdict
        limit = None
