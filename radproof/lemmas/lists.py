"""Whole job lists of a bounded length, for concrete tiles of 1..8 tokens.

The parametric lemmas are about one job and about sums; these are about every job of a list, so
what refutes them is a job list. A list has one job more than b_col, so that it can have more
decodes than a batch takes, or b_col decodes and a prompt that waits. A multiple of b_lcm is here
what the claim's `given` says, `%` included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, update_wrapper
from typing import TypeAlias

import attrs

from radproof.invariants import whole_share
from radproof.lemmas import scenes, unrolled
from radproof.lemmas.obligations import Lemma, Part, Sequent, World, lemma
from radproof.lemmas.symbols import fixed_node, node
from radproof.number import Num, Truth, both, either, negate
from radproof.readers.terms import Names

LIST_TILES = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (2, 2), (3, 2))
"""(b_col, b_lcm / b_col) of the bounded lemmas."""

LIST_BUDGET = 4_000_000


@attrs.frozen
class JobList:
    """The values of a bounded lemma: the places of the list, how many are occupied, the tile."""

    places: tuple[unrolled.JobPlace, ...]
    residents: Num
    deployment: Names

    def iteration(self, world: World) -> unrolled.Unrolled:
        """The iteration that starts from the list."""
        return unrolled.iteration(self.places, self.residents, world, self.deployment)

    def whose(self, job_ok: Callable[[unrolled.JobPlace], Truth]) -> tuple[Truth, ...]:
        """The list has a job, none has done more than its total, and `job_ok` is true of each."""
        facts = [
            fact
            for place in self.places
            for fact in (
                place.done >= 0,
                place.prompt >= 0,
                place.output >= 0,
                place.done <= place.total,
                either(negate(place.present), job_ok(place)),
            )
        ]
        return (self.residents >= 1, self.residents <= len(self.places), *facts)

    def in_r1(self, world: World) -> tuple[Truth, ...]:
        """The list under R1."""
        d = self.deployment
        return self.whose(lambda place: world.job_ok(place.left(world), place.decoding, d))


def size(b_col: int) -> int:
    """The places of a list for this tile: b_col decodes, and one job more."""
    return b_col + 1


def short(b_col: int) -> int:
    """The same, at most 4: the other jobs do not change what an iteration's end does to a job."""
    return min(b_col + 1, 4)


ListBuild: TypeAlias = Callable[[JobList, World], Sequent]
"""The builder of a bounded lemma, for a list at any of its tiles."""


def lemma_on_lists(
    places: Callable[[int], int],
    *,
    name: str = "",
    lean: str = "",
    watch: tuple[str, ...] = (),
    tiles: Iterable[tuple[int, int]] = LIST_TILES,
) -> Callable[[ListBuild], tuple[Lemma, ...]]:
    """Make a lemma for each tile, with `obligations.lemma`, from the builder below."""

    def made(build: ListBuild) -> tuple[Lemma, ...]:
        return tuple(at_tile(build, b_col, multiple) for b_col, multiple in tiles)

    def at_tile(build: ListBuild, b_col: int, multiple: int) -> Lemma:
        tile = f"{b_col}x{multiple}" if multiple > 1 else f"{b_col}"
        declared = lemma(
            f"bounded list of {places(b_col)}",
            unrolled.sorts(places(b_col)),
            name=f"{name or build.__name__}[{tile}]",
            lean=lean,
            scene=partial(scenes.job_list, node=fixed_node(b_col, multiple)),
            watch=watch,
            budget=LIST_BUDGET,
        )

        def at_values(v: Names, world: World) -> Sequent:
            d = node(Names(fixed_node(b_col, multiple)))
            return build(JobList(unrolled.places(v, places(b_col)), v.residents, d), world)

        return declared(update_wrapper(at_values, build))

    return made


@lemma_on_lists(size, lean="rad_start", watch=("optimal_tiling", "R5", "progress"))
def rad_start(jobs: JobList, world: World) -> Sequent:
    """a started iteration satisfies the claim; its batch keeps R"""
    d, one = jobs.deployment, jobs.iteration(world)
    entries = [
        either(share == 0, share == whole_share(place.decoding, d))
        for place, share in zip(jobs.places, one.shares, strict=True)
    ]
    demanded = (
        ()
        if world.tiling.given is None
        else (Part("every entry is b_lcm tokens, or one of a decode (R5)", both(*entries)),)
    )
    return Sequent(
        jobs.in_r1(world),
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


@lemma_on_lists(
    short,
    name="rad_handle.list",
    lean="rad_handle",
    watch=("R1", "work"),
)
def rad_handle_list(jobs: JobList, world: World) -> Sequent:
    """the end of an iteration keeps R for every job"""
    d, one = jobs.deployment, jobs.iteration(world)
    kept, fits = [], []
    for place, share, done in zip(jobs.places, one.shares, one.after, strict=True):
        left = world.rules.left(place.total, done)
        free = negate(place.present)
        fits.append(either(free, share <= place.left(world)))
        kept.append(either(free, left == place.left(world) - share))
        kept.append(either(free, place.done + place.left(world) == place.total))
        kept.append(either(free, place.decoding, world.tiled(left, d)))
    return Sequent(
        jobs.in_r1(world),
        (
            Part("every share is at most what is left", both(*fits)),
            Part("R1 of every job afterwards", both(*kept)),
        ),
    )


@lemma_on_lists(
    short,
    name="leap_share.list",
    watch=("repeats",),
    tiles=LIST_TILES[:4],
)
def leap_share_list(jobs: JobList, world: World) -> Sequent:
    """while nobody comes or goes and each share is covered, the batch repeats"""
    one = jobs.iteration(world)
    pairs = zip(jobs.places, one.after, strict=True)
    later = attrs.evolve(
        jobs, places=tuple(attrs.evolve(place, done=done) for place, done in pairs)
    )
    two = later.iteration(world)
    covers = [
        either(negate(share > 0), place.left(world) >= share)
        for place, share in zip(later.places, one.shares, strict=True)
    ]
    same = [a == b for a, b in zip(one.shares, two.shares, strict=True)]
    return Sequent(
        (*jobs.whose(lambda place: place.left(world) > 0), *covers),
        (Part("the next batch is the same batch", both(*same)),),
    )
