"""The rate invariant: served x (t_lin + t_nl b_col) <= b_col x now, at every instant.

Restated from Bari.lean (tiled_rate, token_rate) and serQ's rate file (RateInv at the start, at the
end of an iteration, at an arrival). For all b_col > 0, t_lin >= 0, t_nl >= 0 and every b_lcm that
is a multiple of b_col: nonlinear integer arithmetic.
"""

from __future__ import annotations

from radproof.lemmas import scenes
from radproof.lemmas.obligations import PARAMETRIC, Part, Sequent, World, lemma, numbers
from radproof.lemmas.symbols import NODE, any_node, node
from radproof.model import SCALARS
from radproof.number import ceil_div
from radproof.readers.terms import Names


@lemma(PARAMETRIC, numbers("a b c"), lean="Nat.mul_le_mul_left")
def mul_le_mul(v: Names, world: World) -> Sequent:
    """a >= 0 and b <= c give a b <= a c"""
    return Sequent((v.a >= 0, v.b <= v.c), (Part("a b <= a c", v.a * v.b <= v.a * v.c),))


@lemma(
    PARAMETRIC,
    NODE | numbers("tokens"),
    lean="tiled_rate",
    scene=scenes.one_batch,
    watch=("token_rate",),
    grid=("tokens",),
)
def tiled_rate(v: Names, world: World) -> Sequent:
    """n (t_lin + t_nl b_col) <= b_col duration(n), for n <= b_lcm"""
    d = node(v)
    lasts = world.rules.duration(v.tokens, d)
    tiles = d.b_col * ceil_div(v.tokens, d.b_col)
    return Sequent(
        (*any_node(v), v.tokens >= 0, v.tokens <= d.b_lcm),
        (Part("token_rate of one batch", world.keeps_rate(v.tokens, lasts, d)),),
        (mul_le_mul.at(world, a=v.t_lin, b=v.tokens, c=tiles),),
    )


@lemma(
    PARAMETRIC, NODE | numbers("tokens"), scene=scenes.one_batch, watch=("lasts",), grid=("tokens",)
)
def duration_pos(v: Names, world: World) -> Sequent:
    """a batch of a token or more lasts 1 us or more"""
    lasts = world.rules.duration(v.tokens, node(v))
    return Sequent((*any_node(v), v.tokens >= 1), (Part("it lasts 1 us or more", lasts >= 1),))


@lemma(
    PARAMETRIC,
    NODE,
    name="rate.initial",
    lean="RateInv",
    scene=scenes.one_token,
    watch=("token_rate",),
)
def rate_initial(v: Names, world: World) -> Sequent:
    """at time 0 nothing is served"""
    return Sequent(any_node(v), (Part("token_rate at time 0", world.keeps_rate(0, 0, node(v))),))


@lemma(
    PARAMETRIC,
    NODE | numbers("served now tokens attention"),
    lean="startIteration_inv",
    scene=scenes.batch_later,
    watch=("token_rate",),
)
def startIteration_inv(v: Names, world: World) -> Sequent:
    """an iteration from a state in the rate invariant ends in one"""
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
        (tiled_rate.at(world, **{name: getattr(v, name) for name in tiled_rate.sorts}),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("served now wait"),
    name="step_inv.wait",
    lean="step_inv",
    scene=scenes.waiting,
    watch=("token_rate",),
)
def step_inv_wait(v: Names, world: World) -> Sequent:
    """an arrival or an idle time keeps the rate invariant"""
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
    )


@lemma(
    PARAMETRIC,
    NODE | numbers(" ".join(SCALARS)),
    lean="served_rate",
    scene=scenes.starting,
    watch=("token_rate",),
)
def served_rate(v: Names, world: World) -> Sequent:
    """an iteration that starts in the rate invariant satisfies token_rate"""
    d = node(v)
    record = Names({name: getattr(v, name) for name in SCALARS})
    return Sequent(
        (*any_node(v), v.served >= 0, v.start >= 0, world.keeps_rate(v.served, v.start, d)),
        (Part("token_rate of the iteration that starts", world.rate.holds(record, d)),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("served now tokens"),
    name="rate.natural",
    scene=scenes.batch_later,
    watch=("natural",),
)
def rate_natural(v: Names, world: World) -> Sequent:
    """the time and the tokens served stay natural"""
    rules = world.rules
    return Sequent(
        (*any_node(v), v.served >= 0, v.now >= 0, v.tokens >= 1),
        (
            Part("the time at the end is natural", v.now + rules.duration(v.tokens, node(v)) >= 0),
            Part("the tokens served are natural", rules.served_after(v.served, v.tokens) >= 0),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("served now wait"),
    name="rate.idle",
    scene=scenes.waiting,
    watch=("idle",),
)
def rate_idle(v: Names, world: World) -> Sequent:
    """an idle time, a batch of no tokens to the count, serves nothing"""
    return Sequent(
        (*any_node(v), v.served >= 0, v.now >= 0, v.wait >= 0),
        (Part("what is served stays", world.rules.served_after(v.served, 0) == v.served),),
    )
