"""Faulty schedulers and faulty rules: what a check must catch.

Each is RAD with one thing changed, named as a user's scheduler would be:
``radproof check --scheduler radproof.mutants:chunk_127``. At the seed's deployment the names are
the numbers; at a scaled-down one, "127" reads as one less than the tile.
"""

from __future__ import annotations

from typing import Any

import attrs

from radproof import rules
from radproof.model import Job
from radproof.number import Num, Truth, either, floor_div, ite, maximum, minimum
from radproof.rules import RULES
from radproof.schedulers.rule_form import RuleScheduler


def _with(**changed: Any) -> RuleScheduler:
    return RuleScheduler(attrs.evolve(RULES, **changed))


def _chunk_127(decoding: Truth, left: Num, d: Any) -> Num:
    return ite(decoding, 1, minimum(left, d.chunk - 1))


def _budget_127(mode: Truth, d: Any) -> Num:
    return rules.budget(mode, d) - 1


def _budget_256(mode: Truth, d: Any) -> Num:
    return 2 * rules.budget(mode, d)


def _threshold_127(decodes: Num, residents: Num, d: Any) -> Truth:
    return either(decodes >= d.b_col - 1, decodes == residents)


def _threshold_129(decodes: Num, residents: Num, d: Any) -> Truth:
    return either(decodes >= d.b_col + 1, decodes == residents)


def _greater(decodes: Num, residents: Num, d: Any) -> Truth:
    return either(decodes > d.b_col, decodes == residents)


def _decode_first(decodes: Num, residents: Num, d: Any) -> Truth:
    return decodes >= 1


def _mixed(mode: Truth, decoding: Truth) -> Truth:
    return either(decoding, mode == decoding)


def _shortest(job: Job) -> int:
    return job.prompt - job.prefilled


def _floor(tokens: Num, d: Any) -> Num:
    return maximum(1, d.t_lin * floor_div(tokens, d.b_col) + d.t_nl * tokens)


def _no_t_nl(tokens: Num, d: Any) -> Num:
    return maximum(1, d.t_lin * rules.ceil_div(tokens, d.b_col))


def _one_too_small(tokens: Num, d: Any) -> Num:
    return maximum(1, rules.duration(tokens, d) - 1)


def _twice(served: Num, tokens: Num) -> Num:
    return served + 2 * tokens


chunk_127 = _with(want=_chunk_127)
budget_127 = _with(budget=_budget_127)
budget_256 = _with(budget=_budget_256)
threshold_127 = _with(decode_mode=_threshold_127)
threshold_129 = _with(decode_mode=_threshold_129)
greater = _with(decode_mode=_greater)
decode_first = _with(decode_mode=_decode_first)
mixed = _with(serves=_mixed)
shortest_first = RuleScheduler(order=_shortest)
floor_for_ceil = _with(duration=_floor)
no_t_nl = _with(duration=_no_t_nl)
one_too_small = _with(duration=_one_too_small)
served_twice = _with(served_after=_twice)

MUTANTS: dict[str, RuleScheduler] = {
    name: value for name, value in list(globals().items()) if isinstance(value, RuleScheduler)
}
"""Every mutant by the name it is imported by."""
