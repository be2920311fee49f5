"""A scheduler given as rules: the form of RAD, and the right one for a changed RAD.

In rule form a scheduler is a mode test, a test of which jobs it serves, a want, a budget and an
order, so the same bundle is run on paths and handed to the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import attrs

from radproof.model import DECODE, Batch, Entry, Job
from radproof.rules import RULES, Rules
from radproof.schedulers.protocol import Scheduler, View


@attrs.frozen
class RuleScheduler:
    """Serve the job list greedily, by `rules`, in list order or sorted by `order`."""

    rules: Rules = RULES
    order: Callable[[Job], Any] | None = None

    def __call__(self, view: View) -> tuple[Batch, Any]:
        rules, d = self.rules, view.deployment
        decodes = sum(job.phase is DECODE for job in view.jobs)
        mode = rules.decode_mode(decodes, len(view.jobs), d)
        remaining = rules.budget(mode, d)
        batch = []
        for job in view.jobs if self.order is None else sorted(view.jobs, key=self.order):
            decoding = job.phase is DECODE
            if not rules.serves(mode, decoding):
                continue
            wanted = rules.want(decoding, rules.left(job.prompt, job.prefilled), d)
            tokens = rules.take(wanted, remaining)
            if tokens <= 0:
                break
            batch.append(Entry(job.session, job.phase, tokens))
            remaining -= tokens
        return tuple(batch), view.memory


def in_rule_form(scheduler: Scheduler) -> TypeGuard[RuleScheduler]:
    """Whether its rules and order alone decide the batch, so that a lemma can be about them.

    A subclass with a `__call__` of its own is not in rule form.
    """
    return (
        isinstance(scheduler, RuleScheduler) and type(scheduler).__call__ is RuleScheduler.__call__
    )
