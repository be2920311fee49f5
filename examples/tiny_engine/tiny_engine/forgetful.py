"""The scheduler with a deliberate bug: whoever finds no room in a batch of prompts is forgotten."""

from collections import deque

from tiny_engine import scheduler


class Scheduler(scheduler.Scheduler):
    """Keeps the prompts that are in the batch, and drops those behind them from the queue."""

    def _prefills(self) -> list[tuple[int, int]]:
        batch = super()._prefills()
        # should be left out: the rest waits for the next batch
        self.waiting = deque(list(self.waiting)[: len(batch)])
        return batch
