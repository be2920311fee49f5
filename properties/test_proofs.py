"""The proof obligations, one test each: for every path of any length, not only the drawn ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from radproof.errors import BadInput
from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import Lemma, World, world_of
from radproof.plugin import EXIT, Options
from radproof.proof.certificate import Exit
from radproof.proof.cti import describe
from radproof.proof.prove import prove
from radproof.proof.tables import remarks

pytestmark = pytest.mark.claims


@pytest.fixture(scope="module")
def world(radproof_options: Options) -> World:
    """What is to be proved of the chosen scheduler; skips with the reason where nothing can be."""
    try:
        return world_of(radproof_options.scheduler)
    except BadInput as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name)
def test_obligation(
    lemma: Lemma,
    world: World,
    radproof_options: Options,
    record_property: Callable[[str, object], None],
) -> None:
    """Proved within half of its budget, with satisfiable hypotheses and a reachable goal."""
    certificate = prove(world, [lemma], scheduler=radproof_options.scheduler.name)
    if certificate.exit_code is Exit.HOLDS:
        return
    record_property(EXIT, int(certificate.exit_code))
    (row,) = certificate.rows
    said = [f"{lemma.name} is {row.outcome.verdict.value}, for every path at once"]
    said += describe(row.cti) if row.cti else list(remarks(certificate))
    pytest.fail("\n".join(said), pytrace=False)
