"""The clock's identity: the compositions of its induction over the path."""

from __future__ import annotations

from radproof import invariants
from radproof.lemmas import loop
from radproof.lemmas.bounds import clock_identity
from radproof.lemmas.composed_run import (
    BATCH,
    CLOCK,
    COUNTED,
    LIST,
    same_node,
)
from radproof.lemmas.composition import (
    STATE,
    Invariant,
    composed,
    composition,
    deployment,
    equation,
    looped,
)
from radproof.lemmas.obligations import Fact, Part, Sequent, Source, World, numbers
from radproof.lemmas.rate import rate_idle
from radproof.lemmas.symbols import NODE, divisor, node
from radproof.number import ceil_div
from radproof.readers.terms import Names


def _clocked(v: Names, world: World) -> tuple[Part, ...]:
    kept = invariants.clock_identity(v.now, v.idle, v.served_before, v.waste, node(v))
    return (Part("t = idle + tau S + (t_lin / b_col) waste", kept),)


CLOCKED = Invariant("clocked", STATE, _clocked, claimed=True)

ELAPSED = numbers("idle waste")


@composition("at time 0", NODE | COUNTED | ELAPSED, name="clock.begins")
def clock_begins(v: Names, world: World) -> Sequent:
    """at time 0 nothing is idle, served or wasted"""
    nothing = v.but(now=0, served_before=0, idle=0, waste=0)
    return composed((), CLOCKED.goal(nothing, world))


@composition(
    "an idle time", NODE | COUNTED | ELAPSED | numbers("wait served_later"), name="clock.idles"
)
def clock_idles(v: Names, world: World) -> Sequent:
    """an idle time keeps the clock's identity"""
    later = v.but(now=v.now + v.wait, idle=v.idle + v.wait, served_before=v.served_later)
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v, world),
            *CLOCKED.given(v, world),
            looped("the next arrival is not before now", v.wait >= 0),
            equation(v, "served_later", loop.served_tokens, v.served_before, 0, world),
        ),
        CLOCKED.goal(later, world),
        (rate_idle.at(world, **same_node(v), served=v.served_before, now=v.now, wait=v.wait),),
    )


@composition(
    "an iteration",
    NODE | LIST | COUNTED | ELAPSED | numbers("tokens end served_later"),
    name="clock.iteration",
)
def clock_iterates(v: Names, world: World) -> Sequent:
    """a batch keeps the clock's identity"""
    wasted = v.waste + v.b_col * ceil_div(v.tokens, divisor(v.b_col)) - v.tokens
    later = v.but(now=v.end, served_before=v.served_later, waste=wasted)
    return composed(
        (
            *deployment(v),
            Fact(Source.PREMISE, "t_lin + t_nl >= 1", v.t_lin + v.t_nl >= 1),
            *CLOCKED.given(v, world),
            *BATCH.given(v, world),
            equation(v, "end", loop.end, v.now, v.tokens, world, node(v)),
            equation(v, "served_later", loop.served_tokens, v.served_before, v.tokens, world),
        ),
        CLOCKED.goal(later, world),
        (
            clock_identity.at(
                world,
                **same_node(v),
                tokens=v.tokens,
                now=v.now,
                served=v.served_before,
                waste=v.waste,
                idle=v.idle,
            ),
        ),
    )


CLAIMS = (clock_iterates,)
