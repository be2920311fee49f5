"""Sarathi-Serve: chunked prefills that ride along with all decodes (arXiv 2403.02310)."""

from __future__ import annotations

from typing import Any

import attrs

from radproof.model import Batch, Deployment
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import Limits, View


@attrs.frozen
class Sarathi:
    """All decodes; then prompts begun, then new ones, in chunks that fill up `budget`.

    budget: tokens of a batch (C), b_lcm unless given; active: the most admitted requests (S),
    b_col unless given.
    """

    budget: int | None = None
    active: int | None = None

    def limits(self, deployment: Deployment) -> Limits:
        """Its budget and its slots."""
        return Limits(*self._bounds(deployment))

    def _bounds(self, d: Deployment) -> tuple[int, int]:
        budget = d.b_lcm if self.budget is None else self.budget
        return budget, d.b_col if self.active is None else self.active

    def __call__(self, view: View) -> tuple[Batch, Any]:
        budget, most = self._bounds(view.deployment)
        jobs = residents(view)
        filling = Filling()
        for job in jobs.decodes:
            filling.decode(job)
        for job in jobs.started:
            filling.chunk(job, budget - filling.tokens)
        active = jobs.active
        for job in jobs.waiting:
            if filling.tokens >= budget or active >= most:
                break
            filling.chunk(job, budget - filling.tokens)
            active += 1
        return filling.batch, view.memory


sarathi = Sarathi()
"""Sarathi-Serve with a budget of one tile."""
