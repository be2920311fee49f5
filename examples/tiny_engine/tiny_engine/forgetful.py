"""The scheduler with a deliberate bug: it forgets prompts that find no room in a batch."""

from collections import deque

from tiny_engine import scheduler


class Scheduler(scheduler.Scheduler):
    """Keeps the prompts that are in the batch, and drops those behind them from the queue."""

    def _prefills(self) -> list[tuple[int, int]]:
        batch = super()._prefills()
        # the bug: the rest should wait for the next batch
        self.waiting = deque(list(self.waiting)[: len(batch)])
        return batch
