"""Claims about a run, the two of the seed, and their verdicts.

A claim is one Python function of a record and a deployment. Written with `radproof.number`'s
helpers it works with every reader: evaluated on records, decided on whole stretches, printed with
both sides of its inequality, and handed to the solver. Written in any other Python it can only be
evaluated, iteration by iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, TypeAlias

import attrs

from radproof.errors import OF_A_USER, BadInput, is_ours, where_raised
from radproof.evaluators import decide
from radproof.invariants import prompt_is_tiled, rate_at
from radproof.model import DEPLOYMENT_NAMES, SCALARS, Deployment, Iteration, Node, Record, Session
from radproof.number import Num, Truth, both, either
from radproof.readers.base import NoTruth, believed, truth
from radproof.readers.looks import CLASS, asks, catches
from radproof.readers.terms import Term, named
from radproof.runs import OverBudget, Run, at_most

Kind: TypeAlias = Literal["every iteration", "some iteration", "at end", "whole run"]
KINDS: tuple[Kind, ...] = ("every iteration", "some iteration", "at end", "whole run")
Family: TypeAlias = Literal["natural", "assumption3", "positive"]
FAMILIES: tuple[Family, ...] = ("natural", "assumption3", "positive")


class Result(StrEnum):
    """The words for results, the same everywhere."""

    HOLDS = "holds"
    FAILS = "fails"
    WITNESSED = "witnessed"
    NOT_EVALUATED = "not evaluated"
    OUT_OF_SCOPE = "out of scope"
    UNKNOWN = "unknown"


def _one_of(choices: tuple[str, ...]) -> Any:
    def validate(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
        if value not in choices:
            raise BadInput(
                f"{attribute.name} of a claim is {value!r}; it must be one of: {', '.join(choices)}"
            )

    return validate


@attrs.frozen
class Claim:
    """A claim: its kind says when `holds` is called, `given` which sessions it is about.

    - ``every iteration``, ``some iteration``: ``holds(record, deployment)``;
    - ``at end``: ``holds(run, deployment)``, once, when the path is over;
    - ``whole run``: ``holds(run, deployment)``, which returns a `Found`.

    `given(session, deployment)` must be true of every session of a path, or the claim is out of
    scope for that path. `holds` may be any Python; on a stretch of many iterations its numbers
    cover all of them (`affine.Affine`), so a claim that tests for `type` is evaluated iteration by
    iteration. A claim about a run that reads more than `decide.BUDGET` records inside of stretches
    is *unknown*: `run.stretches` says the same in few. `family` names the strategy that draws
    paths for it. `statement` is the claim in one line.
    """

    name: str
    kind: Kind = attrs.field(validator=_one_of(KINDS))
    holds: Callable[[Any, Any], Any] = attrs.field(repr=False)
    given: Callable[[Any, Node], Truth] | None = attrs.field(default=None, repr=False)
    family: Family = attrs.field(default="natural", validator=_one_of(FAMILIES), repr=False)
    statement: str = attrs.field(default="", repr=False)

    def in_scope(self, session: Session, deployment: Deployment) -> bool:
        """Whether `given` is true of this session."""
        if self.given is None:
            return True
        try:
            return truth(self.given(session, deployment))
        except OF_A_USER as error:
            raise raised(self, error, "the given of ") from error

    @cached_property
    def term(self) -> Term | None:
        """The claim as a term over the names of the record and the deployment, where it is one."""
        if self.kind not in ("every iteration", "some iteration"):
            return None
        if catches(self.holds):  # it may swallow what a term cannot do, and an int can
            return None
        try:
            names = named(*SCALARS), named(*DEPLOYMENT_NAMES)
            found = believed(lambda: self.holds(*names))
        except OF_A_USER:  # plain Python may raise anything on a term
            return None
        if asks(self.holds, CLASS):  # it may have taken the term for what it is
            return None
        return found if isinstance(found, Term) and found.is_truth() else None


def _token_rate(i: Record, d: Node) -> Truth:
    return rate_at(i.start, i.served, d)


def _optimal_tiling(i: Record, d: Node) -> Truth:
    return either(fills_its_tile(i.tokens, d), i.decoders == i.residents)


def fills_its_tile(tokens: Num, d: Node) -> Truth:
    """A positive multiple of b_col up to b_lcm: where both are equal, b_col tokens exactly."""
    return both(tokens % d.b_col == 0, tokens >= d.b_col, tokens <= d.b_lcm)


token_rate = Claim(
    name="token_rate",
    kind="every iteration",
    holds=_token_rate,
    statement="served x (t_lin + t_nl b_col) <= b_col x start",
)
"""Theorem 1's bound on the tokens served before every iteration (Bari.lean: token_rate)."""

optimal_tiling = Claim(
    name="optimal_tiling",
    kind="every iteration",
    holds=_optimal_tiling,
    given=prompt_is_tiled,
    family="assumption3",
    statement="every batch fills its tile, or every resident decodes",
)
"""Every batch fills its tile, or every resident decodes (Bari.lean: optimal_tiling)."""

CLAIMS = {claim.name: claim for claim in (token_rate, optimal_tiling)}


@attrs.frozen
class Found:
    """The result of a ``whole run`` claim."""

    checked: int
    """How often it was evaluated along the run."""

    failures: int = 0
    """How often it was false."""

    first: int | None = None
    """The time of the first failure, microseconds."""

    index: int | None = None
    """The iteration of the first failure, counted from 0, where it was in one."""

    record: Iteration | None = attrs.field(default=None, repr=False)
    """The record of that iteration."""

    reason: str = ""
    """Why it failed, was cut, or was not evaluated."""

    cut: bool = False
    """Whether it was evaluated, and true, on the first part of the run only."""


