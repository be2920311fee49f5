from __future__ import annotations

import io
import json
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from helpers import TESTS
from judged import Logs, refused, said, verdicts

from radproof import SEED, Deployment, Result, Session, check, optimal_tiling, run, token_rate
from radproof.logs import Setting, judge, open_log
from radproof.model import DECODE
from radproof.runs import Run

FORMAT = "radproof"
PAGE = (TESTS.parent / "docs" / "trace-format.md").read_text()
HEAD = '{"schema": "radproof.trace/1", "budget": 8}'
ADD = '{"add": "a", "at": 0, "prompt": 8}'
FIRST = '{"iteration": 0, "start": 5, "end": 90, "batch": [["a", 8]]}'
SECOND = '{"iteration": 1, "start": 95, "end": 120, "batch": [["a", 1]]}'
GONE = '{"gone": "a", "at": 120, "output": 2}'
GOOD = (HEAD, ADD, FIRST, SECOND, GONE, '{"lines": 6}')


def writer(stream: Any, budget: int) -> Any:
    """The writer of the page, as a user would paste it."""
    [source] = re.findall(r"tracewriter.py -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    body = [line for line in source.splitlines() if line.strip()]
    assert len(body) <= 20, "the page promises a writer of twenty lines"
    names: dict[str, Any] = {}
    exec(source, names)
    return names["TraceWriter"](stream, budget)


def written(result: Run) -> str:
    """A run of ours, written by that writer. The model feeds the last token back, an engine does
    not: v_d decodes are an output of v_d + 1."""
    stream = io.StringIO()
    trace = writer(stream, result.deployment.b_col)
    path = result.path
    added: set[int] = set()
    ends = dict(enumerate(result.completions))
    for record in result.records:
        for number in sorted(range(len(path)), key=lambda n: path[n].arrive):
            if number not in added and path[number].arrive <= record.start:
                trace.add(str(number), path[number].arrive, path[number].prompt)
                added.add(number)
        trace.iteration(
            record.start, record.end, [[str(e.session), e.tokens] for e in record.batch]
        )
        for number in [n for n, time in ends.items() if time == record.end]:
            trace.gone(str(number), record.end, path[number].output + 1)
    trace.close()
    return stream.getvalue()


PATHS = [
    [Session(0, 128, 1), Session(4640, 128, 1)],
    [Session(0, 128, 1), Session(4641, 128, 1)],
    [Session(0, 200, 1), Session(0, 300, 1)],
    [Session(n * 3000, 128 * (1 + n % 3), 1 + n % 5) for n in range(40)],
    [Session(0, 129, 1)],
]


@pytest.mark.parametrize("path", PATHS, ids=range(len(PATHS)))
def test_a_run_that_is_written_and_read_again_has_the_same_records_and_verdicts(
    path: list[Session], log: Logs
) -> None:
    result = run(path)
    lines = log(FORMAT, written(result))
    again = [step.record for step in lines.steps()]
    names = ("start", "end", "served", "tokens", "prefilled", "decoders", "decoding", "residents")
    for ours, theirs in zip(result.records, again, strict=True):
        for name in names:
            assert getattr(ours, name) == getattr(theirs, name), name
        assert sorted(map(repr, ours.batch)) == sorted(map(repr, theirs.batch))
    judged = judge(
        log(FORMAT, written(result)), [token_rate, optimal_tiling], Setting.of(SEED, None)
    )
    for claim, found in zip((token_rate, optimal_tiling), judged, strict=True):
        wanted = check(result, claim, given=False)
        assert found.verdict.result is wanted.result
        assert (found.verdict.checked, found.verdict.failures, found.verdict.first) == (
            wanted.checked, wanted.failures, wanted.first
        )  # fmt: skip


def test_the_page_s_own_example_keeps_the_laws_and_is_what_it_says(log: Logs) -> None:
    example = [line.strip() for line in PAGE.splitlines() if line.startswith('{"')]
    lines = log(FORMAT, *example)
    found = verdicts(lines)
    assert lines.budget == 512
    for law in ("request_tokens", "one_at_a_time", "admission_order", "request_lifecycle"):
        assert found[law].verdict.result is Result.HOLDS
    assert said(found["optimal_tiling"]) == ("fails", 3, 1, 5)


def test_every_field_of_a_record(log: Logs) -> None:
    first, second = log(FORMAT, *GOOD).steps()
    assert (first.line, first.number, first.duration) == (3, 0, 85)
    assert second.record.batch[0].phase is DECODE
    assert (second.record.served, second.record.residents, second.record.decoding) == (8, 1, 1)


@pytest.mark.parametrize(
    ("law", "old", "new", "line"),
    [
        ("request_tokens", GONE, GONE.replace('"output": 2', '"output": 3'), 5),
        ("request_tokens", FIRST, FIRST.replace("8]", "7]"), 5),
        ("one_at_a_time", SECOND, SECOND.replace("95", "89"), 4),
        ("one_at_a_time", FIRST, FIRST.replace('"start": 5', '"start": 91'), 3),
        ("request_lifecycle", ADD, ADD.replace('"at": 0', '"at": 6'), 3),
        ("request_lifecycle", GONE, GONE.replace("120", "119"), 5),
        ("one_token_per_decode", SECOND, SECOND.replace("1]", "2]"), 4),
        ("batch_budget", FIRST, FIRST.replace("8]", "9]"), 3),
    ],
)
def test_each_law_sees_what_breaks_it(log: Logs, law: str, old: str, new: str, line: int) -> None:
    assert verdicts(log(FORMAT, *GOOD))[law].verdict.result is Result.HOLDS
    found = verdicts(log(FORMAT, *(new if text == old else text for text in GOOD)))[law]
    assert (found.verdict.result, found.line) == (Result.FAILS, line)


def test_a_prefill_beyond_the_prompt_is_seen_though_the_sum_is_right(log: Logs) -> None:
    lines = (HEAD, ADD, FIRST.replace("8]", "9]"), GONE, '{"lines": 5}')
    found = verdicts(log(FORMAT, *lines))["request_tokens"]
    assert said(found) == ("fails", 1, 1, 4)
    assert found.verdict.reason == (
        "line 4: a has had 9 tokens, 9 of them of its prompt; prompt 8 + output 2 - 1 = 9"
    )


def test_an_iteration_inside_an_earlier_one_does_not_end_it(log: Logs) -> None:
    inside = '{"iteration": 1, "start": 20, "end": 30, "batch": [["a", 1]]}'
    third = '{"iteration": 2, "start": 40, "end": 120, "batch": [["a", 1]]}'
    found = verdicts(log(FORMAT, HEAD, ADD, FIRST, inside, third))["one_at_a_time"]
    assert said(found) == ("fails", 3, 2, 4)


def test_a_trace_that_may_be_cut_holds_nothing(log: Logs) -> None:
    found = verdicts(log(FORMAT, *GOOD[:-1]))["optimal_tiling"]
    assert found.verdict.result is Result.NOT_EVALUATED
    assert 'ends without its closing "lines"' in found.verdict.reason


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((HEAD[:-3],), "line 1 is not JSON ("),
        ((ADD,), 'line 1 must be {"schema": "radproof.trace/1"}; it is '),
        ((*GOOD[:4], *GOOD[3:]), "line 5 is iteration 1 a second time; remove one of the two"),
        ((*GOOD[:2], SECOND, FIRST), "line 4 is iteration 0 after 1: lines are out of order, or "),
        ((*GOOD[:4], GOOD[5]), "line 5 says that the trace has 6 lines; it has 5: lines are mis"),
        ((*GOOD, ADD), 'line 7 comes after the closing "lines"; two traces in one file?.'),
        ((HEAD, FIRST), "line 2 serves 'a', which is not resident: a line is missing or"),
        ((HEAD, GONE), "line 2 ends 'a', which is not resident: a line is missing or "),
        ((HEAD, ADD, ADD), "line 3 adds 'a', which line 2 added already."),
        ((HEAD, ADD, FIRST.replace("8]", "8.0]")), "line 3 has no batch of [request, tokens] pai"),
        ((HEAD, ADD, FIRST.replace("]]", '], ["a", 1]]')), "line 3 has 'a' twice in its batch."),
        ((HEAD, "{}"), "line 2 is not an event; it must have one of: add, iteration, g"),
        ((HEAD, ADD.replace("8", "8.5")), 'line 2 has a wrong field: "prompt" is 8.5, a float; it'),
    ],
)
def test_a_damaged_trace_is_named_with_its_line(
    log: Logs, lines: tuple[str, ...], message: str
) -> None:
    assert refused(log(FORMAT, *lines)).startswith(message)


