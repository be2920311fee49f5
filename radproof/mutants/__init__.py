"""Faulty schedulers and faulty rules: what a check must catch.

Each is RAD, or a correct engine, with one thing changed, named as a user's scheduler would be:
``radproof check --scheduler radproof.mutants:chunk_127``.
"""

from __future__ import annotations

from typing import Any

from radproof.mutants import changed_rules, decisions, engines
from radproof.mutants.catalogue import CATALOGUE, FREE, TILE_OF_TWO, Mutant
from radproof.schedulers.rule_form import RuleScheduler

MUTANTS: dict[str, RuleScheduler] = {
    name: mutant.scheduler
    for name, mutant in CATALOGUE.items()
    if isinstance(mutant.scheduler, RuleScheduler)
}
"""The mutants in rule form, which a solver can be asked about, by name."""

__all__ = [
    "CATALOGUE",
    "FREE",
    "MUTANTS",
    "TILE_OF_TWO",
    "Mutant",
    "changed_rules",
    "decisions",
    "engines",
]


def __getattr__(name: str) -> Any:
    if name in CATALOGUE:
        return CATALOGUE[name].scheduler
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
