"""The invariants of the two proofs on a state of the mirror, by their Lean names.

They join the conditions of `radproof.invariants` over the lists of a state, as the end of
`mirror.lean` does. Source: Bari.lean's `R` (without R4: the mirror has no stacks) and Claim.lean's
`RateInv`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from radproof.claims import token_rate
from radproof.invariants import (
    arrival_ok,
    entry_ok,
    few_decodes,
    job_ok,
    rate_at,
    rate_running,
)
from radproof.lean.twin import Config, State

_CONDITIONS: dict[str, Callable[..., Any]] = {
    "jobOK": job_ok,
    "arrivalOK": arrival_ok,
    "entryOK": entry_ok,
    "rateAt": rate_at,
    "rateRunning": rate_running,
    "fewDecodes": few_decodes,
}


def _before_the_deployment(condition: Callable[..., Any]) -> tuple[str, ...]:
    *names, deployment = inspect.signature(condition).parameters
    assert deployment == "d", condition
    return tuple(names)


CONDITIONS = {name: (found, _before_the_deployment(found)) for name, found in _CONDITIONS.items()}
"""The Lean name of each condition, the function, and its parameters before the deployment."""


def r(c: Config, s: State) -> bool:
    """The invariant of optimal_tiling (Bari.lean: R); R5 by the phase of the owning job."""
    d = c.deployment
    numbers = [job.number for job in s.jobs]
    owners = numbers + [arrival.number for arrival in s.pending]
    return (
        all(job_ok(c.rules.left(job.total, job.done), job.decoding, d) for job in s.jobs)
        and len(set(owners)) == len(owners)
        and all(arrival_ok(arrival.session.prompt, d) for arrival in s.pending)
        and all(
            entry_ok(entry.tokens, job.decoding, d)
            for entry in s.iter
            for job in s.jobs
            if job.number == entry.number
        )
        and all(entry.number in numbers for entry in s.iter)
    )


def rate_inv(c: Config, s: State) -> bool:
    """The invariant of token_rate (Claim.lean: RateInv); the pending come in order, from now."""
    d = c.deployment
    if s.iter_end is None:
        now = rate_at(s.now, s.served, d)
    else:
        now = rate_running(s.now, s.iter_end, s.served, d)
    times = [s.now, *(arrival.session.arrive for arrival in s.pending)]
    in_order = all(before <= after for before, after in pairwise(times))
    return bool(in_order and now and (s.last is None or token_rate.holds(s.last, d)))


def decode_bound(c: Config, s: State) -> bool:
    """At most b_col decodes are resident, where every prompt is a positive multiple of b_lcm."""
    return bool(few_decodes(sum(job.decoding for job in s.jobs), c.deployment))


INVARIANTS: dict[str, Callable[[Config, State], bool]] = {
    "R": r,
    "RateInv": rate_inv,
    "DecodeBound": decode_bound,
}
"""The invariants by their Lean names."""
