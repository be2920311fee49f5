from __future__ import annotations

import json
from typing import Any

import pytest
from judged import ENGINE, Logs, needs_logs, refused, said, verdicts

from radproof import Result
from radproof.logs import open_log

FORMAT = "requests"


def row(name: str, queued: float, scheduled: float, first: float, last: float, **more: Any) -> str:
    stamps = {"queued_ts": queued, "scheduled_ts": scheduled}
    stamps |= {"first_token_ts": first, "last_token_ts": last}
    return json.dumps({"request_id": name, "input_toks": 9, "output_toks": 3} | stamps | more)


def test_in_queue_order_everything_holds_and_nothing_is_said_of_iterations(log: Logs) -> None:
    found = verdicts(log(FORMAT, row("b", 2, 2.5, 4, 5), row("a", 1, 2.5, 4, 9)))
    assert said(found["admission_order"]) == ("holds", 1, 0, None)
    assert said(found["first_token_order"]) == ("holds", 1, 0, None)
    assert said(found["request_lifecycle"]) == ("holds", 2, 0, None)
    assert found["optimal_tiling"].verdict.result is Result.NOT_EVALUATED
    assert found["optimal_tiling"].verdict.reason == "the log has requests, and no iterations"


def test_an_inversion_is_found_wherever_the_rows_stand(log: Logs) -> None:
    rows = [row("c", 3, 7, 8.5, 9), row("a", 1, 6, 8, 9), row("b", 2, 5, 8.1, 9)]
    found = verdicts(log(FORMAT, *rows))
    assert said(found["admission_order"]) == ("fails", 2, 1, 3)
    assert said(found["first_token_order"]) == ("holds", 2, 0, None)
    assert found["admission_order"].verdict.reason == (
        "line 3: this request is scheduled before that of line 2, queued earlier"
    )


def test_an_inversion_is_against_the_latest_of_those_before_and_not_the_neighbour(
    log: Logs,
) -> None:
    rows = [row("a", 1, 9, 9, 9), row("b", 2, 3, 9, 9), row("c", 3, 4, 9, 9)]
    assert said(verdicts(log(FORMAT, *rows))["admission_order"]) == ("fails", 2, 2, 2)


def test_nanoseconds_decide_that_a_float_of_this_size_would_lose(log: Logs) -> None:
    text = row("a", 1, 1, 1, 1).replace('"scheduled_ts": 1', '"scheduled_ts": 27536660.123456789')
    text = text.replace('"first_token_ts": 1', '"first_token_ts": 27536660.123456788')
    text = text.replace('"last_token_ts": 1', '"last_token_ts": 27536661')
    found = verdicts(log(FORMAT, text))["request_lifecycle"]
    assert said(found) == ("fails", 1, 1, 1)
    assert found.verdict.reason == "line 1: a: scheduled comes after first_token"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            (row("a", 1, 2, 3, 4), row("a", 2, 2, 3, 4)),
            "line 2 duplicates request 'a' of line 1; r",
        ),
        ((row("a", 1, 2, 3, 4)[:-4],), "line 1 is not JSON ("),
        ((row("a", -1, 2, 3, 4),), 'line 1 has a wrong field: "queued_ts" is -1; it must be a '),
        ((row("a", 1, 2, 3, 4, last_token_ts=None),), 'line 1 has a wrong field: "last_token_ts"'),
        ((row("a", 1, 2, 3, 4, input_toks="9"),), 'line 1 has a wrong field: "input_toks" is '),
        ((row("a", 1, 2, 3, float("nan")),), 'line 1 has a wrong field: "last_token_ts" is nan'),
    ],
)
def test_a_damaged_log_is_named_with_its_line(
    log: Logs, lines: tuple[str, ...], message: str
) -> None:
    assert refused(log(FORMAT, *lines)).startswith(message)


@needs_logs
@pytest.mark.parametrize(("node", "shared"), [("RTX4090", 119), ("RTXPRO6000", 52)])
def test_first_come_first_served_was_so(node: str, shared: int) -> None:
    log = open_log(ENGINE / f"llmservingsim_vllm_{node}_Llama-3.1-8B_requests.jsonl", FORMAT)
    found = verdicts(log)
    assert said(found["admission_order"]) == ("holds", 299, 0, None)
    assert said(found["first_token_order"]) == ("holds", 299, 0, None)
    assert said(found["request_lifecycle"]) == ("holds", 300, 0, None)
    assert log.notes[0].startswith(f"{shared} of 300 requests share the stamp of their first token")
