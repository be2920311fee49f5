"""The search for a counterexample: draw paths, run each once, check every claim and law on it.

`radproof check`, ``pytest -m claims``, `radproof.testing.verify` and the hunt for mutants all call
`search`. A claim that breaks is set aside with its path, which Hypothesis then shrinks and
`minimise` makes 1-minimal for that claim alone; the search goes on with the other claims.
"""

from __future__ import annotations

import bisect
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import attrs
from hypothesis import strategies as st

from radproof.claims import FAMILIES, Claim, Family, Result, Verdict, check
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import SHARE, evaluate
from radproof.files.paths import PathFile
from radproof.laws import LAWS, broken_by
from radproof.laws.faults import pure as PURE
from radproof.model import SEED, Deployment, Path, Session
from radproof.runs import Engine, Run
from radproof.schedulers.loading import Loaded
from radproof.schedulers.purity import watched
from radproof.schedulers.rule_form import in_rule_form
from radproof.search.counterexample import Counterexample
from radproof.search.crosscheck import Disagreement, cross_check
from radproof.search.drawing import draw
from radproof.search.minimise import WORK, Minimised, OutOfBudget, minimise
from radproof.search.progress import Progress, no_progress
from radproof.search.replay import BROKEN
from radproof.search.situations import SITUATIONS, missing, reached
from radproof.strategies import SMALLEST, cases, paths, small_paths

T = TypeVar("T")

Case: TypeAlias = tuple[Deployment, Path]

CROSS_CHECKED = 20
"""One path in so many is also run through the definition, and the two runs are compared."""

MOST = 20 * SHARE
"""The most work of one path, even where the shorter paths have left more."""

SAVED = 20 * MOST
"""The most work that shorter paths leave: thousands of small ones come before any is drawn."""

LONG = 100
"""Tiles of a prompt longer than any engine's budget here; the strategies rarely draw one."""


@attrs.frozen
class Plan:
    """What is searched."""

    deployment: Deployment = SEED
    scaled: bool = False
    """Draw scaled-down deployments too, instead of `deployment` alone."""

    examples: int = 300
    """Paths to draw of each family."""

    max_sessions: int = 500
    """The most sessions of a drawn path."""

    seed: int | None = 0
    """The seed of the draws; None draws one."""

    def first(self) -> Iterator[Case]:
        """The cases to try before any is drawn: every small path, and one long prompt."""
        for d in SMALLEST if self.scaled else (self.deployment,):
            yield from ((d, path) for path in small_paths(d))
            yield d, (Session(0, LONG * d.b_lcm, 1),)

    def drawn(self, family: Family) -> st.SearchStrategy[Case]:
        """The cases of a family, deployment and path."""
        if self.scaled:
            return cases(family, min(self.max_sessions, 40), chunks=True)
        return st.tuples(
            st.just(self.deployment), paths(family, self.deployment, self.max_sessions)
        )

    def judges(self, file: PathFile) -> bool:
        """Whether a saved path belongs to this search: it was found at this deployment."""
        return self.scaled or (file.deployment or SEED) == self.deployment


@attrs.frozen
class Finding:
    """The result of a search for one claim."""

    claim: Claim
    result: Result
    """Over all paths."""

    iterations: int
    """How often the claim was evaluated."""

    paths: int
    """Paths in its scope."""

    sometimes: dict[str, int]
    """How many paths on which the claim was evaluated to their end reached each situation."""

    seed: int
    scaled: bool
    left_out: int
    """Saved paths of another deployment, which were not run."""

    cut: int
    """Paths that were not run to their end."""

    unknown: int
    """Paths that were run to their end, and on which the verdict is unknown."""

    reason: str = ""
    """Why the first of those is; or why a law cannot be asked of the scheduler."""

    counterexample: Counterexample | None = None
    """The path that breaks the claim, witnesses it (``some iteration``), or on which the scheduler
    is at fault."""

    @property
    def missing(self) -> list[str]:
        """The situations that a path for this claim can reach, and none did."""
        return missing(self.claim.family, self.sometimes)

    @property
    def exit_code(self) -> int:
        """0 holds or witnessed; 1 fails; 2 the scheduler is at fault; 3 no answer."""
        if self.counterexample is not None and self.counterexample.error is not None:
            return self.counterexample.error.exit_code
        return {Result.HOLDS: 0, Result.WITNESSED: 0, Result.FAILS: 1}.get(self.result, 3)


