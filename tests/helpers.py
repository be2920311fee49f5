"""What several test files share: settings, golden lines, a run's schedule, claims as counts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
from hypothesis import HealthCheck, settings

from radproof import DECODE, Claim, Deployment, Entry, Run, View, check

TESTS = Path(__file__).resolve().parent
GOLDEN = TESTS / "golden" / "golden.jsonl"
SHARED = TESTS.parents[1] / "shared"


def quick(examples: int) -> settings:
    """The same examples each time: a failure here is a change of the code, never of the draw."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        # a busy machine is no fault of the code; the strategies have a test of their own speed
        suppress_health_check=[HealthCheck.too_slow],
    )


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def deployment_of(line: dict[str, Any]) -> Deployment:
    return Deployment(**line.get("deployment", {}))


def batch(record: Any) -> list[list[Any]]:
    return [[e.session, "d" if e.phase is DECODE else "p", e.tokens] for e in record.batch]


def schedule(run: Run) -> list[list[Any]]:
    """Every iteration's start and its entries, as the golden files write them."""
    return [[record.start, batch(record)] for record in run.records]


def counts(run: Run, claim: Claim) -> dict[str, Any]:
    """What a claim found with its `given` dropped, as the golden files write it."""
    verdict = check(run, claim, given=False)
    first = verdict.first if verdict.failures else None
    return {"checked": verdict.checked, "failures": verdict.failures, "first": first}


def every(holds: Any, **more: Any) -> Claim:
    return Claim(name="mine", kind="every iteration", holds=holds, **more)


def unleapt(function: Any) -> Any:
    """The same scheduler, which asks to be run iteration by iteration."""

    def scheduler(view: View) -> Any:
        return function(view)

    scheduler.leaps = False  # type: ignore[attr-defined]
    return scheduler


def in_order(view: View) -> tuple[tuple[Entry, ...], Any]:
    """One job at a time, the first in the list: a plain function, no rules, no memory."""
    job = view.jobs[0]
    tokens = 1 if job.phase is DECODE else min(job.prompt - job.done, view.deployment.b_lcm)
    return (Entry(job.session, job.phase, tokens),), None


@attrs.frozen
class Answers:
    """A scheduler that returns what it is told, whatever it sees."""

    answer: Any

    def __call__(self, view: View) -> Any:
        return self.answer(view) if callable(self.answer) else self.answer


def entries(*triples: Iterable[Any]) -> tuple[tuple[Entry, ...], None]:
    return tuple(Entry(*triple) for triple in triples), None
