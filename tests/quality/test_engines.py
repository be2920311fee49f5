"""Engines with their state inside that public reports describe: the laws that the machine cannot
keep for them find the fault, and the minimal path is exactly this.

The first are radproof's own mutants at the seed's deployment, the others the cases that stand
beside the repository, as they are there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from helpers import SHARED

from radproof import SEED, Deployment, Session
from radproof.claims import Result
from radproof.laws import asked_of
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.schedulers.loading import Loaded, load
from radproof.search.search import Finding, Plan, search

NEW = ("work_conserving", "no_starvation", "own_count")

PROMPT_OVER_A_TILE = [(0, 129, 0)]
TWO_DECODES = 2 * [(0, 0, 1)]


def found_by(scheduler: Loaded, d: Deployment = SEED, examples: int = 20) -> dict[str, Finding]:
    asked, _ = asked_of(["engine"], scheduler.call, d)
    claims = {name: asked[name] for name in NEW if name in asked}
    plan = Plan(d, examples=examples, max_sessions=12)
    return {finding.claim.name: finding for finding in search(claims, scheduler, plan)}


def broken(found: dict[str, Finding]) -> dict[str, Any]:
    """The minimal path of each law that breaks."""
    paths = {name: f.counterexample for name, f in found.items() if f.result is Result.FAILS}
    assert all(one is not None and one.minimal for one in paths.values())
    return {name: one.path for name, one in paths.items() if one is not None}


def sessions(path: Any) -> tuple[Session, ...]:
    return tuple(Session(*session) for session in path)


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("one_admission", {"work_conserving": TWO_DECODES}),
        ("skips_after_an_end", {"work_conserving": [(0, 0, 1), (0, 1, 1), (1, 0, 1)]}),
        (
            "half_a_prompt",
            {"work_conserving": PROMPT_OVER_A_TILE, "own_count": PROMPT_OVER_A_TILE},
        ),
    ],
)
def test_the_minimal_path_of_a_mutant_at_the_seed_s_deployment(name: str, paths: Any) -> None:
    found = broken(found_by(CATALOGUE[name].loaded))
    assert found == {law: sessions(path) for law, path in paths.items()}


CASES = SHARED / "cases" / "engines"
needs_cases = pytest.mark.skipif(
    not CASES.exists(),
    reason=f"{CASES} is not there: the laws are NOT held against the reports' engines",
)


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The modules of the cases can be imported, and are forgotten again."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(CASES))
    yield
    for name in set(sys.modules) - before:
        if name in ("engine", "reports"):
            del sys.modules[name]


@needs_cases
@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("F1", {"work_conserving": [(0, 0, 1), (0, 1, 1), (1, 0, 1)]}),
        ("F36", {"work_conserving": TWO_DECODES}),
        ("Forgets", {"work_conserving": PROMPT_OVER_A_TILE, "own_count": PROMPT_OVER_A_TILE}),
    ],
)
def test_a_report_s_faulty_engine_breaks_the_law(name: str, paths: Any) -> None:
    found = broken(found_by(load(f"reports:{name}")))
    assert found == {law: sessions(path) for law, path in paths.items()}


@needs_cases
@pytest.mark.usefixtures("cases")
@pytest.mark.parametrize("name", ["engine:Engine", "reports:G6", "reports:G10"])
def test_a_report_s_correct_engine_keeps_the_laws(name: str) -> None:
    found = found_by(load(name), TILE_OF_TWO, examples=100)
    assert {law: finding.result for law, finding in found.items()} == dict.fromkeys(
        NEW, Result.HOLDS
    )
