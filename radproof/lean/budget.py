"""How large a file may be: what a Lean checks in reasonable time, and what a person can read."""

from __future__ import annotations

from collections.abc import Iterable

from radproof.lean.errors import TooLarge
from radproof.lean.twin import State

MOST_EVENTS = 200
"""Each event, or each stretch of them, is one literal state and one theorem."""

MOST_RESIDENTS = 500
"""Jobs in the list at once: a step over that many takes a Lean four seconds, a stretch two."""

MOST_JOBS = 6000
"""Jobs, sessions to come and sessions that end in the lists of all the states together: the sum of
the steps' work, and the length of the file. So no list is longer."""

MOST_DIGITS = 1000
"""Digits of one number: more than any clock needs, few enough to multiply at once."""

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
        jobs += len(state.jobs) + len(state.pending) + len(state.ended)
        for count, most, of in (
            (len(states) - 1, MOST_EVENTS, "events"),
            (len(state.jobs), MOST_RESIDENTS, "residents at once"),
            (jobs, MOST_JOBS, "jobs and sessions to come in the lists of its states"),
            (_digits(state), MOST_DIGITS, "digits in one number"),
        ):
            if count > most:
                raise TooLarge(
                    f"{what} has more than {most} {of} by t = {state.now}, too many for a Lean "
                    f"file. {REMEDY}."
                )
    return states


def _digits(state: State) -> int:
    """The digits of the longest number of a state."""
    sessions = [arrival.session for arrival in state.pending] + [job.session for job in state.jobs]
    numbers = [n for session in sessions for n in (session.arrive, session.prompt, session.output)]
    longest = max([state.now, state.iter_end or 0, state.served, *numbers])
    return len(str(longest)) if longest < 10**MOST_DIGITS else MOST_DIGITS + 1
