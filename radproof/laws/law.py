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


@attrs.frozen
class Law:
    """One law.

    claim: its one definition, with name, statement and family; source: the paper, the notes or
    the public report it is taken from; group: ``engine`` or ``rad``; evidence: what says that RAD
    keeps it (proved by a lemma, or tested).
    """

    claim: Claim
    group: Group
    source: str = attrs.field(repr=False)
    evidence: str = attrs.field(repr=False)

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
    def symbolic(self) -> bool:
        """Whether it is one formula of a record's numbers, which a solver can read too."""
        return self.claim.term is not None

    def kills(self) -> tuple[str, ...]:
        """The names of the mutants that this law must catch."""
        from radproof.mutants import CATALOGUE

        return tuple(m.name for m in CATALOGUE.values() if m.killed_by == self.name)
