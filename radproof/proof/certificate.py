"""What `prove` found: one row per lemma, the theorems they compose to, and what is trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum
from typing import Any

import attrs

from radproof.lemmas.catalogue import THEOREMS, Theorem
from radproof.lemmas.obligations import WORLD, Lemma, World
from radproof.proof.answers import Answer, Opinion, Outcome
from radproof.proof.cti import Cti
from radproof.proof.horn import Induction
from radproof.proof.trusted import TRUSTED


class Exit(IntEnum):
    """Exit codes, as everywhere in radproof."""

    HOLDS = 0
    FAILS = 1
    UNKNOWN = 3


@attrs.frozen
class LemmaRow:
    """One lemma, and what each of its readers made of it."""

    lemma: Lemma
    outcome: Outcome
    second: Opinion | None = None
    """cvc5's opinion, where it was asked beside Z3."""
    cases: int | None = None
    """The cases that numpy enumerated, None where the lemma has no grid."""
    wrong: dict[str, int] | None = None
    """The first of them that breaks the lemma."""
    cti: Cti | None = None
    """The counterexample to induction of a refuted lemma."""

    @property
    def disagreement(self) -> str | None:
        """The contradiction between two readers, in words."""
        mine = self.outcome.verdict
        if self.second is not None:
            other = self.second.verdict
            sure = (Answer.PROVED, Answer.REFUTED)
            stated = Answer.PROVED if mine is Answer.VACUOUS else mine
            if other in sure and stated in sure and other is not stated:
                return f"z3 says {mine.value}, cvc5 says {other.value}"
        if self.wrong is not None and mine in (Answer.PROVED, Answer.VACUOUS):
            return f"z3 says {mine.value}, but it is false at {self.wrong}"
        if self.cti is not None and not self.cti.real:
            return "z3 has a model that the rules, called with ints, do not confirm"
        return None

    @property
    def over_half(self) -> bool:
        """Whether Z3 used more than half of the lemma's budget, and did not refute it."""
        refuted = self.outcome.verdict is Answer.REFUTED
        return not refuted and 2 * self.outcome.rlimit > self.lemma.budget

    @property
    def exit_code(self) -> Exit:
        """1: refuted; 3: vacuous or given up, a thin budget, or readers that disagree; else 0."""
        if self.outcome.verdict is Answer.REFUTED and not self.disagreement:
            return Exit.FAILS
        agreed = self.second is None or self.second.verdict is Answer.PROVED
        sure = self.outcome.verdict is Answer.PROVED and agreed
        return Exit.HOLDS if sure and not self.over_half and not self.disagreement else Exit.UNKNOWN


class Standing(StrEnum):
    """The words for a theorem."""

    FOLLOWS = "follows"
    NOT = "does not follow"
    """A lemma of its proof is refuted; that is no reason to think it false."""
    FALSE = "is false"
    """A path breaks it."""
    OPEN = "open"
    """A lemma of its proof is undecided, or was not asked."""


