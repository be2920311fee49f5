"""Both claims on drawn paths: at the seed's deployment, and at scaled-down ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from radproof import CLAIMS, Claim, RuleScheduler
from radproof.files.corpus import saved
from radproof.plugin import Options
from radproof.search.search import Finding, search

pytestmark = pytest.mark.claims


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_claim(
    claim: Claim, radproof_options: Options, radproof_report: Callable[[Finding], None]
) -> None:
    """The claim holds on every path of up to 500 sessions that is drawn."""
    finding = search(
        claim,
        radproof_options.scheduler,
        scheduler_name=radproof_options.scheduler_name,
        examples=radproof_options.profile.examples,
        seed=radproof_options.profile.seed,
        saved=saved(radproof_options.folder, claim.name),
    )
    radproof_report(finding)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_claim_on_scaled_down_deployments(
    claim: Claim, radproof_options: Options, radproof_report: Callable[[Finding], None]
) -> None:
    """The claim holds where a few sessions saturate a batch: tiles of 1 to 8 tokens.

    Only for a scheduler in rule form, which has its numbers from the deployment; other code may
    be written for one tile.
    """
    if not isinstance(radproof_options.scheduler, RuleScheduler):
        pytest.skip(
            "scaled-down deployments are for schedulers in rule form; "
            f"{radproof_options.scheduler_name} is other Python code"
        )
    finding = search(
        claim,
        radproof_options.scheduler,
        scheduler_name=radproof_options.scheduler_name,
        scaled=True,
        examples=radproof_options.profile.examples,
        seed=radproof_options.profile.seed,
        saved=saved(radproof_options.folder, claim.name),
    )
    radproof_report(finding)
