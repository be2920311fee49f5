"""Laws that the machine itself enforces: what a scheduler must be, whatever its policy.

The machine stops a scheduler that breaks one with a `SchedulerError`, whose kind says which. A run
that exists has kept them all.
"""

from __future__ import annotations

from radproof.claims import Found
from radproof.laws.law import law
from radproof.model import Deployment
from radproof.runs import Run


@law("engine", at="run", source="semantics; vLLM 30320; the negative chunk of Sarathi's code")
def well_formed(run: Run, deployment: Deployment) -> Found:
    """A batch names resident jobs, once, in their phase, 1 or more tokens, none too many.

    Every fault that no other law names breaks it.
    """
    return Found(checked=run.iterations)


@law(
    "engine",
    at="run",
    source="radproof: a scheduler is a function of what it sees",
    faults=("impure",),
)
def pure(run: Run, deployment: Deployment) -> Found:
    """A scheduler gives the same answer to the same view, and leaves the view as it was."""
    return Found(checked=run.iterations)
