"""What becomes of sessions and jobs between two batches (Bari.lean: rad_exec, rad_handle).

Of the invariant R, the conjuncts R1 (every prefill's rest is a multiple), R3 (every prompt is) and
R5 (a batch entry is a whole b_lcm, or a decode) speak of numbers. R2 and R6 (owners are distinct,
and at the engine) are `rad_settle`. R4 (stacks are empty) has no counterpart: this machine has no
stack.
"""

from __future__ import annotations

from typing import Any

from radproof.number import both, either, floor_div, ite, negate
from radproof.proof import scenes
from radproof.proof.lemmas.fill import BASE, STEP
from radproof.proof.lemmas.rate import PARAMETRIC
from radproof.proof.lemmas.tiling import WITNESS, multiple
from radproof.proof.obligations import Lemma, Part, Sequent, World, numbers, truths
from radproof.proof.symbols import NODE, any_node, node
from radproof.readers.terms import Names


def _initial(v: Any, world: World) -> Sequent:
    d = node(v)
    d = Names({"b_col": v.b_col, "b_lcm": v.b_lcm, "chunk": d.chunk})
    return Sequent(
        (v.b_col >= 1, v.b_lcm >= 1, v.prompt >= 0, world.tiled(v.prompt, d)),
        (
            Part(
                "the prompt is b_lcm times a natural",
                both(
                    v.prompt == v.b_lcm * floor_div(v.prompt, v.b_lcm),
                    floor_div(v.prompt, v.b_lcm) >= 0,
                ),
            ),
            Part(
                "and at least b_lcm, where it is not empty", v.prompt >= v.b_lcm, when=v.prompt > 0
            ),
        ),
    )


def _exec(v: Any, world: World) -> Sequent:
    d, left = node(v), world.rules.left
    return Sequent(
        (
            *any_node(v),
            v.prompt >= 0,
            v.output >= 0,
            v.k >= 0,
            multiple(v.prompt, d.b_lcm, v.k, world),
        ),
        (
            Part(
                "a new prefill has its whole prompt left, a positive multiple",
                both(
                    left(v.prompt, 0) == v.prompt, multiple(left(v.prompt, 0), d.b_lcm, v.k, world)
                ),
                when=v.prompt > 0,
            ),
            Part(
                "a new decode has its whole output left",
                left(v.output, 0) == v.output,
                when=v.output > 0,
            ),
        ),
    )


def _settle_base(v: Any, world: World) -> Sequent:
    return Sequent(
        (v.admitted >= 0, v.one >= 0, v.other > v.one, v.other < v.admitted),
        (Part("no new job: two owners stay two", v.one != v.other),),
    )


def _settle_step(v: Any, world: World) -> Sequent:
    # `admitted` counts the sessions admitted so far, in arrival order: the next one's rank
    return Sequent(
        (v.admitted >= 0, v.one >= 0, v.one < v.admitted),
        (
            Part("the new owner is no owner yet", v.admitted != v.one),
            Part("every owner is admitted", both(v.one < v.admitted + 1, v.admitted >= 0)),
        ),
    )


def _handle(v: Any, world: World) -> Sequent:
    d, rules = node(v), world.rules
    total = ite(v.decoding, v.output, v.prompt)
    before = rules.left(total, v.done)
    # as the machine does: an entry's share is applied, who has none is left alone
    after = rules.left(total, ite(v.share == 0, v.done, rules.done_after(v.done, v.share)))
    entry = either(v.share == 0, v.share == ite(v.decoding, 1, d.b_lcm))
    taken = ite(v.share == 0, 0, 1)
    return Sequent(
        (
            *any_node(v),
            v.prompt >= 0,
            v.output >= 0,
            v.done >= 0,
            before >= 1,
            v.k >= 1,
            either(v.decoding, multiple(before, d.b_lcm, v.k, world)),
            entry,
            v.share <= before,
        ),
        (
            Part("the share is subtracted", after == before - v.share),
            Part(
                "a prefill's rest is a multiple (R1)",
                multiple(after, d.b_lcm, v.k - taken, world),
                when=negate(v.decoding),
            ),
        ),
    )


def _work(v: Any, world: World) -> Sequent:
    rules = world.rules
    before = rules.left(v.total, v.done)
    after = rules.left(v.total, rules.done_after(v.done, v.share))
    return Sequent(
        (v.total >= 0, v.done >= 0, v.done <= v.total, v.share >= 1, v.share <= before),
        (
            Part("done and left make the whole", v.done + before == v.total),
            Part("the share is subtracted", after == before - v.share),
        ),
    )


WORK = Lemma(
    "handle_work",
    "handle",
    "an iteration's end takes a job's share off what is left",
    WITNESS,
    numbers("total done share"),
    _work,
    scene=scenes.at_work,
    watch=("work",),
    grid=("total", "done", "share"),
)

LEMMAS = (
    Lemma(
        "rad_initial",
        "rad_initial",
        "given says that every prompt is b_lcm times a natural",
        WITNESS,
        NODE | numbers("b_lcm prompt"),
        _initial,
        scene=scenes.ragged,
        watch=("optimal_tiling",),
    ),
    Lemma(
        "rad_exec",
        "rad_exec",
        "a session that arrives, or goes on to decode, brings its whole work",
        WITNESS,
        NODE | numbers("prompt output k"),
        _exec,
        ("rad_initial",),
        scene=scenes.arriving,
        watch=("work",),
    ),
    Lemma(
        "rad_settle.base",
        "rad_settle",
        "with nobody new, owners stay distinct (R2)",
        BASE,
        numbers("admitted one other"),
        _settle_base,
    ),
    Lemma(
        "rad_settle",
        "rad_settle",
        "a session admitted is no owner yet (R2, R6)",
        STEP,
        numbers("admitted one"),
        _settle_step,
        ("rad_settle.base", "rad_exec"),
    ),
    WORK,
    Lemma(
        "rad_handle",
        "rad_handle",
        "an iteration's end keeps R1",
        PARAMETRIC,
        NODE | truths("decoding") | numbers("prompt output done share k"),
        _handle,
        ("rad_batch", "handle_work", "wantOf", "fillAmounts_le_want", "mem_fillIter"),
        scene=scenes.ending,
        watch=("work", "R1"),
    ),
)
