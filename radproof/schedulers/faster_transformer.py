"""FasterTransformer: request-level batches, each run to its end before the next is admitted."""

from __future__ import annotations

from typing import Any

import attrs

from radproof.model import Batch, Deployment
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import Limits, View


@attrs.frozen
class FasterTransformer:
    """While any request decodes, one token for each and no prompt; then whole prompts together.

    active: the most prompts of a batch (S), b_col unless given.
    """

    active: int | None = None

    def limits(self, deployment: Deployment) -> Limits:
        """Its slots, in batches of one phase."""
        return Limits(max_num_seqs=self._most(deployment), one_phase=True)

    def _most(self, d: Deployment) -> int:
        return d.b_col if self.active is None else self.active

    def __call__(self, view: View) -> tuple[Batch, Any]:
        most = self._most(view.deployment)
        jobs = residents(view)
        filling = Filling()
        for job in jobs.decodes:
            filling.decode(job)
        if not jobs.decodes:
            for job in jobs.waiting[:most]:
                filling.prompt(job)
        return filling.batch, view.memory


faster_transformer = FasterTransformer()
"""FasterTransformer with batches of b_col requests."""
