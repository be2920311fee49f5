"""One step of the machine as the lemmas see it: the list before, the batch, the list after.

The lemmas are about a fold: in the order of the list, or in the scheduler's, each job takes what
the rules give it of the budget that remains (`unrolled.iteration`); the shares are applied; who
arrived by the end joins the end of the list, and then every finished prompt that has an output.
Here that is arithmetic, without a loop that depends on a number. `machine_code` compares it with
what the code of the machine and of `RuleScheduler` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import attrs

from radproof.lemmas.obligations import World
from radproof.lemmas.unrolled import JobPlace, Unrolled, iteration
from radproof.model import DECODE, Job, Node
from radproof.number import Num, Truth, both, either, ite, maximum, negate

Fields: TypeAlias = "tuple[Num | Truth, ...]"


class Listed:
    """A list whose length depends on numbers: candidates in order, and whether each is in it."""

    def __init__(self, candidates: Iterable[tuple[Truth, Fields]]) -> None:
        self._candidates = tuple(candidates)
        self._counts: dict[tuple[int, int], Truth] = {}
        self._clauses: dict[Any, tuple[Truth, Fields]] = {}

    def same(self, found: Sequence[Fields]) -> Truth:
        """Whether the candidates that are in the list are `found`, in this order."""
        size = len(self._candidates)
        truths = [self._exactly(len(found), size)]
        for place, fields in enumerate(found):
            truths += (self._clause(number, place, fields) for number in range(place, size))
        return both(*truths)

    def _exactly(self, count: int, first: int) -> Truth:
        """Whether so many of the first candidates are in the list."""
        if not 0 <= count <= first:
            return False
        if first == 0:
            return True
        if (count, first) not in self._counts:
            there = self._candidates[first - 1][0]
            self._counts[count, first] = ite(
                there, self._exactly(count - 1, first - 1), self._exactly(count, first - 1)
            )
        return self._counts[count, first]

    def _clause(self, number: int, place: int, found: Fields) -> Truth:
        """Where this candidate is in this place, it is what was found there."""
        key = (number, place, *map(id, found))
        if key not in self._clauses:
            there, fields = self._candidates[number]
            pairs = zip(fields, found, strict=True)
            alike = both(*(one == two for one, two in pairs if one is not two))
            elsewhere = either(negate(there), negate(self._exactly(place, number)))
            self._clauses[key] = either(elsewhere, alike), found  # `found` keeps its ids
        return self._clauses[key][0]


@attrs.frozen
class Asked:
    """A session as the machine knows it: when it arrives, and the tokens that it asks for."""

    arrive: Num
    prompt: Num
    output: Num


@attrs.frozen
class Before:
    """A state between two iterations, and the sessions that it speaks of."""

    now: Num
    served: Num
    jobs: tuple[tuple[Job, Asked], ...]
    """The job list; what is a number in a job may be a symbol, its phase is known."""
    coming: tuple[tuple[Num, Asked], ...]
    """The sessions yet to arrive, by number."""

    @property
    def sessions(self) -> tuple[tuple[Num, Asked], ...]:
        """All sessions, by number."""
        return (*((job.session, asked) for job, asked in self.jobs), *self.coming)


@attrs.frozen
class Foreseen:
    """The step from there."""

    batch: Listed
    """(session, whether it decodes, tokens) of each entry."""
    refused: Truth
    """Whether an entry gives a decode other than one token, or a prompt more than is left of it."""
    idle: Truth
    """Whether the batch has no entry."""
    stuck: Truth
    """Whether it has none, and nobody is to come."""
    record: dict[str, Num]
    """The numbers of the iteration's record, where the batch has an entry."""
    now: Num
    served: Num
    jobs: Listed
    """(session, whether it decodes, arrival, prompt, done) of each job afterwards."""
    pending: Listed
    ended: Listed
    """(session, time) of each session that ends."""


