"""The content of a file: its definitions and its theorems, by name and in order."""

from __future__ import annotations

import attrs

from radproof.lean.reader import Definition, Expression, TermProof, Theorem, Type, expression


@attrs.frozen
class Source:
    """What a file has so far."""

    definitions: dict[str, Definition] = attrs.field(factory=dict)
    theorems: dict[str, Theorem] = attrs.field(factory=dict)
    """Those that say what two sides are equal."""
    proofs: dict[str, TermProof] = attrs.field(factory=dict)
    leaps: bool = False
    """Whether it stands on the proofs, so that a theorem may be a leap."""

    @property
    def stated(self) -> list[str]:
        """The names of all its theorems."""
        found: list[Theorem | TermProof] = [*self.theorems.values(), *self.proofs.values()]
        return [theorem.name for theorem in sorted(found, key=lambda theorem: theorem.line)]

    def of_type(self, kind: Type) -> list[str]:
        """The names of the definitions of this type."""
        return [name for name, found in self.definitions.items() if found.type == kind]

    def says(self, name: str, left: str, right: str) -> bool:
        """Whether it has this theorem, in these words."""
        found = self.theorems.get(name)
        return found is not None and (found.left, found.right) == (
            expression(left),
            expression(right),
        )

    def field(self, name: str, field: str) -> Expression | None:
        """What a definition that is written out field by field has in this field."""
        found = self.definitions.get(name)
        if found is None or found.body[:2] != ("structure", None):
            return None
        fields: dict[str, Expression] = found.body[2]
        return fields.get(field)
