"""The invariants of the two proofs on a state of the mirror.

The scalar conditions are plain arithmetic, each written once: Python reads them here, Lean gets
them by `definitions.py`. Joining them over the lists of a state is the twin of `mirror.lean`'s end.
Source: Bari.lean's `R` (R4 is about stacks, which the mirror has not) and Claim.lean's `RateInv`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from radproof.claims import token_rate
from radproof.lean.twin import Config, State
from radproof.number import both, either


def job_ok(left: Any, decoding: Any, d: Any) -> Any:
    """R1: something is left, and of a prefill a multiple of b_lcm."""
    return both(left >= 1, either(decoding, left % d.b_lcm == 0))


def arrival_ok(prompt: Any, d: Any) -> Any:
    """R3: the prompt of a session to come is a multiple of b_lcm."""
    return prompt % d.b_lcm == 0


def entry_ok(tokens: Any, decoding: Any, d: Any) -> Any:
    """R5: a batch entry is a decode's, or a multiple of b_lcm tokens."""
    return either(decoding, tokens % d.b_lcm == 0)


def rate_at(time: Any, served: Any, d: Any) -> Any:
    """What RateInv says of the tokens served by `time` (microseconds)."""
    return served * (d.t_lin + d.t_nl * d.b_col) <= d.b_col * time


def rate_running(now: Any, until: Any, served: Any, d: Any) -> Any:
    """RateInv of a state whose iteration runs to `until` (microseconds)."""
    return both(now <= until, rate_at(until, served, d))


def few_decodes(count: Any, d: Any) -> Any:
    """At most b_col decodes."""
    return count <= d.b_col


CONDITIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "jobOK": (job_ok, ("left", "decoding")),
    "arrivalOK": (arrival_ok, ("prompt",)),
    "entryOK": (entry_ok, ("tokens", "decoding")),
    "rateAt": (rate_at, ("time", "served")),
    "rateRunning": (rate_running, ("now", "until", "served")),
    "fewDecodes": (few_decodes, ("count",)),
}
"""The Lean name of each condition, the function, and its parameters before the deployment."""


def r(c: Config, s: State) -> bool:
    """The invariant of optimal_tiling (Bari.lean: R)."""
    d = c.deployment
    numbers = [job.number for job in s.jobs]
    return (
        all(job_ok(c.rules.left(job.total, job.done), job.decoding, d) for job in s.jobs)
        and len(set(numbers)) == len(numbers)
        and all(arrival_ok(arrival.session.prompt, d) for arrival in s.pending)
        and all(entry_ok(entry.tokens, entry.decoding, d) for entry in s.iter)
        and all(entry.number in numbers for entry in s.iter)
    )


def rate_inv(c: Config, s: State) -> bool:
    """The invariant of token_rate (Claim.lean: RateInv)."""
    d = c.deployment
    if s.iter_end is None:
        now = rate_at(s.now, s.served, d)
    else:
        now = rate_running(s.now, s.iter_end, s.served, d)
    return bool(now and (s.last is None or token_rate.holds(s.last, d)))


def decode_bound(c: Config, s: State) -> bool:
    """At most b_col decodes are resident, where every prompt is a positive multiple of b_lcm."""
    return bool(few_decodes(sum(job.decoding for job in s.jobs), c.deployment))


INVARIANTS: dict[str, Callable[[Config, State], bool]] = {
    "R": r,
    "RateInv": rate_inv,
    "DecodeBound": decode_bound,
}
"""The invariants by their Lean names."""
