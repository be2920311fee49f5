"""The choice of an evaluator for a path."""

from __future__ import annotations

from radproof.evaluators.general import leap
from radproof.model import Deployment, Path
from radproof.runs import Engine, Run, run
from radproof.schedulers.protocol import Scheduler

SHARE = 50_000
"""The work of one path in a search (`Run.work`), on average: a twentieth of a second, about. What
the shorter paths leave, longer ones take. A path that needs more is cut, and the report says how
many were."""


def evaluate(
    path: Path,
    deployment: Deployment,
    scheduler: Scheduler,
    horizon: int | None = None,
    engine: Engine = "leap",
    work: int | None = None,
) -> Run:
    """The run of a path, by the leap where the scheduler allows it, or by the definition."""
    evaluator = leap if engine == "leap" else run
    return evaluator(path, deployment, scheduler, horizon, work=work)
