"""The check of the leap against the definition, on some of the paths that a search runs."""

from __future__ import annotations

from radproof.claims import CLAIMS, check
from radproof.runs import Run, run

AFFORDABLE = 200
"""Iterations of a leapt path that is also run through the definition, among the sampled ones."""


class Disagreement(AssertionError):
    """Two evaluators differ on a path: a bug in radproof, never in the scheduler."""


def second_look(leapt: Run) -> None:
    """Run a leapt path through the definition as well, where that is affordable.

    Raises Disagreement, naming the first iteration in which they differ.
    """
    if leapt.engine != "leap" or leapt.iterations > AFFORDABLE:
        return
    stepped = run(leapt.path, leapt.deployment, leapt.scheduler, leapt.horizon)
    difference = first_difference(stepped, leapt)
    if difference is not None:
        raise Disagreement(f"{difference}\non the path {leapt.path} at {leapt.deployment}")


def first_difference(stepped: Run, leapt: Run) -> str | None:
    """Where two runs of a path differ first: an iteration, a completion, a claim. None: nowhere."""
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
