"""RAD's scalar rules, each written once.

Every reader calls these functions: `machine.step` with Python ints, the leap with `Affine`
numbers, the lemmas with z3 terms. A rule is arithmetic over numbers (see `number.py`) and the
deployment `d`, of which it may read `b_col`, `b_lcm`, `t_lin`, `t_nl` and `chunk`.

`Rules` bundles them. A scheduler in rule form *is* such a bundle, so a changed rule is
``attrs.evolve(RULES, decode_mode=...)`` and every reader sees the change. To add a rule, add its
function here and its line in `Rules`: the solver, Lean and print find it through `SIGNATURES`.

Source: Bari, Hegde, de Veciana, arXiv 2508.01002 (RAD, equation 7); serQ's Exec.lean and
Bari.lean, whose names the docstrings give.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import attrs

from radproof.model import Node
from radproof.number import Num, Truth, ceil_div, either, ite, maximum, minimum, monus


def decode_mode(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decode Mode: b_col jobs decode, or every resident does (Bari.lean: decodeMode)."""
    return either(decodes >= d.b_col, decodes == residents)


def serves(mode: Truth, decoding: Truth) -> Truth:
    """Whether a job is served in this mode; batches are never mixed (Bari.lean: serves_rad)."""
    return mode == decoding


def budget(mode: Truth, d: Node) -> Num:
    """The most tokens of one batch: b_col when decoding, b_lcm when prefilling."""
    return ite(mode, d.b_col, d.b_lcm)


def want(decoding: Truth, left: Num, d: Node) -> Num:
    """What a job would take without a budget: a decode one token, a prefill a chunk of `left`."""
    return ite(decoding, 1, minimum(left, d.chunk))


def take(wanted: Num, remaining: Num) -> Num:
    """What a job gets of the tokens that remain in the budget (Exec.lean: fillIter)."""
    return minimum(wanted, remaining)


def duration(tokens: Num, d: Node) -> Num:
    """How long a batch of `tokens` lasts, in microseconds: equation (7) without attention."""
    return maximum(1, d.t_lin * ceil_div(tokens, d.b_col) + d.t_nl * tokens)


def served_after(served: Num, tokens: Num) -> Num:
    """The tokens served after a batch of `tokens`."""
    return served + tokens


def done_after(done: Num, share: Num) -> Num:
    """The tokens of its phase that a job has done after its share of a batch."""
    return done + share


def left(total: Num, done: Num) -> Num:
    """The tokens left of a phase of `total` tokens."""
    return monus(total, done)


_COUNTS = {"counts": True}
"""Marks the rules that count work done or left: a leap counts many iterations at once."""


@attrs.frozen
class Rules:
    """The rules of a scheduler in rule form and of its machine. `RULES` is RAD's.

    The fields are written out rather than collected from the functions, so that type checkers and
    editors know the names that ``attrs.evolve`` takes.
    """

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


_accounting = attrgetter(*(f.name for f in attrs.fields(Rules) if f.metadata.get("counts")))

RULES = Rules()


@attrs.frozen
class Signature:
    """The kinds of a rule's parameters, by name in order, and of its result.

    A kind is int (any number, see `number.Num`), bool (any truth) or Node (the deployment).
    """

    parameters: Mapping[str, type]
    result: type


_KINDS = {"Num": int, "Truth": bool, "Node": Node}


def _signature(function: Callable[..., Any]) -> Signature:
    """The signature of a rule, from its annotations as written.

    Raises TypeError where one is not Num, Truth or Node.
    """
    found = inspect.signature(function)
    written = {name: parameter.annotation for name, parameter in found.parameters.items()}
    written["return"] = found.return_annotation
    for name, annotation in written.items():
        if annotation not in _KINDS:
            raise TypeError(
                f"rule {function.__name__}: annotate {name} as {', '.join(_KINDS)}; it decides "
                "how the solver and Lean read the rule."
            )
    kinds = {name: _KINDS[annotation] for name, annotation in written.items()}
    result = kinds.pop("return")
    return Signature(kinds, result)


SIGNATURES = {f.name: _signature(getattr(RULES, f.name)) for f in attrs.fields(Rules)}
"""The signature of each rule, by name. A changed rule takes the same parameters by position."""
