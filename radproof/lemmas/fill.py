"""The greedy fill of a batch, by induction over the job list (serQ's Fill.lean).

A list is its head and what is known of its tail: `rest` is the sum of the tail's wants, and the
induction hypothesis says what the tail takes of any budget. The base case is the empty list.
"""

from __future__ import annotations

from functools import partial

from radproof.lemmas import scenes
from radproof.lemmas.obligations import (
    LIST_BASE,
    LIST_STEP,
    WITNESS,
    Part,
    Sequent,
    World,
    lemma,
    numbers,
)
from radproof.number import both, either, minimum
from radproof.readers.terms import Names


@lemma(
    LIST_BASE,
    numbers("budget"),
    name="fillAmounts_sum.base",
    lean="fillAmounts_sum",
    grid=("budget",),
)
def fillAmounts_sum_base(v: Names, world: World) -> Sequent:
    """the empty list is handed min(budget, 0) = 0 tokens"""
    return Sequent((v.budget >= 0,), (Part("nothing is handed out", minimum(v.budget, 0) == 0),))


@lemma(
    LIST_STEP,
    numbers("budget want rest"),
    lean="fillAmounts_sum",
    scene=partial(scenes.filling, second="rest"),
    watch=("fill",),
    grid=("budget", "want", "rest"),
)
def fillAmounts_sum(v: Names, world: World) -> Sequent:
    """a list is handed min(budget, the sum of its wants)"""
    share = world.rules.take(v.want, v.budget)
    after = v.budget - share
    # the tail, by the induction hypothesis, at the remaining budget
    tail = minimum(after, v.rest)
    return Sequent(
        (v.budget >= 0, v.want >= 0, v.rest >= 0),
        (
            Part("the remaining budget is non-negative", after >= 0),
            Part(
                "the sum is min(budget, wants)", share + tail == minimum(v.budget, v.want + v.rest)
            ),
        ),
    )


@lemma(
    WITNESS,
    numbers("budget want"),
    lean="fillAmounts_le_want",
    scene=scenes.filling,
    watch=("fill",),
    grid=("budget", "want"),
)
def fillAmounts_le_want(v: Names, world: World) -> Sequent:
    """0 <= share <= want"""
    share = world.rules.take(v.want, v.budget)
    return Sequent(
        (v.budget >= 0, v.want >= 0),
        (
            Part("a share is natural", share >= 0),
            Part("a share is at most the want", share <= v.want),
        ),
    )


@lemma(WITNESS, numbers("want"), lean="fillAmounts_zero", grid=("want",))
def fillAmounts_zero(v: Names, world: World) -> Sequent:
    """with no budget left, nobody gets a token"""
    return Sequent((v.want >= 0,), (Part("no budget, no share", world.rules.take(v.want, 0) == 0),))


@lemma(
    LIST_STEP,
    numbers("budget want later"),
    lean="fillAmounts_fifo",
    scene=partial(scenes.filling, second="later"),
    watch=("fill",),
    grid=("budget", "want", "later"),
)
def fillAmounts_fifo(v: Names, world: World) -> Sequent:
    """where a later job gets tokens, every earlier one has its full want"""
    first = world.rules.take(v.want, v.budget)
    later = world.rules.take(v.later, v.budget - first)
    return Sequent(
        (v.budget >= 0, v.want >= 0, v.later >= 0),
        (Part("the earlier job has its full want", first == v.want, when=later > 0),),
    )


@lemma(
    LIST_BASE, numbers("budget"), name="fillIter_ones.base", lean="fillIter_ones", grid=("budget",)
)
def fillIter_ones_base(v: Names, world: World) -> Sequent:
    """an empty list fits every budget"""
    return Sequent((v.budget >= 1,), (Part("the empty list fits", minimum(v.budget, 0) == 0),))


@lemma(
    LIST_STEP,
    numbers("budget rest"),
    lean="fillIter_ones",
    grid=("budget", "rest"),
)
def fillIter_ones(v: Names, world: World) -> Sequent:
    """with wants of 1 and a budget for all of them, everyone gets 1"""
    share = world.rules.take(1, v.budget)
    return Sequent(
        (v.rest >= 0, v.rest + 1 <= v.budget),
        (
            Part("the head has its token", share == 1),
            Part("the tail still fits", v.rest <= v.budget - share),
        ),
    )


@lemma(
    WITNESS,
    numbers("budget want"),
    lean="mem_fillIter",
    scene=scenes.filling,
    watch=("fill",),
    grid=("budget", "want"),
)
def mem_fillIter(v: Names, world: World) -> Sequent:
    """an entry has 0 < share <= want; nobody else could"""
    share = world.rules.take(v.want, v.budget)
    return Sequent(
        (v.budget >= 0, v.want >= 0),
        (
            Part(
                "an omitted job could take nothing",
                either(v.want == 0, v.budget == 0),
                when=share <= 0,
            ),
            Part(
                "an entry has 1 token or more, no more than wanted",
                both(share >= 1, share <= v.want),
                when=both(v.want > 0, v.budget > 0),
            ),
        ),
    )
