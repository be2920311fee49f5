"""What a scheduler declares of itself, for the laws that need to know it.

Nothing is guessed: a law that needs what a scheduler does not declare is not evaluated.
"""

from __future__ import annotations

import attrs

from radproof.errors import OF_A_USER, BadInput, where_raised
from radproof.model import Deployment
from radproof.rules import Rules
from radproof.schedulers.adapters import COUNTS, Imperative, Scheduling, own_count
from radproof.schedulers.protocol import Limits, Scheduler
from radproof.schedulers.purity import Watched
from radproof.schedulers.rule_form import in_rule_form


def rules_that_decide(scheduler: Scheduler) -> Rules | None:
    """Its rules, where they and its order alone decide the batch."""
    found = _unwatched(scheduler)
    return found.rules if in_rule_form(found) else None


def limits_of(scheduler: Scheduler, deployment: Deployment) -> Limits | None:
    """The limits that it declares; None where it declares none.

    Raises BadInput where its ``limits`` gives no `Limits`.
    """
    author = _author(scheduler, deployment)
    if isinstance(_unwatched(scheduler), Imperative):
        return _engine_s_limits(author)
    declare = getattr(author, "limits", None)
    if declare is None:
        return None
    try:
        found = declare(deployment)
    except OF_A_USER as error:
        raise BadInput(
            f"the scheduler's limits(deployment) raised {where_raised(error)}"
        ) from error
    if not isinstance(found, Limits):
        raise BadInput(
            f"the scheduler's limits(deployment) returned {found!r:.60}; it must return "
            "radproof.Limits(budget, max_num_seqs, one_phase)."
        )
    return found


def _engine_s_limits(engine: object) -> Limits | None:
    found = {f.name: getattr(engine, f.name, False) for f in attrs.fields(Limits)}
    # None is a limit too: "no limit"
    if all(type(found[name]) in (int, type(None)) for name in ("budget", "max_num_seqs")):
        return Limits(found["budget"], found["max_num_seqs"], found["one_phase"] is True)
    return None


def overtakes(scheduler: Scheduler, deployment: Deployment) -> str:
    """Why a request may be served before one that has waited longer, as it declares; else empty."""
    found = getattr(_author(scheduler, deployment), "overtakes", "")
    return found if isinstance(found, str) else ""


def counts(scheduler: Scheduler, deployment: Deployment) -> bool:
    """Whether it keeps a count of its own that it offers."""
    if not isinstance(_unwatched(scheduler), Imperative):
        return False
    engine = _author(scheduler, deployment)
    return any(own_count(engine, name) is not None for name in COUNTS)


def _unwatched(scheduler: Scheduler) -> Scheduler:
    return scheduler.scheduler if isinstance(scheduler, Watched) else scheduler


def _author(scheduler: Scheduler, deployment: Deployment) -> object:
    """What the user wrote: the function, the object or a new engine."""
    found = _unwatched(scheduler)
    if isinstance(found, Scheduling):
        return found.inner
    if not isinstance(found, Imperative):
        return found
    try:
        return found.new(deployment)
    except OF_A_USER:  # a run of it says so
        return None
