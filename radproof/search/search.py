"""The search for a counterexample: draw paths, run each once, ask every claim and law about it.

`radproof check`, ``pytest -m claims``, `radproof.testing.verify` and the hunt for mutants all call
`search`. What breaks a claim is set aside with its path, which is then shrunk by Hypothesis and
made 1-minimal for that claim alone; the others go on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs
from hypothesis import strategies as st

from radproof.claims import FAMILIES, Claim, Family, Result, Verdict, check
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import LIMIT, evaluate
from radproof.files.paths import PathFile
from radproof.laws import LAWS, broken_by
from radproof.model import SEED, Deployment, Path, Session
from radproof.schedulers.loading import Loaded
from radproof.schedulers.purity import watched
from radproof.search.counterexample import Counterexample
from radproof.search.crosscheck import second_look
from radproof.search.drawing import draw
from radproof.search.minimise import minimise
from radproof.search.progress import Progress, no_progress
from radproof.search.replay import BROKEN
from radproof.search.situations import SITUATIONS, missing, reached
from radproof.strategies import cases, paths, small_paths

Case: TypeAlias = tuple[Deployment, Path]

SECOND_LOOK = 20
"""Every so many-th path is also run through the definition, and the two are compared."""

LONG = 100
"""Tiles of a prompt that is longer than any engine's budget here, drawn hardly ever."""


@attrs.frozen
class Plan:
    """What is searched: the deployment (or scaled-down ones), how many paths of each family, of
    how many sessions, and from which seed; None draws one.
    """

    deployment: Deployment = SEED
    scaled: bool = False
    examples: int = 300
    max_sessions: int = 500
    seed: int | None = 0

    def first(self) -> Iterator[Case]:
        """What is tried before anything is drawn: every small path, and one long prompt."""
        if self.scaled:
            return
        d = self.deployment
        yield from ((d, path) for path in small_paths(d))
        yield d, (Session(0, LONG * d.b_lcm, 1),)

    def drawn(self, family: Family) -> st.SearchStrategy[Case]:
        """The cases of a family, deployment and path."""
        if self.scaled:
            return cases(family, min(self.max_sessions, 40))
        return st.tuples(
            st.just(self.deployment), paths(family, self.deployment, self.max_sessions)
        )

    def judges(self, file: PathFile) -> bool:
        """Whether a saved path belongs to this search: it was found at this deployment."""
        return self.scaled or (file.deployment or SEED) == self.deployment


@attrs.frozen
class Finding:
    """What a search found out about one claim.

    result: over all paths; iterations: evaluations of the claim; paths: those in scope; cut: those
    that the step evaluator did not run to their end; sometimes: how many paths reached each
    situation; left_out: saved paths of another deployment, which were not run. counterexample: the
    path that breaks the claim, witnesses it (``some iteration``), or on which the scheduler is at
    fault.
    """

    claim: Claim
    result: Result
    iterations: int
    paths: int
    cut: int
    sometimes: dict[str, int]
    seed: int
    scaled: bool = False
    left_out: int = 0
    counterexample: Counterexample | None = None

    @property
    def missing(self) -> list[str]:
        """The situations that no path reached, of those that a path for this claim can reach."""
        return missing(self.claim.family, self.sometimes)

    @property
    def exit_code(self) -> int:
        """0 holds or witnessed; 1 fails; 2 the scheduler is at fault; 3 not evaluated."""
        if self.counterexample is not None and self.counterexample.error is not None:
            return self.counterexample.error.exit_code
        return {Result.HOLDS: 0, Result.WITNESSED: 0, Result.FAILS: 1}.get(self.result, 3)


