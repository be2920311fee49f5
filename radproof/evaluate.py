"""Which evaluator a run goes through."""

from __future__ import annotations

from radproof.model import Deployment, Path
from radproof.runs import Run, run
from radproof.scheduler import Scheduler

LIMIT = 1_000
"""Iterations of one drawn path under the definition, whose cost grows with every one of them. A
path that is longer is checked as far as that, and the report says how many were."""


def evaluate(path: Path, deployment: Deployment, scheduler: Scheduler) -> Run:
    """The run of one drawn path."""
    return run(path, deployment, scheduler, limit=LIMIT)
