"""The leap: the compositions by which a step repeats, k times over, as one stretch.

The stretch starts with a batch, and the induction goes over its repetitions: `index` of them are
over. Its premise is what ends a stretch: nobody comes or goes, and what is left of each job covers
its share again.
"""

from __future__ import annotations

from radproof.lemmas import loop
from radproof.lemmas.composed_run import (
    BATCH,
    CLOCK,
    COUNTED,
    ENTRY,
    FILLED,
    JOB,
    LIST,
    POINT,
    SERVED,
    WORK,
    called,
    passed,
    passing,
    same_node,
    share_lemmas,
    unfilled,
)
from radproof.lemmas.composition import (
    FILL,
    PASSED,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.jobs import handle_work
from radproof.lemmas.leap import (
    leap_affine,
    leap_ends,
    leap_order,
    leap_order_decodes,
    leap_share,
    leap_stay,
)
from radproof.lemmas.obligations import Fact, Lemma, Part, Sequent, Source, World, numbers, truths
from radproof.lemmas.symbols import NODE, job, node
from radproof.lemmas.tiling import serves_rad
from radproof.model import DECODE, PREFILL, Phase
from radproof.number import Num, Truth, both, either, ite, negate
from radproof.readers.terms import Names

REPETITIONS = ("the first repetition", "a repetition")

STRETCH = numbers("index first_now first_served tokens lasts")
"""How many repetitions are over, the clock of the first, its tokens and how long it lasts."""

WORKED = numbers("first_done share")
"""What a job had done at the stretch's start, and its share in the first repetition."""

AGAIN = truths("filling_again served_again mode_again") | numbers(
    "remaining_again tokens_again limit_again asked_again wanted_again offer_again share_again"
)
"""The same fill, `index` repetitions later."""

FILLED_AGAIN = truths("filling filling_again") | numbers(
    "remaining remaining_again tokens_again share_again wanted wanted_again"
)
"""What is handed out in this repetition, and to one job."""


def _affine(v: Names, world: World) -> tuple[Part, ...]:
    return (
        Part("the start is affine in the index", v.now == v.first_now + v.index * v.lasts),
        Part(
            "the tokens served are affine in the index",
            v.served_before == v.first_served + v.index * v.tokens,
        ),
    )


def _work(v: Names, world: World) -> tuple[Part, ...]:
    done = v.done == v.first_done + v.index * v.share
    return (Part("what a job has done is affine in the index", done),)


def _order(v: Names, world: World) -> tuple[Part, ...]:
    return (Part("two jobs are passed in the same order again", v.first == v.first_again),)


def _again(v: Names, world: World) -> tuple[Part, ...]:
    return (
        Part("the same remains again", v.remaining_again == v.remaining),
        Part("the same is handed out again", v.tokens_again == v.tokens),
        Part("it goes on again", v.filling_again == v.filling),
    )


def _same(v: Names, world: World) -> tuple[Part, ...]:
    full = v.share == v.wanted
    return (
        Part("every batch has the same shares again", v.share_again == v.share),
        Part("who has its want, wants the same again", v.wanted_again == v.wanted, when=full),
    )


def _full(v: Names, world: World) -> tuple[Part, ...]:
    full = either(v.former_share == v.former_want, v.remaining == 0)
    return (Part("who was passed has its want, or nothing remains", full, when=v.former_passed),)


def _in_want(v: Names, world: World) -> tuple[Part, ...]:
    turn = either(v.share == 0, v.former_share == v.former_want)
    return (
        Part("a share is natural", v.share >= 0),
        Part("a share is no more than is wanted", v.share <= v.wanted),
        Part("who gets tokens is passed after full wants", turn, when=v.former_passed),
    )


AFFINE = Invariant("affine", REPETITIONS, _affine, claimed=True)
WORKS = Invariant("work of a stretch", REPETITIONS, _work, claimed=True)
SAME_ORDER = Invariant("order of a stretch", REPETITIONS, _order)
FILLS_AGAIN = Invariant("fill again", FILL, _again)
SAME_SHARE = Invariant("share again", PASSED, _same, claimed=True)
FULL_WANT = Invariant("full want", FILL, _full)
IN_WANT = Invariant("in want", PASSED, _in_want)

COVERED = "no session arrives, no job leaves, and what is left of a prompt covers its share again"


def premise(holds: Truth) -> Fact:
    """A part of the premise: the stretch is not over."""
    return Fact(Source.PREMISE, COVERED, holds)


def later(v: Names, **changed: object) -> Names:
    """The stretch after one repetition more."""
    return v.but(index=v.index + 1, **changed)


@composition(
    "the first repetition",
    NODE | COUNTED | STRETCH | WORKED | JOB | truths("first"),
    name="leap.begins",
)
def leap_begins(v: Names, world: World) -> Sequent:
    """a stretch starts where its first repetition does"""
    start = v.but(index=0, now=v.first_now, served_before=v.first_served, done=v.first_done)
    order = v.but(first_again=v.first)
    return composed(
        (),
        (*AFFINE.goal(start, world), *WORKS.goal(start, world), *SAME_ORDER.goal(order, world)),
    )


@composition(
    "a repetition",
    NODE
    | COUNTED
    | STRETCH
    | WORKED
    | JOB
    | FILLED_AGAIN
    | numbers("end served_later after total"),
    name="leap.repetition",
)
def leap_repeats(v: Names, world: World) -> Sequent:
    """a repetition leads to the next: the clock, the tokens and each job's work are affine"""
    d = node(v)
    at = same_node(v) | {
        "tokens": v.tokens,
        "served": v.first_served,
        "done": v.first_done,
        "share": v.share,
        "index": v.index,
    }
    gets = "it has a share", v.share > 0
    alone = at | {"share": 1, "done": 0}
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v.but(now=v.first_now, served_before=v.first_served), world),
            *BATCH.given(v.but(limit=v.tokens), world),
            *WORK.given(v.but(done=v.first_done), world),
            *ENTRY.given(v.but(done=v.first_done), world),
            *AFFINE.given(v, world),
            *WORKS.given(v, world),
            *FILLS_AGAIN.given(v, world),
            *SAME_SHARE.given(v, world),
            looped("the index is natural", v.index >= 0),
            equation(v, "lasts", loop.lasts, v.tokens, world, d),
            equation(v, "end", loop.end, v.now, v.tokens_again, world, d),
            equation(v, "served_later", loop.served_tokens, v.served_before, v.tokens_again, world),
            equation(v, "after", loop.done, v.done, v.share_again, world),
            equation(v, "total", loop.total, v.decoding, v.prompt, v.output),
            premise(either(v.share_again == 0, v.done + v.share_again < v.total)),
        ),
        (
            *AFFINE.goal(later(v, now=v.end, served_before=v.served_later), world),
            *WORKS.goal(later(v, done=v.after), world),
            Part("every job stays", loop.stays(v.total, v.after, v.share_again, world)),
        ),
        (
            leap_affine.at(world, **alone),
            leap_affine.at(world, **at).needed(*gets),
            leap_stay.at(
                world,
                **same_node(v),
                total=v.total,
                done=v.first_done,
                past=v.index * v.share,
                share=v.share,
            ).needed(*gets),
        ),
    )


