"""A user's own test of a scheduler, in three lines.

from radproof.testing import verify

def test_my_scheduler():
    verify(MyScheduler, laws=["engine"])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath

from radproof.claims import Claim
from radproof.files.corpus import committed
from radproof.laws import asked_of, claim_named
from radproof.model import SEED, Deployment
from radproof.schedulers.loading import Loaded, load


class Broken(AssertionError):
    """The scheduler breaks a claim or a law. The message has the table and the smallest paths."""


def verify(
    scheduler: object,
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
    `Claim`s, names of claims and laws, or ``module:name``; laws: groups of laws, ``engine`` and
    ``rad``, of which those that cannot be asked of it are named in a printed note. Without either,
    the laws of any engine. examples: paths drawn for each family; corpus:
    a folder of known counterexamples, of which those of this deployment are tried first and the
    others counted in a printed note, as the paths are that were not checked in full. The same
    seed gives the same result.

    Raises Broken (an AssertionError) if one fails or is not evaluated, BadInput for an unknown
    name.
    """
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


def _chosen(
    claims: Iterable[Claim | str], laws: Iterable[str], scheduler: Loaded, deployment: Deployment
) -> tuple[dict[str, Claim], dict[str, str]]:
    """What to check, and why laws of the groups cannot be asked of the scheduler, by name."""
    wanted = list(claims)
    groups = list(laws)
    if not wanted and not groups:
        groups = ["engine"]
    chosen, reasons = asked_of(groups, scheduler.call, deployment)
    for claim in wanted:
        if isinstance(claim, str):
            claim = claim_named(claim)
        chosen = {claim.name: claim} | chosen
    return chosen, {name: why for name, why in reasons.items() if name not in chosen}
