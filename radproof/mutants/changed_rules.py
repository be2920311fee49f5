"""RAD with one rule changed. The names are the numbers at the seed's deployment; at a scaled-down
one, "127" reads as one less than the tile, "64" as half of it.
"""

from __future__ import annotations

from typing import Any

import attrs

from radproof import rules
from radproof.model import DECODE, Job
from radproof.number import (
    Node,
    Num,
    Truth,
    both,
    ceil_div,
    either,
    floor_div,
    ite,
    maximum,
    minimum,
    monus,
)
from radproof.rules import RULES
from radproof.schedulers.rule_form import RuleScheduler


def _with(**changed: Any) -> RuleScheduler:
    return RuleScheduler(attrs.evolve(RULES, **changed))


def _chunk_127(decoding: Truth, left: Num, d: Any) -> Num:
    return ite(decoding, 1, minimum(left, d.chunk - 1))


def _chunk_64(decoding: Truth, left: Num, d: Any) -> Num:
    return ite(decoding, 1, minimum(left, ceil_div(d.chunk, 2)))


def _whole_prompt(decoding: Truth, left: Num, d: Any) -> Num:
    return ite(decoding, 1, left)


def _last_chunk_short(decoding: Truth, left: Num, d: Any) -> Num:
    short = ite(both(left == d.chunk, left > 1), left - 1, minimum(left, d.chunk))
    return ite(decoding, 1, short)


def _budget_64(mode: Truth, d: Any) -> Num:
    return ceil_div(rules.budget(mode, d), 2)


def _no_budget(mode: Truth, d: Any) -> Num:
    return 10**30


def _no_decode_budget(mode: Truth, d: Any) -> Num:
    return ite(mode, 10**30, d.b_lcm)


def _take_all(wanted: Num, remaining: Num) -> Num:
    return wanted


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


def _prefill_first(decodes: Num, residents: Num, d: Any) -> Truth:
    return decodes == residents


def _full_only(decodes: Num, residents: Num, d: Node) -> Truth:
    return decodes >= d.b_col


def _all_residents(decodes: Num, residents: Num, d: Any) -> Truth:
    return either(residents >= d.b_col, decodes == residents)


def _mixed(mode: Truth, decoding: Truth) -> Truth:
    return either(decoding, mode == decoding)


def _newest(job: Job) -> int:
    return -job.arrive


def _longest(job: Job) -> int:
    return job.prefilled - job.prompt


def _last_decode(job: Job) -> int:
    return -job.session if job.phase is DECODE else 0


def _fewest_tokens(job: Job) -> int:
    return job.generated


def _odd(job: Job) -> int:
    return -(job.session % 2)


def _shortest(job: Job) -> int:
    return job.prompt - job.prefilled


def _floor(tokens: Num, d: Node) -> Num:
    return maximum(1, d.t_lin * floor_div(tokens, d.b_col) + d.t_nl * tokens)


def _no_t_nl(tokens: Num, d: Node) -> Num:
    return maximum(1, d.t_lin * ceil_div(tokens, d.b_col))


def _one_too_small(tokens: Num, d: Any) -> Num:
    return maximum(1, rules.duration(tokens, d) - 1)


def _one_too_large(tokens: Num, d: Any) -> Num:
    return rules.duration(tokens, d) + 1


def _tile_too_many(tokens: Num, d: Node) -> Num:
    return maximum(1, d.t_lin * (floor_div(tokens, d.b_col) + 1) + d.t_nl * tokens)


def _no_minimum(tokens: Num, d: Node) -> Num:
    return d.t_lin * ceil_div(tokens, d.b_col) + d.t_nl * tokens


def _backwards(tokens: Num, d: Any) -> Num:
    return 0 - rules.duration(tokens, d)


def _not_counted(served: Num, tokens: Num) -> Num:
    return served


def _done_twice(done: Num, share: Num) -> Num:
    return done + 2 * share


def _nothing_done(done: Num, share: Num) -> Num:
    return done


def _one_short(total: Num, done: Num) -> Num:
    return ite(done > 0, monus(total, done + 1), monus(total, done))


def _remainder(total: Num, done: Num) -> Num:
    rest = monus(total, done)
    return ite(both(done > 0, rest == 1), 0, rest)


def _twice(served: Num, tokens: Num) -> Num:
    return served + 2 * tokens


chunk_127 = _with(want=_chunk_127)
chunk_64 = _with(want=_chunk_64)
whole_prompts = _with(want=_whole_prompt, take=_take_all)
last_chunk_short = _with(want=_last_chunk_short)
budget_127 = _with(budget=_budget_127)
budget_64 = _with(budget=_budget_64)
budget_256 = _with(budget=_budget_256)
budget_off = _with(budget=_no_budget)
decodes_unbudgeted = _with(budget=_no_decode_budget)
threshold_127 = _with(decode_mode=_threshold_127)
threshold_129 = _with(decode_mode=_threshold_129)
greater = _with(decode_mode=_greater)
decode_first = _with(decode_mode=_decode_first)
prefill_first = _with(decode_mode=_prefill_first)
only_full_decodes = _with(decode_mode=_full_only)
residents_for_decodes = _with(decode_mode=_all_residents)
mixed = _with(serves=_mixed)
shortest_first = RuleScheduler(order=_shortest)
longest_first = RuleScheduler(order=_longest)
lifo_prefill = RuleScheduler(order=_newest)
lifo_decode = RuleScheduler(order=_last_decode)
fewest_tokens_first = RuleScheduler(order=_fewest_tokens)
odd_sessions_first = RuleScheduler(order=_odd)
floor_for_ceil = _with(duration=_floor)
no_t_nl = _with(duration=_no_t_nl)
one_too_small = _with(duration=_one_too_small)
one_too_large = _with(duration=_one_too_large)
tile_too_many = _with(duration=_tile_too_many)
no_minimum = _with(duration=_no_minimum)
runs_backwards = _with(duration=_backwards)
served_twice = _with(served_after=_twice)
served_not_counted = _with(served_after=_not_counted)
two_tokens_done = _with(done_after=_done_twice)
nothing_done = _with(done_after=_nothing_done)
ends_one_short = _with(left=_one_short)
remainder_dropped = _with(left=_remainder)
