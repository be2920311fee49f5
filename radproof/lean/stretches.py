"""A run in stretches: one theorem for many events, by the leap that Proofs/Along.lean proves.

Between two states of the file one batch ends and starts again, while nobody comes and everybody
stays. A Lean tests the last of these iterations, and the proved theorem answers for all of them. It
wants each job's number to be there once, which every reached state has; so such a file says of each
state that it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from radproof.lean import twin
from radproof.lean.budget import REMEDY, within_budget
from radproof.lean.definitions import rule_fields
from radproof.lean.errors import TooLarge
from radproof.schedulers import RuleScheduler

MOST_SERVED = 300_000
"""The residents of all states of a run together, those between the stretches' ends included: what
Python goes through in seconds."""

FILLING = ("order", "take", "want", "left", "servedAfter", "doneAfter")
"""The rules that have to be RAD's own (FillsAsRad), word by word."""


@attrs.frozen
class Moment:
    """A state of a run, and the number of the event that leads to it; 0 is the start."""

    event: int
    state: twin.State


def fills_as_rad(scheduler: RuleScheduler) -> bool:
    """Whether a scheduler fills its batches by RAD's own rules, so that its runs can be leapt."""
    rad, own = rule_fields(RuleScheduler()), rule_fields(scheduler)
    return all(own[name] == rad[name] for name in FILLING)


def every_event(found: Iterable[twin.State], what: str) -> list[Moment]:
    """Each state of a run. Raises TooLarge beyond the budget."""
    return [Moment(event, state) for event, state in enumerate(within_budget(found, what))]


def events_of(found: list[Moment]) -> list[int]:
    """The events that lead to each state from the one before it; 0 to the start."""
    numbers = [moment.event for moment in found]
    return [after - before for before, after in zip([0, *numbers], numbers, strict=False)]


def stretches(config: twin.Config, found: Iterable[twin.State], what: str) -> list[Moment]:
    """The states of a run between which only the same batch repeats. Raises TooLarge."""
    kept: list[Moment] = []

    def states() -> Iterator[twin.State]:
        for moment in _ends(config, found, what):
            kept.append(moment)
            yield moment.state

    within_budget(states(), f"{what}, each stretch counted as one event,")
    return kept


def _ends(config: twin.Config, found: Iterable[twin.State], what: str) -> Iterator[Moment]:
    before: twin.State | None = None
    within, served = False, 0
    for event, state in enumerate(found):
        served += len(state.jobs) + 1
        if served > MOST_SERVED:
            raise TooLarge(
                f"{what} has more than {MOST_SERVED} residents by t = {state.now}, counted at each "
                f"of its {event} events: too many to look for its stretches. {REMEDY}."
            )
        if before is not None:
            again = repeats(config, before, state)
            if not (within and again):
                yield Moment(event - 1, before)
            within = again
        before = state
    if before is not None:
        yield Moment(event, before)


def repeats(config: twin.Config, before: twin.State, after: twin.State) -> bool:
    """Whether one event is an end at which everybody stays and the same batch starts again."""
    return (
        before.iter_end == after.now
        and after.iter == before.iter != ()
        and before.pending == after.pending
        and [(j.number, j.decoding) for j in before.jobs]
        == [(j.number, j.decoding) for j in after.jobs]
        and twin.batch_of(config, before.jobs) == before.iter
    )
