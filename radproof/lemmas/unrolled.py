"""One iteration over a list of a fixed number of places, as arithmetic.

`machine.step` and `RuleScheduler` loop and branch, which a solver cannot read; here the loop is
unrolled over places of which the first `residents` are occupied, with every test an `ite`. The
rules are the same functions. `tests/lemmas/test_unrolled.py` compares it with `machine.step` on
drawn job lists.
"""

from __future__ import annotations

import attrs

from radproof.lemmas.obligations import NUMBER, World, numbers, truths
from radproof.model import Node
from radproof.number import Num, Truth, both, either, ite, negate
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
        return ite(self.decoding, self.output, self.prompt)

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
    rules = world.rules
    decodes = sum(ite(both(place.present, place.decoding), 1, 0) for place in row)
    mode = rules.decode_mode(decodes, residents, d)
    remaining = rules.budget(mode, d)
    filling: Truth = True
    shares = []
    for place in row:
        unprefilled = rules.left(place.prompt, ite(place.decoding, place.prompt, place.done))
        served = both(filling, place.present, rules.serves(mode, place.decoding))
        tokens = rules.take(rules.want(place.decoding, unprefilled, d), remaining)
        share = ite(both(served, tokens > 0), tokens, 0)
        filling = both(filling, either(negate(served), tokens > 0))
        shares.append(share)
        remaining = remaining - share
    after = tuple(
        ite(share > 0, rules.done_after(place.done, share), place.done)
        for place, share in zip(row, shares, strict=True)
    )
    return Unrolled(row, mode, decodes, residents, tuple(shares), after)
