"""Both claims on drawn paths: at the seed's deployment, and at scaled-down ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

from radproof import CLAIMS, Claim, RuleScheduler
from radproof.files.corpus import saved
from radproof.plugin import Options
from radproof.search.search import Finding, Plan, search

pytestmark = pytest.mark.claims


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_claim(
    claim: Claim, radproof_options: Options, radproof_report: Callable[[Finding], None]
) -> None:
    """The claim holds on every path of up to 500 sessions that is drawn."""
    radproof_report(_found(claim, radproof_options))


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_claim_on_scaled_down_deployments(
    claim: Claim, radproof_options: Options, radproof_report: Callable[[Finding], None]
) -> None:
    """The claim holds where a few sessions saturate a batch: tiles of 1 to 8 tokens.

    Only for a scheduler in rule form, which takes its numbers from the deployment; other code may
    be written for one tile.
    """
    if not isinstance(radproof_options.scheduler.call, RuleScheduler):
        pytest.skip(
            "scaled-down deployments are for schedulers in rule form; "
            f"{radproof_options.scheduler.name} is other Python code"
        )
    radproof_report(_found(claim, radproof_options, scaled=True))


def _found(claim: Claim, options: Options, scaled: bool = False) -> Finding:
    profile = options.profile
    known, unread = saved(options.folder, [claim.name])
    for why in unread:
        warnings.warn(f"left out: {why}", stacklevel=1)
    (finding,) = search(
        {claim.name: claim},
        options.scheduler,
        Plan(scaled=scaled, examples=profile.examples, seed=profile.seed),
        saved=known,
    )
    return finding
