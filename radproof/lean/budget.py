"""How large a file may be: what a Lean checks in reasonable time, and what a person reads."""

from __future__ import annotations

from collections.abc import Iterable

from radproof.lean.errors import TooLarge
from radproof.lean.twin import State

MOST_EVENTS = 200
"""Each event is one literal state and one theorem."""

MOST_RESIDENTS = 600
"""Jobs in the list at once; a step over 129 of them is checked in about a second."""

REMEDY = (
    "Shrink the path first: `radproof check` saves its counterexamples minimised; otherwise drop "
    "sessions, shorten outputs (each token is an event), scale the deployment down (b_col 2 shows "
    "what 128 does), or cut the run with a horizon"
)


def within_budget(found: Iterable[State], what: str) -> list[State]:
    """The states, as a list. Raises TooLarge, before going on, once they exceed the budget."""
    states: list[State] = []
    for state in found:
        states.append(state)
        if len(states) > MOST_EVENTS + 1:
            raise TooLarge(
                f"{what} has more than {MOST_EVENTS} events by t = {state.now}, too many for "
                f"a Lean file. {REMEDY}."
            )
        if len(state.jobs) > MOST_RESIDENTS:
            raise TooLarge(
                f"{what} has {len(state.jobs)} residents at t = {state.now}, more than the "
                f"{MOST_RESIDENTS} that a Lean file may have. {REMEDY}."
            )
    return states
