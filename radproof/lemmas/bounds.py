"""Laws of RAD that Bari.lean does not state, for every b_col and every b_lcm."""

from __future__ import annotations

from radproof import invariants
from radproof.lemmas import scenes
from radproof.lemmas.fill import fillAmounts_fifo, fillAmounts_sum
from radproof.lemmas.jobs import rad_handle
from radproof.lemmas.obligations import (
    PARAMETRIC,
    STEPS_BASE,
    Part,
    Sequent,
    World,
    lemma,
    numbers,
    truths,
)
from radproof.lemmas.rate import duration_pos, le_ceil_mul, rate_idle, rate_natural
from radproof.lemmas.symbols import NODE, any_node, job, node
from radproof.lemmas.tiling import (
    batch_fits,
    le_mul,
    multiple,
    rad_batch,
    serves_rad,
    wantOf,
    wantOf_decode,
)
from radproof.model import PREFILL
from radproof.number import both, ceil_div, either, ite, minimum, negate
from radproof.readers.terms import Names


@lemma(STEPS_BASE, NODE, name="decodes_fit.base")
def decodes_fit_base(v: Names, world: World) -> Sequent:
    """at time 0 nothing decodes and nothing is in flight"""
    return Sequent(
        any_node(v), (Part("D + in flight = 0 <= b_col", invariants.few_decodes(0, node(v))),)
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("decodes residents left"),
    depends_on=(fillAmounts_sum, serves_rad, wantOf_decode),
    scene=scenes.crowd,
    watch=("progress",),
)
def progress(v: Names, world: World) -> Sequent:
    """an iteration has a token or more while a job is resident"""
    d, rules = node(v), world.rules
    mode = rules.decode_mode(v.decodes, v.residents, d)
    limit = rules.budget(mode, d)
    ones = minimum(limit, v.decodes * rules.want(True, 1, d))
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
    NODE | truths("decoding") | numbers("decodes residents prompt done"),
    depends_on=(progress, serves_rad, wantOf, wantOf_decode),
    scene=scenes.served_first,
    watch=("progress",),
)
def not_empty(v: Names, world: World) -> Sequent:
    """no batch is empty while a job is resident: who is served first takes a token or more"""
    d, rules = node(v), world.rules
    mode = rules.decode_mode(v.decodes, v.residents, d)
    # as the loop asks: of a decode's prompt, all is done
    left = rules.left(v.prompt, ite(v.decoding, v.prompt, v.done))
    share = rules.take(rules.want(v.decoding, left, d), rules.budget(mode, d))
    return Sequent(
        (
            *any_node(v),
            v.decodes >= 0,
            v.residents >= v.decodes,
            either(negate(v.decoding), v.decodes >= 1),
            either(v.decoding, v.residents > v.decodes),
            v.prompt >= 0,
            either(v.decoding, both(v.done >= 0, v.done < v.prompt)),
        ),
        (
            Part(
                "who is served first takes a token or more",
                share >= 1,
                when=rules.serves(mode, v.decoding),
            ),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("decodes residents flight ended left k"),
    depends_on=(decodes_fit_base, "one_part_filled", rad_batch, rad_handle, le_mul),
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
        (le_mul.at(world, a=d.b_lcm, k=v.k),),
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
    depends_on=(fillAmounts_fifo, serves_in_order, batch_fits),
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
        (Part("the earlier prompt is finished", rules.left(v.left, first) == 0, when=later > 0),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("tokens now old new next"),
    depends_on=(duration_pos, one_part_filled),
    scene=scenes.newcomer,
    watch=("arrival order",),
)
def arrival_order(v: Names, world: World) -> Sequent:
    """prefills stand, start and finish in arrival order"""
    end = v.now + world.rules.duration(v.tokens, node(v))
    return Sequent(
        # a resident arrived by now; of the pending sessions, the earlier is admitted first
        (
            *any_node(v),
            v.tokens >= 1,
            v.now >= 0,
            v.old >= 0,
            v.old <= v.now,
            v.new > v.now,
            v.new <= end,
            v.next >= v.new,
        ),
        (
            Part("a session that joins the end is later than a resident", v.old < v.new),
            Part("every resident arrived by the end", both(v.old <= end, v.new <= end)),
            Part("who is admitted together stays in order", v.new <= v.next, when=v.next <= end),
            Part(
                "who is not admitted arrives after the end",
                v.next > end,
                when=negate(v.next <= end),
            ),
        ),
    )


@lemma(STEPS_BASE, NODE, name="clock_identity.base")
def clock_identity_base(v: Names, world: World) -> Sequent:
    """at time 0 nothing is idle, served or wasted"""
    return Sequent(
        any_node(v),
        (Part("the identity at time 0", invariants.clock_identity(0, 0, 0, 0, node(v))),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("tokens now served waste idle wait"),
    depends_on=(clock_identity_base, le_ceil_mul, rate_natural, rate_idle),
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
            v.served >= 0,
            v.waste >= 0,
            v.idle >= 0,
            invariants.clock_identity(v.now, v.idle, v.served, v.waste, d),
        ),
        (
            Part(
                "the identity after the batch",
                invariants.clock_identity(now, v.idle, served, waste, d),
            ),
            Part(
                "the identity after an idle time",
                invariants.clock_identity(v.now + v.wait, v.idle + v.wait, v.served, v.waste, d),
                when=v.wait >= 0,
            ),
        ),
        (le_ceil_mul.at(world, b_col=v.b_col, tokens=v.tokens),),
    )