def called_again(v: Names, world: World) -> tuple[Fact, ...]:
    """How the call begins `index` repetitions later, of a list with the same counts."""
    d = node(v)
    return (
        equation(v, "mode_again", loop.mode, v.decodes, v.residents, world, d),
        equation(v, "limit_again", loop.limit, v.mode_again, world, d),
    )


@composition("before the first job", NODE | LIST | POINT | AGAIN, name="leap.fill.begins")
def again_begins(v: Names, world: World) -> Sequent:
    """the same budget again"""
    start = unfilled(v).but(filling_again=True, remaining_again=v.limit_again, tokens_again=0)
    full = start.but(former_passed=False, former_share=0, former_want=0)
    return composed(
        (*called(v, world), *called_again(v, world)),
        (*FILLS_AGAIN.goal(start, world), *FULL_WANT.goal(full, world)),
    )


@composition(
    "a job is passed",
    NODE | LIST | POINT | JOB | SERVED | AGAIN | numbers("index first_done"),
    name="leap.fill",
)
def again_passes(v: Names, world: World) -> Sequent:
    """a job has the same share again"""
    d = node(v)
    start = v.but(done=v.first_done)
    asked = ite(v.decoding, v.prompt, v.first_done)
    past = v.index * v.share
    gets = "it has a share", v.share > 0
    return composed(
        (
            *deployment(v),
            Fact(Source.PATH, "the prompt is natural", v.prompt >= 0),
            *WORK.given(start, world),
            *FILLED.given(v, world),
            *ENTRY.given(start, world),
            *FILLS_AGAIN.given(v, world),
            *WORKS.given(v, world),
            looped("the index is natural", v.index >= 0),
            *called(v, world),
            *called_again(v, world),
            *passing(start, world),
            equation(v, "served_again", loop.served, v.mode_again, v.decoding, world),
            equation(v, "asked_again", loop.asked, v.decoding, v.prompt, v.done, world),
            equation(v, "wanted_again", loop.wanted, v.decoding, v.asked_again, world, d),
            equation(v, "offer_again", loop.offer, v.wanted_again, v.remaining_again, world),
            equation(v, "share_again", loop.share, v.filling_again, v.served_again, v.offer_again),
            premise(either(v.decoding, v.asked_again >= v.share)),
        ),
        (
            *SAME_SHARE.goal(v, world),
            *FILLS_AGAIN.goal(
                passed(v).but(
                    remaining_again=v.remaining_again - v.share_again,
                    tokens_again=v.tokens_again + v.share_again,
                    filling_again=loop.filling(v.filling_again, v.served_again, v.offer_again),
                ),
                world,
            ),
        ),
        (
            leap_share.at(
                world,
                **same_node(v),
                decoding=v.decoding,
                prompt=v.prompt,
                done=asked,
                remaining=v.remaining,
                past=past,
            ).needed(*gets),
        ),
    )


