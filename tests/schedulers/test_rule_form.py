"""A scheduler in rule form fills its batch as fillIter does, and no other is taken for one."""

from __future__ import annotations

from typing import Any

import attrs

from radproof import DECODE, PREFILL, RULES, Deployment, Entry, Job, RuleScheduler, View, rad
from radproof.schedulers.rule_form import in_rule_form

JOBS = (Job(0, PREFILL, 0, 5), Job(1, DECODE, 0, 3), Job(2, PREFILL, 0, 2))


def batch(scheduler: RuleScheduler) -> Any:
    return scheduler(View(0, JOBS, Deployment(b_col=4), "kept"))


def test_jobs_of_the_mode_are_served_in_list_order_until_the_budget_is_used() -> None:
    assert batch(RuleScheduler()) == ((Entry(0, PREFILL, 4),), "kept")
    shortest_first = RuleScheduler(order=lambda job: job.prompt)
    assert batch(shortest_first)[0] == (Entry(2, PREFILL, 2), Entry(0, PREFILL, 2))


def test_the_first_job_that_gets_nothing_ends_the_batch() -> None:
    """As in fillIter, although the next one wants something."""
    long_wants_nothing = attrs.evolve(RULES, want=lambda decoding, left, d: 2 if left < 5 else 0)
    assert batch(RuleScheduler(long_wants_nothing))[0] == ()
    assert batch(RuleScheduler(long_wants_nothing, lambda job: job.prompt))[0] == (
        Entry(2, PREFILL, 2),
    )


def test_only_what_has_rules_and_decides_by_them_alone_is_in_rule_form() -> None:
    class Own(RuleScheduler):
        def __call__(self, view: View) -> Any:
            return super().__call__(view)

    class Borrowed:
        __call__ = RuleScheduler.__call__

    class Named(RuleScheduler):
        pass

    assert in_rule_form(rad)
    assert in_rule_form(Named())
    for other in (Own(), Borrowed(), lambda view: ((), None)):
        assert not in_rule_form(other)
