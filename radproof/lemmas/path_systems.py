"""A path as a transition system of a few numbers: where it starts, and what each move does to them.

For token_rate these are the clock and the tokens served. For optimal_tiling they are an
abstraction: how many prompts wait, how many jobs decode, and whether what is left of the first
prompt is a positive multiple of b_lcm; what a batch can do to that last truth is asked of Z3, by
calling the rules. `proof.horn` has Spacer find an inductive invariant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import attrs

from radproof.lemmas.obligations import World, numbers, truths
from radproof.lemmas.symbols import Possible, variables
from radproof.model import SCALARS, SEED, Deployment
from radproof.number import Num, Truth, both, either, ite, minimum, negate
from radproof.readers.terms import Names

DEPLOYMENTS = (Deployment(b_col=2, b_row=4), SEED, Deployment(b_row=512))
"""Those of the systems: a small one, the seed's, and one whose b_lcm is four tiles."""


@attrs.frozen
class Move:
    """Where `when` holds, the state's numbers may become `after`; one that is not named stays."""

    text: str
    when: tuple[Truth, ...]
    after: Mapping[str, Num | Truth]


@attrs.frozen
class System:
    """The states of a path. `claim` is to hold in each, where `asked` does."""

    state: Mapping[str, type]
    free: Mapping[str, type]
    """The variables of one move."""
    initial: Mapping[str, Num | Truth]
    moves: tuple[Move, ...]
    asked: tuple[Truth, ...]
    claim: Truth


Build: TypeAlias = Callable[[World, Deployment], System]


def token_rate(world: World, d: Deployment) -> System:
    """served x (t_lin + t_nl b_col) <= b_col x start at every iteration: batches of any size"""
    state, free = numbers("now served"), numbers("tokens wait") | truths("mode")
    v, rules = Names(variables(state | free)), world.rules
    iteration = Move(
        "an iteration",
        (v.tokens >= 1, v.tokens <= rules.budget(v.mode, d) if _fills(world) else True),
        {
            "now": v.now + rules.duration(v.tokens, d),
            "served": rules.served_after(v.served, v.tokens),
        },
    )
    waits = Move(
        "an arrival or an idle time",
        (v.wait >= 0,),
        {"now": v.now + v.wait, "served": rules.served_after(v.served, 0)},
    )
    record = Names(dict.fromkeys(SCALARS, v.tokens) | {"served": v.served, "start": v.now})
    claim = world.rate.holds(record, d)
    return System(state, free, {"now": 0, "served": 0}, (iteration, waits), (), claim)


def optimal_tiling(world: World, d: Deployment) -> System:
    """every batch fills its tile, or every resident decodes: prompts and decodes are counted"""
    state = numbers("prompts decodes") | truths("whole")
    free = numbers("ended more fewer") | truths("output either")
    v, rules = Names(variables(state | free)), world.rules
    residents = v.prompts + v.decodes
    mode = rules.decode_mode(v.decodes, residents, d)
    ones = minimum(rules.budget(True, d), v.decodes)
    facts = _Facts(world, d)
    here = (residents >= 1,)
    prefills = (*here, negate(mode), v.prompts >= 1)
    moves = [
        Move(
            "a batch of decodes",
            (*here, mode, v.ended >= 0, v.ended <= ones),
            {"decodes": v.decodes - v.ended},
        ),
        Move("a session without a prompt arrives", (), {"decodes": v.decodes + 1}),
    ]
    for new in facts.arrivals():
        first = ite(v.prompts >= 1, v.whole, new)
        moves.append(Move("a prompt arrives", (), {"prompts": v.prompts + 1, "whole": first}))
    for whole in (True, False):
        batch = (*prefills, v.whole if whole else negate(v.whole))
        for still in facts.stays(whole):
            moves.append(Move("a batch leaves some of the first prompt", batch, {"whole": still}))
        if facts.ends(whole):
            after = {"prompts": v.prompts - 1, "decodes": v.decodes + ite(v.output, 1, 0)}
            for new in facts.arrivals():
                moves.append(Move("a batch ends the first prompt", batch, after | {"whole": new}))
        if facts.spills(whole):
            anything = {"prompts": v.more, "decodes": v.fewer, "whole": v.either}
            when = (*batch, v.prompts >= 2)
            moves.append(Move("a batch takes of a second prompt: any state", when, anything))
    by_whole = ite(v.whole, facts.tiles(True), facts.tiles(False))
    decoding = world.tiling.holds(_record(ones, ones, residents, v.decodes), d)
    claim = both(
        _fills(world),
        facts.unmixed(),
        facts.one_token_each(),
        either(negate(mode), decoding),
        either(mode, both(v.prompts >= 1, by_whole)),
    )
    initial = {"prompts": 0, "decodes": 0, "whole": True}
    return System(state, free, initial, tuple(moves), here, claim)


