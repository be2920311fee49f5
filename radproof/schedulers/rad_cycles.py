"""RAD with a finite cycle: at most N prompts begin before the active requests have finished.

The paper leaves some choices open; each is a named switch, with serQ's reading as its default.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.model import Batch, Deployment, Job, whole
from radproof.rules import decode_mode
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import View

Counted: TypeAlias = Literal["start", "end"]


@attrs.frozen
class Cycle:
    """The cycle so far: its prompts, and when it began (microseconds)."""

    prompts: int
    since: int


def _start_or_end(instance: object, attribute: attrs.Attribute[Counted], value: object) -> None:
    if value not in ("start", "end"):
        raise BadInput(f"counted of a cycle is {value!r}; it must be 'start' or 'end'.")


@attrs.frozen
class CyclicRAD:
    """RAD whose cycle ends once N prompts have begun and no request is active.

    Raises BadInput for N < 1 or an unknown choice.
    """

    n: int | None = attrs.field(default=None, validator=attrs.validators.optional(whole(1)))
    """The most prompts of one cycle (N), b_col unless given."""

    counted: Counted = attrs.field(default="start", validator=_start_or_end)
    """Whether N counts prompts at their start or at their end."""

    empty_ends: bool = True
    """Whether an empty node ends the cycle too."""

    arrivals_join: bool = True
    """Whether a prompt that arrives after the cycle began may be in it."""

    share_tail: bool = True
    """Whether the next prompt shares the batch of a ragged last chunk (serQ)."""

    def __call__(self, view: View) -> tuple[Batch, Any]:
        d, jobs = view.deployment, residents(view)
        cycle: Cycle = view.memory or Cycle(0, view.now)
        nothing_active = not jobs.decodes and not jobs.started
        fresh = self.empty_ends and all(j.arrive == view.now and j.done == 0 for j in view.jobs)
        n = d.b_col if self.n is None else self.n
        admitted = self._admitted(n, cycle, jobs.waiting, len(jobs.started))
        if fresh or (nothing_active and not admitted):
            cycle = Cycle(0, view.now)
            admitted = self._admitted(n, cycle, jobs.waiting, 0)
        decodes = len(jobs.decodes)
        prefills = (*jobs.started, *admitted)
        filling = Filling()
        if decode_mode(decodes, decodes + len(prefills), d):
            for job in jobs.decodes[: d.b_col]:
                filling.decode(job)
            return filling.batch, cycle
        counted = self._prefill(filling, prefills, d)
        return filling.batch, Cycle(cycle.prompts + counted, cycle.since) if counted else cycle

    def _prefill(self, filling: Filling, prefills: Iterable[Job], d: Deployment) -> int:
        """Fill a batch with prefills; returns how many of them N counts now."""
        counted = 0
        for job in prefills:
            most = min(d.chunk, d.b_lcm - filling.tokens)
            if most <= 0:
                break
            filling.chunk(job, most)
            counted += job.done == 0 if self.counted == "start" else job.prompt - job.done <= most
            if not self.share_tail:
                break
        return counted

    def _admitted(
        self, n: int, cycle: Cycle, waiting: tuple[Job, ...], started: int
    ) -> tuple[Job, ...]:
        """The waiting prompts that may still begin in this cycle."""
        quota = n - cycle.prompts - (started if self.counted == "end" else 0)
        joining = waiting if self.arrivals_join else [j for j in waiting if j.arrive <= cycle.since]
        return tuple(joining[: max(0, quota)])


rad_cycles = CyclicRAD()
"""RAD with cycles of b_col prompts."""