class Interrupted(KeyboardInterrupt):
    """A search was interrupted.

    Its findings have what broke by then, as it was found where it was not yet made minimal; a claim
    whose paths had not all been run is *not evaluated*.
    """

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__()
        self.findings = findings


Found: TypeAlias = Callable[[Counterexample, bool], None]
"""Called with each counterexample and False as it is found, and with True when its path is as small
as it will be."""


def no_one(found: Counterexample, made: bool) -> None:
    """Tells nobody."""


def search(
    claims: Mapping[str, Claim],
    scheduler: Loaded,
    plan: Plan = Plan(),
    *,
    saved: Iterable[PathFile] = (),
    progress: Progress = no_progress,
    found: Found = no_one,
) -> list[Finding]:
    """Look for a path that breaks each claim (or, for ``some iteration``, one that witnesses it).

    claims: claims and laws by the names that find them again; saved: paths to try first, of which
    those of the plan's deployment are run. Returns a finding for each claim, in their order.

    A path on which the scheduler is at fault (it raises, or does not return a batch) breaks the
    law about that fault (`laws.faults`), and the run up to the fault any claim that fails on it. If
    laws are among the claims, the law of the fault joins the findings where it was not asked. If
    none is, the fault ends the search, and the claims whose paths had not all been run by then get
    no finding.

    What breaks a claim is looked at again. If it is not seen again, the finding has both answers
    (`Counterexample.again`), and the law `pure` fails where laws are among the claims.

    Raises Interrupted, with the findings so far, for a KeyboardInterrupt.
    """
    files = list(saved)
    return _searched(
        _Search.findings, lambda: _Search(claims, scheduler, plan, files, progress, found)
    )


def _searched(ask: Callable[[_Search], T], start: Callable[[], _Search]) -> T:
    """What is asked of a search, once its paths have been run."""
    search = start()
    try:
        return search.answer(ask)
    except Disagreement:
        if in_rule_form(search.loaded.call):
            raise
        # A user's code may look at what a number is where `readers.looks` cannot find it. It is
        # then asked about one iteration at a time.
        again = start()
        again.seed, again.engine = search.seed, "step"
        return again.answer(ask)


def broken_names(claims: Mapping[str, Claim], scheduler: Loaded, plan: Plan) -> list[str]:
    """The names of the claims that break, and of the laws of a fault; no path is made minimal."""
    return _searched(
        lambda search: [a.name for a in search.asked.values() if a.breaking is not None],
        lambda: _Search(claims, scheduler, plan, (), no_progress, no_one),
    )


@attrs.define
class _Asked:
    """One claim, its counts over the paths run so far, and the first case that breaks it."""

    name: str
    claim: Claim
    iterations: int = 0
    paths: int = 0
    cut: int = 0
    unknown: int = 0
    reason: str = ""
    """Why the first of those is unknown."""
    whole: bool = False
    """Whether it was evaluated on a path to its end."""
    sometimes: Counter[str] = attrs.field(factory=Counter)
    """How many of the paths on which it was evaluated to their end reached each situation."""
    breaking: Case | None = None
    found_in: Family | None = None
    """The family of which the breaking case was drawn; None where it was saved or is a small one.
    Hypothesis can shrink only what it has drawn."""

    failure: str = ""
    """How that case breaks it, one of `_Outcome.shown`. Shrinking and minimising keep it, so
    that a smaller path shows the same failure."""
    seen: _Outcome | None = None
    """What was seen on that case when it was found."""
    work: int = SHARE
    """How much work shows the failure again, with enough to spare for a smaller path."""

    def count(self, run: Run, verdict: Verdict, situations: frozenset[str]) -> None:
        """Count one path: it says as much as was evaluated of it."""
        self.paths += 1
        self.iterations += verdict.checked
        if not run.whole:
            self.cut += 1
        elif verdict.result is Result.UNKNOWN:
            self.unknown += 1
            self.reason = self.reason or verdict.reason
        else:
            self.whole = self.whole or verdict.checked > 0
            self.sometimes.update(situations)

    def breaks_on(
        self, case: Case, found_in: Family | None, seen: _Outcome, failure: str, run: Run
    ) -> None:
        """Set the claim aside: no further path is checked for it. `run` shows the failure."""
        self.breaking, self.found_in = case, found_in
        self.seen, self.failure = seen, failure
        index = None if seen.verdict is None else seen.verdict.index
        self.work = max(SHARE, 2 * _work_to(run, index))


