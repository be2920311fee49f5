"""The protocol of a scheduler.

A scheduler is a pure function from a `View` (all that a real one could see) to a batch and its next
memory. It may carry `rules`, a `radproof.rules.Rules`, where the engine that it models has its own
clock or counts; the machine then runs by those. It may declare its `Limits`, and why a request may
be served before one that has waited longer (``overtakes``, a string): laws need to know them.
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


@attrs.frozen
class Limits:
    """All that keeps a scheduler from serving a resident: what the law `work_conserving` accepts.

    A scheduler declares them in a method ``limits(deployment)``.
    """

    budget: int | None = None
    """The most tokens of a batch; None: no limit. A batch may have more."""

    max_num_seqs: int | None = None
    """The most requests that run, from their first batch to their end; None: no limit."""

    one_phase: bool = False
    """Whether a batch holds decodes or prefills, never both: then it leaves out the other phase."""


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
