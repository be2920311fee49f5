"""One iteration over a list of a fixed number of places, as arithmetic.

`machine.step` and `RuleScheduler` loop and branch, which a solver cannot read; here the loop is
unrolled over places of which the first `residents` are occupied, from the equations of `loop`.
`tests/lemmas/test_unrolled.py` compares it with `machine.step` on
drawn job lists.
"""

from __future__ import annotations

import attrs

from radproof.lemmas import loop
from radproof.lemmas.obligations import NUMBER, World, numbers, truths
from radproof.model import Node
from radproof.number import Num, Truth, both, ite
from radproof.readers.terms import Names


@attrs.frozen
class JobPlace:
    """A place in the job list: whether a job occupies it, and that job's numbers, in tokens."""

    present: Truth
    decoding: Truth
    prompt: Num
    output: Num
    done: Num

    @property
    def total(self) -> Num:
        """The tokens of the present phase."""
        return loop.total(self.decoding, self.prompt, self.output)

    def left(self, world: World) -> Num:
        """The tokens left of the present phase."""
        left: Num = world.rules.left(self.total, self.done)
        return left


@attrs.frozen
class Unrolled:
    """What one iteration does to the places of a list."""

    places: tuple[JobPlace, ...]
    mode: Truth
    decoding: Num
    """The decodes in the list."""
    residents: Num
    shares: tuple[Num, ...]
    """What each place gets, in tokens."""
    after: tuple[Num, ...]
    """What each place has done of its phase after the iteration, in tokens."""

    @property
    def tokens(self) -> Num:
        """The tokens of the batch."""
        return sum(self.shares)

    @property
    def decoders(self) -> Num:
        """The decodes in the batch."""
        pairs = zip(self.places, self.shares, strict=True)
        return sum(ite(both(share > 0, place.decoding), 1, 0) for place, share in pairs)

    @property
    def record(self) -> Names:
        """The iteration's record: the numbers that follow from the list."""
        return Names(
            {
                "tokens": self.tokens,
                "prefilled": self.tokens - self.decoders,
                "decoders": self.decoders,
                "decoding": self.decoding,
                "residents": self.residents,
            }
        )


def sorts(size: int) -> dict[str, type]:
    """The variables of a list with `size` places."""
    found: dict[str, type] = {"residents": NUMBER}
    for i in range(size):
        found |= truths(f"decoding_{i}") | numbers(f"prompt_{i} output_{i} done_{i}")
    return found


def places(v: Names, size: int) -> tuple[JobPlace, ...]:
    """The places of the values of `sorts(size)`."""
    fields = ("decoding", "prompt", "output", "done")
    return tuple(
        JobPlace(v.residents > i, *(getattr(v, f"{field}_{i}") for field in fields))
        for i in range(size)
    )


def iteration(row: tuple[JobPlace, ...], residents: Num, world: World, d: Node) -> Unrolled:
    """What `RuleScheduler` and the end of the iteration do to these places."""
    decodes = sum(ite(both(place.present, place.decoding), 1, 0) for place in row)
    mode = loop.mode(decodes, residents, world, d)
    remaining = loop.limit(mode, world, d)
    filling: Truth = True
    shares = []
    for place in row:
        served = both(place.present, loop.served(mode, place.decoding, world))
        asked = loop.asked(place.decoding, place.prompt, place.done, world)
        offer = loop.offer(loop.wanted(place.decoding, asked, world, d), remaining, world)
        share = loop.share(filling, served, offer)
        filling = loop.filling(filling, served, offer)
        shares.append(share)
        remaining = remaining - share
    after = tuple(
        loop.done(place.done, share, world) for place, share in zip(row, shares, strict=True)
    )
    return Unrolled(row, mode, decodes, residents, tuple(shares), after)
