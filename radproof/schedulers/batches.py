"""Building blocks of the engines' policies: the residents by kind, and a batch being filled."""

from __future__ import annotations

import attrs

from radproof.model import DECODE, PREFILL, Entry, Job
from radproof.schedulers.protocol import View


@attrs.frozen
class Residents:
    """The jobs of a view in list order: decodes, prompts begun, and prompts not begun."""

    decodes: tuple[Job, ...]
    started: tuple[Job, ...]
    waiting: tuple[Job, ...]

    @property
    def active(self) -> int:
        """How many requests the engine has admitted."""
        return len(self.decodes) + len(self.started)


def residents(view: View) -> Residents:
    """The jobs of a view by kind."""
    prefills = [job for job in view.jobs if job.phase is PREFILL]
    return Residents(
        decodes=tuple(job for job in view.jobs if job.phase is DECODE),
        started=tuple(job for job in prefills if job.done > 0),
        waiting=tuple(job for job in prefills if job.done == 0),
    )


@attrs.define
class Filling:
    """A batch while it is filled, and the `tokens` in it so far."""

    entries: list[Entry] = attrs.field(factory=list)
    tokens: int = 0

    def decode(self, job: Job) -> None:
        """Add one token for a decode."""
        self._add(job, 1)

    def prompt(self, job: Job) -> None:
        """Add all that is left of a prompt."""
        self._add(job, job.prompt - job.done)

    def chunk(self, job: Job, most: int) -> None:
        """Add what is left of a prompt, at most `most` tokens of it; nothing where that is 0."""
        tokens = min(job.prompt - job.done, most)
        if tokens > 0:
            self._add(job, tokens)

    def _add(self, job: Job, tokens: int) -> None:
        self.entries.append(Entry(job.session, job.phase, tokens))
        self.tokens += tokens

    @property
    def batch(self) -> tuple[Entry, ...]:
        """The entries, in the order in which they were added."""
        return tuple(self.entries)
