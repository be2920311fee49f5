"""Laws of RAD that Bari.lean does not state, for every b_col and every b_lcm."""

from __future__ import annotations

from radproof import invariants
from radproof.lemmas import scenes
from radproof.lemmas.obligations import (
    PARAMETRIC,
    Part,
    Sequent,
    World,
    lemma,
    numbers,
)
from radproof.lemmas.symbols import NODE, any_node, job, node
from radproof.lemmas.tiling import (
    multiple,
)
from radproof.model import PREFILL
from radproof.number import both, ceil_div, either, ite, minimum, negate
from radproof.readers.terms import Names


@lemma(
    PARAMETRIC,
    NODE | numbers("decodes residents left"),
    scene=scenes.crowd,
    watch=("progress",),
)
def progress(v: Names, world: World) -> Sequent:
    """an iteration has a token or more while a job is resident"""
    d, rules = node(v), world.rules
    mode = rules.decode_mode(v.decodes, v.residents, d)
    limit = rules.budget(mode, d)
    ones = minimum(limit, v.decodes)  # a decode wants one token (wantOf.decode)
    head = rules.take(rules.want(False, v.left, d), limit)
    return Sequent(
        (*any_node(v), v.decodes >= 0, v.residents >= v.decodes, v.residents >= 1, v.left >= 1),
        (
            Part("a decode is there and takes a token", both(v.decodes >= 1, ones >= 1), when=mode),
            Part(
                "a prompt is there and takes a token",
                both(v.residents > v.decodes, head >= 1),
                when=negate(mode),
            ),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("decodes residents flight ended left k"),
    scene=scenes.flight,
    watch=("decodes_fit",),
)
def decodes_fit(v: Names, world: World) -> Sequent:
    """D + (a prompt in flight) <= b_col, for positive multiples"""
    d, rules = node(v), world.rules
    mode = rules.decode_mode(v.decodes, v.residents, d)
    share = rules.take(rules.want(False, v.left, d), rules.budget(mode, d))
    finishes = rules.left(v.left, share) <= 0
    decodes = ite(mode, v.decodes - v.ended, v.decodes + ite(finishes, 1, 0))
    flight = ite(mode, v.flight, ite(finishes, 0, 1))
    return Sequent(
        (
            *any_node(v),
            v.decodes >= 0,
            v.residents >= v.decodes + v.flight,
            v.residents >= 1,
            v.flight >= 0,
            v.flight <= 1,
            invariants.few_decodes(v.decodes + v.flight, d),
            v.ended >= 0,
            v.ended <= v.decodes,
            v.left >= 1,
            v.k >= 1,
            multiple(v.left, d.b_lcm, v.k, world),
        ),
        (Part("D + in flight <= b_col afterwards", invariants.few_decodes(decodes + flight, d)),),
    )


@lemma(
    PARAMETRIC,
    numbers("session later_session arrive later_arrive prompt later_prompt done"),
    scene=scenes.two_arrivals,
    watch=("one part-filled",),
)
def serves_in_order(v: Names, world: World) -> Sequent:
    """of two prompts the one that arrived first is offered tokens first"""
    one = job(PREFILL, v.session, v.arrive, v.prompt, v.done)
    other = job(PREFILL, v.later_session, v.later_arrive, v.later_prompt, 0)
    return Sequent(
        (
            v.session >= 0,
            v.later_session >= 0,
            v.arrive >= 0,
            # only the first prompt of the list may be part-filled
            both(v.done >= 0, v.done < v.prompt),
            v.later_prompt >= 1,
            either(
                v.arrive < v.later_arrive,
                both(v.arrive == v.later_arrive, v.session < v.later_session),
            ),
        ),
        (Part("the earlier prompt is offered tokens first", world.offered_first(one, other)),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("left later remaining"),
    scene=scenes.two_prompts,
    watch=("one part-filled",),
)
def one_part_filled(v: Names, world: World) -> Sequent:
    """a prompt gets tokens only where every earlier one is finished"""
    d, rules = node(v), world.rules
    first = rules.take(rules.want(False, v.left, d), v.remaining)
    later = rules.take(rules.want(False, v.later, d), v.remaining - first)
    return Sequent(
        (*any_node(v), v.left >= 1, v.later >= 1, v.remaining >= 0, v.remaining <= d.b_lcm),
        (Part("the earlier prompt has all that is left of it", first == v.left, when=later > 0),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("tokens now served waste idle"),
    scene=scenes.batch_later,
    watch=("clock",),
)
def clock_identity(v: Names, world: World) -> Sequent:
    """t = idle + tau S + (t_lin / b_col) waste, exactly, at every start"""
    d = node(v)
    now = v.now + world.rules.duration(v.tokens, d)
    served = world.rules.served_after(v.served, v.tokens)
    tiles = d.b_col * ceil_div(v.tokens, d.b_col)
    waste = v.waste + tiles - v.tokens
    return Sequent(
        (
            *any_node(v),
            v.t_lin + v.t_nl >= 1,
            v.tokens >= 1,
            invariants.clock_identity(v.now, v.idle, v.served, v.waste, d),
        ),
        (
            Part(
                "the identity after the batch",
                invariants.clock_identity(now, v.idle, served, waste, d),
            ),
        ),
    )
