"""token_rate: the compositions of its induction over the path."""

from __future__ import annotations

from radproof.lemmas import loop
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
from radproof.lemmas.obligations import Part, Sequent, World, numbers
from radproof.lemmas.rate import (
    rate_idle,
    rate_initial,
    served_rate,
    startIteration_inv,
    step_inv_wait,
)
from radproof.lemmas.symbols import NODE, node
from radproof.lemmas.tiling import batch_fits
from radproof.readers.terms import Names


def _rate(v: Names, world: World) -> tuple[Part, ...]:
    kept = world.keeps_rate(v.served_before, v.now, node(v))
    return (Part("token_rate at this instant", kept),)


RATE = Invariant("rate", STATE, _rate)


def record(v: Names) -> Names:
    """The record of the batch, as `machine.start` makes it."""
    return Names(
        {
            "start": v.now,
            "end": v.end,
            "served": v.served_before,
            "tokens": v.tokens,
            "prefilled": v.tokens - v.decoders,
            "decoders": v.decoders,
            "decoding": v.decodes,
            "residents": v.residents,
            "demand": v.demand,
        }
    )


@composition("at time 0", NODE | COUNTED, name="token_rate.begins")
def rate_begins(v: Names, world: World) -> Sequent:
    """token_rate at time 0"""
    return composed(
        deployment(v),
        RATE.goal(v.but(now=0, served_before=0), world),
        (rate_initial.at(world, **same_node(v)),),
    )


@composition("an idle time", NODE | COUNTED | numbers("wait served_later"), name="token_rate.idles")
def rate_idles(v: Names, world: World) -> Sequent:
    """an idle time keeps token_rate"""
    at = same_node(v) | {"served": v.served_before, "now": v.now, "wait": v.wait}
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v, world),
            *RATE.given(v, world),
            looped("the next arrival is not before now", v.wait >= 0),
            equation(v, "served_later", loop.served_tokens, v.served_before, 0, world),
        ),
        RATE.goal(v.but(now=v.now + v.wait, served_before=v.served_later), world),
        (rate_idle.at(world, **at), step_inv_wait.at(world, **at)),
    )


@composition(
    "an iteration",
    NODE | LIST | COUNTED | numbers("tokens decoders end served_later demand"),
    name="token_rate.iteration",
)
def rate_iterates(v: Names, world: World) -> Sequent:
    """a batch starts with token_rate, and ends with it"""
    d, kept = node(v), record(v)
    return composed(
        (
            *deployment(v),
            *CLOCK.given(v, world),
            *RATE.given(v, world),
            *BATCH.given(v, world),
            equation(v, "limit", loop.limit, v.mode, world, d),
            equation(v, "end", loop.end, v.now, v.tokens, world, d),
            equation(v, "served_later", loop.served_tokens, v.served_before, v.tokens, world),
        ),
        (
            Part(f"{world.rate.name} at every iteration", world.rate.holds(kept, d)),
            *RATE.goal(v.but(now=v.end, served_before=v.served_later), world),
        ),
        (
            batch_fits.at(world, **same_node(v), mode=v.mode),
            startIteration_inv.at(
                world,
                **same_node(v),
                served=v.served_before,
                now=v.now,
                tokens=v.tokens,
                attention=0,
            ),
            served_rate.at(
                world,
                **same_node(v),
                **{name: getattr(kept, name) for name in served_rate.sorts if name not in NODE},
            ),
        ),
    )


CLAIMS = (rate_iterates,)
