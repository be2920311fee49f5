"""How large a file may be: what a Lean checks in reasonable time, and what a person can read."""

from __future__ import annotations

from collections.abc import Iterable

from radproof.lean.errors import TooLarge
from radproof.lean.twin import State

MOST_EVENTS = 200
"""Each event is one literal state and one theorem."""

MOST_RESIDENTS = 200
"""Jobs in the list at once: a step over 129 of them takes a Lean two seconds, and the time grows
with the square."""

MOST_JOBS = 6000
"""Jobs in the lists of all the states together: the sum of the steps' work."""

REMEDY = (
    "Shrink the path first: `radproof check` saves its counterexamples minimised; otherwise drop "
    "sessions, shorten outputs (each token is an event), scale the deployment down (b_col 2 shows "
    "what 128 does), or cut the run with a horizon"
)


def within_budget(found: Iterable[State], what: str) -> list[State]:
    """The states as a list. Raises TooLarge at the first state that exceeds the budget."""
    states: list[State] = []
    jobs = 0
    for state in found:
        states.append(state)
        jobs += len(state.jobs)
        for count, most, of in (
            (len(states) - 1, MOST_EVENTS, "events"),
            (len(state.jobs), MOST_RESIDENTS, "residents at once"),
            (jobs, MOST_JOBS, "jobs in the lists of its states"),
        ):
            if count > most:
                raise TooLarge(
                    f"{what} has more than {most} {of} by t = {state.now}, too many for a Lean "
                    f"file. {REMEDY}."
                )
    return states