def search(
    claims: Mapping[str, Claim],
    scheduler: Loaded,
    plan: Plan = Plan(),
    *,
    saved: Iterable[PathFile] = (),
    progress: Progress = no_progress,
) -> list[Finding]:
    """Look for a path that breaks each claim (or, for ``some iteration``, one that witnesses it).

    claims: claims and laws by the names that find them again; saved: paths to try first, of which
    those of the plan's deployment are run. Returns a finding for each claim, in their order.

    A path on which the scheduler is at fault (it raises, or returns no batch) breaks the law about
    that fault (`laws.faults`), which joins the findings where only other laws were asked. Where
    only claims were asked, it ends the search: a claim speaks of runs, and this is none.
    """
    going = _gone_through(claims, scheduler, plan, saved, progress)
    findings = []
    for asked in going.asked.values():
        if asked.broken is None and asked.claim.family not in going.complete:
            continue  # a fault ended the search before there was an answer
        found = None
        if asked.broken is not None:
            progress(None)
            found = going.smallest(asked, scheduler)
        findings.append(going.finding(asked, found))
    return findings


def broken(claims: Mapping[str, Claim], scheduler: Loaded, plan: Plan) -> list[str]:
    """The names of the claims that break, and of the laws of a fault; no path is made minimal."""
    going = _gone_through(claims, scheduler, plan, (), no_progress)
    return [name for name, asked in going.asked.items() if asked.broken is not None]


def _gone_through(
    claims: Mapping[str, Claim],
    scheduler: Loaded,
    plan: Plan,
    saved: Iterable[PathFile],
    progress: Progress,
) -> _Search:
    if plan.seed is None:
        plan = attrs.evolve(plan, seed=random.SystemRandom().randrange(2**32))
    going = _Search(claims, scheduler, plan, list(saved), progress)
    for family in FAMILIES:
        if not going.over(family):
            going.go_through(family)
        if not going.ended:
            going.complete.add(family)
    return going


@attrs.define
class _Asked:
    """One claim, how often it was asked, and the first case that breaks it.

    found_in: the family whose drawn path that was; None for a path that was not drawn.
    """

    name: str
    claim: Claim
    iterations: int = 0
    paths: int = 0
    cut: int = 0
    sometimes: Counter[str] = attrs.field(factory=Counter)
    broken: Case | None = None
    found_in: Family | None = None


@attrs.frozen
class _Look:
    """One path and one claim: the verdict, or the scheduler's fault; why it is interesting.

    Making a path minimal keeps `why`. None: nothing is broken.
    """

    verdict: Verdict | None = None
    error: SchedulerError | None = None
    why: str | None = None