class _Facts:
    """What a batch can do to the first prompt, and whether it can break the claim, by Z3."""

    def __init__(self, world: World, d: Deployment) -> None:
        rules = world.rules
        names = numbers("total done tiles rest later later_rest others residents") | truths("mode")
        v = self._v = Names(variables(names))
        self._world, self._d = world, d
        self._left = rules.left(v.total, v.done)
        self._limit = rules.budget(False, d)
        self._head = rules.take(rules.want(False, self._left, d), self._limit)
        self._after = rules.left(v.total, rules.done_after(v.done, self._head))

    def _possible(self, whole: bool | None, *facts: Truth) -> bool:
        v, d = self._v, self._d
        given = [v.total >= 0, v.others >= 0, v.residents >= 1]
        if whole is not None:
            split = self._left == d.b_lcm * v.tiles + v.rest
            given += [split, v.tiles >= 0, v.rest >= 0, v.rest < d.b_lcm, self._left >= 1]
            given.append(self._whole(v.tiles, v.rest, whole))
        return Possible(tuple(given)).beside(both(*facts))

    @staticmethod
    def _whole(tiles: Num, rest: Num, whole: bool) -> Truth:
        is_whole = both(rest == 0, tiles >= 1)
        return is_whole if whole else negate(is_whole)

    def arrivals(self) -> list[bool]:
        """Whether what is left of a prompt that nobody has served can be whole, or not."""
        v = self._v
        new = (v.done == 0, self._world.tiled(v.total, self._d))
        return [whole for whole in (True, False) if self._possible(whole, *new)]

    def stays(self, whole: bool) -> Iterator[bool]:
        """Where some of the first prompt is left, whether that can be whole, or not."""
        v, d = self._v, self._d
        later = d.b_lcm * v.later + v.later_rest
        split = (v.later >= 0, v.later_rest >= 0, v.later_rest < d.b_lcm, later == self._after)
        for still in (True, False):
            if self._possible(
                whole, self._after > 0, *split, self._whole(v.later, v.later_rest, still)
            ):
                yield still

    def ends(self, whole: bool) -> bool:
        """Whether a batch can end the first prompt."""
        return self._possible(whole, self._after <= 0)

    def spills(self, whole: bool) -> bool:
        """Whether a batch can have tokens for a second prompt."""
        return self._possible(whole, self._limit - self._head > 0)

    def tiles(self, whole: bool) -> bool:
        """Whether every batch of prompts is as the claim says."""
        v = self._v
        tokens = self._head + minimum(self._limit - self._head, v.others)
        record = _record(tokens, 0, v.residents, 0)
        kept = self._world.tiling.holds(record, self._d)
        fits = both(self._head >= 1, self._head <= self._left)
        return not self._possible(whole, negate(both(kept, fits)))

    def unmixed(self) -> bool:
        """Whether in each mode exactly the jobs of its phase are served."""
        serves, mode = self._world.rules.serves, self._v.mode
        mixed = either(serves(mode, True) != mode, serves(mode, False) != negate(mode))
        return not self._possible(None, mixed)

    def one_token_each(self) -> bool:
        """Whether every decode wants one token."""
        rules, prompt = self._world.rules, self._v.total
        return not self._possible(None, rules.want(True, rules.left(prompt, prompt), self._d) != 1)


def _fills(world: World) -> bool:
    """Whether a job takes what it wants of what remains, and no more: by Z3."""
    v = Names(variables(numbers("wanted remaining")))
    taken = world.rules.take(v.wanted, v.remaining) == minimum(v.wanted, v.remaining)
    return not Possible((v.wanted >= 0, v.remaining >= 0)).beside(negate(taken))


def _record(tokens: Num, decoders: Num, residents: Num, decoding: Num) -> Names:
    return Names(
        dict.fromkeys(SCALARS, 0)
        | {
            "tokens": tokens,
            "decoders": decoders,
            "residents": residents,
            "decoding": decoding,
            "prefilled": tokens - decoders,
        }
    )


SYSTEMS: Mapping[str, Build] = {"token_rate": token_rate, "optimal_tiling": optimal_tiling}
"""By the theorem that it is about."""
