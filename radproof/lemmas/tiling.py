"""What a batch is, for every b_col and every b_lcm = tiles x b_col (Bari.lean: rad_batch).

Bari.lean fixes b_col = b_lcm = 128. Here both are symbols, so a multiple is given by its witness:
`left == b_lcm x k` rather than `left % b_lcm == 0`; `rad_initial` turns the second into the first.
"""

from __future__ import annotations

from radproof.lemmas import scenes
from radproof.lemmas.obligations import (
    PARAMETRIC,
    WITNESS,
    Part,
    Sequent,
    World,
    lemma,
    numbers,
    truths,
)
from radproof.lemmas.symbols import NODE, any_node, divisor, node
from radproof.number import Num, Truth, either, ite, minimum, negate
from radproof.readers.terms import Names


def multiple(value: Num, b_lcm: Num, k: Num, world: World) -> Truth:
    """`value` is b_lcm x k; true of any value where the claim's `given` is dropped."""
    return True if world.tiling.given is None else value == b_lcm * k


@lemma(WITNESS, numbers("a k"), lean="Nat.mul_mod_left")
def mul_mod(v: Names, world: World) -> Sequent:
    """k a leaves no rest when divided by a >= 1"""
    rest = (v.k * v.a) % divisor(v.a)
    return Sequent((v.a >= 1, v.k >= 0), (Part("a multiple leaves no rest", rest == 0),))


@lemma(WITNESS, numbers("a k"), lean="Nat.le_mul_of_pos_left")
def le_mul(v: Names, world: World) -> Sequent:
    """k a >= a for k >= 1"""
    return Sequent((v.a >= 1, v.k >= 1), (Part("k a >= a", v.k * v.a >= v.a),))


@lemma(
    WITNESS,
    truths("mode decoding"),
    lean="serves_rad",
    scene=scenes.both_phases,
    watch=("unmixed", "progress"),
)
def serves_rad(v: Names, world: World) -> Sequent:
    """a job is served iff it decodes and the mode is Decode, or neither"""
    served = world.rules.serves(v.mode, v.decoding)
    return Sequent(
        (),
        (
            Part("in Decode Mode exactly the decodes", served == v.decoding, when=v.mode),
            Part(
                "in Prefill Mode exactly the prefills",
                served == negate(v.decoding),
                when=negate(v.mode),
            ),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("left"),
    lean="wantOf",
    scene=scenes.one_prompt,
    watch=("batch",),
    grid=("left",),
)
def wantOf(v: Names, world: World) -> Sequent:
    """a prefill wants a token or more, no more than is left"""
    d = node(v)
    prefill = world.rules.want(False, v.left, d)
    return Sequent(
        (*any_node(v), v.left >= 1),
        (
            Part("a prefill wants a token or more", prefill >= 1),
            Part("a prefill wants no more than is left", prefill <= v.left),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("prompt"),
    name="wantOf.decode",
    lean="wantOf",
    scene=scenes.one_decode,
    watch=("progress",),
)
def wantOf_decode(v: Names, world: World) -> Sequent:
    """a decode wants 1 token as the loop asks it: with nothing left of its prompt"""
    d, rules = node(v), world.rules
    nothing = rules.left(v.prompt, v.prompt)
    return Sequent(
        (*any_node(v), v.prompt >= 0),
        (Part("a decode wants one token", rules.want(True, nothing, d) == 1),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("decodes residents left k rest start end served demand"),
    lean="rad_batch",
    scene=scenes.crowd,
    watch=("optimal_tiling", "R5"),
)
def rad_batch(v: Names, world: World) -> Sequent:
    """under R a batch fills its tile, or every resident decodes"""
    d, rules = node(v), world.rules
    mode = rules.decode_mode(v.decodes, v.residents, d)
    limit = rules.budget(mode, d)
    ones = minimum(limit, v.decodes)  # a decode wants one token (wantOf.decode)
    head = rules.take(rules.want(False, v.left, d), limit)
    tokens = ite(mode, ones, head + minimum(limit - head, v.rest))
    decoders = ite(mode, ones, 0)
    record = Names(
        {name: getattr(v, name) for name in ("start", "end", "served", "demand")}
        | {
            "tokens": tokens,
            "decoders": decoders,
            "residents": v.residents,
            "decoding": v.decodes,
            "prefilled": tokens - decoders,
        }
    )
    return Sequent(
        (
            *any_node(v),
            v.decodes >= 0,
            v.residents >= v.decodes,
            v.residents >= 1,
            v.left >= 1,
            v.k >= 1,
            multiple(v.left, d.b_lcm, v.k, world),
            v.rest >= 0,
            either(v.rest == 0, v.residents - v.decodes >= 2),
        ),
        (
            Part("in Prefill Mode a prompt waits", v.decodes < v.residents, when=negate(mode)),
            Part(
                "a prefill's entry is b_lcm tokens (R5)",
                multiple(head, d.b_lcm, 1, world),
                when=negate(mode),
            ),
            Part("optimal_tiling", world.tiling.holds(record, d)),
        ),
        (mul_mod.at(world, a=v.b_col, k=v.tiles), le_mul.at(world, a=d.b_lcm, k=v.k)),
    )


@lemma(
    PARAMETRIC,
    NODE | truths("mode"),
    scene=scenes.overfull,
    watch=("fits", "progress"),
)
def batch_fits(v: Names, world: World) -> Sequent:
    """the budget, and so a batch, is at most b_lcm tokens in either mode"""
    d = node(v)
    limit = world.rules.budget(v.mode, d)
    return Sequent(
        any_node(v),
        (Part("the budget is at most b_lcm", limit <= d.b_lcm),),
    )


@lemma(
    PARAMETRIC,
    NODE | truths("mode"),
    name="budget.natural",
    scene=scenes.overfull,
    watch=("progress",),
)
def budget_natural(v: Names, world: World) -> Sequent:
    """the budget is a number of tokens in either mode"""
    limit = world.rules.budget(v.mode, node(v))
    return Sequent(any_node(v), (Part("the budget is natural", limit >= 0),))
