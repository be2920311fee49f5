"""What a solver answers: the words for a verdict, and what is known besides. Imports no solver."""

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
    """What Z3 made of a lemma.

    rlimit: the resource units used on the goal; unreached: the vacuity checks that failed, in
    words; checks: how many there were; model: the variables' values in a counterexample; reason:
    why it is unknown or vacuous; cached: whether it was read and not computed.
    """

    verdict: Answer
    seconds: float
    rlimit: int
    checks: int
    unreached: tuple[str, ...] = ()
    model: dict[str, Any] | None = None
    reason: str = ""
    cached: bool = attrs.field(default=False, eq=False)


@attrs.frozen
class Opinion:
    """What cvc5 said: a verdict (vacuity is Z3's to check), the seconds, its proof if asked for."""

    verdict: Answer
    seconds: float
    reason: str = ""
    proof: str | None = attrs.field(default=None, repr=False)
