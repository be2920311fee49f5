"""Judging a log: claims on every step as it is read, the laws of logs at its end.

A claim's hypothesis on the prompts (`given`) is dropped: a log is what happened, whatever the
prompts were. A verdict is that of `radproof.claims`, with the line that decides it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import attrs

from radproof.claims import Claim, Found, Result, Verdict, raised
from radproof.errors import OF_A_USER
from radproof.logs.laws import LOG_LAWS
from radproof.logs.log import Log, Step
from radproof.model import Deployment
from radproof.number import Num
from radproof.readers.base import believed, truth
from radproof.readers.intervals import Maybe, NotShown, Unseen

_NO_TILE = "the tile is not logged; give it with --b-col"
_NO_SPEED = "t_lin and t_nl are not logged; radproof fit finds them, --deployment gives them"
_NO_CHUNK = "the chunk is not logged"


@attrs.frozen
class Setting:
    """A deployment whose unknown numbers are `Unseen`, with the reason."""

    b_col: Num
    b_row: Num
    b_red: Num
    t_lin: Num
    t_nl: Num
    chunk: Num
    b_lcm: Num

    @classmethod
    def of(cls, deployment: Deployment | None, b_col: int | None) -> Setting:
        """What a deployment says; without one, a tile of `b_col`, which one batch takes whole."""
        if deployment is not None:
            return cls(**{a.name: getattr(deployment, a.name) for a in attrs.fields(cls)})
        tile = b_col or Unseen.at_least(1, _NO_TILE)
        speed = Unseen.at_least(0, _NO_SPEED)
        return cls(tile, 1, 1, speed, speed, Unseen.at_least(1, _NO_CHUNK), tile)


@attrs.frozen
class LogVerdict:
    """A verdict on a log: `line` decides it (None where none does), `steps` were read in all."""

    verdict: Verdict
    line: int | None = None
    steps: int = 0


def _truth(found: object) -> bool | Maybe:
    return found if isinstance(found, Maybe) else truth(found)


@attrs.define
class _Count:
    """How often one claim has been true, false and open so far."""

    claim: Claim
    true: int = 0
    false: int = 0
    open: int = 0
    first_true: Step | None = None
    first_false: Step | None = None
    why: dict[str, None] = attrs.field(factory=dict)
    """The reasons of the open ones, once each, in order."""

    def ask(self, step: Step, setting: Setting) -> None:
        try:
            found = believed(lambda: _truth(self.claim.holds(step.record, setting)))
        except NotShown as unseen:
            found = Maybe(unseen.why)
        except OF_A_USER as error:
            raise raised(self.claim, error) from error
        if isinstance(found, Maybe):
            self.open += 1
            self.why |= dict.fromkeys(found.why)
        elif found:
            self.true += 1
            self.first_true = self.first_true or step
        else:
            self.false += 1
            self.first_false = self.first_false or step

    def verdict(self, log: Log) -> LogVerdict:
        every = self.claim.kind == "every iteration"
        deciding = self.first_false if every else self.first_true
        if deciding is not None:
            result = Result.FAILS if every else Result.WITNESSED
            return self._say(log, result, deciding, f"line {deciding.line}: {_shown(deciding)}")
        if every and self.true and not self.open and not log.partial:
            return self._say(log, Result.HOLDS, None, "")
        return self._say(log, Result.NOT_EVALUATED, None, self._undecided(log))

    def _undecided(self, log: Log) -> str:
        """Why no step decides the claim."""
        if not log.steps_seen:
            return log.silent or "no line is an iteration; is the format another one?"
        reasons = [*self.why, *([log.partial] if log.partial else [])]
        if self.claim.kind == "every iteration":
            reasons = [f"true on {self.true} of {log.steps_seen} iterations, none false", *reasons]
        elif not reasons:
            reasons = [f"in none of {self.false} iterations"]
        return "; ".join(dict.fromkeys(reasons))

    def _say(self, log: Log, result: Result, step: Step | None, reason: str) -> LogVerdict:
        start = step.record.start if step is not None else None
        verdict = Verdict(
            self.claim,
            result,
            checked=self.true + self.false,
            failures=self.false,
            first=start if type(start) is int else None,
            index=step.number if step is not None else None,
            record=step.record if step is not None else None,
            reason=reason,
        )
        return LogVerdict(verdict, step.line if step is not None else None, log.steps_seen)


def _shown(step: Step) -> str:
    """A step's numbers in words."""
    r = step.record
    number = "" if step.number is None else f"iteration {step.number}: "
    tokens, prefilled, decoders, residents = (
        n.text if isinstance(n, Unseen) else str(n)
        for n in (r.tokens, r.prefilled, r.decoders, r.residents)
    )
    return (
        f"{number}{tokens} tokens, {prefilled} of them prefill, {decoders} decodes served, "
        f"{residents} residents"
    )


def judge(log: Log, claims: Iterable[Claim], setting: Setting | None = None) -> list[LogVerdict]:
    """The verdict of every claim on a log, which is read once, in constant memory.

    Claims of an iteration are asked on each step; those of a whole run are asked of the log's own
    tallies, and are *not evaluated* where it keeps none. Raises BadInput where the log is damaged.
    """
    counts = [_Count(claim) for claim in claims]
    asked = [c for c in counts if c.claim.kind in ("every iteration", "some iteration")]
    given = setting
    for step in log.steps():
        # the log may name its budget on any line before its first iteration
        given = given or Setting.of(None, log.budget)
        for count in asked:
            count.ask(step, given)
    return [count.verdict(log) if count in asked else _whole(log, count.claim) for count in counts]


def _whole(log: Log, claim: Claim) -> LogVerdict:
    if all(claim is not law.claim for law in LOG_LAWS.values()):
        reason = "it needs a whole run of the model, with every session known"
        verdict = Verdict(claim, Result.NOT_EVALUATED, 0, 0, reason=reason)
        return LogVerdict(verdict, None, log.steps_seen)
    found: Found = claim.holds(log, None)
    if not found.checked:
        reason = log.why.get(claim.name, "nothing in the log is about it")
        verdict = Verdict(claim, Result.NOT_EVALUATED, 0, 0, reason=reason)
        return LogVerdict(verdict, None, log.steps_seen)
    result = Result.FAILS if found.failures else Result.HOLDS
    verdict = Verdict(claim, result, found.checked, found.failures, reason=found.reason)
    return LogVerdict(verdict, found.first, log.steps_seen)


def number_json(value: object) -> object:
    """An int as it is, an `Unseen` number as its bounds (null: unbounded)."""
    if isinstance(value, Unseen):
        return {"from": _finite(value.low), "to": _finite(value.high)}
    return value


def _finite(bound: int | float) -> int | None:
    return None if math.isinf(bound) else int(bound)
