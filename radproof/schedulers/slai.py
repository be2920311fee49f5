"""SLAI: decodes by their last moment, prompts in between (Bari et al., equation 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.model import Batch, Entry, Job
from radproof.rules import RULES
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import View

Order: TypeAlias = Literal["first come", "shortest prompt"]
ORDERS: tuple[Order, ...] = ("first come", "shortest prompt")
FULL = (96, 100)
"""The share of the memory from which the deadline is taken earlier."""


@attrs.frozen
class Clock:
    """What SLAI remembers: when each decode becomes critical, and the batch times so far."""

    critical: Mapping[int, int] = attrs.field(factory=dict)
    batches: int = 0
    busy: int = 0
    last: tuple[Entry, ...] = ()
    end: int = 0


def _known(instance: Any, attribute: Any, value: Any) -> None:
    if value not in ORDERS:
        raise BadInput(f"order of SLAI is {value!r}; it must be one of: {', '.join(ORDERS)}.")


@attrs.frozen
class SLAI:
    """Critical decodes; prompts begun, then new ones, in chunks; then the other decodes.

    A decode is critical from Y = (end of its last batch) + tbt - theta (mean batch time) on.
    budget: tokens that prompts may fill a batch up to (C, four tiles); active: the most admitted
    requests (S), decodes: the most decodes of a batch (L), both b_col unless given; tbt: the time
    between tokens that was promised, microseconds; theta, and theta_full where the memory of
    `memory` tokens is at least 96 % full; order: of new prompts; first: which of them go before
    all others (those who pay).
    """

    budget: int | None = None
    active: int | None = None
    decodes: int | None = None
    tbt: int = 100_000
    theta: int = 5
    theta_full: int = 10
    memory: int | None = None
    order: Order = attrs.field(default="first come", validator=_known)
    first: Callable[[Job], bool] = lambda job: False

    def __call__(self, view: View) -> tuple[Batch, Any]:
        d = view.deployment
        budget = 4 * d.b_lcm if self.budget is None else self.budget
        most_active = d.b_col if self.active is None else self.active
        most_decodes = d.b_col if self.decodes is None else self.decodes
        jobs = residents(view)
        clock = self._now(view)

        def due(job: Job) -> tuple[int, int]:
            return clock.critical.get(job.session, job.arrive), job.arrive

        in_order = sorted(jobs.decodes, key=due)
        critical = [job for job in in_order if due(job)[0] <= view.now][:most_decodes]
        filling = Filling()
        for job in critical:
            filling.decode(job)
        for job in jobs.started:
            filling.chunk(job, budget - filling.tokens)
        active = jobs.active
        for job in sorted(jobs.waiting, key=self._rank):
            if filling.tokens >= budget or active >= most_active:
                break
            filling.chunk(job, budget - filling.tokens)
            active += 1
        chosen = {job.session for job in critical}
        others = [job for job in in_order if job.session not in chosen]
        for job in others[: most_decodes - len(critical)]:
            filling.decode(job)
        end = view.now + RULES.duration(filling.tokens, d)
        return filling.batch, attrs.evolve(
            clock, last=filling.batch, batches=clock.batches + 1, busy=clock.busy + end - view.now,
            end=end,
        )  # fmt: skip

    def _now(self, view: View) -> Clock:
        """The clock with the last batch's requests set again, and those that left forgotten."""
        clock: Clock = view.memory or Clock()
        if not clock.last:
            return clock
        mean = clock.busy // clock.batches
        deadline = clock.end + self.tbt - self._theta(view) * mean
        served = {entry.session for entry in clock.last}
        return attrs.evolve(
            clock,
            critical={
                job.session: deadline if job.session in served else clock.critical[job.session]
                for job in view.jobs
                if job.session in served or job.session in clock.critical
            },
        )

    def _theta(self, view: View) -> int:
        used = sum(job.prefilled + job.generated for job in view.jobs)
        part, whole = FULL
        full = self.memory is not None and used * whole >= self.memory * part
        return self.theta_full if full else self.theta

    def _rank(self, job: Job) -> tuple[bool, int, int]:
        return not self.first(job), job.prompt if self.order == "shortest prompt" else 0, job.arrive


slai = SLAI()
"""SLAI with the headline defaults: tbt 0.1 s, theta 5."""
