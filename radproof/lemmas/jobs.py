"""What becomes of sessions and jobs between two batches (Bari.lean: rad_exec, rad_handle).

Of the invariant R, the conjuncts R1 (every prefill's rest is a multiple), R3 (every prompt is) and
R5 (a batch entry is a whole b_lcm, or a decode) are about numbers. `run.arrives` has R2 and R6
(owners are distinct, and at the engine). R4 (stacks are empty) has no counterpart: this machine has
no stack.
"""

from __future__ import annotations

from radproof.invariants import whole_share
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
from radproof.lemmas.tiling import multiple
from radproof.number import both, either, floor_div, ite, negate
from radproof.readers.terms import Names


@lemma(
    WITNESS,
    NODE | numbers("b_lcm prompt output arrive"),
    lean="rad_initial",
    scene=scenes.ragged,
    watch=("optimal_tiling",),
)
def rad_initial(v: Names, world: World) -> Sequent:
    """given says that every prompt is b_lcm times a natural"""
    b_lcm = divisor(v.b_lcm)
    d = node(v, b_lcm)
    return Sequent(
        (
            v.b_col >= 1,
            v.b_lcm >= 1,
            v.prompt >= 0,
            world.tiled(v.prompt, d, v.output, v.arrive),
        ),
        (
            Part(
                "the prompt is b_lcm times a natural",
                both(
                    v.prompt == b_lcm * floor_div(v.prompt, b_lcm),
                    floor_div(v.prompt, b_lcm) >= 0,
                ),
            ),
        ),
    )


@lemma(
    WITNESS,
    numbers("prompt output"),
    lean="rad_exec",
    scene=scenes.arriving,
    watch=("work",),
)
def rad_exec(v: Names, world: World) -> Sequent:
    """a session that arrives, or goes on to decode, brings its whole work"""
    left = world.rules.left
    return Sequent(
        (v.prompt >= 0, v.output >= 0),
        (
            Part(
                "a new prefill has its whole prompt left",
                left(v.prompt, 0) == v.prompt,
                when=v.prompt > 0,
            ),
            Part(
                "a new decode has its whole output left",
                left(v.output, 0) == v.output,
                when=v.output > 0,
            ),
        ),
    )


@lemma(
    WITNESS,
    numbers("total done share"),
    lean="handle",
    scene=scenes.at_work,
    watch=("work",),
    grid=("total", "done", "share"),
)
def handle_work(v: Names, world: World) -> Sequent:
    """an iteration's end takes a job's share off what is left"""
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


@lemma(
    WITNESS,
    numbers("total done share"),
    scene=scenes.at_work,
    watch=("done",),
    grid=("total", "done", "share"),
)
def handle_done(v: Names, world: World) -> Sequent:
    """a job that stays has done no less than nothing, and no more than its whole"""
    rules = world.rules
    done = rules.done_after(v.done, v.share)
    return Sequent(
        (
            v.total >= 0,
            v.done >= 0,
            v.done <= v.total,
            v.share >= 1,
            v.share < rules.left(v.total, v.done),
        ),
        (
            Part("what is done is natural", done >= 0),
            Part("what is done is no more than the whole", done <= v.total),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | truths("decoding") | numbers("prompt output done share k"),
    lean="rad_handle",
    scene=scenes.ending,
    watch=("work", "R1"),
)
def rad_handle(v: Names, world: World) -> Sequent:
    """an iteration's end keeps R1"""
    d, rules = node(v), world.rules
    total = ite(v.decoding, v.output, v.prompt)
    before = rules.left(total, v.done)
    # as the machine does: it applies an entry's share, and leaves a job without one unchanged
    after = rules.left(total, ite(v.share == 0, v.done, rules.done_after(v.done, v.share)))
    entry = either(v.share == 0, v.share == whole_share(v.decoding, d))
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
            Part(
                "a prefill's rest is a multiple (R1)",
                multiple(after, d.b_lcm, v.k - taken, world),
                when=negate(v.decoding),
            ),
        ),
    )
