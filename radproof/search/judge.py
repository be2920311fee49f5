"""Judging a scheduler by many claims and laws at once: one run of a path serves them all.

`search` asks one claim about its own paths. Here every family of paths is drawn once and each
path is run once; a law that breaks leaves the bench with the path that broke it, which is then
shrunk and made minimal for that law alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeAlias

import attrs
from hypothesis import strategies as st

from radproof.claims import CLAIMS, FAMILIES, Claim, Family, Result, Verdict, check
from radproof.cli.progress import Told, unheard
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import LIMIT, evaluate
from radproof.files.paths import PathFile
from radproof.laws import LAWS, broken_by
from radproof.model import SEED, Deployment, Path, Session
from radproof.schedulers.protocol import Scheduler
from radproof.schedulers.purity import watched
from radproof.search.counterexample import Counterexample
from radproof.search.crosscheck import second_look
from radproof.search.drawing import draw
from radproof.search.minimise import minimise
from radproof.search.search import SECOND_LOOK, Finding
from radproof.search.situations import SITUATIONS, missing, reached
from radproof.strategies import cases, paths, small_paths

Case: TypeAlias = tuple[Deployment, Path]


@attrs.frozen
class Terms:
    """On what a scheduler is judged: the deployment (or scaled-down ones), how many paths of each
    family, of how many sessions at the most, and from which seed.
    """

    deployment: Deployment = SEED
    scaled: bool = False
    examples: int = 300
    max_sessions: int = 500
    seed: int = 0

    def drawn(self, family: Family) -> st.SearchStrategy[Case]:
        """The cases of a family, deployment and path."""
        if self.scaled:
            return cases(family, min(self.max_sessions, 40))
        return st.tuples(
            st.just(self.deployment), paths(family, self.deployment, self.max_sessions)
        )


@attrs.define
class _Standing:
    """What is known of one claim: how often it was asked, and the first case that breaks it."""

    claim: Claim
    iterations: int = 0
    paths: int = 0
    cut: int = 0
    broken: Case | None = None


@attrs.frozen
class _Look:
    """A path under the scheduler: why each claim is broken (empty: none is), or the fault."""

    verdicts: dict[str, Verdict]
    error: SchedulerError | None = None

    def why(self, name: str) -> str | None:
        """What is interesting about the path for the claim of this name; None: nothing."""
        if self.error is not None:
            return self.error.kind if broken_by(self.error.kind) == name else None
        verdict = self.verdicts.get(name)
        if verdict is not None and verdict.result in (Result.FAILS, Result.WITNESSED):
            return verdict.result.value
        return None


class _Bench:
    """Every claim that is still unbroken, and what the paths of each family reached."""

    def __init__(self, claims: dict[str, Claim], scheduler: Scheduler, terms: Terms) -> None:
        self.standings = {name: _Standing(claim) for name, claim in claims.items()}
        self.scheduler = watched(scheduler)
        self.terms = terms
        self.sometimes: dict[Family, Counter[str]] = {family: Counter() for family in FAMILIES}
        self.gone_through = 0

    def open_ones(self, family: Family) -> list[str]:
        """The unbroken claims about paths of this family."""
        return [
            name
            for name, standing in self.standings.items()
            if standing.broken is None and standing.claim.family == family
        ]

    def look(self, case: Case, names: Iterable[str]) -> _Look:
        """One path, judged by the claims of these names that it is in the scope of."""
        deployment, path = case
        about = [self.standings[name].claim for name in names]
        about = [c for c in about if all(c.in_scope(s, deployment) for s in path)]
        try:
            run = evaluate(path, deployment, self.scheduler, limit=LIMIT)
        except SchedulerError as error:
            return _Look({}, error)
        return _Look({claim.name: check(run, claim, given=False) for claim in about})

    def go(self, case: Case, family: Family) -> bool:
        """Judge one path of a family; whether nothing is left open."""
        deployment, path = case
        names = self.open_ones(family)
        try:
            run = evaluate(path, deployment, self.scheduler, limit=LIMIT)
        except SchedulerError as error:
            self._fault(case, error)
            return not self.open_ones(family)
        if self.gone_through % SECOND_LOOK == 0:
            second_look(run)
        self.gone_through += 1
        self.sometimes[family].update(reached(run))
        for name in names:
            standing = self.standings[name]
            if not all(standing.claim.in_scope(session, deployment) for session in path):
                continue
            verdict = check(run, standing.claim, given=False)
            standing.paths += 1
            standing.iterations += verdict.checked
            standing.cut += not run.whole or verdict.result is Result.UNKNOWN
            if verdict.result in (Result.FAILS, Result.WITNESSED):
                standing.broken = case
        return not self.open_ones(family)

    def _fault(self, case: Case, error: SchedulerError) -> None:
        name = broken_by(error.kind)
        standing = self.standings.setdefault(name, _Standing(LAWS[name].claim))
        if standing.broken is None:
            standing.paths += 1
            standing.broken = case


def judge(
    claims: dict[str, Claim],
    scheduler: Scheduler,
    terms: Terms = Terms(),
    *,
    scheduler_name: str,
    saved: Iterable[PathFile] = (),
    progress: Told = unheard,
) -> list[Finding]:
    """What each of the claims comes to, in their order, under one scheduler.

    claims: by the name that finds them again; saved: paths to try first. A scheduler that is at
    fault breaks the law about that (`laws.faults`), asked for or not, and is judged by the rest
    on the paths on which it is not.
    """
    bench = _gone_through(claims, scheduler, terms, saved, progress)
    findings = []
    for name, standing in bench.standings.items():
        found = None
        if standing.broken is not None:
            progress(None)
            found = _smallest(bench, name, standing, terms, scheduler, scheduler_name)
        findings.append(_finding(bench, standing, terms, found))
    return findings


def broken(claims: dict[str, Claim], scheduler: Scheduler, terms: Terms) -> list[str]:
    """The names of the claims that break, and of the laws of a fault; no path is made minimal."""
    bench = _gone_through(claims, scheduler, terms, (), unheard)
    return [name for name, standing in bench.standings.items() if standing.broken is not None]


def _gone_through(
    claims: dict[str, Claim],
    scheduler: Scheduler,
    terms: Terms,
    saved: Iterable[PathFile],
    progress: Told,
) -> _Bench:
    bench = _Bench(claims, scheduler, terms)
    known = [(file.deployment or SEED, file.sessions) for file in saved]
    for family in FAMILIES:
        if not bench.open_ones(family):
            continue
        first = [*known, *_small(terms)]
        if not any(_counted(bench, case, family, progress) for case in first):
            draw(
                terms.drawn(family),
                partial(_counted, bench, family=family, progress=progress),
                examples=terms.examples,
                seed=terms.seed,
                shrink=False,
            )
    return bench


def _counted(
    bench: _Bench,
    case: Case,
    family: Family,
    progress: Told,
) -> bool:
    over = bench.go(case, family)
    progress(bench.gone_through)
    return over


LONG = 100
"""Tiles of a prompt that is longer than any engine's budget here, drawn hardly ever."""


