"""What `radproof prove` says of a changed rule, beside what brute force finds on small deployments.

A theorem of the certificate says some of the oracle's properties (`STATEMENTS`). Where a path
breaks one of them, the certificate must not print *follows*: `Judged.false_words`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import attrs

from radproof import machine
from radproof.errors import BadInput
from radproof.lemmas.catalogue import LEMMAS, THEOREMS
from radproof.lemmas.obligations import World
from radproof.model import DECODE, PREFILL, Deployment, Entry, Job, Phase, Session, State
from radproof.proof.answers import Answer
from radproof.proof.cache import Cache
from radproof.proof.prove import prove
from radproof.rules import RULES
from radproof.schedulers import RuleScheduler
from radproof.schedulers.protocol import View
from tests.oracles.small_paths import (
    DEPLOYMENTS,
    PROPERTIES,
    Loop,
    Machine,
    Resident,
    Truth,
    reads,
    truth,
)
from tests.quality.changed import Changed

STATEMENTS = {
    "run": ("progress",),
    "token_rate": ("token_rate",),
    "optimal_tiling": ("optimal_tiling", "tiled_progress"),
    "arrival order": ("arrival_order", "one_part_filled"),
    "decodes_fit": ("decodes_fit",),
    "clock": ("clock",),
    "leap": ("leap",),
}
"""The oracle's properties that each theorem of the certificate says."""


@attrs.frozen
class Product:
    """`Machine` by radproof's own code, as it is when called: for a loop that is sabotaged."""

    scheduler: RuleScheduler
    deployment: Deployment

    def batch(self, jobs: tuple[Resident, ...]) -> Sequence[tuple[int, int]]:
        """The scheduler's entries, by place."""
        places = {job.session: place for place, job in enumerate(jobs)}
        batch, _ = self.scheduler(View(0, tuple(map(_job, jobs)), self.deployment))
        return [(places[entry.session], entry.tokens) for entry in batch]

    def idle(self, jobs: tuple[Resident, ...], new: tuple[Resident, ...]) -> tuple[Resident, ...]:
        """The list after an idle time."""
        return self._after(jobs, (), new)

    def end(
        self, jobs: tuple[Resident, ...], shares: dict[int, int], new: tuple[Resident, ...]
    ) -> tuple[Resident, ...]:
        """The list after an iteration."""
        batch = [
            Entry(jobs[place].session, _phase(jobs[place]), tokens)
            for place, tokens in shares.items()
        ]
        return self._after(jobs, tuple(batch), new)

    def duration(self, tokens: int) -> int:
        """Microseconds."""
        lasts: int = self.scheduler.rules.duration(tokens, self.deployment)
        return lasts

    def served_after(self, served: int, tokens: int) -> int:
        """Tokens."""
        after: int = self.scheduler.rules.served_after(served, tokens)
        return after

    def _after(
        self, jobs: tuple[Resident, ...], batch: tuple[Entry, ...], new: tuple[Resident, ...]
    ) -> tuple[Resident, ...]:
        if not batch and not new:
            return jobs
        sessions = {job.session: job for job in (*jobs, *new)}
        path = tuple(
            Session(0, one.prompt, one.output)
            if (one := sessions.get(number))
            else Session(0, 0, 0)
            for number in range(max(sessions) + 1)
        )
        # who is new arrives at 0, which is no later than the end
        state = State(0, tuple(map(_job, jobs)), tuple(job.session for job in new))
        rules = self.scheduler.rules
        record = machine.start(state, batch, self.deployment, rules) if batch else None
        after = machine.finish(state, path, batch, None, record, rules)
        return tuple(
            Resident(
                job.phase is DECODE,
                job.prompt,
                sessions[job.session].output,
                job.done,
                job.session,
                sessions[job.session].arrive,
            )
            for job in after.jobs
        )


def _phase(job: Resident) -> Phase:
    return DECODE if job.decoding else PREFILL


def _job(job: Resident) -> Job:
    return Job(job.session, _phase(job), job.arrive, job.prompt, job.done)


def brute_force(
    one: Changed,
    properties: Iterable[str] = tuple(PROPERTIES),
    deployments: Sequence[tuple[Deployment, int]] = DEPLOYMENTS,
) -> Truth:
    """Which of the properties break under a changed rule, order or loop."""
    scheduler = one.scheduler

    def made(d: Deployment) -> Machine:
        return Loop(scheduler.rules, scheduler.order, d)

    with one.applied():
        return truth(
            functools.partial(Product, scheduler) if one.sabotage else made,
            reads={"session"} if one.sabotage else reads(scheduler.order),
            counts=scheduler.rules.served_after is not RULES.served_after,
            properties=properties,
            deployments=deployments,
        )


@attrs.frozen
class Said:
    """What the certificate says."""

    theorems: dict[str, str]
    """Its standing in the certificate, by theorem; empty where the rule is refused."""
    refuted: tuple[str, ...] = ()
    """The lemmas that Z3 refutes."""
    refusal: str = ""
    """Why it is not arithmetic."""


def said_of(one: Changed, cache: Cache) -> Said:
    """Ask the solver about the rules, under the loop as it is changed."""
    with one.applied() as world:
        return _said(world, cache)


def _said(world: World, cache: Cache) -> Said:
    needed = {name for theorem in THEOREMS for name in theorem.tree}
    try:
        certificate = prove(world, [one for one in LEMMAS if one.name in needed], cache=cache)
    except BadInput as refusal:
        return Said({}, refusal=str(refusal))
    return Said(
        {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS},
        tuple(row.lemma.name for row in certificate.rows if row.outcome.verdict is Answer.REFUTED),
    )


@attrs.frozen
class Judged:
    """A changed rule, what the certificate says of it, and what is true of it."""

    entry: Changed
    said: Said
    truth: Truth

    @property
    def broken(self) -> dict[str, tuple[str, ...]]:
        """The theorems of which a path breaks a property, with these properties."""
        found = {
            theorem: tuple(name for name in says if name in self.truth.broken)
            for theorem, says in STATEMENTS.items()
        }
        return {theorem: names for theorem, names in found.items() if names}

    @property
    def false_words(self) -> tuple[str, ...]:
        """The theorems that are said to follow, and that a path breaks."""
        return tuple(name for name in self.broken if self.said.theorems.get(name) == "follows")

    @property
    def unreached(self) -> tuple[str, ...]:
        """The theorems that are not said to follow, and that no path breaks."""
        return tuple(
            name
            for name, word in self.said.theorems.items()
            if word != "follows" and name not in self.broken
        )


def judge(one: Changed, cache: Cache) -> Judged:
    """Ask both."""
    return Judged(one, said_of(one, cache), brute_force(one))