PASSED_BEFORE = truths("former_passed is_former") | numbers("former_share former_want")


@composition(
    "a job is passed", NODE | LIST | POINT | JOB | SERVED | PASSED_BEFORE, name="leap.full_want"
)
def full_want_passes(v: Names, world: World) -> Sequent:
    """who is passed has its full want, or nothing remains"""
    same = both(v.served, v.former_share == v.share, v.former_want == v.wanted)
    return composed(
        (
            *deployment(v),
            Fact(Source.PATH, "the prompt is natural", v.prompt >= 0),
            *WORK.given(v, world),
            *FILLED.given(v, world),
            *FULL_WANT.given(v, world),
            *passing(v, world),
            looped("the former is this job, or another", either(negate(v.is_former), same)),
        ),
        (
            *FULL_WANT.goal(
                passed(v).but(former_passed=either(v.former_passed, v.is_former)), world
            ),
            *IN_WANT.goal(v, world),
        ),
        share_lemmas(v, world),
    )


TWO = truths("mode first first_again") | numbers(
    "one_session one_arrive one_prompt one_output one_done one_share one_want one_after "
    "other_session other_arrive other_prompt other_output other_done other_share other_want "
    "other_after"
)
"""Two jobs of the list, `one` before `other`, and whether it is passed first."""


def _field(v: Names, which: str, *names: str) -> tuple[Num, ...]:
    return tuple(getattr(v, f"{which}_{name}") for name in names)


def _as_job(v: Names, which: str, phase: Phase, done: str = "done") -> Names:
    """One of the two, as the scheduler's order reads it."""
    return job(phase, *_field(v, which, "session", "arrive", "prompt", done))


def _one_of_two(v: Names, world: World, which: str, phase: Phase) -> tuple[Fact, ...]:
    """What is known of one of the two jobs, and what the fill and the machine do with it."""
    decoding = phase is DECODE
    session, arrive, prompt, output = _field(v, which, "session", "arrive", "prompt", "output")
    done, share, want = _field(v, which, "done", "share", "want")
    the_job = v.but(decoding=decoding, prompt=prompt, output=output, done=done)
    asked = loop.asked(decoding, prompt, done, world)
    after = loop.done(done, share, world)
    again = world.rules.left(prompt, after) >= share
    alone = v.but(share=share, wanted=want, former_passed=False, former_share=0, former_want=0)
    return (
        Fact(Source.PATH, "a session's number is natural", session >= 0),
        Fact(Source.PATH, "an arrival is natural", arrive >= 0),
        Fact(Source.PATH, "the prompt is natural", prompt >= 0),
        *WORK.given(the_job, world),
        equation(v, f"{which}_want", loop.wanted, decoding, asked, world, node(v)),
        *IN_WANT.given(alone, world)[:2],
        equation(v, f"{which}_after", loop.done, done, share, world),
        *(() if decoding else (premise(done + share < prompt), premise(again))),
    )


