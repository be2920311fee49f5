"""The greedy fill of a batch, by induction over the job list (serQ's Fill.lean).

A list is its head and what is known of its tail: `rest` is the sum of the tail's wants, and the
induction hypothesis says what the tail hands out of any budget. The base case is the empty list.
"""

from __future__ import annotations

from typing import Any

from radproof.number import both, either, minimum
from radproof.proof import scenes
from radproof.proof.obligations import Lemma, Part, Sequent, World, numbers

BASE, STEP = "list induction: base", "list induction: step"


def _sum_base(v: Any, world: World) -> Sequent:
    return Sequent((v.budget >= 0,), (Part("nothing is handed out", minimum(v.budget, 0) == 0),))


def _sum_step(v: Any, world: World) -> Sequent:
    share = world.rules.take(v.want, v.budget)
    after = v.budget - share
    # the tail, by the induction hypothesis at the budget that is left for it
    tail = minimum(after, v.rest)
    return Sequent(
        (v.budget >= 0, v.want >= 0, v.rest >= 0),
        (
            Part("what is left is no debt", after >= 0),
            Part(
                "the sum is min(budget, wants)", share + tail == minimum(v.budget, v.want + v.rest)
            ),
        ),
    )


def _le_want(v: Any, world: World) -> Sequent:
    share = world.rules.take(v.want, v.budget)
    return Sequent(
        (v.budget >= 0, v.want >= 0),
        (
            Part("a share is natural", share >= 0),
            Part("a share is at most the want", share <= v.want),
        ),
    )


def _zero(v: Any, world: World) -> Sequent:
    return Sequent((v.want >= 0,), (Part("no budget, no share", world.rules.take(v.want, 0) == 0),))


def _fifo(v: Any, world: World) -> Sequent:
    first = world.rules.take(v.want, v.budget)
    later = world.rules.take(v.later, v.budget - first)
    return Sequent(
        (v.budget >= 0, v.want >= 0, v.later >= 0),
        (Part("the earlier job has its full want", first == v.want, when=later > 0),),
    )


def _ones_base(v: Any, world: World) -> Sequent:
    return Sequent((v.budget >= 1,), (Part("the empty list fits", minimum(v.budget, 0) == 0),))


def _ones_step(v: Any, world: World) -> Sequent:
    share = world.rules.take(1, v.budget)
    return Sequent(
        (v.rest >= 0, v.rest + 1 <= v.budget),
        (
            Part("the head has its token", share == 1),
            Part("the tail still fits", v.rest <= v.budget - share),
        ),
    )


def _member(v: Any, world: World) -> Sequent:
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


LEMMAS = (
    Lemma(
        "fillAmounts_sum.base",
        "fillAmounts_sum",
        "the empty list is handed min(budget, 0) = 0 tokens",
        BASE,
        numbers("budget"),
        _sum_base,
        grid=("budget",),
    ),
    Lemma(
        "fillAmounts_sum",
        "fillAmounts_sum",
        "a list is handed min(budget, the sum of its wants)",
        STEP,
        numbers("budget want rest"),
        _sum_step,
        ("fillAmounts_sum.base",),
        scene=scenes.filling,
        watch=("fill",),
        grid=("budget", "want", "rest"),
    ),
    Lemma(
        "fillAmounts_le_want",
        "fillAmounts_le_want",
        "0 <= share <= want",
        "QF witness",
        numbers("budget want"),
        _le_want,
        scene=scenes.filling,
        watch=("fill",),
        grid=("budget", "want"),
    ),
    Lemma(
        "fillAmounts_zero",
        "fillAmounts_zero",
        "with no budget left, nobody gets a token",
        "QF witness",
        numbers("want"),
        _zero,
        grid=("want",),
    ),
    Lemma(
        "fillAmounts_fifo",
        "fillAmounts_fifo",
        "where a later job gets tokens, every earlier one has its full want",
        STEP,
        numbers("budget want later"),
        _fifo,
        ("fillAmounts_zero",),
        scene=scenes.filling,
        watch=("fill",),
        grid=("budget", "want", "later"),
    ),
    Lemma(
        "fillIter_ones.base",
        "fillIter_ones",
        "an empty list fits every budget",
        BASE,
        numbers("budget"),
        _ones_base,
        grid=("budget",),
    ),
    Lemma(
        "fillIter_ones",
        "fillIter_ones",
        "with wants of 1 and a budget for all of them, everyone gets 1",
        STEP,
        numbers("budget rest"),
        _ones_step,
        ("fillIter_ones.base",),
        grid=("budget", "rest"),
    ),
    Lemma(
        "mem_fillIter",
        "mem_fillIter",
        "an entry has 0 < share <= want; nobody else could",
        "QF witness",
        numbers("budget want"),
        _member,
        ("fillAmounts_le_want",),
        scene=scenes.filling,
        watch=("fill",),
        grid=("budget", "want"),
    ),
)
