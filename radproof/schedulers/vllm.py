"""vLLM 0.x without chunked prefill: whole prompts go first, and alone."""

from __future__ import annotations

from typing import Any

import attrs

from radproof.model import Batch
from radproof.schedulers.batches import Filling, residents
from radproof.schedulers.protocol import View

TILES = 16
"""The default budget in tiles: 2,048 tokens at the seed's deployment."""


@attrs.frozen
class VLLM:
    """The first waiting prompts that fit whole, by themselves; where none fits, the decodes.

    budget: tokens of a batch, 16 tiles unless given; active: the most admitted requests, b_col
    unless given. A prompt longer than the budget blocks all prompts behind it for ever.
    """

    budget: int | None = None
    active: int | None = None

    def __call__(self, view: View) -> tuple[Batch, Any]:
        d = view.deployment
        budget = TILES * d.b_lcm if self.budget is None else self.budget
        most = d.b_col if self.active is None else self.active
        jobs = residents(view)
        filling, active = Filling(), jobs.active
        for job in jobs.waiting:
            if active >= most or filling.tokens + job.prompt > budget:
                break
            filling.prompt(job)
            active += 1
        if not filling.entries:
            for job in jobs.decodes[:budget]:
                filling.decode(job)
        return filling.batch, view.memory


vllm = VLLM()
"""vLLM 0.x with its default budget."""
