"""Laws that the machine itself keeps: what a scheduler must be, whatever its policy.

A scheduler that breaks one is stopped there with a `SchedulerError`, whose kind says which. A run
that exists has kept them.
"""

from __future__ import annotations

from radproof.claims import Claim, Found
from radproof.laws.law import Law
from radproof.model import Deployment
from radproof.runs import Run


def _kept(run: Run, deployment: Deployment) -> Found:
    return Found(checked=run.iterations)


def _law(name: str, statement: str, source: str) -> Law:
    claim = Claim(name=name, kind="whole run", holds=_kept, statement=statement)
    return Law(claim, "engine", source, tested="tests/laws/test_faults.py")


FAULT_LAWS = (
    _law(
        "well_formed",
        "a batch names resident jobs, once, in their phase, 1 or more tokens, none too many",
        source="semantics; vLLM 30320; the negative chunk of Sarathi's code",
    ),
    _law(
        "pure",
        "a scheduler gives the same answer to the same view, and leaves the view as it was",
        source="radproof: a scheduler is a function of what it sees",
    ),
)


def broken_by(kind: str) -> str:
    """The law that a `SchedulerError` of this kind breaks."""
    return _BROKEN.get(kind, "well_formed")


_BROKEN = {
    "stuck": "progress",
    "impure": "pure",
    "decode": "one_token_per_decode",
    "tokens": "batch_not_empty",
}