@attrs.frozen
class _Outcome:
    """One claim on one path; neither verdict nor fault where the path is out of its scope."""

    verdict: Verdict | None = None
    """On the run, or on the part of it before the fault."""
    error: SchedulerError | None = None
    """The scheduler's fault, which ended the run."""
    shown: tuple[str, ...] = ()
    """The verdict's result and the kind of the fault: a claim breaks by one of these."""

    def only(self, failure: str) -> _Outcome:
        """What is shown of it where it breaks the claim in this way: the fault, or the verdict."""
        if failure.startswith(_FAULT):
            return _Outcome(error=self.error)
        return _Outcome(self.verdict)

    def __str__(self) -> str:
        if self.error is not None:
            return str(self.error).removesuffix(".")
        return "a path out of the claim's scope" if self.verdict is None else str(self.verdict)


_FAULT = "scheduler: "
"""Before the kind of a fault, where a claim breaks by one."""


class _Search:
    """A search under way: the claims asked, and what the paths run so far showed of them."""

    def __init__(
        self,
        claims: Mapping[str, Claim],
        scheduler: Loaded,
        plan: Plan,
        saved: Sequence[PathFile],
        progress: Progress,
        found: Found,
    ) -> None:
        self.asked = {name: _Asked(name, claim) for name, claim in claims.items()}
        self.with_laws = any(name in LAWS for name in claims)
        self.loaded = scheduler
        self.scheduler = watched(scheduler.call)
        self.engine: Engine = "leap"
        self.plan = plan
        self.seed = random.SystemRandom().randrange(2**32) if plan.seed is None else plan.seed
        self.saved = [(f.deployment or SEED, f.sessions) for f in saved if plan.judges(f)]
        self.left_out = len(saved) - len(self.saved)
        self.progress = progress
        self.found = found
        self.made: dict[str, Counterexample] = {}  # whose paths are as small as they will be
        self.paths = 0
        self.left = 0  # work that the paths run so far have left to longer ones
        self.work = 0  # of all runs, those included that look for a smaller path
        self.stopped = False  # by a fault of the scheduler
        self.complete: set[Family] = set()  # the families that were settled before that

    def answer(self, ask: Callable[[_Search], T]) -> T:
        """What is asked, once the paths have been run. Raises Interrupted."""
        try:
            self.run()
            return ask(self)
        except KeyboardInterrupt:
            raise Interrupted(self.so_far()) from None

    def run(self) -> None:
        """Run the paths of every family that a claim asks for."""
        for family in FAMILIES:
            if not self._settled(family):
                self._run_family(family)
            if not self.stopped:
                self.complete.add(family)

    def findings(self) -> list[Finding]:
        """The answers, but of claims that a fault left open; what breaks is made minimal first."""
        found = self.made
        for asked in [a for a in self.asked.values() if a.breaking is not None]:
            found[asked.name] = self._minimal(asked)
            self.found(found[asked.name], True)
        once = next((one for one in found.values() if one.again), None)
        if once is not None and self.with_laws:
            # one path, two answers: whatever else it breaks, the scheduler is not pure
            pure = self.asked.setdefault(PURE.name, _Asked(PURE.name, PURE.claim))
            found.setdefault(pure.name, once.as_impure(pure.claim))
        return [
            self._finding(asked, found.get(name))
            for name, asked in self.asked.items()
            if name in found or asked.claim.family in self.complete
        ]

    def so_far(self) -> list[Finding]:
        """The answers of a search that was interrupted."""
        answers = []
        for name, asked in self.asked.items():
            found = self.made.get(name)
            if found is None and asked.seen is not None:
                found = self._as_found(asked)
            answer = self._finding(asked, found)
            if found is None and asked.claim.family not in self.complete:
                answer = attrs.evolve(
                    answer, result=Result.NOT_EVALUATED, reason="the search was interrupted"
                )
            answers.append(answer)
        return answers

    def _finding(self, asked: _Asked, found: Counterexample | None) -> Finding:
        return Finding(
            claim=asked.claim,
            result=_result(asked, found),
            iterations=asked.iterations,
            paths=asked.paths,
            cut=asked.cut,
            sometimes={name: asked.sometimes[name] for name in SITUATIONS},
            seed=self.seed,
            scaled=self.plan.scaled,
            left_out=self.left_out,
            unknown=asked.unknown,
            reason=asked.reason or self._cannot_be_asked(asked),
            counterexample=found,
        )

    def _cannot_be_asked(self, asked: _Asked) -> str:
        if not _is_law(asked) or asked.whole:
            return ""
        return LAWS[asked.name].unless(self.scheduler, self.plan.deployment)

    def _open(self, family: Family) -> list[_Asked]:
        return [a for a in self.asked.values() if a.breaking is None and a.claim.family == family]

    def _settled(self, family: Family) -> bool:
        """Whether no further path of this family is needed."""
        return self.stopped or not self._open(family)

    def _run_family(self, family: Family) -> None:
        """Run the saved paths, the small ones and the drawn ones, until the family is settled."""
        given = partial(self._run_case, family=family, drawn=False)
        if any(map(given, self.saved)) or any(map(given, self.plan.first())):
            return
        drawn = partial(self._run_case, family=family, drawn=True)
        draw(self.plan.drawn(family), drawn, self.plan.examples, self.seed, shrink=False)

    def _run_case(self, case: Case, family: Family, drawn: bool) -> bool:
        """Run one path and check the open claims that it is in the scope of.

        Returns whether the family is settled.
        """
        about = [asked for asked in self._open(family) if _in_scope(asked.claim, case)]
        if not about:  # out of scope; or Hypothesis runs the path that settled it once more
            return self._settled(family)
        found_in = family if drawn else None
        self.left, before = min(self.left + SHARE, SAVED), self.work
        run, error = self._look(case, min(self.left, MOST), crossed=self.paths % CROSS_CHECKED == 0)
        self.left = max(0, self.left - (self.work - before))
        if error is not None:
            self._fault(about, case, error, found_in)
            self.progress(self.paths)
            return self._settled(family)
        self.paths += 1
        situations = reached(run)
        for asked in about:
            verdict = check(run, asked.claim, given=False)
            asked.count(run, verdict, situations)
            if verdict.result in BROKEN:
                self._broken(asked, case, found_in, _Outcome(verdict), verdict.result, run)
        self.progress(self.paths)
        return self._settled(family)

    def _look(self, case: Case, work: int, crossed: bool) -> tuple[Run, SchedulerError | None]:
        """Run a case: the run, or the part of it before the scheduler's fault, and the fault."""
        deployment, path = case
        error = None
        try:
            run = evaluate(path, deployment, self.scheduler, engine=self.engine, work=work)
            if crossed:
                cross_check(run)
        except SchedulerError as raised:
            run, error = raised.so_far, raised
        self.work += run.work
        return run, error

    def _fault(
        self, about: list[_Asked], case: Case, error: SchedulerError, found_in: Family | None
    ) -> None:
        """The scheduler is at fault on a path, which `about` are asked of.

        The fault breaks the law about it. The run up to it is judged by every claim, since what is
        broken before a fault is broken.
        """
        seen, failure = _Outcome(error=error), _FAULT + error.kind
        if self.with_laws:
            name = broken_by(error.kind)
            law = self.asked.setdefault(name, _Asked(name, LAWS[name].claim))
            if law.breaking is None:
                law.paths += 1
                self._broken(law, case, found_in, seen, failure, error.so_far)
        for asked in about:
            verdict = check(error.so_far, asked.claim, given=False)
            if asked.breaking is None and verdict.result in BROKEN:
                asked.count(error.so_far, verdict, frozenset())
                before = _Outcome(verdict)
                self._broken(asked, case, found_in, before, verdict.result, error.so_far)
        left = [asked for asked in about if asked.breaking is None]
        if left and not self.with_laws:
            self.stopped = True
            self._broken(left[0], case, found_in, seen, failure, error.so_far)

    def _broken(
        self,
        asked: _Asked,
        case: Case,
        found_in: Family | None,
        seen: _Outcome,
        failure: str,
        run: Run,
    ) -> None:
        """Set the claim aside, and tell of what breaks it."""
        asked.breaks_on(case, found_in, seen, failure, run)
        self.found(self._as_found(asked), False)

    def _as_found(self, asked: _Asked) -> Counterexample:
        assert asked.breaking is not None
        assert asked.seen is not None
        return self._counterexample(asked, asked.breaking, asked.seen)

    def _outcome(self, case: Case, asked: _Asked, crossed: bool = False) -> _Outcome:
        """One claim on one path, run again; nothing is counted."""
        if not _in_scope(asked.claim, case):
            return _Outcome()
        run, error = self._look(case, asked.work, crossed)
        verdict = check(run, asked.claim, given=False)
        shown = (verdict.result,) if error is None else (verdict.result, _FAULT + error.kind)
        return _Outcome(verdict, error, shown)

    def _minimal(self, asked: _Asked) -> Counterexample:
        """The counterexample of the case that breaks a claim: shrunk where drawn, and 1-minimal.

        The last look decides. Where it does not show the failure, the scheduler answers otherwise
        than it did: the case stays as it was found, with both answers.
        """
        assert asked.breaking is not None
        self.progress(None)
        case = asked.breaking
        last = self._outcome(case, asked)
        if asked.failure in last.shown:
            small, size = self._smaller(asked, case)
            last = self._outcome(small, asked, crossed=True)
            if asked.failure in last.shown:
                found = self._counterexample(asked, small, last.only(asked.failure))
                return attrs.evolve(found, minimal=size.minimal, evaluations=size.evaluations)
        return attrs.evolve(self._as_found(asked), again=str(last))

    def _smaller(self, asked: _Asked, case: Case) -> tuple[Case, Minimised]:
        """A smaller case that breaks the claim in the same way, and how small it is."""
        start, met = self.work, False

        def fails_alike(candidate: Case) -> bool:
            return asked.failure in self._outcome(candidate, asked).shown

        def drawn_alike(candidate: Case) -> bool:
            nonlocal met
            met = met or candidate == case  # what was drawn before it did not break the claim
            return met and self.work < start + WORK // 2 and fails_alike(candidate)

        if asked.found_in is not None:
            drawn = self.plan.drawn(asked.found_in)
            case = draw(drawn, drawn_alike, self.plan.examples, self.seed) or case
        deployment, path = case

        def path_fails(shorter: Path) -> bool:
            if self.work >= start + WORK:
                raise OutOfBudget
            return fails_alike((deployment, shorter))

        small = minimise(path, path_fails, deployment.b_lcm)
        return (deployment, small.path), small

    def _counterexample(self, asked: _Asked, case: Case, shown: _Outcome) -> Counterexample:
        deployment, path = case
        return Counterexample(
            path=path,
            deployment=deployment,
            scheduler=self.loaded,
            claim=asked.claim,
            claim_name=asked.name,
            verdict=shown.verdict,
            error=shown.error,
            minimal=False,
        )


