"""Hard examples are found, and the minimal one is exactly this.

A mutant's row is the claim that sees it and the path that is left when nothing more can go. The
three that the two claims cannot see are listed with the reason.
"""

from __future__ import annotations

import pytest

from radproof import CLAIMS, Claim, Scheduler, Session, rad
from radproof.mutants import MUTANTS
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding, Plan, search

ONE_TILE = (0, 128, 0)
ONE_TOKEN = (0, 0, 1)

MINIMAL = {
    "chunk_127": ("optimal_tiling", [ONE_TILE]),
    "budget_127": ("optimal_tiling", [ONE_TILE]),
    "budget_256": ("optimal_tiling", [ONE_TILE, ONE_TILE]),
    "threshold_127": ("optimal_tiling", [ONE_TOKEN] * 127 + [ONE_TILE]),
    "decode_first": ("optimal_tiling", [ONE_TOKEN, ONE_TILE]),
    "mixed": ("optimal_tiling", [ONE_TOKEN, ONE_TILE]),
    "floor_for_ceil": ("token_rate", [(0, 0, 2)]),
    # 111 x 4640 > 128 x 4000, the time that 111 tokens take without t_nl
    "no_t_nl": ("token_rate", [(0, 111, 1)]),
    # the bound is tight on a full tile
    "one_too_small": ("token_rate", [(0, 128, 1)]),
    # 2 x 60 x 4640 > 128 x (4000 + 5 x 60)
    "served_twice": ("token_rate", [(0, 60, 1)]),
}

# With more than b_col decodes a batch is full whatever the threshold, and with b_col of them a
# prefill batch is: the two claims cannot tell 129 from 128. Nor do they speak of the order.
NOT_SEEN = {"threshold_129", "greater", "shortest_first"}


def found_by(claim: Claim, scheduler: Scheduler, examples: int, seed: int = 0) -> Finding:
    (finding,) = search(
        {claim.name: claim}, Loaded.of(scheduler), Plan(examples=examples, seed=seed)
    )
    return finding


def test_the_mutants_are_in_the_catalogue() -> None:
    assert set(MINIMAL) | NOT_SEEN <= set(MUTANTS)


@pytest.mark.parametrize("name", MINIMAL)
def test_the_minimal_path_of_a_mutant(name: str) -> None:
    claim, path = MINIMAL[name]
    finding = found_by(CLAIMS[claim], MUTANTS[name], 1_000)
    found = finding.counterexample
    assert found is not None
    assert found.path == tuple(Session(*session) for session in path)
    assert found.minimal


@pytest.mark.parametrize("name", sorted(NOT_SEEN))
@pytest.mark.parametrize("claim", CLAIMS)
def test_a_mutant_that_the_two_claims_cannot_see(name: str, claim: str) -> None:
    finding = found_by(CLAIMS[claim], MUTANTS[name], 50)
    assert finding.counterexample is None


@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_path_with_more_than_b_col_decodes(seed: int) -> None:
    crowded = Claim("crowded", "some iteration", lambda i, d: i.decoding > d.b_col)
    finding = found_by(crowded, rad, 1_000, seed)
    found = finding.counterexample
    assert found is not None
    assert found.path == (Session(0, 0, 1),) * 129
    assert found.minimal
