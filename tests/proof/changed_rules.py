"""RAD and its claims with one thing changed, and a lemma that must be refuted for it."""

from __future__ import annotations

from typing import Any

import attrs

from radproof.claims import fills_its_tile, optimal_tiling, token_rate
from radproof.lemmas.obligations import WORLD, World
from radproof.number import ceil_div, either, floor_div, ite, maximum, minimum, monus, negate
from radproof.rules import RULES
from radproof.schedulers import RuleScheduler


def _rules(**changed: Any) -> World:
    return World(RuleScheduler(attrs.evolve(RULES, **changed)))


def _rate(holds: Any) -> World:
    return attrs.evolve(WORLD, rate=attrs.evolve(token_rate, holds=holds))


def _tiling(**changed: Any) -> World:
    return attrs.evolve(WORLD, tiling=attrs.evolve(optimal_tiling, **changed))


CHANGED: dict[str, tuple[World, str]] = {
    "duration: floor for ceil": (
        _rules(duration=lambda n, d: maximum(1, d.t_lin * floor_div(n, d.b_col) + d.t_nl * n)),
        "tiled_rate",
    ),
    "duration: t_lin - 1": (
        _rules(duration=lambda n, d: maximum(1, (d.t_lin - 1) * ceil_div(n, d.b_col) + d.t_nl * n)),
        "tiled_rate",
    ),
    "duration: t_nl - 1": (
        _rules(duration=lambda n, d: maximum(1, d.t_lin * ceil_div(n, d.b_col) + (d.t_nl - 1) * n)),
        "tiled_rate",
    ),
    "duration: 1 us too long": (
        _rules(duration=lambda n, d: maximum(1, d.t_lin * ceil_div(n, d.b_col) + d.t_nl * n) + 1),
        "clock_identity",
    ),
    "duration: can be 0": (
        _rules(duration=lambda n, d: d.t_lin * ceil_div(n, d.b_col) + d.t_nl * n),
        "duration_pos",
    ),
    "decode_mode: b_col - 1": (
        _rules(decode_mode=lambda k, r, d: either(k >= d.b_col - 1, k == r)),
        "rad_batch",
    ),
    "decode_mode: b_col + 1": (
        _rules(decode_mode=lambda k, r, d: either(k >= d.b_col + 1, k == r)),
        "decodes_fit",
    ),
    "decode_mode: only b_col": (_rules(decode_mode=lambda k, r, d: k >= d.b_col), "progress"),
    "decode_mode: only D = r": (_rules(decode_mode=lambda k, r, d: k == r), "decodes_fit"),
    "decode_mode: any decode": (_rules(decode_mode=lambda k, r, d: k >= 1), "rad_batch"),
    "serves: the other phase": (
        _rules(serves=lambda mode, decoding: negate(mode == decoding)),
        "serves_rad",
    ),
    "serves: everybody": (_rules(serves=lambda mode, decoding: True), "serves_rad"),
    "serves: prefills in both modes": (
        _rules(serves=lambda mode, decoding: either(mode == decoding, negate(decoding))),
        "serves_rad",
    ),
    "budget: a decode too few": (
        _rules(budget=lambda mode, d: ite(mode, d.b_col - 1, d.b_lcm)),
        "rad_batch",
    ),
    "budget: a prefill token too few": (
        _rules(budget=lambda mode, d: ite(mode, d.b_col, d.b_lcm - 1)),
        "rad_batch",
    ),
    "budget: two tiles": (
        _rules(budget=lambda mode, d: ite(mode, d.b_col, 2 * d.b_lcm)),
        "rad_batch",
    ),
    "budget: b_lcm decodes": (_rules(budget=lambda mode, d: d.b_lcm), "rad_batch"),
    "budget: b_col prefill tokens": (_rules(budget=lambda mode, d: d.b_col), "rad_batch"),
    "want: chunk - 1": (
        _rules(want=lambda decoding, left, d: ite(decoding, 1, minimum(left, d.chunk - 1))),
        "rad_start[3]",
    ),
    "want: two for a decode": (
        _rules(want=lambda decoding, left, d: ite(decoding, 2, minimum(left, d.chunk))),
        "wantOf.decode",
    ),
    "want: more than is left": (
        _rules(want=lambda decoding, left, d: ite(decoding, 1, d.chunk)),
        "wantOf",
    ),
    "want: half of what is left": (
        _rules(
            want=lambda decoding, left, d: ite(decoding, 1, minimum(ceil_div(left, 2), d.chunk))
        ),
        "leap_share",
    ),
    # a decode is asked with nothing left of its prompt
    "want: nothing for a decode at a tile of 9": (
        _rules(
            want=lambda decoding, left, d: ite(
                decoding, ite(d.b_col == 9, minimum(left, 1), 1), minimum(left, d.chunk)
            )
        ),
        "wantOf.decode",
    ),
    "want: nothing for a decode": (
        _rules(want=lambda decoding, left, d: minimum(left, ite(decoding, 1, d.chunk))),
        "wantOf.decode",
    ),
    "budget: four tiles for decodes": (
        _rules(
            budget=lambda mode, d: ite(mode, 4 * d.b_lcm, d.b_lcm),
            duration=lambda n, d: ite(
                n > d.b_lcm, 1, maximum(1, d.t_lin * ceil_div(n, d.b_col) + d.t_nl * n)
            ),
        ),
        "batch_fits",
    ),
    "budget: below nothing": (
        _rules(budget=lambda mode, d: ite(d.b_col == 7, -1, RULES.budget(mode, d))),
        "budget.natural",
    ),
    "take: whatever is wanted": (_rules(take=lambda want, rest: want), "fillAmounts_sum"),
    "take: all the rest": (_rules(take=lambda want, rest: rest), "fillAmounts_sum"),
    "take: the larger": (_rules(take=maximum), "fillAmounts_sum"),
    "served_after: twice": (
        _rules(served_after=lambda served, tokens: served + 2 * tokens),
        "startIteration_inv",
    ),
    "served_after: one too many": (
        _rules(served_after=lambda served, tokens: served + tokens + 1),
        "startIteration_inv",
    ),
    "served_after: forgets": (
        _rules(served_after=lambda served, tokens: served),
        "clock_identity",
    ),
    # below 0 the tokens leap up
    "served_after: below nothing": (
        _rules(
            served_after=lambda served, tokens: ite(served < 0, served + 10**9, served - tokens)
        ),
        "rate.natural",
    ),
    "served_after: a token while idle": (
        _rules(served_after=lambda served, tokens: served + maximum(tokens, 1)),
        "rate.idle",
    ),
    # what is done has its sign changed by every batch, and so is never finished
    "done_after: below nothing": (
        _rules(
            done_after=lambda done, share: 0 - done - share,
            left=lambda total, done: ite(done < 0, total + done, total - done),
        ),
        "handle_done",
    ),
    "done_after: forgets": (_rules(done_after=lambda done, share: done), "handle_work"),
    "done_after: one too many": (
        _rules(done_after=lambda done, share: done + share + 1),
        "handle_work",
    ),
    "left: one too many": (_rules(left=lambda total, done: monus(total, done) + 1), "rad_exec"),
    "left: the whole": (_rules(left=lambda total, done: total), "handle_work"),
    "token_rate: strict": (
        _rate(lambda i, d: i.served * (d.t_lin + d.t_nl * d.b_col) < d.b_col * i.start),
        "rate.initial",
    ),
    "token_rate: too fast": (
        _rate(lambda i, d: i.served * (d.t_lin + d.t_nl * d.b_col + 1) <= d.b_col * i.start),
        "tiled_rate",
    ),
    "optimal_tiling: always a tile": (
        _tiling(holds=lambda i, d: fills_its_tile(i.tokens, d)),
        "rad_batch",
    ),
    "optimal_tiling: always all decode": (
        _tiling(holds=lambda i, d: i.decoders == i.residents),
        "rad_batch",
    ),
    "optimal_tiling: no hypothesis": (_tiling(given=None), "rad_start[4]"),
    "optimal_tiling: multiples of b_col": (
        _tiling(given=lambda session, d: session.prompt % d.b_col == 0),
        "rad_start[2x2]",
    ),
    "order: shortest first": (
        World(RuleScheduler(order=lambda job: job.prompt - job.prefilled)),
        "serves_in_order",
    ),
    "order: last come first": (
        World(RuleScheduler(order=lambda job: (-job.arrive, -job.session))),
        "serves_in_order",
    ),
    "order: by the tokens of the output": (
        World(RuleScheduler(order=lambda job: job.generated)),
        "leap_order.decodes",
    ),
    "order: the least prefilled first": (
        World(RuleScheduler(order=lambda job: job.done)),
        "leap_order",
    ),
    "optimal_tiling: one token more": (
        _tiling(given=lambda session, d: session.prompt % d.b_lcm <= 1),
        "rad_initial",
    ),
}
"""By name: the changed world, and the lemma whose counterexample the machine must confirm."""
