"""No theorem that brute force breaks is said to follow, for changed rules, orders and loops.

A sample is asked in every run of the tests, on the small half of the deployments; all of them where
RADPROOF_TRUTH is "all", which takes half an hour. `python -m docs.generate --check truth` compares
the whole table.
"""

from __future__ import annotations

import os

import attrs
import pytest

from radproof.lemmas.catalogue import THEOREMS
from radproof.proof.cache import Cache
from tests.oracles.small_paths import DEPLOYMENTS, PROPERTIES, Truth
from tests.quality.changed import ENTRIES, OWN
from tests.quality.truth import STATEMENTS, Judged, Said, brute_force, said_of

ALL = os.environ.get("RADPROOF_TRUTH") == "all"

SAMPLE = (
    "mode: all but one",
    "want: nothing of a decode where tokens are free",
    "refused: if on a number",
    "only_full_decodes",
    "budget: four tiles for decodes",
    "loop: overfull",
)
"""One of each kind: harmless, broken, broken where no path of the search comes, refused."""

SEARCHED = DEPLOYMENTS if ALL else tuple((d, min(n, 3)) for d, n in DEPLOYMENTS if d.b_col <= 2)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return Cache(tmp_path_factory.mktemp("proofs"))


@pytest.mark.parametrize("name", ENTRIES if ALL else SAMPLE)
def test_no_theorem_that_brute_force_breaks_is_said_to_follow(name, cache):
    entry = ENTRIES[name]
    judged = Judged(entry, said_of(entry, cache), brute_force(entry, deployments=SEARCHED))
    assert judged.false_words == ()
    if "(harmless" in entry.statement:
        assert judged.truth.broken == {}


@pytest.mark.parametrize("name", [name for name in ENTRIES if name.startswith("refused:")])
def test_what_ints_and_solvers_read_differently_is_refused(name, cache):
    assert said_of(ENTRIES[name], cache).refusal


def test_the_table_is_as_large_as_it_says():
    assert len(OWN) >= 120
    assert sum(entry.sabotage is not None for entry in ENTRIES.values()) >= 10
    assert set(SAMPLE) <= set(ENTRIES)


def test_every_theorem_has_properties_and_every_property_a_theorem():
    assert set(STATEMENTS) == {theorem.name for theorem in THEOREMS}
    assert {name for says in STATEMENTS.values() for name in says} == set(PROPERTIES)


def test_a_certificate_that_says_too_much_is_found_out():
    entry = ENTRIES["only_full_decodes"]
    found = brute_force(entry, deployments=SEARCHED)
    said = Said(dict.fromkeys(STATEMENTS, "follows"))
    judged = Judged(entry, said, found)
    assert judged.false_words == ("run", "optimal_tiling", "clock")
    silent = attrs.evolve(judged, said=Said(dict.fromkeys(STATEMENTS, "open")))
    assert silent.false_words == ()
    assert silent.unreached == ("token_rate", "arrival order", "decodes_fit", "leap")
    assert Judged(entry, said, Truth({}, 0, 0)).false_words == ()
