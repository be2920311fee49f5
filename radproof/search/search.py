"""The search for a counterexample: draw paths, run them, check a claim, shrink what breaks it.

`radproof check` and ``pytest -m claims`` both call `search`; whatever comes out is a `Finding`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import attrs
from hypothesis import strategies as st

from radproof.claims import Claim, Result, Verdict, check
from radproof.cli.progress import Told, unheard
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import LIMIT, evaluate
from radproof.files.paths import PathFile
from radproof.model import SEED, Deployment, Path
from radproof.schedulers.protocol import Scheduler
from radproof.schedulers.purity import watched
from radproof.search.counterexample import Counterexample
from radproof.search.crosscheck import second_look
from radproof.search.drawing import draw
from radproof.search.minimise import minimise
from radproof.search.situations import SITUATIONS, missing, reached
from radproof.strategies import cases, paths, small_paths

Case: TypeAlias = tuple[Deployment, Path]

SECOND_LOOK = 20
"""Every so many-th path is also run through the definition, and the two are compared."""


@attrs.frozen
class Finding:
    """What a search came to.

    result: of the claim over all paths; iterations: evaluations of the claim; paths: those in
    scope; cut: those longer than the step evaluator goes; sometimes: how many paths reached each
    situation. counterexample: the path that breaks the claim, witnesses it (``some iteration``),
    or on which the scheduler is at fault.
    """

    claim: Claim
    result: Result
    iterations: int
    paths: int
    cut: int
    sometimes: dict[str, int]
    seed: int
    scaled: bool = False
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
    claim: Claim,
    scheduler: Scheduler,
    *,
    scheduler_name: str,
    claim_name: str = "",
    examples: int,
    deployment: Deployment = SEED,
    scaled: bool = False,
    seed: int | None = None,
    saved: Iterable[PathFile] = (),
    progress: Told = unheard,
) -> Finding:
    """Look for a path that breaks `claim` (or, for ``some iteration``, one that witnesses it).

    scheduler_name, claim_name: what finds them again from a saved file; scaled: draw scaled-down
    deployments as well, instead of `deployment`; saved: paths to try first, before the small
    ones; seed: None draws one; progress is told the number of paths so far, and
    None when the path that was found is made minimal. A path on which the scheduler raises, or
    returns no batch, ends the search as one that breaks the claim does.
    """
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    hunt = _Hunt(claim, watched(scheduler), progress)
    known = [(file.deployment or SEED, file.sessions) for file in saved]
    first = [case for case in known if scaled or case[0] == deployment]
    if not scaled:
        first += [(deployment, path) for path in small_paths(deployment)]
    broken = next((case for case in first if hunt.broken_by(case)), None)
    if broken is None:
        drawn = (
            cases(claim.family)
            if scaled
            else st.tuples(st.just(deployment), paths(claim.family, deployment))
        )
        broken = draw(drawn, hunt.broken_by, examples, seed)

    counterexample = None
    if broken is not None:
        where, path = broken
        progress(None)
        why = hunt.look(broken).why
        small = minimise(path, lambda smaller: hunt.look((where, smaller)).why == why, where.b_lcm)
        look = hunt.look((where, small.path))
        counterexample = Counterexample(
            path=small.path,
            deployment=where,
            scheduler=scheduler,
            scheduler_name=scheduler_name,
            claim=claim,
            claim_name=claim_name or claim.name,
            verdict=look.verdict,
            error=look.error,
            minimal=small.minimal,
            evaluations=small.evaluations,
        )
    return Finding(
        claim=claim,
        result=_result(claim, hunt, counterexample),
        iterations=hunt.iterations,
        paths=hunt.paths,
        cut=hunt.cut,
        sometimes={name: hunt.sometimes[name] for name in SITUATIONS},
        seed=seed,
        scaled=scaled,
        counterexample=counterexample,
    )


def _result(claim: Claim, hunt: _Hunt, found: Counterexample | None) -> Result:
    if found is not None:
        # a scheduler at fault leaves the claim without an answer
        return Result.NOT_EVALUATED if found.verdict is None else found.verdict.result
    if (
        claim.kind == "some iteration"
        or not hunt.iterations
        or missing(claim.family, hunt.sometimes)
    ):
        return Result.NOT_EVALUATED
    return Result.HOLDS


@attrs.frozen
class _Look:
    """One path under the scheduler: the claim's verdict, or the scheduler's mistake."""

    verdict: Verdict | None = None
    error: SchedulerError | None = None

    @property
    def why(self) -> str | None:
        """What is interesting about the path; minimising keeps it. None: nothing."""
        if self.error is not None:
            return f"scheduler: {self.error.kind}"
        if self.verdict is not None and self.verdict.result in (Result.FAILS, Result.WITNESSED):
            return self.verdict.result.value
        return None


class _Hunt:
    """What is counted while paths are drawn. Shrinking and minimising are not counted."""

    def __init__(self, claim: Claim, scheduler: Scheduler, progress: Told) -> None:
        self.claim = claim
        self.scheduler = scheduler
        self.progress = progress
        self.iterations = self.paths = self.cut = 0
        self.sometimes: Counter[str] = Counter()
        self.broken = False

    def look(self, case: Case) -> _Look:
        """Run one path and check the claim on it."""
        deployment, path = case
        given = self.claim.given
        if given is not None and not all(given(session, deployment) for session in path):
            return _Look()
        try:
            run = evaluate(path, deployment, self.scheduler, limit=LIMIT)
        except SchedulerError as error:
            return _Look(error=error)
        verdict = check(run, self.claim, given=False)
        if not self.broken:
            if self.paths % SECOND_LOOK == 0:
                second_look(run)
            self.paths += 1
            self.iterations += verdict.checked
            self.cut += not run.whole
            self.sometimes.update(reached(run))
            self.progress(self.paths)
        return _Look(verdict=verdict)

    def broken_by(self, case: Case) -> bool:
        """Whether the path breaks the claim, or the scheduler is at fault on it."""
        found = self.look(case).why is not None
        self.broken = self.broken or found
        return found
