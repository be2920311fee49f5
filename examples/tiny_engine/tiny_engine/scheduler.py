"""A scheduler with its state inside: prompts in chunks first, else one token for every sequence."""

from collections import deque
from dataclasses import dataclass


@dataclass
class Sequence:
    """A request: its prompt tokens, and how many of them are prefilled."""

    number: int
    prompt: int
    prefilled: int = 0

    @property
    def left(self) -> int:
        """Prompt tokens still to prefill."""
        return self.prompt - self.prefilled


class Scheduler:
    """At most 4 sequences run, at most 16 tokens go into a batch."""

    max_running = 4
    max_tokens = 16

    def __init__(self) -> None:
        self.waiting: deque[Sequence] = deque()
        self.running: dict[int, Sequence] = {}

    def add_request(self, number: int, prompt_tokens: int) -> None:
        """A request has arrived."""
        sequence = Sequence(number, prompt_tokens)
        if prompt_tokens:
            self.waiting.append(sequence)
        else:
            self.running[number] = sequence

    def schedule(self) -> list[tuple[int, int]]:
        """The (number, tokens) of the next batch: prompts if there is room, else decodes."""
        if self.waiting and len(self.running) < self.max_running:
            return self._prefills()
        return [(number, 1) for number in list(self.running)[: self.max_tokens]]

    def _prefills(self) -> list[tuple[int, int]]:
        batch, room = [], self.max_tokens
        for sequence in self.waiting:
            tokens = min(sequence.left, room)
            if tokens == 0:
                break
            batch.append((sequence.number, tokens))
            room -= tokens
        return batch

    def update(self, number: int, tokens: int, finished: bool) -> None:
        """The batch has run: these tokens of a request are done; `finished`: all it wanted."""
        if number in self.running:
            if finished:
                del self.running[number]
            return
        sequence = next(s for s in self.waiting if s.number == number)
        sequence.prefilled += tokens
        if sequence.left == 0:
            self.waiting.remove(sequence)
            if not finished:
                self.running[number] = sequence
