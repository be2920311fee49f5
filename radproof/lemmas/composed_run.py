"""The run: no batch is refused or empty, and every job has work left. Every theorem rests on it."""

from __future__ import annotations

from radproof.lemmas import loop
from radproof.lemmas.bounds import progress
from radproof.lemmas.composition import (
    EACH_BATCH,
    FILL,
    PASSED,
    RESIDENT,
    STATE,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.fill import fillAmounts_sum
from radproof.lemmas.jobs import handle_done, handle_work, rad_exec
from radproof.lemmas.obligations import Fact, Part, Sequent, Source, Use, World, numbers, truths
from radproof.lemmas.rate import rate_idle, rate_natural
from radproof.lemmas.symbols import NODE, node
from radproof.lemmas.tiling import budget_natural, serves_rad, wantOf, wantOf_decode
from radproof.number import Num, both, either, ite, minimum, negate
from radproof.readers.terms import Names

# what the compositions speak of

LIST = truths("mode") | numbers("decodes residents limit")
"""A job list: its mode, its counts and its budget."""

POINT = truths("filling") | numbers("remaining tokens decoders seen waiting first first_k rest")
"""A point of the fill: what it has handed out, and the decodes and the prompts that it has passed.

`first` is what is left of the first prompt that it passed (until then, any positive multiple of
b_lcm, say b_lcm), `first_k` that in b_lcm, `rest` what the later prompts want.
"""

JOB = truths("decoding") | numbers("prompt output done k")
"""A job; where it is a prefill of whole tiles, `k` of them are left."""

SERVED = truths("served") | numbers("asked wanted offer share")
"""What the fill makes of a job."""


def same_node(v: Names) -> dict[str, Num]:
    """The deployment's variables, for an instance of a lemma."""
    return {name: getattr(v, name) for name in NODE}


def called(v: Names, world: World) -> tuple[Fact, ...]:
    """How the scheduler's call begins."""
    d = node(v)
    return (
        equation(v, "mode", loop.mode, v.decodes, v.residents, world, d),
        equation(v, "limit", loop.limit, v.mode, world, d),
    )


def whole_list(v: Names) -> tuple[Fact, ...]:
    """The fill after the last job of a list with a job."""
    return (
        looped("every decode was passed", v.decodes == v.seen),
        looped("every prompt was passed", v.residents == v.seen + v.waiting),
        looped("a job is resident", v.residents >= 1),
    )


def passing(v: Names, world: World) -> tuple[Fact, ...]:
    """What the scheduler's loop does with one job."""
    d = node(v)
    return (
        equation(v, "served", loop.served, v.mode, v.decoding, world),
        equation(v, "asked", loop.asked, v.decoding, v.prompt, v.done, world),
        equation(v, "wanted", loop.wanted, v.decoding, v.asked, world, d),
        equation(v, "offer", loop.offer, v.wanted, v.remaining, world),
        equation(v, "share", loop.share, v.filling, v.served, v.offer),
    )


def passed(v: Names) -> Names:
    """The point of the fill after the job."""
    one, opens = ite(v.decoding, 1, 0), both(negate(v.decoding), v.waiting == 0)
    return v.but(
        filling=loop.filling(v.filling, v.served, v.offer),
        remaining=v.remaining - v.share,
        tokens=v.tokens + v.share,
        decoders=v.decoders + ite(both(v.decoding, v.share > 0), 1, 0),
        seen=v.seen + one,
        waiting=v.waiting + 1 - one,
        first=ite(opens, v.asked, v.first),
        first_k=ite(opens, v.k, v.first_k),
        rest=v.rest + ite(either(v.decoding, v.waiting == 0), 0, v.wanted),
    )


def unfilled(v: Names) -> Names:
    """The point of the fill before the first job."""
    begun = v.but(filling=True, remaining=v.limit, first=node(v).b_lcm, first_k=1)
    return begun.but(**dict.fromkeys(("tokens", "decoders", "seen", "waiting", "rest"), 0))


def prompt_lemmas(v: Names, world: World) -> tuple[Use, ...]:
    """What the lemmas say of one prompt of the fill."""
    case = "a prompt", negate(v.decoding)
    return (
        serves_rad.at(world, mode=v.mode, decoding=v.decoding),
        wantOf.at(world, **same_node(v), left=v.asked).needed(*case),
        fillAmounts_sum.at(world, budget=v.remaining, want=v.wanted, rest=0).needed(*case),
    )


def share_lemmas(v: Names, world: World) -> tuple[Use, ...]:
    """What the lemmas say of the want and the share of any job of the fill."""
    d = same_node(v)
    return (
        wantOf.at(world, **d, left=v.asked).needed("a prompt", negate(v.decoding)),
        wantOf_decode.at(world, **d, prompt=v.prompt).needed("a decode", v.decoding),
        fillAmounts_sum.at(world, budget=v.remaining, want=v.wanted, rest=0),
    )


def natural_prompt(v: Names) -> Fact:
    """A session's prompt is a number of tokens."""
    return Fact(Source.PATH, "the prompt is natural", v.prompt >= 0)


def natural_output(v: Names) -> Fact:
    """A session's output is a number of tokens."""
    return Fact(Source.PATH, "the output is natural", v.output >= 0)


# the invariants


def _clock(v: Names, world: World) -> tuple[Part, ...]:
    return (
        Part("the time is natural", v.now >= 0),
        Part("the tokens served are natural", v.served_before >= 0),
    )


def _resident(v: Names, world: World) -> tuple[Part, ...]:
    total = loop.total(v.decoding, v.prompt, v.output)
    return (
        Part("what is done is natural", v.done >= 0),
        Part("what is done is no more than the whole", v.done <= total),
        Part("something is left", world.rules.left(total, v.done) >= 1),
    )


def _owner(v: Names, world: World) -> tuple[Part, ...]:
    return (Part("its session was admitted", both(v.rank >= 0, v.rank < v.admitted)),)


def _fill(v: Names, world: World) -> tuple[Part, ...]:
    head = world.rules.take(world.rules.want(False, v.first, node(v)), v.limit)
    prompts = head + minimum(v.limit - head, v.rest)
    filled = negate(v.mode)
    return (
        Part("what remains is what is not handed out", v.remaining == v.limit - v.tokens),
        Part("what remains is natural", v.remaining >= 0),
        Part("what is handed out is natural", v.tokens >= 0),
        Part("it goes on, or nothing remains", either(v.filling, v.remaining == 0)),
        Part("what it passed is natural", both(v.seen >= 0, v.waiting >= 0)),
        Part(
            "each decode has a token, while there are any",
            v.tokens == minimum(v.limit, v.seen),
            when=v.mode,
        ),
        Part("every token is a decode's", v.decoders == v.tokens, when=v.mode),
        Part("no decode has a token", v.decoders == 0, when=filled),
        Part("no prompt, no token", v.tokens == 0, when=both(filled, v.waiting == 0)),
        Part(
            "the first prompt has its share, and the later ones what they want of the rest",
            v.tokens == prompts,
            when=both(filled, v.waiting >= 1),
        ),
        Part(
            "the first prompt's share is within the budget",
            head <= v.limit,
            when=both(filled, v.waiting >= 1),
        ),
        Part("something is left of the first prompt", v.first >= 1),
        Part("what the later prompts want is natural", v.rest >= 0),
        Part("it is nothing without a later prompt", either(v.rest == 0, v.waiting >= 2)),
    )


def _entry(v: Names, world: World) -> tuple[Part, ...]:
    return (
        Part("a share is natural", v.share >= 0),
        Part("a decode's share is one token or none", v.share <= 1, when=v.decoding),
        Part(
            "a prompt's share is no more than is left",
            v.share <= world.rules.left(v.prompt, v.done),
            when=negate(v.decoding),
        ),
    )


def _batch(v: Names, world: World) -> tuple[Part, ...]:
    return (
        Part("a batch has a token or more", v.tokens >= 1),
        Part("a batch has no more than its budget", v.tokens <= v.limit),
    )


CLOCK = Invariant("clock", STATE, _clock)
WORK = Invariant("work", RESIDENT, _resident)
OWNER = Invariant("owner", RESIDENT, _owner)
FILLED = Invariant("fill", FILL, _fill)
ENTRY = Invariant("entry", PASSED, _entry)
BATCH = Invariant("batch", EACH_BATCH, _batch, claimed=True)

COUNTED = numbers("now served_before")

OWNED = numbers("rank admitted")
"""A job's session, by its place among the arrivals, and how many sessions were admitted."""


# the compositions


@composition("at time 0", COUNTED, name="run.begins")
def run_begins(v: Names, world: World) -> Sequent:
    """at time 0 the clock is natural"""
    start = v.but(now=0, served_before=0)
    return composed((), CLOCK.goal(start, world))


@composition("an idle time", NODE | COUNTED | numbers("wait served_later"), name="run.idles")
def run_idles(v: Names, world: World) -> Sequent:
    """an idle time keeps the clock natural"""
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v, world),
            looped("the next arrival is not before now", v.wait >= 0),
            equation(v, "served_later", loop.served_tokens, v.served_before, 0, world),
        ),
        CLOCK.goal(v.but(now=v.now + v.wait, served_before=v.served_later), world),
        (rate_idle.at(world, **same_node(v), served=v.served_before, now=v.now, wait=v.wait),),
    )


