"""The choice of an evaluator for a path."""

from __future__ import annotations

from radproof.evaluators.general import leap
from radproof.model import Deployment, Path
from radproof.runs import Engine, Run, run
from radproof.schedulers.protocol import Scheduler

LIMIT = 400
"""The most iterations of one drawn path under the step-by-step evaluator, whose cost grows with
each. A longer path is cut there, and the report says how many were."""


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