@attrs.frozen
class Certificate:
    """All rows, for the scheduler and the rules that the hash names."""

    scheduler: str
    rules: str
    solvers: tuple[str, ...]
    rows: tuple[LemmaRow, ...]
    inductions: tuple[Induction, ...] = ()
    """Each claim along whole paths, by Spacer, where every lemma was asked."""
    world: World = WORLD
    """What the lemmas are about."""
    opened: Mapping[str, str] = attrs.field(factory=dict)
    """By theorem: what is open in its proof without the lemmas that are not proved."""

    @property
    def exit_code(self) -> Exit:
        """1 where a lemma is refuted, else 3 where one is undecided, else 0.

        3 also where Spacer breaks a claim whose theorem follows from the lemmas.
        """
        codes = {row.exit_code for row in self.rows}
        if any(one.verdict is Answer.REFUTED for one in self.inductions):
            codes.add(Exit.UNKNOWN)
        return next((c for c in (Exit.FAILS, Exit.UNKNOWN) if c in codes), Exit.HOLDS)

    def verdict(self, name: str) -> str:
        """A lemma's verdict; "not asked" where this certificate does not have it."""
        for row in self.rows:
            if row.lemma.name == name:
                return row.outcome.verdict.value
        return "not asked"

    def unproved(self, theorem: Theorem) -> tuple[str, ...]:
        """The lemmas and compositions below a theorem that are not proved."""
        return tuple(name for name in theorem.tree if self.verdict(name) != Answer.PROVED)

    def theorem(self, theorem: Theorem) -> Standing:
        """Whether the theorem follows, by the verdicts of every composition and lemma below it."""
        if self._breaks(theorem):
            return Standing.FALSE
        unproved = self.unproved(theorem)
        if any(self.verdict(name) == Answer.REFUTED for name in unproved):
            return Standing.NOT
        return Standing.OPEN if unproved or theorem.uncovered else Standing.FOLLOWS

    def because(self, theorem: Theorem) -> str:
        """Why the theorem does not follow, in words; "" where it does."""
        standing, breaks = self.theorem(theorem), self._breaks(theorem)
        if standing is Standing.FOLLOWS:
            return ""
        if breaks:
            return f"the counterexample of {breaks} is a path that breaks it"
        unproved = self.unproved(theorem)
        refuted = [name for name in unproved if self.verdict(name) == Answer.REFUTED]
        said = _listed(refuted, "refuted") if refuted else _listed(unproved, "not proved")
        said = "; ".join(filter(None, (said, *theorem.uncovered)))
        if theorem.name in self.opened:
            said += f"; open: {self.opened[theorem.name]}"
        if standing is Standing.NOT:
            said += "; it may still be true: no path that breaks it was found"
        return said

    def _breaks(self, theorem: Theorem) -> str | None:
        """The lemma whose counterexample is a path that breaks the theorem's claim."""
        for row in self.rows:
            reached = row.cti.reached if row.cti else None
            broken = reached.file.breaks if reached else None
            if broken is not None and theorem.claim in (broken.kind, broken.name):
                return row.lemma.name
        return None

    def as_json(self) -> dict[str, Any]:
        """The certificate for a machine."""
        return {
            "scheduler": self.scheduler,
            "rules": self.rules,
            "solvers": list(self.solvers),
            "result": {0: "proved", 1: "refuted", 3: "unknown"}[self.exit_code],
            "lemmas": [_row_json(row) for row in self.rows],
            "theorems": [
                {
                    "name": theorem.name,
                    "lean": theorem.lean or None,
                    "statement": theorem.statement(self.world),
                    "premises": list(theorem.premises(self.world)),
                    "result": self.theorem(theorem).value,
                    "because": self.because(theorem) or None,
                    "compositions": [one.name for one in theorem.compositions],
                    "rests_on": list(theorem.rests_on),
                }
                for theorem in THEOREMS
            ],
            "inductions": [
                {
                    "name": one.name,
                    "statement": one.statement,
                    "verdict": one.verdict.value,
                    "seconds": round(one.seconds, 4),
                    "invariant": one.invariant or None,
                    "questions": one.questions,
                    "reason": one.reason or None,
                }
                for one in self.inductions
            ],
            "trusted": [{"name": name, "statement": text} for name, text in TRUSTED],
        }


def _listed(names: Sequence[str], word: str) -> str:
    """Which lemmas are so, as a clause: at most three by their names."""
    if len(names) > 3:
        return f"{', '.join(names[:3])} and {len(names) - 3} more are {word}"
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} {word}"


def _row_json(row: LemmaRow) -> dict[str, Any]:
    one, outcome = row.lemma, row.outcome
    second = row.second
    return {
        "name": one.name,
        "lean": one.lean or None,
        "statement": one.statement,
        "encoding": one.encoding,
        "rests_on": list(one.rests_on),
        "verdict": outcome.verdict.value,
        "reason": outcome.reason or None,
        "seconds": round(outcome.seconds, 4),
        "rlimit": outcome.rlimit,
        "budget": one.budget,
        "over_half": row.over_half,
        "cached": outcome.cached,
        "vacuity": {"checks": outcome.checks, "unreached": list(outcome.unreached)},
        "second": None
        if second is None
        else {
            "verdict": second.verdict.value,
            "seconds": round(second.seconds, 4),
            "reason": second.reason or None,
        },
        "enumerated": row.cases,
        "disagreement": row.disagreement,
    }
