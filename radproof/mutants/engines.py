"""Engines with their state inside, each with one thing wrong: what an engine believes of itself is
what a function of the view cannot get wrong.
"""

from __future__ import annotations

from radproof.model import Deployment
from radproof.mutants.catalogue import mutant


class Engine:
    """A correct engine: running requests first, then those that wait, a tile of tokens a batch.

    At most b_col requests run. `left` and `computed` are its counts of each request's tokens.
    """

    def __init__(self, deployment: Deployment) -> None:
        self.budget = deployment.b_lcm
        self.max_num_seqs = deployment.b_col
        self.waiting: list[int] = []
        self.running: list[int] = []
        self.left: dict[int, int] = {}
        self.computed: dict[int, int] = {}

    def add_request(self, number: int, prompt_tokens: int) -> None:
        """A request has arrived."""
        self.waiting.append(number)
        self.left[number] = prompt_tokens
        self.computed[number] = 0

    def schedule(self) -> dict[int, int]:
        """The tokens of each request in the next batch."""
        batch: dict[int, int] = {}
        for number in self.candidates():
            tokens = min(self.left[number] or 1, self.budget - sum(batch.values()))
            if not tokens:
                break
            batch[number] = tokens
            if number in self.waiting:
                self.waiting.remove(number)
                self.running.append(number)
        return batch

    def candidates(self) -> list[int]:
        """The requests that may be in the next batch, in order."""
        return self.running + self.waiting[: self.max_num_seqs - len(self.running)]

    def update(self, number: int, tokens: int, finished: bool) -> None:
        """The batch has run: these tokens of a request are computed."""
        self.computed[number] += tokens
        if self.left[number]:
            self.left[number] -= tokens
        if finished:
            self.running.remove(number)
            del self.left[number], self.computed[number]


@mutant(killed_by="work_conserving", source="sendnn-inference 23")
class one_admission(Engine):
    """A batch begins one request, however many wait."""

    def candidates(self) -> list[int]:
        return super().candidates()[: len(self.running) + 1]


@mutant(killed_by="work_conserving", source="vLLM 49097")
class skips_after_an_end(Engine):
    """Where a request leaves the list, the next batch skips the one that moves to its place."""

    place: int | None = None

    def candidates(self) -> list[int]:
        found = super().candidates()
        if self.place is not None and self.place < len(self.running) and len(found) > 1:
            del found[self.place]
        self.place = None
        return found

    def update(self, number: int, tokens: int, finished: bool) -> None:
        if finished:
            self.place = self.running.index(number)
        super().update(number, tokens, finished)


@mutant(killed_by="no_starvation")
class newest_request_first(Engine):
    """Of those that wait, the newest request is begun first."""

    def candidates(self) -> list[int]:
        return self.running + self.waiting[::-1][: self.max_num_seqs - len(self.running)]


@mutant(killed_by="no_starvation")
class shortest_request_first(Engine):
    """Of those that wait, the request with the shortest prompt is begun first."""

    def candidates(self) -> list[int]:
        self.waiting.sort(key=self.left.__getitem__)
        return super().candidates()


@mutant(killed_by="own_count", source="TensorRT-LLM 1377")
class half_a_prompt(Engine):
    """Half of a prompt of more than a tile is dropped, and decodes begin."""

    def add_request(self, number: int, prompt_tokens: int) -> None:
        long = prompt_tokens > self.budget
        super().add_request(number, prompt_tokens // 2 if long else prompt_tokens)


@mutant(killed_by="own_count")
class decodes_uncounted(Engine):
    """A decode's token is not counted."""

    def update(self, number: int, tokens: int, finished: bool) -> None:
        decoding = not self.left[number]
        super().update(number, tokens, finished)
        if decoding and not finished:
            self.computed[number] -= tokens


@mutant(killed_by="own_count")
class chunk_counted_twice(Engine):
    """A prompt's first chunk is counted when it is scheduled, and again when it is computed."""

    def schedule(self) -> dict[int, int]:
        waiting = {number for number in self.waiting if self.left[number]}
        batch = super().schedule()
        for number in waiting & batch.keys():
            self.computed[number] += batch[number]
        return batch
