"""A leap by the mirror's text: the tests that `leap_along` asks for, and the state it comes to."""

from __future__ import annotations

from typing import Any

from radproof.lean.core import SOME_OF, Value, apply
from radproof.lean.errors import NotTheSame
from radproof.lean.interpret import Program, deep


def leap(program: Program, config: Value, before: Value, events: int) -> Any:
    """The state after so many events, 1 or more, that are one stretch.

    Raises NotTheSame, with the reason, where the tests do not say that they are.
    """
    names = program.names

    def of(name: str, *given: Any) -> Any:
        return apply(names[name], given)

    jobs, batch, ends = (_field(before, name) for name in ("jobs", "iter", "iterEnd"))
    with deep():
        if batch == () or ends.made_by is not SOME_OF or of("batchOf", config, jobs) != batch:
            raise NotTheSame("the batch that runs is not the one that would start")
        (end,) = ends.fields
        last = end + of("lasts", config, batch) * (events - 1)
        if of("pendingAt", last, _field(before, "pending")):
            raise NotTheSame("a session comes before the last of its events")
        if not of("repeatsAlong", config, events, jobs, batch):
            raise NotTheSame("a job has not enough left")
        return of("stretchAlong", config, before, end, events - 1)


def _field(value: Value, name: str) -> Any:
    return value.fields[value.made_by.places[name]]