def foresee(before: Before, world: World, d: Node) -> Foreseen:
    """The step of `world`'s scheduler, with every rule read through `world.rules`."""
    rules = world.rules
    places = [
        JobPlace(True, job.phase is DECODE, job.prompt, asked.output, job.done)
        for job, asked in before.jobs
    ]
    ranks = _ranks([job for job, _ in before.jobs], world)
    size = len(places)
    offered = [
        JobPlace(
            True, *(_at(ranks, rank, [getattr(place, name) for place in places]) for name in _PLACE)
        )
        for rank in range(size)
    ]
    one = iteration(tuple(offered), size, world, d)
    sessions = [_at(ranks, rank, [job.session for job, _ in before.jobs]) for rank in range(size)]
    triples = list(zip(sessions, one.places, one.shares, strict=True))
    idle = negate(either(False, *(share > 0 for share in one.shares)))
    until = maximum(before.now, before.coming[0][1].arrive) if before.coming else before.now
    end = before.now + rules.duration(one.tokens, d)
    now = ite(idle, until, end)
    shares = [_at_place(rank, one.shares) for rank in ranks]
    arrived = _arrived(before, now)
    jobs, finished = _afterwards(before, shares, arrived, world)
    ended = [
        (both(here, asked.prompt <= 0, asked.output <= 0), (session, asked.arrive))
        for (session, asked), here in zip(before.coming, arrived, strict=True)
    ]
    refused = either(False, *(_too_much(place, share) for _, place, share in triples))
    return Foreseen(
        batch=Listed(
            (share > 0, (number, place.decoding, share)) for number, place, share in triples
        ),
        refused=refused,
        idle=idle,
        stuck=both(negate(refused), idle, not before.coming),
        record=_record(before, one, end, world, d),
        now=now,
        served=rules.served_after(before.served, ite(idle, 0, one.tokens)),
        jobs=jobs,
        pending=Listed(
            (negate(here), (session,))
            for (session, _), here in zip(before.coming, arrived, strict=True)
        ),
        ended=Listed([*ended, *((there, (session, now)) for there, session in finished)]),
    )


_PLACE = ("decoding", "prompt", "output", "done")


def _ranks(jobs: Sequence[Job], world: World) -> list[Num]:
    """How many jobs are offered tokens before each."""
    ranks: list[Num] = [0] * len(jobs)
    if world.scheduler.order is None:
        return [*range(len(jobs))]
    for later, other in enumerate(jobs):
        for place, one in enumerate(jobs[:later]):
            first = world.offered_first(one, other)  # type: ignore[arg-type]
            ranks[later] += ite(first, 1, 0)
            ranks[place] += ite(first, 0, 1)
    return ranks


def _at(ranks: Sequence[Num], rank: int, values: Sequence[Any]) -> Any:
    """The value of the job with this rank."""
    found = values[-1]
    for own, value in zip(ranks[:-1], values[:-1], strict=True):
        found = ite(own == rank, value, found)
    return found


def _at_place(rank: Num, values: Sequence[Num]) -> Num:
    """The value at this rank."""
    found = values[-1]
    for place, value in enumerate(values[:-1]):
        found = ite(rank == place, value, found)
    return found


def _too_much(place: JobPlace, share: Num) -> Truth:
    wrong = ite(place.decoding, share != 1, share > place.prompt - place.done)
    return both(share > 0, wrong)


def _record(before: Before, one: Unrolled, end: Num, world: World, d: Node) -> dict[str, Num]:
    rules = world.rules
    numbers = one.record
    names = ("tokens", "prefilled", "decoders", "decoding", "residents")
    wants = (
        rules.want(job.phase is DECODE, rules.left(job.prompt, job.prefilled), d)
        for job, _ in before.jobs
    )
    return {name: getattr(numbers, name) for name in names} | {
        "start": before.now,
        "end": end,
        "served": before.served,
        "demand": sum(wants),
    }


def _arrived(before: Before, now: Num) -> list[Truth]:
    """Of the sessions to come, in order, whether each is admitted: none is after one that waits."""
    arrived: list[Truth] = []
    so_far: Truth = True
    for _, asked in before.coming:
        so_far = both(so_far, asked.arrive <= now)
        arrived.append(so_far)
    return arrived


def _afterwards(
    before: Before, shares: Sequence[Num], arrived: Sequence[Truth], world: World
) -> tuple[Listed, list[tuple[Truth, Num]]]:
    """The job list, and of each job whether its session ends with the iteration."""
    rules = world.rules
    stay, rejoin = [], []
    finished: list[tuple[Truth, Num]] = []
    for (job, asked), share in zip(before.jobs, shares, strict=True):
        decoding = job.phase is DECODE
        done = ite(share > 0, rules.done_after(job.done, share), job.done)
        works = either(share <= 0, rules.left(asked.output if decoding else asked.prompt, done) > 0)
        goes_on = both(negate(decoding), asked.output > 0)
        stay.append((works, (job.session, decoding, job.arrive, job.prompt, done)))
        rejoin.append(
            (both(negate(works), goes_on), (job.session, True, job.arrive, job.prompt, 0))
        )
        finished.append((both(negate(works), negate(goes_on)), job.session))
    new = [
        (
            both(here, either(asked.prompt > 0, asked.output > 0)),
            (session, negate(asked.prompt > 0), asked.arrive, asked.prompt, 0),
        )
        for (session, asked), here in zip(before.coming, arrived, strict=True)
    ]
    return Listed([*stay, *new, *rejoin]), finished
