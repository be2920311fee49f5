"""Laws that a log can answer and a record of one iteration cannot: of requests and of clocks.

Each is a law like those in `radproof.laws`; its claim reads the `Log`, whose reader kept a tally
along the lines.
"""

from __future__ import annotations

from radproof.claims import Found
from radproof.laws.law import law
from radproof.logs.log import Log


@law("engine", at="run", source="vLLM: the prefill's end samples the first token")
def request_tokens(log: Log, deployment: object) -> Found:
    """A request's tokens sum to prompt + output - 1: the last one is never fed back."""
    return log.found("request_tokens")


@law("engine", at="run", source="vLLM: num_computed_tokens")
def computed_once(log: Log, deployment: object) -> Found:
    """What a request has computed is the sum of what it was scheduled before."""
    return log.found("computed_once")


@law("engine", at="run", source="semantics: one batch at a time")
def one_at_a_time(log: Log, deployment: object) -> Found:
    """An iteration starts when the one before has ended, or later."""
    return log.found("one_at_a_time")


@law("engine", at="run", source="vLLM: policy fcfs; policy priority within a priority")
def admission_order(log: Log, deployment: object) -> Found:
    """Requests of one priority are first scheduled in the order in which they came."""
    return log.found("admission_order")


@law("engine", at="run", source="vLLM: policy fcfs")
def first_token_order(log: Log, deployment: object) -> Found:
    """Requests have their first token in the order in which they came."""
    return log.found("first_token_order")


@law("engine", at="run", source="vLLM PR 56238, 9998")
def request_lifecycle(log: Log, deployment: object) -> Found:
    """Come <= first scheduled <= first token <= last token, for each request."""
    return log.found("request_lifecycle")


LOG_LAWS = {
    known.name: known
    for known in (
        request_tokens,
        computed_once,
        one_at_a_time,
        admission_order,
        first_token_order,
        request_lifecycle,
    )
}
"""The laws of logs by name."""

REQUEST_LAWS = tuple(name for name in LOG_LAWS if name != one_at_a_time.name)
"""The laws of requests: a log that names no request cannot answer them."""
