"""SLAI: decodes by their deadline, prompts in between (Bari et al., equation 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.model import Batch, Entry, Job
from radproof.rules import RULES
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import View

Order: TypeAlias = Literal["first come", "shortest prompt"]
ORDERS: tuple[Order, ...] = ("first come", "shortest prompt")
FULL = (96, 100)
"""The share of the memory in use from which on decodes become critical earlier."""


@attrs.frozen
class Clock:
    """SLAI's memory; times are microseconds."""

    critical: Mapping[int, int] = attrs.field(factory=dict)
    """When each decode becomes critical, by session."""

    batches: int = 0
    """Batches so far."""

    busy: int = 0
    """The sum of their durations."""

    last: tuple[Entry, ...] = ()
    """The latest batch."""

    end: int = 0
    """When it ends."""


def _known(instance: object, attribute: attrs.Attribute[Order], value: object) -> None:
    if value not in ORDERS:
        raise BadInput(f"order of SLAI is {value!r}; it must be one of: {', '.join(ORDERS)}.")


@attrs.frozen
class SLAI:
    """Critical decodes; prompts begun, then new ones, in chunks; then the other decodes.

    A decode is critical from Y = (end of its last batch) + tbt - theta (mean batch time) on.
    """

    overtakes: ClassVar[str] = "decodes are served by their deadlines"

    budget: int | None = None
    """The tokens up to which prompts may fill a batch (C), four tiles unless given."""

    active: int | None = None
    """The most admitted requests (S), b_col unless given."""

    decodes: int | None = None
    """The most decodes of a batch (L), b_col unless given."""

    tbt: int = 100_000
    """The promised time between tokens, microseconds."""

    theta: int = 5
    theta_full: int = 10
    """Theta where the memory is at least 96 % full."""

    memory: int | None = None
    """Tokens that the memory holds; None: it is never full."""

    order: Order = attrs.field(default="first come", validator=_known)
    """The order of new prompts."""

    first: Callable[[Job], bool] = lambda job: False
    """Which new prompts go before all others (those of paying users)."""

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
        """The clock with new deadlines for the last batch, and without the requests that left."""
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
