"""Which evaluator a path goes through, and the check of the one against the other."""

from __future__ import annotations

from radproof.claims import CLAIMS, Claim, Result, Verdict, check
from radproof.evaluators.general import leap
from radproof.model import Deployment, Path
from radproof.runs import Engine, Run, run
from radproof.schedulers.protocol import Scheduler

LIMIT = 400
"""Iterations of one drawn path under the step-by-step evaluator, whose cost grows with every one
of them. A longer path is checked as far as that, and the report says how many were."""


AFFORDABLE = 200
"""Iterations of a leapt path that is also run through the definition, among the sampled ones."""


class Disagreement(AssertionError):
    """Two evaluators differ on a path: a bug in radproof, never in the scheduler."""


def evaluate(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None = None,
    engine: Engine = "leap",
    limit: int | None = None,
) -> Run:
    """The run of a path, by the leap where the scheduler allows it, or by the definition."""
    evaluator = leap if engine == "leap" else run
    return evaluator(path, deployment, scheduler, horizon, limit)


def evaluate_broken(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    claim: Claim,
    horizon: int | None = None,
    given: bool = True,
) -> tuple[Run, Verdict]:
    """The run of a path that is said to break a claim, and what the claim is on it.

    The run goes as far as a search does, since a scheduler that serves without progress never
    ends; where the claim does not fail on that, it goes to the end.
    """
    limit: int | None = LIMIT
    while True:
        found = evaluate(path, deployment, scheduler, horizon, limit=limit)
        verdict = check(found, claim, given=given)
        if found.whole or limit is None or verdict.result in (Result.FAILS, Result.WITNESSED):
            return found, verdict
        limit = None


def second_look(leapt: Run) -> None:
    """Run a leapt path through the definition as well, where that is affordable.

    Raises Disagreement, naming the first iteration in which they differ.
    """
    if leapt.engine != "leap" or leapt.iterations > AFFORDABLE:
        return
    stepped = run(leapt.path, leapt.deployment, leapt.scheduler, leapt.horizon)
    difference = first_difference(stepped, leapt)
    if difference is not None:
        raise Disagreement(f"{difference}\non the path {leapt.path} at {leapt.deployment}")


def first_difference(stepped: Run, leapt: Run) -> str | None:
    """Where two runs of a path differ first: an iteration, a completion, a claim. None: nowhere."""
    pairs = zip(stepped.records, leapt.records, strict=False)
    for index, (one, other) in enumerate(pairs):
        if one != other:
            return f"iteration {index}: step {one}, leap {other}"
    if stepped.iterations != leapt.iterations:
        return f"step has {stepped.iterations} iterations, leap {leapt.iterations}"
    if stepped.completions != leapt.completions:
        return f"step ends sessions at {stepped.completions}, leap at {leapt.completions}"
    for claim in CLAIMS.values():
        one_verdict, other_verdict = (check(r, claim, given=False) for r in (stepped, leapt))
        if one_verdict != other_verdict:
            return f"{claim.name}: step {one_verdict!r}, leap {other_verdict!r}"
    return None
