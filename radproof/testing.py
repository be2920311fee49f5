"""A user's own test of a scheduler, in three lines.

from radproof.testing import verify

def test_my_scheduler():
    verify(MyScheduler, laws=["engine"])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from radproof.claims import CLAIMS, Claim
from radproof.errors import BadInput
from radproof.files.corpus import committed
from radproof.laws import LAWS, laws_of
from radproof.model import SEED, Deployment
from radproof.schedulers.adapters import adapt
from radproof.schedulers.loading import load


class Broken(AssertionError):
    """The scheduler breaks a claim or a law. The message has the table and the smallest paths."""


def verify(
    scheduler: Any,
    *,
    claims: Iterable[Claim | str] = (),
    laws: Iterable[str] = (),
    deployment: Deployment = SEED,
    examples: int = 200,
    seed: int = 0,
    corpus: str | FilePath | None = None,
) -> None:
    """Search for a path on which `scheduler` breaks one of the claims or laws.

    scheduler: a function, an object, a class (see `adapters.adapt`), or ``module:name``; claims:
    `Claim`s, or names of claims and laws; laws: groups of laws, ``engine`` and ``rad``. Without
    either, the laws of any engine. examples: paths drawn for each family; corpus: a folder of
    known counterexamples, which are tried first. The same seed gives the same result.

    Raises Broken (an AssertionError) where one fails or none could be evaluated, BadInput for a
    name that there is none of.
    """
    from radproof.report.text import finding_row, finding_table
    from radproof.search.judge import Terms, judge

    chosen = _chosen(claims, laws)
    name = scheduler if isinstance(scheduler, str) else _name(scheduler)
    under = load(scheduler) if isinstance(scheduler, str) else adapt(scheduler, name)
    findings = judge(
        chosen,
        under,
        Terms(deployment, examples=examples, seed=seed),
        scheduler_name=name,
        saved=[] if corpus is None else committed(corpus),
    )
    if not any(finding.exit_code for finding in findings):
        return
    texts = [f.counterexample.text() for f in findings if f.counterexample is not None]
    table = finding_table([finding_row(finding) for finding in findings])
    raise Broken("\n\n".join([f"{name} does not keep its claims and laws", table, *texts]))


def _chosen(claims: Iterable[Claim | str], laws: Iterable[str]) -> dict[str, Claim]:
    wanted = list(claims)
    groups = list(laws)
    if not wanted and not groups:
        groups = ["engine"]
    chosen = {law.name: law.claim for law in laws_of(groups)}
    known_ones = CLAIMS | {name: law.claim for name, law in LAWS.items()}
    for claim in wanted:
        if isinstance(claim, str):
            if claim not in known_ones:
                raise BadInput(f"unknown claim {claim!r}. There are: {', '.join(known_ones)}.")
            claim = known_ones[claim]
        chosen = {claim.name: claim} | chosen
    return chosen


def _name(scheduler: Any) -> str:
    """``module:name`` of a function or class; of an object, its class's."""
    named = scheduler if hasattr(scheduler, "__qualname__") else type(scheduler)
    return f"{named.__module__}:{named.__qualname__}"
