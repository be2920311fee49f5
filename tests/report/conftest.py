"""One search whose findings the tests of the reports share."""

from __future__ import annotations

import pytest

from radproof.laws import checks
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding, Plan, search


@pytest.fixture(scope="session")
def tail_alone() -> Loaded:
    """A mutant that breaks a law of RAD."""
    return Loaded.of(CATALOGUE["tail_alone"].scheduler, "radproof.mutants:tail_alone")


@pytest.fixture(scope="session")
def findings(tail_alone: Loaded) -> list[Finding]:
    """A claim, not evaluated; a law of any engine, which holds; a law of RAD, which fails."""
    claim, *laws = (checks()[name] for name in ("optimal_tiling", "clock", "prefill_filled"))
    # at the seed's deployment, no path of few sessions fills a batch of decodes
    few = search({claim.name: claim}, tail_alone, Plan(examples=1))
    return few + search({law.name: law for law in laws}, tail_alone, Plan(TILE_OF_TWO, examples=5))


@pytest.fixture(scope="session")
def undecided() -> Finding:
    """A claim that too few paths were drawn for."""
    scheduler = Loaded.of(CATALOGUE["tail_alone"].scheduler, "few")
    (found,) = search({"token_rate": checks()["token_rate"]}, scheduler, Plan(examples=1))
    assert found.exit_code == 3
    return found


@pytest.fixture(scope="session")
def fault() -> Finding:
    """A scheduler that never returns a batch, which breaks the law about that."""
    (found,) = search(
        {"progress": checks()["progress"]},
        Loaded.of(CATALOGUE["only_full_decodes"].scheduler, "stuck"),
        Plan(TILE_OF_TWO, examples=1),
    )
    assert found.counterexample is not None
    assert found.counterexample.error is not None
    return found