@attrs.frozen
class Verdict:
    """The result of one claim on one run."""

    claim: Claim
    result: Result
    checked: int
    """How often it was evaluated."""

    failures: int
    """How often it was false."""

    first: int | None = None
    """The time of the first failure or the first witness, microseconds."""

    index: int | None = None
    """The iteration of that time, counted from 0."""

    record: Iteration | None = attrs.field(default=None, repr=False)
    """The record of that iteration."""

    reason: str = ""
    """Why there is no answer, or why it fails."""

    def __str__(self) -> str:
        if self.result is Result.HOLDS and self.claim.kind != "at end":
            return f"holds ({self.checked} iterations)"
        if self.result in (Result.FAILS, Result.WITNESSED):
            return f"{self.result.value} at {self.first}"
        return self.result.value + (f" ({self.reason})" if self.reason else "")


def check(run: Run, claim: Claim, given: bool = True) -> Verdict:
    """The verdict of `claim` on `run`; ``given=False`` drops the claim's hypothesis."""
    if given:
        for number, session in enumerate(run.path):
            if not claim.in_scope(session, run.deployment):
                reason = f"session {number}, {attrs.astuple(session)}, is outside the claim's given"
                return Verdict(claim, Result.OUT_OF_SCOPE, 0, 0, reason=reason)
    if claim.kind == "at end":
        return _at_end(run, claim)
    if claim.kind == "whole run":
        return _whole_run(run, claim)
    return _iterations(run, claim)


def raised(claim: Claim, error: BaseException, part: str = "") -> BadInput:
    """The error for what a claim raised, or returned instead of a truth; it is to be raised."""
    said = f"returned {error}" if isinstance(error, NoTruth) else f"raised {where_raised(error)}"
    return BadInput(f"{part}the claim {claim.name} {said}")


def _iterations(run: Run, claim: Claim) -> Verdict:
    try:
        found = decide.count(claim.holds, claim.term, run.stretches, run.deployment)
    except OverBudget:
        reason = (
            f"{run.iterations} iterations, and this claim can only be evaluated one by one, "
            f"up to {decide.BUDGET}"
        )
        return Verdict(claim, Result.UNKNOWN, 0, 0, reason=reason)
    except OF_A_USER as error:
        raise raised(claim, error) from error
    every = claim.kind == "every iteration"
    deciding = found.first_false if every else found.first_true
    if deciding is not None:
        index, record = deciding
        result = Result.FAILS if every else Result.WITNESSED
        return Verdict(claim, result, found.checked, found.failures, record.start, index, record)
    if every and found.checked:
        return Verdict(claim, Result.HOLDS, found.checked, found.failures)
    reason = f"in none of {found.checked} iterations" if found.checked else "no iteration"
    return Verdict(claim, Result.NOT_EVALUATED, found.checked, found.failures, reason=reason)


def _at_end(run: Run, claim: Claim) -> Verdict:
    if not run.whole:
        reason = f"the run was cut short after {run.iterations} iterations"
        return Verdict(claim, Result.UNKNOWN, 0, 0, reason=reason)
    with at_most(decide.BUDGET) as budget:
        try:
            holds = truth(claim.holds(run, run.deployment))
        except OF_A_USER as error:
            if not budget.over:
                raise raised(claim, error) from error
    if budget.over:  # whatever the claim made of it
        return Verdict(claim, Result.UNKNOWN, 0, 0, reason=_read_too_much(run))
    if holds:
        return Verdict(claim, Result.HOLDS, 1, 0)
    last = run.stretches[-1] if run.stretches else None
    return Verdict(
        claim,
        Result.FAILS,
        checked=1,
        failures=1,
        first=run.end,
        index=run.iterations - 1 if last else None,
        record=last.record(last.count - 1) if last else None,
    )


def _read_too_much(run: Run) -> str:
    return (
        f"{run.iterations} iterations, and this claim reads their records one by one, up to "
        f"{decide.BUDGET}; read run.stretches instead, each a first record and its count"
    )


def _whole_run(run: Run, claim: Claim) -> Verdict:
    with at_most(decide.BUDGET) as budget:
        try:
            found = claim.holds(run, run.deployment)
        except OF_A_USER as error:
            if not budget.over and is_ours(error):  # in a law
                raise
            if not budget.over:
                raise raised(claim, error) from error
    if budget.over:  # whatever the claim made of it
        return Verdict(claim, Result.UNKNOWN, 0, 0, reason=_read_too_much(run))
    if not isinstance(found, Found):
        raise BadInput(
            f"the claim {claim.name} returned {found!r:.60}; a claim of the kind 'whole run' "
            "returns a radproof.claims.Found"
        )
    if found.failures:
        result, reason = Result.FAILS, found.reason
    elif found.cut:
        result, reason = Result.UNKNOWN, found.reason
    elif found.checked:
        result, reason = Result.HOLDS, ""
    else:
        result, reason = Result.NOT_EVALUATED, found.reason or "nothing on this path is about it"
    return Verdict(
        claim,
        result,
        checked=found.checked,
        failures=found.failures,
        first=found.first,
        index=found.index,
        record=found.record,
        reason=reason,
    )


def sides(claim: Claim, record: Iteration, deployment: Deployment) -> list[tuple[str, str, bool]]:
    """Each comparison of the claim: its text, its two values, its truth on this record.

    Empty where the claim is not a term.
    """
    found = claim.term
    if found is None:
        return []
    names = {name: getattr(record, name) for name in SCALARS}
    names |= {name: getattr(deployment, name) for name in DEPLOYMENT_NAMES}
    shown = []
    for comparison in found.comparisons():
        left, right = (arg.value(names) for arg in comparison.args)
        shown.append(
            (comparison.text(), f"{left} {comparison.op} {right}", bool(comparison.value(names)))
        )
    return shown
