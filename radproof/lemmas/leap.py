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
from radproof.lemmas.jobs import handle_work
from radproof.lemmas.obligations import (
    PARAMETRIC,
    STEPS_BASE,
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
from radproof.lemmas.tiling import wantOf_decode
from radproof.model import DECODE, PREFILL, Phase
from radproof.number import Num, Truth, both, either, ite, negate
from radproof.readers.terms import Names


def _affine(v: Names, world: World, index: Num) -> tuple[Num, Num, Num]:
    lasts = world.rules.duration(v.tokens, node(v))
    return v.now + index * lasts, v.served + index * v.tokens, v.done + index * v.share


@lemma(STEPS_BASE, NODE | numbers("tokens now served done share"), name="leap_affine.base")
def leap_affine_base(v: Names, world: World) -> Sequent:
    """a stretch starts where its first iteration does"""
    now, served, done = _affine(v, world, 0)
    return Sequent(
        any_node(v),
        (
            Part(
                "repetition 0 starts where the stretch does",
                both(now == v.now, served == v.served, done == v.done),
            ),
        ),
    )


@lemma(
    STEPS_STEP,
    NODE | numbers("tokens now served done share index"),
    depends_on=(leap_affine_base,),
    scene=scenes.repeated,
    watch=("clock", "work"),
)
def leap_affine(v: Names, world: World) -> Sequent:
    """start, served and done are affine in the repetition's index"""
    rules = world.rules
    now, served, done = _affine(v, world, v.index)
    after_now, after_served, after_done = _affine(v, world, v.index + 1)
    return Sequent(
        (
            *any_node(v),
            v.index >= 0,
            v.tokens >= 1,
            v.now >= 0,
            v.served >= 0,
            v.done >= 0,
            v.share >= 1,
        ),
        (
            Part("start", now + rules.duration(v.tokens, node(v)) == after_now),
            Part("served", rules.served_after(served, v.tokens) == after_served),
            Part("done", rules.done_after(done, v.share) == after_done),
        ),
    )


@lemma(PARAMETRIC, numbers("index share"))
def leap_past(v: Names, world: World) -> Sequent:
    """after i repetitions a job has done 0, or one share or more"""
    past = v.index * v.share
    return Sequent(
        (v.index >= 0, v.share >= 0),
        (
            Part("no share, nothing done", past == 0, when=v.share == 0),
            Part("index 0, nothing done", past == 0, when=v.index == 0),
            Part("one share or more after", past >= v.share, when=v.index >= 1),
        ),
    )


@lemma(
    PARAMETRIC,
    NODE | truths("decoding") | numbers("prompt done remaining past"),
    depends_on=(leap_past, leap_affine),
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


@lemma(PARAMETRIC, NODE | numbers("total done past share"), depends_on=(handle_work,))
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
    depends_on=(mul_le_mul, leap_affine),
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
        (
            mul_le_mul.at(world, a=v.index, b=gain, c=0),
            mul_le_mul.at(world, a=v.last - v.index, b=0, c=gain),
        ),
    )


_TWO_JOBS = numbers(
    "session later_session arrive later_arrive prompt later_prompt done later_done remaining"
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
    most, other_most = rules.take(want, v.remaining), rules.take(other_want, v.remaining)
    share = ite(first, most, rules.take(want, v.remaining - other_most))
    other_share = ite(first, rules.take(other_want, v.remaining - most), other_most)

    def later(done: Num, share: Num) -> Num:
        return ite(share > 0, rules.done_after(done, share), done)

    one = job(phase, v.session, v.arrive, v.prompt, later(v.done, share))
    other = job(
        phase, v.later_session, v.later_arrive, v.later_prompt, later(v.later_done, other_share)
    )
    after = world.offered_first(one, other)
    # both stay, and what is left covers the same share again
    covered: tuple[Truth, ...] = (
        ()
        if decoding
        else (
            v.done <= v.prompt,
            v.later_done <= v.later_prompt,
            one_left > share,
            one_left >= 2 * share,
            other_left > other_share,
            other_left >= 2 * other_share,
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
            v.remaining >= 0,
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
    depends_on=(leap_share,),
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
    depends_on=(leap_share, wantOf_decode),
    scene=partial(scenes.two_of_a_phase, decoding=True),
    watch=("repeats",),
)
def leap_order_decodes(v: Names, world: World) -> Sequent:
    """two decodes keep their order while both stay"""
    return _keeps_its_place(v, world, DECODE)
