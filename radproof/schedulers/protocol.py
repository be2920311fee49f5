"""The protocol of a scheduler.

A scheduler is a pure function of a `View` (what a real one could see) to a batch and its next
memory. It may carry `rules`, a `radproof.rules.Rules`, where the engine it stands for has a
clock or a count of its own; the machine then runs by those.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import attrs

from radproof.model import Deployment, Entry, Job
from radproof.rules import RULES, Rules


@attrs.frozen
class View:
    """What a scheduler sees when an iteration is to start: never how long an output will be."""

    now: int
    jobs: tuple[Job, ...]
    deployment: Deployment
    memory: Any = None


class Scheduler(Protocol):
    """A pure function: the entries of the next batch, and the memory for the next call.

    The memory is None at the start of a path. An empty batch leaves the engine idle until the
    next arrival.
    """

    def __call__(self, view: View, /) -> tuple[Iterable[Entry], Any]: ...


def rules_of(scheduler: Scheduler) -> Rules:
    """The rules the machine runs by under this scheduler: its own, or RAD's."""
    rules = getattr(scheduler, "rules", RULES)
    return rules if isinstance(rules, Rules) else RULES
