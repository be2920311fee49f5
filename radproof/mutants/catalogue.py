"""The catalogue: every mutant, the claim or law that must catch it, and the report it is from.

`@mutant` above a changed rule (`changed_rules`), a decision (`decisions`) or an engine's class
(`engines`) enters it, in the order of those modules. Its name is that of the function or class, and
what is wrong the first paragraph of the docstring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from radproof.laws.law import statement_of
from radproof.model import Deployment
from radproof.rules import RULES
from radproof.schedulers.adapters import adapt
from radproof.schedulers.loading import Loaded
from radproof.schedulers.protocol import Scheduler
from radproof.schedulers.rule_form import RuleScheduler

TILE_OF_TWO = Deployment(b_col=2, t_lin=40, t_nl=5)
"""Where mutants are hunted: two decodes fill a batch, so a handful of sessions is a crowd."""

FREE = attrs.evolve(TILE_OF_TWO, t_lin=0, t_nl=0)
"""A deployment whose batches cost nothing."""


@attrs.frozen
class Mutant:
    """A faulty scheduler."""

    name: str
    scheduler: Scheduler = attrs.field(repr=False)
    killed_by: str
    """The claim or law that must catch it."""
    about: str
    """What is wrong, in one line."""
    source: str = ""
    """The public report; empty where it is a slip that anyone could make."""
    deployment: Deployment = TILE_OF_TWO
    """Where it is hunted."""

    @property
    def spec(self) -> str:
        """What `radproof check --scheduler` takes."""
        return f"radproof.mutants:{self.name}"

    @property
    def loaded(self) -> Loaded:
        """The scheduler with its name, as `loading.load` gives it."""
        return Loaded.of(self.scheduler, self.spec)


CATALOGUE: dict[str, Mutant] = {}
"""Every mutant by name."""


def mutant(
    *,
    killed_by: str,
    changes: str | None = None,
    source: str = "",
    deployment: Deployment = TILE_OF_TWO,
    **more: Callable[..., Any],
) -> Callable[[Callable[..., Any]], Scheduler]:
    """Decorator: enter a mutant into the catalogue. The function's name becomes its scheduler.

    changes: the rule of RAD that the function replaces (a field of `Rules`), or ``order``, by
    which the jobs are then sorted; None: it is a whole scheduler, of a shape that `adapters.adapt`
    accepts. more: further changed rules, by name. The other fields are those of `Mutant`.
    """

    def enter(function: Callable[..., Any]) -> Scheduler:
        scheduler = adapt(function)
        if changes is not None:
            rules = {changes: function, **more}
            order = rules.pop("order", None)
            scheduler = RuleScheduler(attrs.evolve(RULES, **rules), order)
        name, about = function.__name__, statement_of(function)
        CATALOGUE[name] = Mutant(name, scheduler, killed_by, about, source, deployment)
        return scheduler

    return enter