@composition("before the first job", NODE | LIST | POINT, name="run.fill.begins")
def fill_begins(v: Names, world: World) -> Sequent:
    """before its first job a fill has its whole budget"""
    return composed(
        (*deployment(v), equation(v, "limit", loop.limit, v.mode, world, node(v))),
        FILLED.goal(unfilled(v), world),
        (budget_natural.at(world, **same_node(v), mode=v.mode),),
    )


@composition("a job is passed", NODE | LIST | POINT | JOB | SERVED, name="run.fill")
def fill_passes(v: Names, world: World) -> Sequent:
    """the fill passes a job, and the machine accepts what it gives"""
    accepted = ite(v.decoding, v.share == 1, v.share <= v.prompt - v.done)
    return composed(
        (
            *deployment(v),
            natural_prompt(v),
            *WORK.given(v, world),
            *FILLED.given(v, world),
            *passing(v, world),
        ),
        (
            *FILLED.goal(passed(v), world),
            *ENTRY.goal(v, world),
            Part("the machine accepts every batch", accepted, when=v.share > 0),
        ),
        (
            serves_rad.at(world, mode=v.mode, decoding=v.decoding),
            *share_lemmas(v, world),
            handle_work.at(world, total=v.prompt, done=v.done, share=1).needed(
                "a prompt", negate(v.decoding)
            ),
        ),
    )


