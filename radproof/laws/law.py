"""A law: a claim with where it comes from, whom it binds and what stands behind it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from radproof.claims import Claim, Family

Group: TypeAlias = Literal["engine", "rad"]
GROUPS: dict[Group, str] = {
    "engine": "laws of any engine with this clock, whatever its policy",
    "rad": "laws of RAD: what the policy decides",
}


PROVED_BY: dict[str, tuple[str, ...]] = {
    "batch_budget": ("fillAmounts_sum",),
    "batch_not_empty": ("mem_fillIter", "progress"),
    "one_token_per_decode": ("wantOf", "fillIter_ones"),
    "clock": ("clock_identity",),
    "unmixed": ("serves_rad",),
    "decodes_served": ("fillIter_ones", "fillAmounts_sum"),
    "prefill_filled": ("fillAmounts_sum",),
    "whole_tiles": ("rad_batch", "rad_handle"),
    "full_or_all_decode": ("rad_batch",),
    "decode_bound": ("decodes_fit",),
    "active_bound": ("decodes_fit", "one_part_filled"),
    "prefill_order": ("arrival_order", "serves_in_order"),
    "one_partial": ("one_part_filled",),
    "chunk_starts": ("rad_batch", "rad_handle"),
}
"""The lemmas of `radproof.proof` that a law follows from, for paths of any length. The laws that
are not here speak of the machine's bookkeeping or of whole paths, and are tested only."""


@attrs.frozen
class Law:
    """One law.

    claim: its one definition, with name, statement and family; source: the paper, the notes or
    the public report it is taken from; group: ``engine`` or ``rad``; tested: the test that RAD
    keeps it.
    """

    claim: Claim
    group: Group
    source: str = attrs.field(repr=False)
    tested: str = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """The claim's name."""
        return self.claim.name

    @property
    def statement(self) -> str:
        """The law in one line."""
        return self.claim.statement

    @property
    def family(self) -> Family:
        """The paths it is about: any, or prompts that are (positive) multiples of b_lcm."""
        return self.claim.family

    @property
    def evidence(self) -> str:
        """What says that RAD keeps it: the lemmas it follows from, and the test."""
        lemmas = PROVED_BY.get(self.name, ())
        proved = f"proved by {', '.join(lemmas)}; " if lemmas else ""
        return f"{proved}tested by {self.tested}"

    @property
    def symbolic(self) -> bool:
        """Whether it is one formula of a record's numbers, which a solver can read too."""
        return self.claim.term is not None

    def kills(self) -> tuple[str, ...]:
        """The names of the mutants that this law must catch."""
        from radproof.mutants import CATALOGUE

        return tuple(m.name for m in CATALOGUE.values() if m.killed_by == self.name)
