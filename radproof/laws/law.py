"""A law: a claim with its source, the engines it binds and the evidence for it.

`@law` above a function declares one. Its name is the function's name, its statement the first
paragraph of the function's docstring.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import attrs

from radproof.claims import Claim, Family, Found
from radproof.invariants import GIVEN
from radproof.laws import along
from radproof.model import Deployment
from radproof.runs import Run
from radproof.schedulers.protocol import Scheduler

LawGroup: TypeAlias = Literal["engine", "rad"]
GROUPS: dict[LawGroup, str] = {
    "engine": "laws of any engine with this clock, whatever its policy",
    "rad": "laws of RAD: what the policy decides",
}

Unless: TypeAlias = Callable[[Scheduler, Deployment], str]

At: TypeAlias = Literal["batch", "moment", "end", "run"]


def _always(scheduler: Scheduler, deployment: Deployment) -> str:
    return ""


@attrs.frozen
class Law:
    """One law."""

    claim: Claim
    """Its one definition, with name, statement and family."""
    group: LawGroup
    source: str = attrs.field(repr=False)
    """The paper, the notes or the public report that it is taken from."""
    tested: str = attrs.field(repr=False)
    """The test that RAD keeps it."""
    proved_by: tuple[str, ...] = attrs.field(default=(), repr=False)
    """The lemmas that it follows from, for paths of any length; empty: it is only tested."""
    faults: tuple[str, ...] = attrs.field(default=(), repr=False)
    """The kinds of `SchedulerError` that break it."""
    unless: Unless = attrs.field(default=_always, repr=False)
    """Why it cannot be asked of a scheduler, and what that could declare; empty where it can."""

    @property
    def name(self) -> str:
        """The claim's name."""
        return self.claim.name

    @property
    def statement(self) -> str:
        """The law in one line."""
        return self.claim.statement

    @property
    def family(self) -> Family:
        """The paths it applies to: any, or prompts that are (positive) multiples of b_lcm."""
        return self.claim.family

    @property
    def evidence(self) -> str:
        """Why RAD is believed to keep it: the lemmas it follows from, and the test."""
        proved = f"proved by {', '.join(self.proved_by)}; " if self.proved_by else ""
        return f"{proved}tested by {self.tested}"

    @property
    def symbolic(self) -> bool:
        """Whether it is one formula of a record's numbers, which a solver can read too."""
        return self.claim.term is not None

    def at_end(self, function: along.AtEnd) -> along.AtEnd:
        """Decorator: the second part of a law along a path, asked at the end of the run."""
        along.AT_END[self.name] = function
        return function


def law(
    group: LawGroup,
    *,
    at: At,
    source: str,
    family: Family = "natural",
    proved_by: tuple[str, ...] = (),
    faults: tuple[str, ...] = (),
    unless: Unless = _always,
) -> Callable[[Callable[..., Any]], Law]:
    """Decorator: the function becomes the `Law` of its name. The fields are those of `Law`.

    `at` says when the function is asked, and of what:

    - ``batch``: ``(record, deployment)``, of every iteration: a formula over the record's numbers;
    - ``moment``: ``(m)``, the ledger as each iteration of a run starts (`ledger.Moment`);
    - ``end``: ``(m, run)``, the ledger at the end of a run (`ledger.Ledger`);
    - ``run``: ``(run, deployment)``, of a whole run: it gives a `claims.Found`.
    """

    def declare(function: Callable[..., Any]) -> Law:
        name = function.__name__
        if at == "moment":
            along.AT_MOMENT[name] = function
        elif at == "end":
            along.AT_END[name] = function
        holds = along.reader(name) if at in ("moment", "end") else function
        claim = Claim(
            name=name,
            kind="every iteration" if at == "batch" else "whole run",
            holds=holds if unless is _always else _saying_why(holds, unless),
            given=GIVEN[family],
            family=family,
            statement=statement_of(function),
        )
        return Law(claim, group, source, _tests_of(function.__module__), proved_by, faults, unless)

    return declare


def _saying_why(
    holds: Callable[[Run, Deployment], Found], unless: Unless
) -> Callable[[Run, Deployment], Found]:
    """The same, with the reason where nothing was checked."""

    def found(run: Run, deployment: Deployment) -> Found:
        said = holds(run, deployment)
        if said.checked:
            return said
        return attrs.evolve(said, reason=unless(run.scheduler, deployment))

    return found


def statement_of(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring as a phrase: no capital first, no full stop last."""
    paragraph, *_ = (inspect.getdoc(function) or "").split("\n\n")
    phrase = " ".join(paragraph.split()).removesuffix(".")
    return phrase[:1].lower() + phrase[1:]


def _tests_of(module: str) -> str:
    """The file that tests a module: the tests mirror the package."""
    _, *rooms, name = module.split(".")
    return "/".join(("tests", *rooms, f"test_{name}.py"))
