"""Check that a scheduler is the pure function that it must be.

A scheduler that keeps a counter, reads a clock or changes its view returns another batch when it is
called again, and its counterexamples cannot be replayed. So it is called twice.
"""

from __future__ import annotations

import copy
from typing import Any

import attrs

from radproof.errors import SchedulerError
from radproof.model import Entry
from radproof.rules import Rules
from radproof.schedulers.protocol import Scheduler, View, rules_of
from radproof.schedulers.rule_form import RuleScheduler

_SMALL = 16
_SOME = 7
"""With up to 16 jobs every call is made twice, with more jobs one call in seven. The view alone
decides which, so that a path that shows an impurity shows it again."""


@attrs.frozen(eq=False)
class Watched:
    """The same scheduler, called twice on some views. Raises SchedulerError of kind ``impure``."""

    scheduler: Scheduler

    @property
    def leaps(self) -> bool:
        """Whether the scheduler may be leapt over."""
        return getattr(self.scheduler, "leaps", True) is not False

    @property
    def rules(self) -> Rules:
        """The rules by which it runs."""
        return rules_of(self.scheduler)

    def __call__(self, view: View) -> Any:
        if type(view.now) is not int or not self._asked_again(view):
            return self.scheduler(view)
        before = _copy(view.memory)
        jobs = view.jobs
        answer = _kept(self.scheduler(view))
        if view.jobs is not jobs or not _same(before, view.memory):
            raise _impure(view, "it changed its view")
        again = _kept(self.scheduler(view))
        if _batch(answer) != _batch(again):
            raise _impure(view, f"it returned {_shown(answer)}, then {_shown(again)}")
        return again  # an engine with its state inside now stands behind this one

    def _asked_again(self, view: View) -> bool:
        own = getattr(self.scheduler, "asked_again", None)
        if own is not None:
            return bool(own(view))
        return view.now % (1 if len(view.jobs) <= _SMALL else _SOME) == 0


def watched(scheduler: Scheduler) -> Scheduler:
    """The scheduler, watched; one in rule form without its own order is known to be pure."""
    if isinstance(scheduler, Watched):
        return scheduler
    if isinstance(scheduler, RuleScheduler) and scheduler.order is None:
        return scheduler
    return Watched(scheduler)


def _impure(view: View, what: str) -> SchedulerError:
    return SchedulerError(
        "impure",
        f"the scheduler is not a pure function: called twice with the same view at t = {view.now}, "
        f"{what}. Keep all state in the memory that it returns.",
    )


def _kept(answer: object) -> object:
    """The answer in a form that can be read twice: a generator of entries becomes a tuple."""
    if isinstance(answer, tuple) and len(answer) == 2 and hasattr(answer[0], "__next__"):
        return tuple(answer[0]), answer[1]
    return answer


def _batch(answer: Any) -> Any:
    """The batch of an answer; the machine checks later whether it is valid."""
    try:
        return tuple(answer[0])
    except (TypeError, IndexError, KeyError):
        return answer if isinstance(answer, (str, int, type(None))) else type(answer)


def _shown(answer: object) -> str:
    batch = _batch(answer)
    if isinstance(batch, tuple) and all(isinstance(entry, Entry) for entry in batch):
        text = ", ".join(f"{e.tokens} of session {e.session}" for e in batch)
        return text if len(text) <= 80 else text[:77] + "..."
    return repr(batch)[:80]


_NOTHING = object()


def _copy(memory: object) -> object:
    """A copy to compare with; `_NOTHING` where the memory cannot be copied or compared."""
    if memory is None or isinstance(memory, (int, str, frozenset)):
        return _NOTHING
    if type(memory).__eq__ is object.__eq__:  # no copy would equal it
        return _NOTHING
    try:
        made = copy.deepcopy(memory)
        return made if made == memory else _NOTHING
    except Exception:
        return _NOTHING


def _same(before: object, memory: object) -> bool:
    return before is _NOTHING or bool(before == memory)