def _small(terms: Terms) -> Iterator[Case]:
    if terms.scaled:
        return
    d = terms.deployment
    yield from ((d, path) for path in small_paths(d))
    yield d, (Session(0, LONG * d.b_lcm, 1),)


def _smallest(
    bench: _Bench,
    name: str,
    standing: _Standing,
    terms: Terms,
    scheduler: Scheduler,
    scheduler_name: str,
) -> Counterexample:
    """The path that breaks a claim, shrunk by Hypothesis and then made 1-minimal."""
    case = standing.broken
    assert case is not None
    why = bench.look(case, [name]).why(name)

    def still(candidate: Case) -> bool:
        return bench.look(candidate, [name]).why(name) == why

    if case not in _small(terms):
        case = draw(
            terms.drawn(standing.claim.family), still, examples=terms.examples, seed=terms.seed
        ) or case  # fmt: skip
    where, path = case
    small = minimise(path, lambda shorter: still((where, shorter)), where.b_lcm)
    look = bench.look((where, small.path), [name])
    return Counterexample(
        path=small.path,
        deployment=where,
        scheduler=scheduler,
        scheduler_name=scheduler_name,
        claim=standing.claim,
        claim_name=name,
        verdict=look.verdicts.get(name),
        error=look.error,
        minimal=small.minimal,
        evaluations=small.evaluations,
    )


def _finding(
    bench: _Bench, standing: _Standing, terms: Terms, found: Counterexample | None
) -> Finding:
    claim = standing.claim
    sometimes = bench.sometimes[claim.family]
    result = Result.HOLDS
    if found is not None:
        result = Result.FAILS if found.verdict is None else found.verdict.result
    elif (
        claim.kind == "some iteration"
        or not standing.iterations
        or (claim.name in CLAIMS and missing(claim.family, sometimes))
    ):
        result = Result.NOT_EVALUATED
    return Finding(
        claim=claim,
        result=result,
        iterations=standing.iterations,
        paths=standing.paths,
        cut=standing.cut,
        sometimes={name: sometimes[name] for name in SITUATIONS},
        seed=terms.seed,
        scaled=terms.scaled,
        counterexample=found,
    )
