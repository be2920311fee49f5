"""Orca: iteration-level scheduling, whole prompts beside the decodes (OSDI 2022)."""

from __future__ import annotations

from typing import Any

import attrs

from radproof.model import Batch, Deployment
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import Limits, View


@attrs.frozen
class Orca:
    """One token for every active request, and every waiting prompt that may join, whole.

    active: the most admitted requests (S). Tokens are not limited.
    """

    active: int = 8

    def limits(self, deployment: Deployment) -> Limits:
        """Its slots."""
        return Limits(max_num_seqs=self.active)

    def __call__(self, view: View) -> tuple[Batch, Any]:
        jobs = residents(view)
        filling = Filling()
        for job in jobs.decodes:
            filling.decode(job)
        for job in jobs.waiting[: max(0, self.active - jobs.active)]:
            filling.prompt(job)
        return filling.batch, view.memory


orca = Orca()
"""Orca with batches of eight requests."""