def _in_turn(v: Names, world: World, former: str, latter: str, when: Truth) -> Fact:
    """What is known of the shares where the one is passed after the other."""
    former_share, former_want = _field(v, former, "share", "want")
    share, wanted = _field(v, latter, "share", "want")
    at = v.but(
        share=share,
        wanted=wanted,
        former_share=former_share,
        former_want=former_want,
        former_passed=when,
    )
    return IN_WANT.given(at, world)[-1]


def _keeps_order(v: Names, world: World, phase: Phase, place: Lemma) -> Sequent:
    one, other = _as_job(v, "one", phase), _as_job(v, "other", phase)
    after = _as_job(v, "one", phase, "after"), _as_job(v, "other", phase, "after")
    names = {
        "later_" * (which == "other") + name: getattr(v, f"{which}_{name}")
        for which in ("one", "other")
        for name in ("session", "arrive", "prompt", "done", "share")
    }
    work = tuple(
        handle_work.at(world, total=prompt, done=done, share=share).needed(*where)
        for which in ("one", "other")
        for prompt, done, got in [_field(v, which, "prompt", "done", "share")]
        for share, where in ((1, ("", True)), (got, ("it has a share", got > 0)))
    )
    served = (loop.served(v.mode, decoding, world) for decoding in (True, False))
    return composed(
        (
            *deployment(v),
            *_one_of_two(v, world, "one", phase),
            *_one_of_two(v, world, "other", phase),
            equation(v, "first_again", loop.first_passed, one, other, world),
            _in_turn(v, world, "one", "other", v.first_again),
            _in_turn(v, world, "other", "one", negate(v.first_again)),
            *SAME_ORDER.given(v, world),
        ),
        (
            *SAME_ORDER.goal(v.but(first_again=loop.first_passed(*after, world)), world),
            Part("those that are served are of one phase", negate(both(*served))),
        ),
        (
            *(() if phase is DECODE else work),
            place.at(world, **same_node(v), **names),
            *(serves_rad.at(world, mode=v.mode, decoding=decoding) for decoding in (True, False)),
        ),
    )


@composition("a repetition", NODE | TWO, name="leap.prompts")
def prompts_keep_order(v: Names, world: World) -> Sequent:
    """two prompts are passed in the same order again"""
    return _keeps_order(v, world, PREFILL, leap_order)


@composition("a repetition", NODE | TWO, name="leap.decodes")
def decodes_keep_order(v: Names, world: World) -> Sequent:
    """two decodes are passed in the same order again"""
    return _keeps_order(v, world, DECODE, leap_order_decodes)


@composition("a repetition", NODE | COUNTED | STRETCH | numbers("last"), name="leap.between")
def rate_between(v: Names, world: World) -> Sequent:
    """token_rate at both ends of a stretch gives it at every repetition"""
    d = node(v)
    ends = both(
        world.keeps_rate(v.first_served, v.first_now, d),
        world.keeps_rate(v.first_served + v.last * v.tokens, v.first_now + v.last * v.lasts, d),
    )
    kept = world.keeps_rate(v.served_before, v.now, d)
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v.but(now=v.first_now, served_before=v.first_served), world),
            *AFFINE.given(v, world),
            looped("the index is natural", v.index >= 0),
            looped("the last repetition is not before it", v.last >= v.index),
        ),
        (Part(f"{world.rate.name} between two repetitions that keep it", kept, when=ends),),
        (
            leap_ends.at(
                world,
                **same_node(v),
                tokens=v.tokens,
                lasts=v.lasts,
                now=v.first_now,
                served=v.first_served,
                index=v.index,
                last=v.last,
            ).needed("both ends keep it", ends),
        ),
    )


CLAIMS = (leap_repeats, again_passes, prompts_keep_order, decodes_keep_order, rate_between)
