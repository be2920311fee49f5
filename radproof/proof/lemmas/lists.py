"""Whole job lists of a bounded length, for concrete tiles of 1..8 tokens.

The parametric lemmas speak of one job and of sums; these speak of every job of a list, so what
refutes them is a job list. Lengths go one beyond b_col, so that more decodes than a batch takes,
and as many with a prompt waiting, can be reached. Here a multiple is what the claim's `given`
says, `%` included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from radproof.number import both, either, negate
from radproof.proof import scenes
from radproof.proof.lemmas import unrolled
from radproof.proof.obligations import Lemma, Part, Sequent, World
from radproof.proof.symbols import fixed_node, node
from radproof.readers.terms import Names

TILES = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (2, 2), (3, 2))
"""(b_col, b_lcm / b_col) of the bounded lemmas."""

BUDGET = 4_000_000


def size(b_col: int) -> int:
    """The places of a list for this tile: b_col decodes, and one job more."""
    return b_col + 1


def short(b_col: int) -> int:
    """The same, at most 4: what an iteration's end does to a job, others do not change."""
    return min(b_col + 1, 4)


def invariant(place: unrolled.Place, world: World, d: Any) -> tuple[Any, ...]:
    """R1 of one place: something is left, and of a prefill a multiple of the tile."""
    left = place.left(world)
    tiled = world.tiled(left, d)
    return (
        place.done >= 0,
        place.prompt >= 0,
        place.output >= 0,
        place.done <= place.total,
        either(negate(place.present), left > 0),
        either(negate(both(place.present, negate(place.decoding))), tiled),
    )


def _list(v: Any, b_col: int, tiles: int, places: int) -> tuple[Any, tuple[unrolled.Place, ...]]:
    return node(Names(fixed_node(b_col, tiles))), unrolled.places(v, places)


def _assumed(v: Any, row: tuple[unrolled.Place, ...], world: World, d: Any) -> tuple[Any, ...]:
    listed = [fact for place in row for fact in invariant(place, world, d)]
    return (v.residents >= 1, v.residents <= len(row), *listed)


def _start(v: Any, world: World, b_col: int, tiles: int) -> Sequent:
    d, row = _list(v, b_col, tiles, size(b_col))
    one = unrolled.iteration(row, v.residents, world, d)
    entries = [
        either(
            share == 0,
            both(place.decoding, share == 1),
            both(negate(place.decoding), share == d.b_lcm),
        )
        for place, share in zip(row, one.shares, strict=True)
    ]
    demanded = (
        ()
        if world.tiling.given is None
        else (Part("every entry is b_lcm tokens, or one of a decode (R5)", both(*entries)),)
    )
    return Sequent(
        _assumed(v, row, world, d),
        (
            Part("optimal_tiling", world.tiling.holds(_full(one), d)),
            *demanded,
            Part("the batch has a token or more", one.tokens >= 1),
        ),
    )


def _full(one: unrolled.Unrolled) -> Names:
    fields = one.record
    names = ("tokens", "prefilled", "decoders", "decoding", "residents")
    clock = dict.fromkeys(("start", "end", "served", "demand"), 0)
    return Names({name: getattr(fields, name) for name in names} | clock)


def _end(v: Any, world: World, b_col: int, tiles: int) -> Sequent:
    d, row = _list(v, b_col, tiles, short(b_col))
    one = unrolled.iteration(row, v.residents, world, d)
    kept, fits = [], []
    for place, share, done in zip(row, one.shares, one.after, strict=True):
        left = world.rules.left(place.total, done)
        free = negate(place.present)
        fits.append(either(free, share <= place.left(world)))
        kept.append(either(free, left == place.left(world) - share))
        kept.append(either(free, place.done + place.left(world) == place.total))
        kept.append(either(free, place.decoding, world.tiled(left, d)))
    return Sequent(
        _assumed(v, row, world, d),
        (
            Part("nobody is given more than is left", both(*fits)),
            Part("R1 of every job afterwards", both(*kept)),
        ),
    )


def _again(v: Any, world: World, b_col: int, tiles: int) -> Sequent:
    d, row = _list(v, b_col, tiles, short(b_col))
    one = unrolled.iteration(row, v.residents, world, d)
    pairs = list(zip(row, one.after, strict=True))
    later = tuple(attrs.evolve(place, done=done) for place, done in pairs)
    two = unrolled.iteration(later, v.residents, world, d)
    natural = [fact for place in row for fact in invariant(place, world, d)[:-1]]
    covers = [
        either(negate(share > 0), place.left(world) >= share)
        for place, share in zip(later, one.shares, strict=True)
    ]
    same = [a == b for a, b in zip(one.shares, two.shares, strict=True)]
    return Sequent(
        (v.residents >= 1, v.residents <= len(row), *natural, *covers),
        (Part("the next batch is the same batch", both(*same)),),
    )


def _lists(
    name: str,
    lean: str,
    statement: str,
    build: Callable[..., Sequent],
    places: Callable[[int], int],
    depends_on: tuple[str, ...],
    watch: tuple[str, ...],
) -> list[Lemma]:
    return [
        Lemma(
            f"{name}[{b_col}x{tiles}]" if tiles > 1 else f"{name}[{b_col}]",
            lean,
            statement,
            f"bounded list of {places(b_col)}",
            unrolled.sorts(places(b_col)),
            partial(build, b_col=b_col, tiles=tiles),
            depends_on,
            scene=partial(scenes.job_list, node=fixed_node(b_col, tiles)),
            watch=watch,
            budget=BUDGET,
        )
        for b_col, tiles in TILES
    ]


LEMMAS = (
    *_lists(
        "rad_start",
        "rad_start",
        "a started iteration satisfies the claim; its batch keeps R",
        _start,
        size,
        ("rad_batch",),
        ("optimal_tiling", "R5", "progress"),
    ),
    *_lists(
        "rad_handle.list",
        "rad_handle",
        "the end of an iteration keeps R for every job",
        _end,
        short,
        ("rad_handle",),
        ("R1", "work"),
    ),
    *_lists(
        "leap_share.list",
        "",
        "while nobody comes or goes and each share is covered, the batch repeats",
        _again,
        short,
        ("leap_share",),
        ("repeats",),
    )[:4],
)