def _work_to(run: Run, index: int | None) -> int:
    """The work of a run up to iteration `index`; None: all of it."""
    if index is None:
        return run.work
    ends = itertools.accumulate(stretch.count for stretch in run.stretches)
    upto = bisect.bisect_right(list(ends), index) + 1
    return attrs.evolve(run, stretches=run.stretches[:upto]).work


def _in_scope(claim: Claim, case: Case) -> bool:
    deployment, path = case
    return all(claim.in_scope(session, deployment) for session in path)


def _result(asked: _Asked, found: Counterexample | None) -> Result:
    if found is not None and found.verdict is not None:
        # a witness that was not seen again witnesses nothing
        witness = found.verdict.result is Result.WITNESSED
        return Result.NOT_EVALUATED if witness and found.again else found.verdict.result
    if found is not None and found.error is not None:
        # a fault breaks the law about it, and leaves any other claim without an answer
        breaks = broken_by(found.error.kind) == asked.name
        return Result.FAILS if breaks else Result.NOT_EVALUATED
    if not asked.whole:
        return Result.UNKNOWN if asked.unknown else Result.NOT_EVALUATED
    if asked.claim.kind == "some iteration":
        return Result.NOT_EVALUATED
    # A law says itself what it is about, and is not evaluated where a path has none of it; what
    # else that path reached is no concern of it. Any other claim is asked for every situation.
    if not _is_law(asked) and missing(asked.claim.family, asked.sometimes):
        return Result.NOT_EVALUATED
    return Result.HOLDS


def _is_law(asked: _Asked) -> bool:
    """Whether it is one of the laws, and not a claim of the same name."""
    return asked.name in LAWS and LAWS[asked.name].claim is asked.claim
