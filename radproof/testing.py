"""A user's own test of a scheduler, in three lines.

from radproof.testing import verify

def test_my_scheduler():
    verify(MyScheduler, laws=["engine"])
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path as FilePath
from typing import TypeVar

from radproof.claims import Claim
from radproof.errors import BadInput, RadproofError
from radproof.files.corpus import committed
from radproof.laws import GROUPS, asked_of, claim_named
from radproof.model import SEED, Deployment, is_not_whole
from radproof.schedulers.loading import Loaded, load

T = TypeVar("T")


class Broken(AssertionError):
    """The scheduler breaks a claim or a law. The message has the table and the smallest paths."""


def verify(
    scheduler: object,
    *,
    claims: Claim | str | Iterable[Claim | str] = (),
    laws: str | Iterable[str] = (),
    deployment: Deployment = SEED,
    examples: int = 200,
    seed: int = 0,
    corpus: str | FilePath | None = None,
) -> None:
    """Search for a path on which `scheduler` breaks one of the claims or laws.

    scheduler: a function, an object, a class (see `adapters.adapt`), or ``module:name``; claims:
    `Claim`s, names of claims and laws, or ``module:name``; laws: groups of laws, ``engine`` and
    ``rad``, of which those that cannot be asked of it are named in a printed note. Of each, one or
    several. Without either, the laws of any engine. examples: paths drawn for each family; corpus:
    a folder of known counterexamples, of which those of this deployment are tried first and the
    others counted in a printed note, as the paths are that were not checked in full. The same
    seed gives the same result.

    Raises Broken (an AssertionError) if one fails or is not evaluated, BadInput for an unknown
    name, a number out of range or a corpus that is no folder.
    """
    __tracebackhide__ = True  # pytest then shows the user's line, and not these
    try:
        _verify(scheduler, _several(claims), _several(laws), deployment, examples, seed, corpus)
    except (Broken, RadproofError) as error:
        raise error.with_traceback(None) from None


def _verify(
    scheduler: object,
    claims: Sequence[Claim | str],
    laws: Sequence[str],
    deployment: Deployment,
    examples: int,
    seed: int,
    corpus: str | FilePath | None,
) -> None:
    for name, number, least in (("examples", examples, 1), ("seed", seed, 0)):
        if type(number) is not int or number < least:
            raise BadInput(f"{name} {is_not_whole(number, least)}.")
    if not isinstance(deployment, Deployment):
        raise BadInput(f"deployment is {deployment!r:.60}; it must be a radproof.Deployment.")
    if corpus is not None and not os.path.isdir(corpus):
        raise BadInput(
            f"corpus {os.fspath(corpus)!r} is no folder in {os.getcwd()}, where the tests run. "
            "Name the folder that holds the path files, or leave it out."
        )
    from radproof.report.text import finding_row, finding_table, not_asked, open_notes
    from radproof.search.search import Plan, search

    loaded = load(scheduler) if isinstance(scheduler, str) else Loaded.of(scheduler)
    chosen, reasons = _chosen(claims, laws, loaded, deployment)
    findings = search(
        chosen,
        loaded,
        Plan(deployment, examples=examples, seed=seed),
        saved=[] if corpus is None else committed(corpus),
    )
    rows = [finding_row(finding) for finding in findings]
    if not any(finding.exit_code for finding in findings):
        for note in (*not_asked(reasons), *open_notes(rows)):
            print(note)  # pytest shows what a passing test prints with -rP
        return
    texts = [f.counterexample.text() for f in findings if f.counterexample is not None]
    table = finding_table(rows)
    raise Broken("\n\n".join([f"{loaded.name} does not keep its claims and laws", table, *texts]))


def _several(given: T | Iterable[T]) -> list[T]:
    """One, or several, as a list."""
    if isinstance(given, str | Claim) or not isinstance(given, Iterable):
        return [given]
    return [*given]


def _chosen(
    claims: Sequence[Claim | str], laws: Sequence[str], scheduler: Loaded, deployment: Deployment
) -> tuple[dict[str, Claim], dict[str, str]]:
    """What to check, and why laws of the groups cannot be asked of the scheduler, by name."""
    groups = laws if laws or claims else ["engine"]
    for group in groups:
        if not isinstance(group, str):
            raise BadInput(f"laws has {group!r:.60}; name groups of laws: {', '.join(GROUPS)}.")
    chosen, reasons = asked_of(groups, scheduler.call, deployment)
    for claim in claims:
        if isinstance(claim, str):
            claim = claim_named(claim)
        elif not isinstance(claim, Claim):
            raise BadInput(f"claim {claim!r:.60} is not a radproof.Claim, or the name of one.")
        chosen = {claim.name: claim} | chosen
    return chosen, {name: why for name, why in reasons.items() if name not in chosen}
