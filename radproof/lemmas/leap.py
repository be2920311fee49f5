"""The leap's lemma: k repetitions of a step are one stretch.

While no session arrives and none leaves, the jobs of the list and their phases stay, so the mode
test gives the same result. Then (`leap_share`) each job's share stays the same as long as the work
left covers it; so the batch repeats, and (`leap_affine`) start, served and done are affine in the
index. A claim that is linear in them holds on the whole stretch if it holds at both of its ends
(`leap_ends`).
"""

from __future__ import annotations

from functools import partial

from radproof.lemmas import scenes
from radproof.lemmas.obligations import (
    PARAMETRIC,
    STEPS_STEP,
    Part,
    Sequent,
    World,
    lemma,
    numbers,
    truths,
)
from radproof.lemmas.rate import mul_le_mul
from radproof.lemmas.symbols import NODE, any_node, job, node
from radproof.model import DECODE, PREFILL, Phase
from radproof.number import Num, Truth, both, either, ite, negate
from radproof.readers.terms import Names


@lemma(
    STEPS_STEP,
    NODE | numbers("tokens served done share index"),
    scene=scenes.repeated,
    watch=("clock", "work"),
)
def leap_affine(v: Names, world: World) -> Sequent:
    """what is served and done is affine in the repetition's index"""
    rules, after = world.rules, v.index + 1
    served, done = v.served + v.index * v.tokens, v.done + v.index * v.share
    return Sequent(
        (
            *any_node(v),
            v.index >= 0,
            v.tokens >= 1,
            v.served >= 0,
            v.done >= 0,
            v.share >= 1,
        ),
        (
            Part("served", rules.served_after(served, v.tokens) == v.served + after * v.tokens),
            Part("done", rules.done_after(done, v.share) == v.done + after * v.share),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | truths("decoding") | numbers("prompt done remaining past"),
    scene=scenes.repeating,
    watch=("repeats",),
)
def leap_share(v: Names, world: World) -> Sequent:
    """a batch that fits its share stays the same while nobody comes or goes"""
    d, rules = node(v), world.rules
    wanted = rules.want(v.decoding, rules.left(v.prompt, v.done), d)
    share = rules.take(wanted, v.remaining)
    # a decode's want does not depend on the work left
    done = ite(v.decoding, v.done, v.done + v.past)
    left = rules.left(v.prompt, done)
    return Sequent(
        (
            *any_node(v),
            v.prompt >= 0,
            v.done >= 0,
            v.done <= v.prompt,
            v.remaining >= 0,
            v.past >= 0,
            share >= 0,
            # `past` is index x share: 0 at index 0 or for share 0, otherwise one share or more
            ite(share == 0, v.past == 0, ite(v.past == 0, True, v.past >= share)),
            ite(v.decoding, True, left >= share),
        ),
        (
            Part(
                "the same share again",
                rules.take(rules.want(v.decoding, left, d), v.remaining) == share,
            ),
            Part(
                "the same want again (so the same demand), where it has its full want",
                rules.want(v.decoding, left, d) == wanted,
                when=share == wanted,
            ),
        ),
    )


@lemma(PARAMETRIC, NODE | numbers("total done past share"))
def leap_stay(v: Names, world: World) -> Sequent:
    """a job with more left than its share is still there after the iteration"""
    rules = world.rules
    before = rules.left(v.total, v.done + v.past)
    after = rules.left(v.total, rules.done_after(v.done + v.past, v.share))
    return Sequent(
        (
            *any_node(v),
            v.total >= 0,
            v.done >= 0,
            v.past >= 0,
            v.share >= 1,
            v.done + v.past + v.share < v.total,
        ),
        (Part("it has something left before and after", both(before > v.share, after > 0)),),
    )


@lemma(
    PARAMETRIC,
    NODE | numbers("tokens lasts now served index last"),
)
def leap_ends(v: Names, world: World) -> Sequent:
    """token_rate at both ends of a stretch gives it in between"""
    d = node(v)

    def at(index: Num) -> Truth:
        return world.keeps_rate(v.served + index * v.tokens, v.now + index * v.lasts, d)

    # how far served gains on the clock in one repetition, of either sign
    gain = v.tokens * (d.t_lin + d.t_nl * d.b_col) - d.b_col * v.lasts
    return Sequent(
        (
            *any_node(v),
            v.index >= 0,
            v.last >= v.index,
            v.now >= 0,
            v.served >= 0,
            at(0),
            at(v.last),
        ),
        (Part("token_rate at every repetition between", at(v.index)),),
        (mul_le_mul.at(world, a=v.last - v.index, b=0, c=gain),),
    )


_TWO_JOBS = numbers(
    "session later_session arrive later_arrive prompt later_prompt done later_done "
    "share later_share"
)


def _keeps_its_place(v: Names, world: World, phase: Phase) -> Sequent:
    """Two jobs of a phase in list order: their order before an iteration and after it."""
    d, rules = node(v), world.rules
    decoding = phase is DECODE

    def left(prompt: Num, done: Num) -> Num:
        rest: Num = rules.left(prompt, prompt if decoding else done)
        return rest

    one_left, other_left = left(v.prompt, v.done), left(v.later_prompt, v.later_done)
    want, other_want = (rules.want(decoding, rest, d) for rest in (one_left, other_left))
    one = job(phase, v.session, v.arrive, v.prompt, v.done)
    other = job(phase, v.later_session, v.later_arrive, v.later_prompt, v.later_done)
    first = world.offered_first(one, other)

    def later(done: Num, share: Num) -> Num:
        return ite(share > 0, rules.done_after(done, share), done)

    one = job(phase, v.session, v.arrive, v.prompt, later(v.done, v.share))
    other = job(
        phase, v.later_session, v.later_arrive, v.later_prompt, later(v.later_done, v.later_share)
    )
    after = world.offered_first(one, other)
    # both stay, and what is left covers the same share again
    covered: tuple[Truth, ...] = (
        ()
        if decoding
        else (
            v.done <= v.prompt,
            v.later_done <= v.later_prompt,
            one_left > v.share,
            one_left >= 2 * v.share,
            other_left > v.later_share,
            other_left >= 2 * v.later_share,
        )
    )
    return Sequent(
        (
            *any_node(v),
            v.session >= 0,
            v.later_session >= 0,
            v.arrive >= 0,
            v.later_arrive >= 0,
            v.prompt >= 0,
            v.later_prompt >= 0,
            v.done >= 0,
            v.later_done >= 0,
            v.share >= 0,
            v.share <= want,
            v.later_share >= 0,
            v.later_share <= other_want,
            # who is passed later gets tokens only where the other has its full want
            either(negate(first), v.later_share == 0, v.share == want),
            either(first, v.share == 0, v.later_share == other_want),
            *covered,
        ),
        (
            Part(
                "who is offered tokens first is again",
                both(either(negate(first), after), either(first, negate(after))),
            ),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | _TWO_JOBS,
    scene=partial(scenes.two_of_a_phase, decoding=False),
    watch=("repeats",),
)
def leap_order(v: Names, world: World) -> Sequent:
    """two prompts keep their order while both stay and each share is covered"""
    return _keeps_its_place(v, world, PREFILL)


@lemma(
    PARAMETRIC,
    NODE | _TWO_JOBS,
    name="leap_order.decodes",
    scene=partial(scenes.two_of_a_phase, decoding=True),
    watch=("repeats",),
)
def leap_order_decodes(v: Names, world: World) -> Sequent:
    """two decodes keep their order while both stay"""
    return _keeps_its_place(v, world, DECODE)
