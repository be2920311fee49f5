"""Laws of one batch: each is false of a record that breaks it, and of no other."""

from __future__ import annotations

import attrs
import pytest

from radproof import SEED, Iteration
from radproof.claims import sides
from radproof.laws import LAWS
from radproof.laws.law import Law

# RAD's batches: a full one of prefill, one of 3 decodes by themselves, one of b_col with a prompt
PREFILLS = Iteration(0, 4640, 0, 128, 128, 0, 2, 4, 130, ())
DECODES = Iteration(0, 4015, 0, 3, 0, 3, 3, 3, 3, ())
FULL = Iteration(0, 4640, 0, 128, 0, 128, 128, 130, 256, ())

BATCH_LAWS = [law for law in LAWS.values() if law.claim.kind == "every iteration"]

BROKEN = {
    "batch_budget": (PREFILLS, {"tokens": 129}),
    "batch_not_empty": (DECODES, {"tokens": 0}),
    "one_token_per_decode": (DECODES, {"tokens": 6}),
    "exact_duration": (DECODES, {"end": 4016}),
    "unmixed": (PREFILLS, {"decoders": 1}),
    "mode": (PREFILLS, {"decoding": 128, "residents": 130}),
    "decodes_served": (DECODES, {"decoders": 2}),
    "prefill_filled": (PREFILLS, {"prefilled": 127}),
    "whole_tiles": (PREFILLS, {"prefilled": 127}),
    "full_or_all_decode": (DECODES, {"residents": 4}),
    "decode_bound": (FULL, {"decoding": 129}),
}


@pytest.mark.parametrize("law", BATCH_LAWS, ids=lambda law: law.name)
def test_a_law_is_true_of_rad_s_batches(law: Law) -> None:
    holds = law.claim.holds
    for record in (PREFILLS, DECODES, FULL):
        assert holds(record, SEED)


@pytest.mark.parametrize("name", BROKEN)
def test_a_law_is_false_of_a_record_that_breaks_it(name: str) -> None:
    record, changed = BROKEN[name]
    assert not LAWS[name].claim.holds(attrs.evolve(record, **changed), SEED)


def test_every_law_of_a_batch_is_broken_here() -> None:
    assert set(BROKEN) == {law.name for law in BATCH_LAWS}


def test_both_sides_of_a_law_can_be_shown() -> None:
    over = attrs.evolve(FULL, decoding=129)
    shown = sides(LAWS["decode_bound"].claim, over, SEED)
    assert shown == [("decoding <= b_col", "129 <= 128", False)]