@composition(
    "an iteration", NODE | LIST | COUNTED | numbers("tokens end served_later"), name="run.clock"
)
def run_goes_on(v: Names, world: World) -> Sequent:
    """the end of a batch keeps the clock natural"""
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v, world),
            *BATCH.given(v, world),
            equation(v, "end", loop.end, v.now, v.tokens, world, node(v)),
            equation(v, "served_later", loop.served_tokens, v.served_before, v.tokens, world),
        ),
        CLOCK.goal(v.but(now=v.end, served_before=v.served_later), world),
        (
            rate_natural.at(
                world, **same_node(v), served=v.served_before, now=v.now, tokens=v.tokens
            ),
        ),
    )


@composition("an iteration", NODE | LIST | POINT, name="run.batch")
def run_iterates(v: Names, world: World) -> Sequent:
    """a batch has a token or more, and no more than its budget"""
    return composed(
        (*deployment(v), *FILLED.given(v, world), *called(v, world), *whole_list(v)),
        BATCH.goal(v, world),
        (
            progress.at(
                world, **same_node(v), decodes=v.decodes, residents=v.residents, left=v.first
            ),
        ),
    )


def _admitting(v: Names, world: World) -> tuple[Fact, ...]:
    """A resident's session, and that the event admits some sessions or none."""
    return (*OWNER.given(v, world), looped("it may admit sessions", v.admits >= 0))


@composition("a job stays", JOB | OWNED | numbers("share after total admits"), name="run.stays")
def job_stays(v: Names, world: World) -> Sequent:
    """a job that stays has work left"""
    needed = "it has a share", v.share > 0
    return composed(
        (
            *WORK.given(v, world),
            *ENTRY.given(v, world),
            *_admitting(v, world),
            equation(v, "total", loop.total, v.decoding, v.prompt, v.output),
            equation(v, "after", loop.done, v.done, v.share, world),
            looped("stays", loop.stays(v.total, v.after, v.share, world)),
        ),
        (
            *WORK.goal(v.but(done=v.after), world),
            *OWNER.goal(v.but(admitted=v.admitted + v.admits), world),
        ),
        (
            handle_work.at(world, total=v.total, done=v.done, share=v.share).needed(*needed),
            handle_done.at(world, total=v.total, done=v.done, share=v.share).needed(*needed),
        ),
    )


@composition("a prompt rejoins as a decode", JOB | OWNED | numbers("admits"), name="run.rejoins")
def job_rejoins(v: Names, world: World) -> Sequent:
    """a prompt that rejoins as a decode has work left"""
    return composed(
        (
            natural_prompt(v),
            *_admitting(v, world),
            looped("it has an output", v.output > 0),
        ),
        (
            *WORK.goal(v.but(decoding=True, done=0), world),
            *OWNER.goal(v.but(admitted=v.admitted + v.admits), world),
        ),
        (rad_exec.at(world, prompt=v.prompt, output=v.output),),
    )


@composition(
    "a session arrives", JOB | OWNED | numbers("new"), name="run.arrives", lean="rad_settle"
)
def job_arrives(v: Names, world: World) -> Sequent:
    """a session that arrives has work left"""
    begins = ite(v.decoding, both(v.prompt == 0, v.output > 0), v.prompt > 0)
    return composed(
        (
            natural_output(v),
            looped("none or some were admitted before it", v.admitted >= 0),
            looped("sessions are admitted in turn", v.new == v.admitted),
            looped("it has a prompt, or none and an output", begins),
        ),
        (
            *WORK.goal(v.but(done=0), world),
            *OWNER.goal(v.but(rank=v.new, admitted=v.admitted + 1), world),
        ),
        (rad_exec.at(world, prompt=v.prompt, output=v.output),),
    )


@composition("a session arrives", OWNED | numbers("new"), name="run.one_job")
def one_job(v: Names, world: World) -> Sequent:
    """a session that arrives has no job yet"""
    return composed(
        (
            *OWNER.given(v, world),
            looped("sessions are admitted in turn", v.new == v.admitted),
        ),
        (Part("no session has two jobs", v.new != v.rank),),
    )


CLAIMS = (fill_passes, run_iterates, one_job)
