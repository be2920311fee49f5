"""Laws that a log can answer and a record of one iteration cannot: of requests and of clocks.

Each is a law like those in `radproof.laws`; its claim reads the `Log`, whose reader kept a tally
along the lines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from radproof.claims import Claim, Found
from radproof.laws.law import Law


def _reader(name: str) -> Callable[[Any, Any], Found]:
    def holds(log: Any, deployment: Any) -> Found:
        found: Found = log.laws[name].found() if name in log.laws else Found(0)
        return found

    return holds


def _law(name: str, statement: str, source: str) -> Law:
    claim = Claim(name=name, kind="whole run", holds=_reader(name), statement=statement)
    return Law(claim, "engine", source, tested="tests/logs")


LOG_LAWS = {
    law.name: law
    for law in (
        _law(
            "request_tokens",
            "a request's tokens sum to prompt + output - 1: the last one is never fed back",
            source="vLLM: the prefill's end samples the first token",
        ),
        _law(
            "computed_once",
            "what a request has computed is the sum of what it was scheduled before",
            source="vLLM: num_computed_tokens",
        ),
        _law(
            "one_at_a_time",
            "an iteration starts when the one before has ended, or later",
            source="semantics: one batch at a time",
        ),
        _law(
            "admission_order",
            "requests of one priority are first scheduled in the order in which they came",
            source="vLLM: policy fcfs; policy priority within a priority",
        ),
        _law(
            "first_token_order",
            "requests have their first token in the order in which they came",
            source="vLLM: policy fcfs",
        ),
        _law(
            "request_lifecycle",
            "come <= first scheduled <= first token <= last token, for each request",
            source="vLLM PR 56238, 9998",
        ),
    )
}
"""The laws of logs by name."""
