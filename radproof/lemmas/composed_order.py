"""Arrival order: the compositions of who stands, is passed and is filled first."""

from __future__ import annotations

import attrs

from radproof.lemmas import loop
from radproof.lemmas.bounds import one_part_filled, serves_in_order
from radproof.lemmas.composed_run import (
    BATCH,
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
    prompt_lemmas,
    same_node,
    unfilled,
)
from radproof.lemmas.composition import (
    FILL,
    PASSED,
    STATE,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.fill import fillAmounts_sum
from radproof.lemmas.jobs import handle_work
from radproof.lemmas.obligations import Fact, Part, Sequent, Source, Use, World, numbers, truths
from radproof.lemmas.rate import duration_pos
from radproof.lemmas.symbols import NODE, job, node
from radproof.lemmas.tiling import batch_fits, serves_rad, wantOf
from radproof.model import PREFILL
from radproof.number import Num, Truth, both, either, ite, negate
from radproof.readers.terms import Names

# two prompts of the list, `former` before `latter`

PAIR = numbers(
    "former_session former_arrive former_prompt former_done "
    "latter_session latter_arrive latter_prompt latter_done"
)

PAIRS = ("an iteration", "an idle time", "a job stays")
"""How two prompts come to stand in the list: one or both arrive during an event, or both stay."""


def _earlier(arrive: Num, session: Num, other_arrive: Num, other_session: Num) -> Truth:
    """Whether one session is before another: it arrived first, or is listed first."""
    tie = both(arrive == other_arrive, session < other_session)
    return either(arrive < other_arrive, tie)


def _pair(v: Names, world: World) -> tuple[Part, ...]:
    in_order = _earlier(v.former_arrive, v.former_session, v.latter_arrive, v.latter_session)
    return (
        Part("prompts stand in arrival order", in_order),
        Part("only the first of them is part-filled", v.latter_done == 0),
    )


def _unfinished(v: Names, world: World) -> tuple[Part, ...]:
    behind = both(v.unfinished, negate(v.mode))
    finished = world.rules.left(v.former_prompt, v.former_after) <= 0
    return (
        Part("behind an unfinished prompt nothing remains", v.remaining == 0, when=behind),
        Part(
            "the fill is behind a prompt that it passed, or the prompt is finished",
            either(v.unfinished, finished),
            when=v.former_passed,
        ),
    )


def _in_turn(v: Names, world: World) -> tuple[Part, ...]:
    done = either(v.latter_share == 0, world.rules.left(v.former_prompt, v.former_after) <= 0)
    return (Part("a prompt gets tokens only where every earlier one is finished", done),)


def _not_begun(v: Names, world: World) -> tuple[Part, ...]:
    later = both(negate(v.decoding), v.waiting >= 1)
    return (Part("a prompt passed after another is not part-filled", v.done == 0, when=later),)


def _here(v: Names, world: World) -> tuple[Part, ...]:
    return (Part("who is resident has arrived", v.former_arrive <= v.now),)


def _queue(v: Names, world: World) -> tuple[Part, ...]:
    later = either(v.next_arrive > v.now, v.residents == 0)
    return (Part("who is pending arrives later, where a job is resident", later),)


STAND = Invariant("prompts in order", PAIRS, _pair, claimed=True)
UNFINISHED = Invariant("unfinished", FILL, _unfinished)
IN_TURN = Invariant("in turn", PASSED, _in_turn, claimed=True)
NOT_BEGUN = Invariant("not begun", PASSED, _not_begun)
HERE = Invariant("here", ("an iteration", "an idle time"), _here)
QUEUE = Invariant("queue", STATE, _queue)


# one prompt after the other

FORMER = truths("unfinished former_passed") | numbers("former_prompt former_after")


def natural_arrivals(v: Names) -> tuple[Fact, ...]:
    """The ranges of two sessions' numbers and arrivals."""
    return (
        Fact(Source.PATH, "a session's number is natural", v.former_session >= 0),
        Fact(Source.PATH, "and so is the other's", v.latter_session >= 0),
        Fact(Source.PATH, "an arrival is natural", v.former_arrive >= 0),
    )


def _prompt(v: Names, which: str) -> Names:
    """One of the two prompts, as a job."""
    return v.but(
        decoding=False,
        output=0,
        prompt=getattr(v, f"{which}_prompt"),
        done=getattr(v, f"{which}_done"),
    )


def _two(v: Names, world: World) -> tuple[Fact, ...]:
    """What is known of two prompts in the list."""
    return (
        *natural_arrivals(v),
        *WORK.given(_prompt(v, "former"), world),
        *WORK.given(_prompt(v, "latter"), world),
        *STAND.given(v, world),
    )


def _two_lemmas(v: Names, world: World) -> tuple[Use, ...]:
    """What the lemmas say of them: the former is passed first."""
    return (
        handle_work.at(world, total=v.former_prompt, done=v.former_done, share=1),
        handle_work.at(world, total=v.latter_prompt, done=v.latter_done, share=1),
        serves_in_order.at(
            world,
            session=v.former_session,
            arrive=v.former_arrive,
            prompt=v.former_prompt,
            done=v.former_done,
            later_session=v.latter_session,
            later_arrive=v.latter_arrive,
            later_prompt=v.latter_prompt,
        ),
    )


def _as_job(v: Names, which: str) -> Names:
    """One of the two prompts, as the scheduler's order reads it."""
    fields = ("session", "arrive", "prompt", "done")
    return job(PREFILL, *(getattr(v, f"{which}_{field}") for field in fields))


def _former_is_passed_first(v: Names, world: World) -> Fact:
    former, latter = (_as_job(v, which) for which in ("former", "latter"))
    return equation(v, "former_first", loop.first_passed, former, latter, world)


@composition(
    "before the first job", NODE | LIST | POINT | FORMER, name="one_part_filled.fill.begins"
)
def order_begins(v: Names, world: World) -> Sequent:
    """before its first job a fill is behind no prompt"""
    return composed(
        (), UNFINISHED.goal(unfilled(v).but(unfinished=False, former_passed=False), world)
    )


@composition(
    "a job is passed",
    NODE | LIST | POINT | JOB | SERVED | FORMER | truths("is_former") | numbers("after"),
    name="one_part_filled.fill",
)
def order_passes(v: Names, world: World) -> Sequent:
    """behind an unfinished prompt nothing remains"""
    d, rules = node(v), world.rules
    unfinished = either(v.unfinished, both(negate(v.decoding), rules.left(v.prompt, v.after) > 0))
    later = passed(v).but(unfinished=unfinished, former_passed=either(v.former_passed, v.is_former))
    same = both(negate(v.decoding), v.former_prompt == v.prompt, v.former_after == v.after)
    a_prompt = "a prompt with a share", both(negate(v.decoding), v.share > 0)
    return composed(
        (
            *deployment(v),
            *WORK.given(v, world),
            *ENTRY.given(v, world),
            *FILLED.given(v, world),
            *UNFINISHED.given(v, world),
            *called(v, world),
            *passing(v, world),
            equation(v, "after", loop.done, v.done, v.share, world),
            looped("the former is this job, or another", either(negate(v.is_former), same)),
        ),
        UNFINISHED.goal(later, world),
        (
            *prompt_lemmas(v, world),
            batch_fits.at(world, **same_node(v), mode=v.mode),
            handle_work.at(world, total=v.prompt, done=v.done, share=v.share).needed(*a_prompt),
            wantOf.at(world, **same_node(v), left=1),
            fillAmounts_sum.at(
                world, budget=v.remaining - v.offer, want=rules.want(False, 1, d), rest=0
            ).needed(*a_prompt),
            one_part_filled.at(
                world, **same_node(v), left=v.asked, later=1, remaining=v.remaining
            ).needed(*a_prompt),
        ),
    )


@composition(
    "a job is passed",
    NODE
    | LIST
    | POINT
    | JOB
    | SERVED
    | PAIR
    | FORMER
    | truths("former_first")
    | numbers("latter_share"),
    name="one_part_filled.turn",
)
def order_turns(v: Names, world: World) -> Sequent:
    """a prompt gets tokens only where every earlier one is finished"""
    latter = v.but(decoding=False, prompt=v.latter_prompt, done=v.latter_done)
    return composed(
        (
            *deployment(v),
            *_two(v, world),
            *UNFINISHED.given(v, world),
            *passing(latter, world),
            _former_is_passed_first(v, world),
            looped(
                "who is passed first was passed", either(negate(v.former_first), v.former_passed)
            ),
            looped("the latter has its share", v.latter_share == v.share),
        ),
        IN_TURN.goal(v, world),
        (
            *_two_lemmas(v, world),
            serves_rad.at(world, mode=v.mode, decoding=False),
            wantOf.at(world, **same_node(v), left=v.asked),
            fillAmounts_sum.at(world, budget=v.remaining, want=v.wanted, rest=0).needed(
                "behind an unfinished prompt", both(v.unfinished, negate(v.mode))
            ),
        ),
    )


@composition(
    "a job stays",
    NODE | PAIR | numbers("former_share former_after latter_share latter_end"),
    name="one_part_filled.stays",
)
def order_stays(v: Names, world: World) -> Sequent:
    """two prompts that stay keep their order, and only the former is part-filled"""
    return composed(
        (
            *_two(v, world),
            *IN_TURN.given(v, world),
            equation(v, "former_after", loop.done, v.former_done, v.former_share, world),
            equation(v, "latter_end", loop.done, v.latter_done, v.latter_share, world),
            looped("stays", loop.stays(v.former_prompt, v.former_after, v.former_share, world)),
        ),
        STAND.goal(v.but(former_done=v.former_after, latter_done=v.latter_end), world),
    )


@composition(
    "a job is passed",
    NODE | LIST | POINT | JOB | PAIR | truths("behind"),
    name="one_part_filled.begun",
)
def order_is_kept(v: Names, world: World) -> Sequent:
    """a prompt that is passed after another is not part-filled"""
    former, latter = (_as_job(v, which) for which in ("former", "latter"))
    passed_second = either(v.behind, negate(loop.first_passed(former, latter, world)))
    return composed(
        (
            *_two(v, world),
            looped(
                "the job is one of the two", v.done == ite(v.behind, v.latter_done, v.former_done)
            ),
            looped("it stands behind the other, or is passed after it", passed_second),
        ),
        NOT_BEGUN.goal(v, world),
        _two_lemmas(v, world),
    )


NEXT = numbers("next_session next_arrive")


def _queue_of(v: Names) -> tuple[Fact, ...]:
    """The pending sessions, of which the latter is the first and `next` another."""
    rest = _earlier(v.latter_arrive, v.latter_session, v.next_arrive, v.next_session)
    return (
        looped("the pending stand in arrival order", rest),
        looped("a new prompt has nothing done", v.latter_done == 0),
    )


def _where(condition: Truth, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(attrs.evolve(part, when=both(part.when, condition)) for part in parts)


def _admitted(v: Names, world: World, end: Num) -> tuple[Part, ...]:
    """The two first pending sessions, and the rest of the queue, when `end` has come."""
    both_new = v.but(
        now=end,
        former_session=v.latter_session,
        former_arrive=v.latter_arrive,
        latter_session=v.next_session,
        latter_arrive=v.next_arrive,
    )
    return (
        *_where(v.latter_arrive <= end, HERE.goal(both_new, world)),
        *_where(v.next_arrive <= end, STAND.goal(both_new, world)),
        *_where(v.next_arrive > end, QUEUE.goal(both_new, world)),
    )


@composition("at time 0", NODE | LIST | NEXT | COUNTED, name="arrival_order.begins")
def arrivals_begin(v: Names, world: World) -> Sequent:
    """at time 0 no job is resident"""
    return composed((), QUEUE.goal(v.but(now=0, residents=0), world))


@composition(
    "an iteration",
    NODE | LIST | PAIR | NEXT | COUNTED | numbers("tokens end"),
    name="arrival_order",
)
def arrivals_iterate(v: Names, world: World) -> Sequent:
    """prompts that arrive during a batch join the end of the list, in order"""
    return composed(
        (
            *deployment(v),
            *BATCH.given(v, world),
            *HERE.given(v, world),
            *QUEUE.given(v.but(next_arrive=v.latter_arrive), world),
            looped("a job is resident", v.residents >= 1),
            *_queue_of(v),
            equation(v, "end", loop.end, v.now, v.tokens, world, node(v)),
        ),
        (
            *HERE.goal(v.but(now=v.end), world),
            *_where(v.latter_arrive <= v.end, STAND.goal(v, world)),
            *_admitted(v, world, v.end),
        ),
        (duration_pos.at(world, **same_node(v), tokens=v.tokens),),
    )


@composition(
    "an idle time", NODE | LIST | PAIR | NEXT | COUNTED | numbers("end"), name="arrival_order.idles"
)
def arrivals_idle(v: Names, world: World) -> Sequent:
    """prompts that arrive after an idle time join an empty list, in order"""
    return composed(
        (
            *_queue_of(v),
            looped("the next arrival is not before now", v.end >= v.now),
            looped("the time goes on to it", either(v.end == v.now, v.end == v.latter_arrive)),
        ),
        _admitted(v, world, v.end),
    )


CLAIMS = (arrivals_iterate, order_turns)