def long_trace(file: Path, requests: int) -> None:
    """Requests one after another, two at a time: as long as one likes, two of them alive."""
    with file.open("w") as stream:
        trace = writer(stream, 8)
        now = 0
        for number in range(requests):
            name = f"request-{number}"
            trace.add(name, now, 8)
            trace.iteration(now, now + 10, [[name, 8]])
            trace.iteration(now + 10, now + 12, [[name, 1]])
            trace.gone(name, now + 12, 2)
            now += 12
        trace.close()


def peak(file: Path, requests: int) -> int:
    long_trace(file, requests)
    log = open_log(file, FORMAT)
    tracemalloc.start()
    try:
        found = judge(log, [optimal_tiling], Setting.of(Deployment(b_col=8), None))
        size = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found[0].verdict.checked == 2 * requests
    assert found[0].verdict.result is Result.HOLDS
    return size


def test_a_long_trace_is_judged_in_constant_memory(tmp_path: Path) -> None:
    short, long = (peak(tmp_path / f"{n}.jsonl", n) for n in (500, 6_000))
    assert (tmp_path / "6000.jsonl").stat().st_size > 1_000_000
    assert long < short + 20_000
    assert long < 1_000_000


def test_our_own_page_is_the_format_that_is_read() -> None:
    from radproof.logs.radproof_trace import EVENTS, SCHEMA

    assert SCHEMA in PAGE
    assert all(f"`{event}`" in PAGE for event in EVENTS)
    assert json.loads(HEAD)["schema"] == SCHEMA
