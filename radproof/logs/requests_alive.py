"""The requests of a log that names them: what each has had, who is resident, and their laws.

Phases follow the model: a request prefills until its prompt is computed, and decodes after that.
In a real engine the iteration that ends a prompt also makes the first token, so that a request
with an output of n tokens decodes n - 1 times.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from radproof.logs.log import Log
from radproof.model import DECODE, PREFILL, Entry


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
    """The requests that are resident, in the order in which they came.

    later: the numbers of requests that were scheduled before an older one of their priority.
    """

    log: Log
    requests: dict[str, Request] = attrs.field(factory=dict)
    count: int = 0
    decoding: int = 0
    newest: dict[int, tuple[int, int]] = attrs.field(factory=dict)

    def come(
        self, name: str, line: int, prompt: int, priority: int = 0, output: int | None = None
    ) -> str | None:
        """A request joins; what is wrong where its name is a resident's already."""
        if name in self.requests:
            return f"adds {name!r}, which line {self.requests[name].line} added already"
        self.requests[name] = Request(self.count, line, prompt, priority, output=output)
        self.count += 1
        self.decoding += prompt == 0
        return None

    def entry(self, name: str, tokens: int) -> Entry:
        """The share of a request in a batch, in the phase that it is in."""
        request = self.requests[name]
        phase = PREFILL if request.computed < request.prompt else DECODE
        return Entry(request.number, phase, tokens)

    def served(self, shares: Iterable[tuple[str, int]], line: int) -> None:
        """A batch is written into the requests, and the laws are asked."""
        order = self.log.tally("admission_order")
        for name, tokens in shares:
            request = self.requests[name]
            if not request.scheduled:
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
                order.add(fault, line)
            prefills = request.computed < request.prompt
            request.computed += tokens
            if prefills:
                request.prefilled += tokens
                self.decoding += request.computed >= request.prompt
            else:
                request.decodes += 1

    def gone(self, name: str, line: int) -> None:
        """A request leaves with its output; the law of its tokens is asked."""
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
