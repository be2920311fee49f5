"""D + in flight <= b_col: the compositions of its induction."""

from __future__ import annotations

from radproof import invariants
from radproof.lemmas import loop
from radproof.lemmas.bounds import decodes_fit
from radproof.lemmas.composed_order import NOT_BEGUN
from radproof.lemmas.composed_run import (
    FILLED,
    JOB,
    LIST,
    POINT,
    SERVED,
    WORK,
    called,
    passed,
    passing,
    prompt_lemmas,
    same_node,
    unfilled,
    whole_list,
)
from radproof.lemmas.composed_tiling import FIRST_WHOLE
from radproof.lemmas.composition import (
    FILL,
    STATE,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.obligations import Fact, Part, Sequent, Source, World, numbers, truths
from radproof.lemmas.symbols import NODE, node
from radproof.number import both, either, ite, negate
from radproof.readers.terms import Names


def _fit(v: Names, world: World) -> tuple[Part, ...]:
    kept = invariants.few_decodes(v.decodes + v.flight, node(v))
    return (Part("D + in flight <= b_col", kept),)


def _applied(v: Names, world: World) -> tuple[Part, ...]:
    a_prompt = ite(v.waiting >= 1, 1, 0)
    later = v.decodes_after + v.flight_after
    return (
        Part("what becomes decodes is natural", v.decodes_after >= 0),
        Part("decodes stay or end", v.decodes_after <= v.seen, when=v.mode),
        Part("part-filled prompts stay", v.flight_after == v.flight, when=v.mode),
        Part(
            "one prompt is finished or part-filled",
            later <= v.seen + a_prompt,
            when=negate(v.mode),
        ),
        Part("one prompt is part-filled", both(v.flight >= 0, v.flight <= a_prompt)),
    )


FIT = Invariant("decodes fit", STATE, _fit, claimed=True)
APPLIED = Invariant("applied", FILL, _applied)

COUNTS = numbers("flight decodes_after flight_after")
"""The part-filled prompts that the fill has passed, and what its jobs become at the batch's end."""


@composition("before the first job", NODE | LIST | POINT | COUNTS, name="decodes_fit.fill.begins")
def fit_begins(v: Names, world: World) -> Sequent:
    """before its first job a fill has passed nothing"""
    nothing = dict.fromkeys(COUNTS, 0)
    return composed((), APPLIED.goal(unfilled(v).but(**nothing), world))


@composition(
    "a job is passed",
    NODE | LIST | POINT | JOB | SERVED | COUNTS | truths("remains") | numbers("total after"),
    name="decodes_fit.fill",
)
def fit_passes(v: Names, world: World) -> Sequent:
    """in Prefill Mode one prompt is finished or part-filled, in Decode Mode none"""
    a_prompt = negate(v.decoding)
    rejoins = both(a_prompt, negate(v.remains), v.output > 0)
    later = passed(v).but(
        flight=v.flight + ite(both(a_prompt, v.done > 0), 1, 0),
        flight_after=v.flight_after + ite(both(a_prompt, v.remains, v.after > 0), 1, 0),
        decodes_after=v.decodes_after + ite(either(both(v.decoding, v.remains), rejoins), 1, 0),
    )
    return composed(
        (
            *deployment(v),
            *WORK.given(v, world),
            *FILLED.given(v, world),
            *FIRST_WHOLE.given(v, world),
            *NOT_BEGUN.given(v, world),
            *APPLIED.given(v, world),
            *passing(v, world),
            equation(v, "total", loop.total, v.decoding, v.prompt, v.output),
            equation(v, "after", loop.done, v.done, v.share, world),
            equation(v, "remains", loop.stays, v.total, v.after, v.share, world),
        ),
        APPLIED.goal(later, world),
        prompt_lemmas(v, world),
    )


ARRIVING = numbers("arriving arriving_prompt")
"""How many sessions join the list as decodes, and the prompt of one of them."""


def _arrivals(v: Names) -> tuple[Fact, ...]:
    return (
        Fact(Source.PREMISE, "every prompt has a token or more", v.arriving_prompt >= 1),
        looped(
            "a session decodes at once only without a prompt",
            either(v.arriving == 0, v.arriving_prompt == 0),
        ),
    )


@composition("at time 0", NODE | LIST | COUNTS, name="decodes_fit.begins")
def fit_at_zero(v: Names, world: World) -> Sequent:
    """at time 0 nothing decodes, and nothing is in flight"""
    return composed(deployment(v), FIT.goal(v.but(decodes=0, flight=0), world))


@composition("an idle time", NODE | LIST | COUNTS | ARRIVING, name="decodes_fit.idles")
def fit_idles(v: Names, world: World) -> Sequent:
    """who joins an empty list is a prompt, and not part-filled"""
    return composed(
        (*deployment(v), *_arrivals(v)), FIT.goal(v.but(decodes=v.arriving, flight=0), world)
    )


@composition("an iteration", NODE | LIST | POINT | COUNTS | ARRIVING, name="decodes_fit.iteration")
def fit_iterates(v: Names, world: World) -> Sequent:
    """D + in flight <= b_col after a batch"""
    then = v.but(decodes=v.decodes_after + v.arriving, flight=v.flight_after)
    return composed(
        (
            *deployment(v),
            *FIT.given(v, world),
            *FILLED.given(v, world),
            *FIRST_WHOLE.given(v, world),
            *APPLIED.given(v, world),
            *called(v, world),
            *whole_list(v),
            *_arrivals(v),
        ),
        FIT.goal(then, world),
        (
            decodes_fit.at(
                world,
                **same_node(v),
                decodes=v.decodes,
                residents=v.residents,
                flight=v.flight,
                ended=ite(v.mode, v.decodes - v.decodes_after, 0),
                left=v.first,
                k=v.first_k,
            ),
        ),
    )


CLAIMS = (fit_iterates,)
