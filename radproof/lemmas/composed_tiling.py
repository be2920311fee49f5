"""optimal_tiling: the compositions of its induction over the path and the job list."""

from __future__ import annotations

from radproof.invariants import whole_share
from radproof.lemmas import loop
from radproof.lemmas.composed_rate import record
from radproof.lemmas.composed_run import (
    ENTRY,
    FILLED,
    JOB,
    LIST,
    POINT,
    SERVED,
    WORK,
    called,
    natural_output,
    natural_prompt,
    passed,
    passing,
    prompt_lemmas,
    same_node,
    unfilled,
    whole_list,
)
from radproof.lemmas.composition import (
    FILL,
    PASSED,
    RESIDENT,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.jobs import rad_exec, rad_handle, rad_initial
from radproof.lemmas.obligations import Fact, Part, Sequent, Source, Use, World, numbers
from radproof.lemmas.symbols import NODE, node
from radproof.lemmas.tiling import batch_fits, multiple, rad_batch
from radproof.number import Num, both, either, floor_div, ite, negate
from radproof.readers.terms import Names


def _whole(v: Names, world: World) -> tuple[Part, ...]:
    left = world.rules.left(v.prompt, v.done)
    whole = both(multiple(left, node(v).b_lcm, v.k, world), v.k >= 1)
    return (Part("what is left of a prompt is whole tiles", whole, when=negate(v.decoding)),)


def _first(v: Names, world: World) -> tuple[Part, ...]:
    whole = both(multiple(v.first, node(v).b_lcm, v.first_k, world), v.first_k >= 1)
    return (
        Part("what is left of the first prompt is whole tiles", whole),
        Part(
            "it takes the whole budget",
            v.remaining == 0,
            when=both(negate(v.mode), v.waiting >= 1),
        ),
    )


def _share(v: Names, world: World) -> tuple[Part, ...]:
    whole = either(v.share == 0, v.share == whole_share(v.decoding, node(v)))
    return (Part("an entry is b_lcm tokens, or one of a decode (R5)", whole),)


WHOLE = Invariant("whole tiles", RESIDENT, _whole)
FIRST_WHOLE = Invariant("first of whole tiles", FILL, _first)
SHARE_WHOLE = Invariant("share of a whole tile", PASSED, _share)


def the_batch(v: Names, world: World, left: Num, k: Num, rest: Num) -> Use:
    """`rad_batch` of this list, where `left` of its first prompt is left."""
    return rad_batch.at(
        world,
        **same_node(v),
        decodes=v.decodes,
        residents=v.residents,
        left=left,
        k=k,
        rest=rest,
        start=v.now,
        end=v.end,
        served=v.served_before,
        demand=v.demand,
    )


def assumption_3(v: Names, world: World) -> tuple[Fact, ...]:
    """The tiling claim's hypothesis about a session, where it has one."""
    if world.tiling.given is None:
        return ()
    tiled = world.tiled(v.prompt, node(v), v.output, v.arrive)
    return (Fact(Source.PREMISE, "Assumption 3 (every prompt is a multiple of b_lcm)", tiled),)


RECORDED = numbers("now end served_before demand")


@composition("before the first job", NODE | LIST | POINT, name="optimal_tiling.fill.begins")
def tiling_begins(v: Names, world: World) -> Sequent:
    """before its first job a fill supposes a first prompt of one tile"""
    return composed((), FIRST_WHOLE.goal(unfilled(v), world))


@composition(
    "a job is passed", NODE | LIST | POINT | JOB | SERVED | RECORDED, name="optimal_tiling.fill"
)
def tiling_passes(v: Names, world: World) -> Sequent:
    """an entry is a whole tile, or one token of a decode"""
    counts = (
        looped("the job is one of the list", v.decodes >= v.seen + ite(v.decoding, 1, 0)),
        looped(
            "and so are those before it",
            v.residents - v.decodes >= v.waiting + ite(v.decoding, 0, 1),
        ),
    )
    opens = both(negate(v.decoding), v.waiting == 0, negate(v.mode))
    return composed(
        (
            *deployment(v),
            *WORK.given(v, world),
            *WHOLE.given(v, world),
            *ENTRY.given(v, world),
            *FILLED.given(v, world),
            *FIRST_WHOLE.given(v, world),
            *called(v, world),
            *counts,
            *passing(v, world),
        ),
        (*FIRST_WHOLE.goal(passed(v), world), *SHARE_WHOLE.goal(v, world)),
        (
            *prompt_lemmas(v, world),
            batch_fits.at(world, **same_node(v), mode=v.mode),
            the_batch(v, world, v.asked, v.k, 0).needed("the first prompt", opens),
        ),
    )


@composition("an iteration", NODE | LIST | POINT | RECORDED, name="optimal_tiling.iteration")
def tiling_iterates(v: Names, world: World) -> Sequent:
    """a batch fills its tile, or every resident decodes"""
    claim = world.tiling
    return composed(
        (
            *deployment(v),
            *FILLED.given(v, world),
            *FIRST_WHOLE.given(v, world),
            *called(v, world),
            *whole_list(v),
        ),
        (Part(f"{claim.name} at every iteration", claim.holds(record(v), node(v))),),
        (the_batch(v, world, v.first, v.first_k, v.rest),),
    )


@composition("a job stays", NODE | JOB | numbers("share after total"), name="optimal_tiling.stays")
def whole_stays(v: Names, world: World) -> Sequent:
    """a prompt that stays has whole tiles left (R1)"""
    later = v.but(done=v.after, k=v.k - ite(v.share == 0, 0, 1))
    return composed(
        (
            *deployment(v),
            natural_prompt(v),
            natural_output(v),
            *WORK.given(v, world),
            *WHOLE.given(v, world),
            *ENTRY.given(v, world),
            *SHARE_WHOLE.given(v, world),
            equation(v, "total", loop.total, v.decoding, v.prompt, v.output),
            equation(v, "after", loop.done, v.done, v.share, world),
            looped("stays", loop.stays(v.total, v.after, v.share, world)),
        ),
        WHOLE.goal(later, world),
        (
            rad_handle.at(
                world,
                **same_node(v),
                **{n: getattr(v, n) for n in rad_handle.sorts if n not in NODE},
            ).needed("a prompt", negate(v.decoding)),
        ),
    )


@composition("a prompt rejoins as a decode", NODE | JOB, name="optimal_tiling.rejoins")
def whole_rejoins(v: Names, world: World) -> Sequent:
    """a decode is not asked for whole tiles"""
    return composed((), WHOLE.goal(v.but(decoding=True, done=0), world))


@composition("a session arrives", NODE | JOB | numbers("arrive"), name="optimal_tiling.arrives")
def whole_arrives(v: Names, world: World) -> Sequent:
    """a session that arrives has whole tiles left (R3)"""
    d = node(v)
    return composed(
        (
            *deployment(v),
            natural_prompt(v),
            natural_output(v),
            *assumption_3(v, world),
            looped("it has a prompt, or none and an output", either(v.decoding, v.prompt > 0)),
        ),
        WHOLE.goal(v.but(done=0, k=floor_div(v.prompt, d.b_lcm)), world),
        (
            rad_initial.at(
                world,
                **same_node(v),
                b_lcm=d.b_lcm,
                prompt=v.prompt,
                output=v.output,
                arrive=v.arrive,
            ),
            rad_exec.at(world, prompt=v.prompt, output=v.output),
        ),
    )


CLAIMS = (tiling_iterates,)