class _Search:
    """What is known while paths are gone through. Shrinking and minimising are not counted."""

    def __init__(
        self,
        claims: Mapping[str, Claim],
        scheduler: Loaded,
        plan: Plan,
        saved: list[PathFile],
        progress: Progress,
    ) -> None:
        self.asked = {name: _Asked(name, claim) for name, claim in claims.items()}
        self.laws_asked = any(name in LAWS for name in claims)
        self.scheduler = watched(scheduler.call)
        self.plan = plan
        self.saved = [(f.deployment or SEED, f.sessions) for f in saved if plan.judges(f)]
        self.left_out = len(saved) - len(self.saved)
        self.progress = progress
        self.paths = 0
        self.ended = False
        self.complete: set[Family] = set()

    def over(self, family: Family) -> bool:
        """Whether nothing is left to ask about paths of this family."""
        return self.ended or not self._open(family)

    def _open(self, family: Family) -> list[_Asked]:
        return [a for a in self.asked.values() if a.broken is None and a.claim.family == family]

    def go_through(self, family: Family) -> None:
        """The saved paths, the small ones and the drawn ones, until nothing is left to ask."""

        def given(case: Case) -> bool:
            return self._judge(case, family, drawn=False)

        def drawn(case: Case) -> bool:
            return self._judge(case, family, drawn=True)

        if any(map(given, self.saved)) or any(map(given, self.plan.first())):
            return
        plan = self.plan
        assert plan.seed is not None
        draw(plan.drawn(family), drawn, plan.examples, plan.seed, shrink=False)

    def _judge(self, case: Case, family: Family, drawn: bool) -> bool:
        """Run one path and ask every open claim that it is in the scope of; whether that is all."""
        deployment, path = case
        about = [asked for asked in self._open(family) if _in_scope(asked.claim, case)]
        if not about:  # out of scope; or Hypothesis runs the path that ended it once more
            return self.over(family)
        found_in = family if drawn else None
        try:
            run = evaluate(path, deployment, self.scheduler, limit=LIMIT)
        except SchedulerError as error:
            self._fault(about[0], case, error, found_in)
            self.progress(self.paths)
            return self.over(family)
        if self.paths % SECOND_LOOK == 0:
            second_look(run)
        self.paths += 1
        situations = reached(run)
        for asked in about:
            verdict = check(run, asked.claim, given=False)
            asked.paths += 1
            asked.iterations += verdict.checked
            asked.cut += not run.whole or verdict.result is Result.UNKNOWN
            asked.sometimes.update(situations)
            if verdict.result in BROKEN:
                asked.broken, asked.found_in = case, found_in
        self.progress(self.paths)
        return self.over(family)

    def _fault(
        self, first: _Asked, case: Case, error: SchedulerError, found_in: Family | None
    ) -> None:
        name = broken_by(error.kind)
        asked = first
        if self.laws_asked:
            asked = self.asked.setdefault(name, _Asked(name, LAWS[name].claim))
        else:
            self.ended = True
        if asked.broken is None:
            asked.broken, asked.found_in = case, found_in
            asked.paths += self.laws_asked

    def _look(self, case: Case, asked: _Asked) -> _Look:
        """One path, asked about one claim."""
        deployment, path = case
        if not _in_scope(asked.claim, case):
            return _Look()
        try:
            run = evaluate(path, deployment, self.scheduler, limit=LIMIT)
        except SchedulerError as error:
            about = not self.laws_asked or broken_by(error.kind) == asked.name
            return _Look(error=error, why=f"scheduler: {error.kind}" if about else None)
        verdict = check(run, asked.claim, given=False)
        return _Look(verdict, why=verdict.result if verdict.result in BROKEN else None)

    def smallest(self, asked: _Asked, scheduler: Loaded) -> Counterexample:
        """The path that breaks a claim, shrunk by Hypothesis where it was drawn, and 1-minimal."""
        case, plan = asked.broken, self.plan
        assert case is not None
        assert plan.seed is not None
        why = self._look(case, asked).why

        def still(candidate: Case) -> bool:
            return self._look(candidate, asked).why == why

        if asked.found_in is not None:
            case = draw(plan.drawn(asked.found_in), still, plan.examples, plan.seed) or case
        where, path = case
        small = minimise(path, lambda shorter: still((where, shorter)), where.b_lcm)
        look = self._look((where, small.path), asked)
        return Counterexample(
            path=small.path,
            deployment=where,
            scheduler=scheduler,
            claim=asked.claim,
            claim_name=asked.name,
            verdict=look.verdict,
            error=look.error,
            minimal=small.minimal,
            evaluations=small.evaluations,
        )

    def finding(self, asked: _Asked, found: Counterexample | None) -> Finding:
        """What is found out about a claim, `found` its counterexample."""
        assert self.plan.seed is not None
        return Finding(
            claim=asked.claim,
            result=_result(asked, found),
            iterations=asked.iterations,
            paths=asked.paths,
            cut=asked.cut,
            sometimes={name: asked.sometimes[name] for name in SITUATIONS},
            seed=self.plan.seed,
            scaled=self.plan.scaled,
            left_out=self.left_out,
            counterexample=found,
        )


def _in_scope(claim: Claim, case: Case) -> bool:
    deployment, path = case
    return all(claim.in_scope(session, deployment) for session in path)


def _result(asked: _Asked, found: Counterexample | None) -> Result:
    if found is not None and found.verdict is not None:
        return found.verdict.result
    if found is not None and found.error is not None:
        # a fault breaks the law about it, and leaves any other claim without an answer
        about = broken_by(found.error.kind) == asked.name
        return Result.FAILS if about else Result.NOT_EVALUATED
    if asked.claim.kind == "some iteration" or not asked.iterations:
        return Result.NOT_EVALUATED
    if asked.name not in LAWS and missing(asked.claim.family, asked.sometimes):
        return Result.NOT_EVALUATED
    return Result.HOLDS
