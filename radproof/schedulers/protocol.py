"""The protocol of a scheduler.

A scheduler is a pure function from a `View` (all that a real one could see) to a batch and its next
memory. It may carry `rules`, a `radproof.rules.Rules`, where the engine that it models has its own
clock or counts; the machine then runs by those.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import attrs

from radproof.model import Deployment, Entry, Job
from radproof.rules import RULES, Rules


@attrs.frozen
class View:
    """What a scheduler sees before an iteration starts; the length of an output is not in it."""

    now: int
    jobs: tuple[Job, ...]
    deployment: Deployment
    memory: Any = None


class Scheduler(Protocol):
    """A pure function; it returns the entries of the next batch and the memory for the next call.

    The memory is None at the start of a path. With an empty batch the engine idles until the next
    arrival.
    """

    def __call__(self, view: View, /) -> tuple[Iterable[Entry], Any]: ...


def rules_of(scheduler: Scheduler) -> Rules:
    """The rules by which the machine runs under this scheduler: its own, or RAD's."""
    rules = getattr(scheduler, "rules", RULES)
    return rules if isinstance(rules, Rules) else RULES
