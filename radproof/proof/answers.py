"""What a solver answers: a verdict, its cost, a model or a reason. Imports no solver."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import attrs


class Answer(StrEnum):
    """The words for a lemma's verdict."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    VACUOUS = "vacuous"


@attrs.frozen
class Outcome:
    """What Z3 made of a lemma."""

    verdict: Answer
    seconds: float
    rlimit: int
    """The resource units used on the goal."""
    checks: int
    """The vacuity checks: the hypotheses, and each thing to be reached."""
    unreached: tuple[str, ...] = ()
    """The vacuity checks that failed, in words."""
    model: dict[str, Any] | None = None
    """The variables' values in a counterexample."""
    reason: str = ""
    """Why the verdict is unknown or vacuous."""
    cached: bool = attrs.field(default=False, eq=False)
    """Whether the answer was read from the cache."""


@attrs.frozen
class Opinion:
    """What cvc5 made of a lemma. Only Z3 checks vacuity."""

    verdict: Answer
    seconds: float
    reason: str = ""
    """cvc5's answer where it is neither sat nor unsat."""
    proof: str | None = attrs.field(default=None, repr=False)
    """Its proof (CPC), where one was asked for."""
