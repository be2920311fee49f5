"""The invariants, each stated once: what the proofs carry from one iteration to the next.

They are arithmetic over numbers (`number.py`), as the rules are. Claims and laws read them on
records, lemmas on z3 terms, the audit of a step on ints, and the Lean bridge writes them as Lean.

Source: Bari.lean (R, RateInv), arXiv 2508.01002 (Assumption 3), notes on the clock's identity.
"""

from __future__ import annotations

from typing import Protocol

from radproof.model import Node
from radproof.number import Num, Truth, both, either, ite


def tiled(tokens: Num, d: Node) -> Truth:
    """`tokens` is a multiple of b_lcm (0 included)."""
    return tokens % d.b_lcm == 0


# the invariant R of optimal_tiling


def job_ok(left: Num, decoding: Truth, d: Node) -> Truth:
    """R1: a resident has work left, and what is left of a prefill is a multiple of b_lcm."""
    return left_ok(left, decoding, tiled(left, d))


def left_ok(left: Num, decoding: Truth, multiple: Truth) -> Truth:
    """R1, where `multiple` is the claim's condition for `left` to be a multiple of b_lcm."""
    return both(left >= 1, either(decoding, multiple))


def arrival_ok(prompt: Num, d: Node) -> Truth:
    """R3: the prompt of a pending session is a multiple of b_lcm."""
    return tiled(prompt, d)


def entry_ok(tokens: Num, decoding: Truth, d: Node) -> Truth:
    """R5: an entry of a batch belongs to a decode, or takes a multiple of b_lcm tokens."""
    return either(decoding, tiled(tokens, d))


def whole_share(decoding: Truth, d: Node) -> Num:
    """What an entry of a RAD batch takes under R: a decode one token, a prefill b_lcm.

    This is stronger than R5, which is all that the induction needs.
    """
    return ite(decoding, 1, d.b_lcm)


# the invariant RateInv of token_rate


def rate_at(time: Num, served: Num, d: Node) -> Truth:
    """By `time` (microseconds), full tiles serve at least `served` tokens (token_rate)."""
    return served * (d.t_lin + d.t_nl * d.b_col) <= d.b_col * time


def rate_running(now: Num, ending: Num, served: Num, d: Node) -> Truth:
    """RateInv of a state whose iteration runs to `ending` (microseconds)."""
    return both(now <= ending, rate_at(ending, served, d))


# beyond Bari.lean


def few_decodes(count: Num, d: Node) -> Truth:
    """At most b_col jobs decode (D <= b_col), where every prompt has a token or more."""
    return count <= d.b_col


def clock_identity(now: Num, idle: Num, served: Num, waste: Num, d: Node) -> Truth:
    """b_col now = b_col idle + (t_lin + t_nl b_col) served + t_lin waste, exactly.

    now, idle: microseconds, `idle` of them without a resident; served: tokens so far; waste: the
    tokens that the batches so far lacked to fill their tiles of b_col.
    """
    return d.b_col * now == clock_work(idle, served, waste, d)


def clock_work(idle: Num, served: Num, waste: Num, d: Node) -> Num:
    """The right side of `clock_identity`: b_col times the microseconds that the work takes."""
    busy = served * (d.t_lin + d.t_nl * d.b_col) + d.t_lin * waste
    return d.b_col * idle + busy


# what the claims and laws demand of a session: the hypothesis of each family of paths


class Prompted(Protocol):
    """The session as such a hypothesis reads it: `model.Session`, on numbers."""

    @property
    def prompt(self) -> Num: ...


def prompt_is_tiled(session: Prompted, d: Node) -> Truth:
    """Assumption 3: the prompt is a multiple of b_lcm (0 included)."""
    return arrival_ok(session.prompt, d)


def prompt_is_positive_tiles(session: Prompted, d: Node) -> Truth:
    """The prompt is a positive multiple of b_lcm."""
    return both(session.prompt > 0, prompt_is_tiled(session, d))


GIVEN = {"natural": None, "assumption3": prompt_is_tiled, "positive": prompt_is_positive_tiles}
"""What a claim or law of each family demands of every session."""
