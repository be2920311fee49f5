"""The leap checked against the definition, on some of the paths that a search runs."""

from __future__ import annotations

from radproof.claims import CLAIMS, check
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import evaluate
from radproof.runs import Run, run

AFFORDABLE = 200
"""The most iterations of a sampled path for it to be run through the definition as well."""


class Disagreement(AssertionError):
    """Two evaluators differ on a path: a bug in radproof, never in the scheduler."""


def cross_check(leapt: Run) -> None:
    """Run a leapt path through the definition as well, where it is short enough.

    Raises Disagreement, naming the first difference, and SchedulerError where the definition meets
    a fault of the scheduler, or either gives two runs of one path.
    """
    if leapt.engine != "leap" or leapt.iterations > AFFORDABLE:
        return
    again = (leapt.path, leapt.deployment, leapt.scheduler, leapt.horizon)
    # a run that was cut is compared as far as it goes
    limit = None if leapt.whole else leapt.iterations
    stepped = run(*again, limit=limit)
    difference = first_difference(stepped, leapt)
    if difference is None:
        return
    second = evaluate(*again, work=None if leapt.whole else leapt.work)
    if first_difference(stepped, run(*again, limit=limit)) or first_difference(leapt, second):
        error = SchedulerError(
            "impure",
            "the scheduler is not a pure function: it served one path in two ways. "
            "Keep all state in the memory that it returns.",
        )
        error.so_far, error.at = stepped, stepped.end
        raise error
    raise Disagreement(f"{difference}\non the path {leapt.path} at {leapt.deployment}")


def first_difference(stepped: Run, leapt: Run) -> str | None:
    """The first difference of two runs of a path: an iteration, a completion or a claim."""
    pairs = zip(stepped.records, leapt.records, strict=False)
    for index, (one, other) in enumerate(pairs):
        if one != other:
            return f"iteration {index}: step {one}, leap {other}"
    if stepped.iterations != leapt.iterations:
        return f"step has {stepped.iterations} iterations, leap {leapt.iterations}"
    if stepped.completions != leapt.completions:
        return f"step ends sessions at {stepped.completions}, leap at {leapt.completions}"
    for claim in CLAIMS.values():
        one_verdict, other_verdict = (check(r, claim, given=False) for r in (stepped, leapt))
        if one_verdict != other_verdict:
            return f"{claim.name}: step {one_verdict!r}, leap {other_verdict!r}"
    return None
