"""What the machine does to a state, beside what the lemmas foresee (`foreseen`).

`machine_code` asks it of symbols, for every list up to a length; `proof.audit` of one step on ints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from radproof import machine
from radproof.errors import SchedulerError
from radproof.lemmas.foreseen import Foreseen
from radproof.model import DECODE, Batch, State
from radproof.number import Truth, both, negate
from radproof.schedulers import RuleScheduler

REFUSED = "the machine refuses a batch where a job gets more than it can take, and no other"
BATCH = "the batch: in order, each takes what the rules give it of the rest, to the first nothing"
STUCK = "it is stuck where nobody gets a token and nobody is to come, and nowhere else"
RECORD = "the record: its batch, and the list that it was made from"
CLOCK = "the clock and the tokens served"
JOBS = "the list afterwards: who stays, then who arrived, then who goes on to decode"
EVENTS = "who is still to come, and who ended"

OF_BATCH = (REFUSED, BATCH)
OF_STEP = (REFUSED, STUCK, BATCH, RECORD, CLOCK, JOBS, EVENTS)


def batch_as_foreseen(
    foresee: Callable[[], Foreseen], state: State, path: Any, d: Any, scheduler: RuleScheduler
) -> dict[str, Truth]:
    """Whether the scheduler's batch, as the machine checks it, is as foreseen."""
    fault, found = _tried(machine.decide, state, path, d, scheduler)
    told = foresee()
    batch, memory = found or ((), state.memory)
    return {
        REFUSED: both(_is(told.refused, fault in _REFUSALS), fault in ("", *_REFUSALS)),
        BATCH: bool(fault) or both(told.batch.same(_entries(batch)), memory is state.memory),
    }


def step_as_foreseen(
    foresee: Callable[[], Foreseen], state: State, path: Any, d: Any, scheduler: RuleScheduler
) -> dict[str, Truth]:
    """Whether the machine's step is as foreseen."""
    fault, found = _tried(machine.step, state, path, d, scheduler)
    told = foresee()  # only now, where the code has asked what it asks
    known = fault in ("", "stuck", *_REFUSALS)
    parts: dict[str, Truth] = {
        REFUSED: both(_is(told.refused, fault in _REFUSALS), known),
        STUCK: _is(told.stuck, fault == "stuck"),
    }
    if found is None:
        return parts | dict.fromkeys((BATCH, RECORD, CLOCK, JOBS, EVENTS), True)
    after, record = found
    batch = record.batch if record is not None else ()
    jobs = [
        (job.session, job.phase is DECODE, job.arrive, job.prompt, job.done) for job in after.jobs
    ]
    return parts | {
        BATCH: both(_is(told.idle, record is None), told.batch.same(_entries(batch))),
        RECORD: record is None
        or both(*(getattr(record, name) == told.record[name] for name in told.record)),
        CLOCK: both(after.now == told.now, after.served == told.served),
        JOBS: both(told.jobs.same(jobs), after.memory is state.memory),
        EVENTS: both(
            told.pending.same([(session,) for session in after.pending]),
            told.ended.same(after.ended),
        ),
    }


def _tried(part: Callable[..., Any], *arguments: Any) -> tuple[str, Any]:
    """The kind of fault that a part of the machine ends in, or what it returns."""
    try:
        return "", part(*arguments)
    except SchedulerError as error:
        return error.kind, None
    except Exception as error:  # no part raises anything else
        return type(error).__name__, None


def _entries(batch: Batch) -> list[tuple[Any, ...]]:
    return [(entry.session, entry.phase is DECODE, entry.tokens) for entry in batch]


_REFUSALS = ("decode", "too many")
"""The faults (`SchedulerError.kind`) of a batch where a job gets more than it can take."""


def _is(truth: Truth, known: bool) -> Truth:
    return truth if known else negate(truth)
