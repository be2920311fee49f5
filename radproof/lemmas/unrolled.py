"""One iteration over a list of a fixed number of places, as arithmetic.

`machine.step` and `RuleScheduler` loop and branch, which a solver cannot read; here the loop is
unrolled over places of which the first `residents` are occupied, with every test an `ite`. The
rules are the same functions. `tests/lemmas/test_unrolled.py` holds it against `machine.step`
on drawn job lists; every counterexample it gives is replayed there too.
"""

from __future__ import annotations

from typing import Any

import attrs

from radproof.lemmas.obligations import NUMBER, World, numbers, truths
from radproof.number import both, either, ite, negate
from radproof.readers.terms import Names


@attrs.frozen
class Place:
    """A place in the job list. `total` is the work of the job's present phase, in tokens."""

    present: Any
    decoding: Any
    prompt: Any
    output: Any
    done: Any

    @property
    def total(self) -> Any:
        """What the present phase takes altogether."""
        return ite(self.decoding, self.output, self.prompt)

    def left(self, world: World) -> Any:
        """What is left of the present phase."""
        return world.rules.left(self.total, self.done)


@attrs.frozen
class Unrolled:
    """What one iteration does to the places: the mode, each share, and what is done after."""

    places: tuple[Place, ...]
    mode: Any
    decoding: Any
    residents: Any
    shares: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def tokens(self) -> Any:
        """The tokens of the batch."""
        return sum(self.shares)

    @property
    def decoders(self) -> Any:
        """The batch's entries that decode."""
        pairs = zip(self.places, self.shares, strict=True)
        return sum(ite(both(share > 0, place.decoding), 1, 0) for place, share in pairs)

    @property
    def record(self) -> Names:
        """The iteration's record, as far as the list determines it."""
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


def places(v: Names, size: int) -> tuple[Place, ...]:
    """The places of the values of `sorts(size)`."""
    fields = ("decoding", "prompt", "output", "done")
    return tuple(
        Place(v.residents > i, *(getattr(v, f"{field}_{i}") for field in fields))
        for i in range(size)
    )


def iteration(row: tuple[Place, ...], residents: Any, world: World, d: Any) -> Unrolled:
    """What `RuleScheduler` and the end of the iteration make of these places."""
    rules = world.rules
    decodes = sum(ite(both(place.present, place.decoding), 1, 0) for place in row)
    mode = rules.decode_mode(decodes, residents, d)
    remaining = rules.budget(mode, d)
    filling: Any = True
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
