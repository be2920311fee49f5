"""RAD's scalar rules, each written once.

Everything that computes reads these functions: `machine.step` with Python ints, the leap with
ints, the lemmas with z3 terms. A rule is arithmetic over numbers (see `number.py`) and the
deployment `d`, of which it may read `b_col`, `b_lcm`, `t_lin`, `t_nl` and `chunk`.

`Rules` bundles them. A scheduler in rule form *is* such a bundle, so a changed rule is
``attrs.evolve(RULES, decode_mode=...)`` and every reader sees the change.

Source: Bari, Hegde, de Veciana, arXiv 2508.01002 (RAD, equation 7); serQ's Exec.lean and
Bari.lean, whose names stand in the docstrings.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs

from radproof.number import Node, Num, Truth, ceil_div, either, ite, maximum, minimum, monus


def decode_mode(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decode Mode: b_col jobs decode, or none is left to prefill (Bari.lean: decodeMode)."""
    return either(decodes >= d.b_col, decodes == residents)


def serves(mode: Truth, decoding: Truth) -> Truth:
    """Whether a job is served in this mode; batches are never mixed (Bari.lean: serves_rad)."""
    return mode == decoding


def budget(mode: Truth, d: Node) -> Num:
    """The most tokens of one batch: b_col when decoding, b_lcm when prefilling."""
    return ite(mode, d.b_col, d.b_lcm)


def want(decoding: Truth, left: Num, d: Node) -> Num:
    """What a job would take with no budget: a decode one token, a prefill a chunk of `left`."""
    return ite(decoding, 1, minimum(left, d.chunk))


def take(wanted: Num, remaining: Num) -> Num:
    """What it gets of the tokens that remain in the budget (Exec.lean: fillIter)."""
    return minimum(wanted, remaining)


def duration(tokens: Num, d: Node) -> Num:
    """How long a batch of `tokens` lasts, in microseconds: equation (7) without attention."""
    return maximum(1, d.t_lin * ceil_div(tokens, d.b_col) + d.t_nl * tokens)


def served_after(served: Num, tokens: Num) -> Num:
    """The tokens served once a batch of `tokens` has been added."""
    return served + tokens


def done_after(done: Num, share: Num) -> Num:
    """What a job has done of its phase once its share of a batch is applied."""
    return done + share


def left(total: Num, done: Num) -> Num:
    """What is left of a phase of `total` tokens."""
    return monus(total, done)


_COUNTS = {"counts": True}
"""Marks the rules that count work done or left: a leap does many iterations' counting at once."""


@attrs.frozen
class Rules:
    """The rules that a scheduler in rule form and its machine run by. `RULES` is RAD's."""

    decode_mode: Callable[..., Any] = decode_mode
    serves: Callable[..., Any] = serves
    budget: Callable[..., Any] = budget
    want: Callable[..., Any] = want
    take: Callable[..., Any] = take
    duration: Callable[..., Any] = duration
    served_after: Callable[..., Any] = attrs.field(default=served_after, metadata=_COUNTS)
    done_after: Callable[..., Any] = attrs.field(default=done_after, metadata=_COUNTS)
    left: Callable[..., Any] = attrs.field(default=left, metadata=_COUNTS)

    @property
    def accounting(self) -> tuple[Callable[..., Any], ...]:
        """The rules that count work."""
        return _accounting(self)


_accounting = attrgetter(*(f.name for f in attrs.fields(Rules) if "counts" in f.metadata))

RULES = Rules()
