"""The requests of a log that names them: what each has had, who is resident, and their laws.

Phases follow the model: a request prefills until its prompt is computed, and decodes after that.
In a real engine the iteration that ends a prompt also makes the first token, so that a request
with an output of n tokens decodes n - 1 times.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from radproof.logs.log import Log, record
from radproof.model import DECODE, PREFILL, Entry, Iteration
from radproof.readers.intervals import Unseen

_NO_CHUNK = "what a job would take without a budget depends on a chunk that the log does not name"


@attrs.define
class Request:
    """One live request; `number` counts the requests of the log from 0."""

    number: int
    line: int
    prompt: int
    priority: int = 0
    computed: int = 0
    decodes: int = 0
    prefilled: int = 0
    scheduled: bool = False
    output: int | None = None


@attrs.define
class Alive:
    """The requests that are resident, in the order in which they came."""

    log: Log
    requests: dict[str, Request] = attrs.field(factory=dict)
    count: int = 0
    """Requests that have joined so far."""
    decoding: int = 0
    """Residents that decode."""
    newest: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """Of each priority: the latest request that was scheduled, and the line that did so first."""

    def join(
        self, name: str, line: int, prompt: int, priority: int = 0, output: int | None = None
    ) -> str | None:
        """A request joins. The fault, where a resident has its name already."""
        if name in self.requests:
            return f"adds {name!r}, which line {self.requests[name].line} added already"
        self.requests[name] = Request(self.count, line, prompt, priority, output=output)
        self.count += 1
        self.decoding += prompt == 0
        return None

    def record(self, shares: Mapping[str, int], start: int, end: int, served: int) -> Iteration:
        """The record of a batch with these tokens for each request, before it is `serve`d."""
        batch = tuple(self._entry(name, tokens) for name, tokens in shares.items())
        tokens = sum(shares.values())
        return record(
            start=start,
            end=end,
            served=served,
            tokens=tokens,
            prefilled=sum(entry.tokens for entry in batch if entry.phase is not DECODE),
            decoders=sum(entry.phase is DECODE for entry in batch),
            decoding=self.decoding,
            residents=len(self.requests),
            demand=Unseen.at_least(tokens, _NO_CHUNK),
            batch=batch,
        )

    def _entry(self, name: str, tokens: int) -> Entry:
        """The share of a request in a batch, in the phase that it is in."""
        request = self.requests[name]
        phase = PREFILL if request.computed < request.prompt else DECODE
        return Entry(request.number, phase, tokens)

    def serve(self, shares: Mapping[str, int], line: int) -> None:
        """Credit a batch to its requests; asks the law of admission."""
        for name, tokens in shares.items():
            request = self.requests[name]
            if not request.scheduled:
                self._schedule(name, request, line)
            prefills = request.computed < request.prompt
            request.computed += tokens
            if prefills:
                request.prefilled += tokens
                self.decoding += request.computed >= request.prompt
            else:
                request.decodes += 1

    def _schedule(self, name: str, request: Request, line: int) -> None:
        request.scheduled = True
        newest = self.newest.get(request.priority)
        fault = None
        if newest is not None and newest[0] > request.number:
            fault = (
                f"{name} is first scheduled after a request that came later, and was "
                f"scheduled on line {newest[1]}"
            )
        else:
            self.newest[request.priority] = (request.number, line)
        self.log.tally("admission_order").add(fault, line)

    def leave(self, name: str, line: int) -> None:
        """A request leaves with its output; asks the law of its tokens."""
        request = self.requests.pop(name)
        self.decoding -= request.computed >= request.prompt
        # the end of the prompt makes a token, and so does every decode
        output = request.decodes + 1 if request.output is None else request.output
        wanted = request.prompt + output - 1
        fault = None
        if request.computed != wanted or request.prefilled != request.prompt:
            fault = (
                f"{name} has had {request.computed} tokens, {request.prefilled} of them of its "
                f"prompt; prompt {request.prompt} + output {output} - 1 = {wanted}"
            )
        self.log.tally("request_tokens").add(fault, line)
