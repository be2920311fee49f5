"""The rate invariant: served x (t_lin + t_nl b_col) <= b_col x now, at every instant.

Restated from Bari.lean (tiled_rate, token_rate) and the rate file of serQ (RateInv: its start,
its end of an iteration, its arrivals). For all b_col > 0, t_lin >= 0, t_nl >= 0 and every b_lcm
that is a multiple of b_col: nonlinear integer arithmetic.
"""

from __future__ import annotations

from typing import Any

from radproof.model import SCALARS
from radproof.number import ceil_div
from radproof.proof import scenes
from radproof.proof.obligations import Lemma, Part, Sequent, World, numbers
from radproof.proof.symbols import NODE, any_node, node
from radproof.readers.terms import Names

PARAMETRIC = "QF parametric"


def _ceil(v: Any, world: World) -> Sequent:
    return Sequent(
        (v.b_col >= 1, v.tokens >= 0),
        (
            Part("the tiles hold the tokens", v.b_col * ceil_div(v.tokens, v.b_col) >= v.tokens),
            Part("no tile is empty", v.b_col * ceil_div(v.tokens, v.b_col) < v.tokens + v.b_col),
        ),
    )


def _monotone(v: Any, world: World) -> Sequent:
    return Sequent((v.a >= 0, v.b <= v.c), (Part("a b <= a c", v.a * v.b <= v.a * v.c),))


CEIL = Lemma(
    "le_ceil_mul",
    "",
    "n <= b_col ceil(n / b_col) < n + b_col",
    PARAMETRIC,
    numbers("b_col tokens"),
    _ceil,
    grid=("tokens",),
)
MONOTONE = Lemma(
    "mul_le_mul",
    "Nat.mul_le_mul_left",
    "a >= 0 and b <= c give a b <= a c",
    PARAMETRIC,
    numbers("a b c"),
    _monotone,
)


def _tiled(v: Any, world: World) -> Sequent:
    d = node(v)
    lasts = world.rules.duration(v.tokens, d)
    tiles = v.b_col * ceil_div(v.tokens, v.b_col)
    return Sequent(
        (*any_node(v), v.tokens >= 0, v.tokens <= d.b_lcm),
        (Part("token_rate of one batch", world.keeps_rate(v.tokens, lasts, d)),),
        (
            CEIL.at(world, b_col=v.b_col, tokens=v.tokens),
            MONOTONE.at(world, a=v.t_lin, b=v.tokens, c=tiles),
        ),
    )


def _attention(v: Any, world: World) -> Sequent:
    d = node(v)
    lasts = world.rules.duration(v.tokens, d)
    return Sequent(
        (*any_node(v), v.tokens >= 0, v.attention >= 0, world.keeps_rate(v.tokens, lasts, d)),
        (Part("token_rate of one batch", world.keeps_rate(v.tokens, lasts + v.attention, d)),),
    )


def _lasts(v: Any, world: World) -> Sequent:
    lasts = world.rules.duration(v.tokens, node(v))
    return Sequent((*any_node(v), v.tokens >= 1), (Part("it lasts 1 us or more", lasts >= 1),))


def _start(v: Any, world: World) -> Sequent:
    d = node(v)
    served = world.rules.served_after(v.served, v.tokens)
    lasts = world.rules.duration(v.tokens, d) + v.attention
    return Sequent(
        (
            *any_node(v),
            v.served >= 0,
            v.now >= 0,
            v.tokens >= 1,
            v.tokens <= d.b_lcm,
            v.attention >= 0,
            world.keeps_rate(v.served, v.now, d),
        ),
        (Part("token_rate when the batch ends", world.keeps_rate(served, v.now + lasts, d)),),
        (
            TILED.at(world, **{name: getattr(v, name) for name in TILED.sorts}),
            ATTENTION.at(world, **{name: getattr(v, name) for name in ATTENTION.sorts}),
        ),
    )


def _later(v: Any, world: World) -> Sequent:
    d = node(v)
    return Sequent(
        (
            *any_node(v),
            v.served >= 0,
            v.now >= 0,
            v.wait >= 0,
            world.keeps_rate(v.served, v.now, d),
        ),
        (Part("token_rate at the later instant", world.keeps_rate(v.served, v.now + v.wait, d)),),
        (MONOTONE.at(world, a=v.b_col, b=v.now, c=v.now + v.wait),),
    )


def _record(v: Any, world: World) -> Sequent:
    d = node(v)
    return Sequent(
        (*any_node(v), v.served >= 0, v.now >= 0, world.keeps_rate(v.served, v.now, d)),
        (Part("token_rate of the iteration that starts", world.rate.holds(_iteration(v), d)),),
    )


def _iteration(v: Any) -> Any:
    """The record at a start: every field is free but the two that the invariant is about."""
    return Names(dict.fromkeys(SCALARS, v.tokens) | {"served": v.served, "start": v.now})


def _zero(v: Any, world: World) -> Sequent:
    return Sequent(any_node(v), (Part("token_rate at time 0", world.keeps_rate(0, 0, node(v))),))


def _lemma(
    name: str,
    lean: str,
    statement: str,
    extra: str,
    build: Any,
    *depends: str,
    scene: Any = None,
    watch: tuple[str, ...] = ("token_rate",),
    grid: tuple[str, ...] = (),
) -> Lemma:
    return Lemma(
        name,
        lean,
        statement,
        PARAMETRIC,
        NODE | numbers(extra),
        build,
        depends,
        scene=scene,
        watch=watch if scene else (),
        grid=grid,
    )


TILED = _lemma(
    "tiled_rate",
    "tiled_rate",
    "n (t_lin + t_nl b_col) <= b_col duration(n), for n <= b_lcm",
    "tokens",
    _tiled,
    "le_ceil_mul",
    "mul_le_mul",
    scene=scenes.one_batch,
    grid=("tokens",),
)
ATTENTION = _lemma(
    "tiled_rate.attention",
    "",
    "the same for a batch that lasts any attention >= 0 longer",
    "tokens attention",
    _attention,
    "tiled_rate",
)

LEMMAS = (
    CEIL,
    MONOTONE,
    TILED,
    ATTENTION,
    _lemma(
        "duration_pos",
        "",
        "a batch of a token or more lasts 1 us or more",
        "tokens",
        _lasts,
        scene=scenes.one_batch,
        watch=("lasts",),
        grid=("tokens",),
    ),
    _lemma(
        "rate.initial", "RateInv", "at time 0 nothing is served", "", _zero, scene=scenes.one_token
    ),
    _lemma(
        "startIteration_inv",
        "startIteration_inv",
        "an iteration from a state in the rate invariant ends in one",
        "served now tokens attention",
        _start,
        "tiled_rate",
        "tiled_rate.attention",
        "fillAmounts_sum",
        scene=scenes.batch_later,
    ),
    _lemma(
        "step_inv.wait",
        "step_inv",
        "an arrival or an idle time keeps the rate invariant",
        "served now wait",
        _later,
        "mul_le_mul",
        scene=scenes.waiting,
    ),
    _lemma(
        "served_rate",
        "served_rate",
        "an iteration that starts in the rate invariant satisfies token_rate",
        "served now tokens",
        _record,
        scene=scenes.batch_later,
    ),
)
