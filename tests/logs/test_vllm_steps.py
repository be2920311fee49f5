from __future__ import annotations

import json
from typing import Any

import pytest
from judged import ENGINE, Logs, needs_logs, refused, said, verdicts

from radproof import Result
from radproof.logs import Setting, open_log
from radproof.model import DECODE, PREFILL, Entry

FORMAT = "vllm-steps"
TILE = Setting.of(None, 8)


class Writer:
    """Writes step records as the instrumented scheduler does."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.seq = self.step = 0
        self.now = 1_000_000

    def write(self, ev: str, **fields: Any) -> None:
        self.seq += 1
        self.lines.append(json.dumps({"ev": ev, **fields, "seq": self.seq}))

    def add(self, name: str, prompt: int, priority: int = 0) -> None:
        self.write("add", id=name, mono=self.now, prompt=prompt, priority=priority)

    def serve(self, computed: dict[str, int] | None = None, **tokens: int) -> None:
        self.step += 1
        done = {name: self.done.get(name, 0) for name in tokens} | (computed or {})
        t0 = self.now + 500
        self.write("sched", step=self.step, t0=t0, t1=t0 + 100, tokens=tokens, computed=done)
        self.write("done", step=self.step, t2=t0 + 9_000, t3=t0 + 9_999)
        self.now = t0 + 9_999
        for name, count in tokens.items():
            self.done[name] = self.done.get(name, 0) + count

    done: dict[str, int]


@pytest.fixture
def w() -> Writer:
    writer = Writer()
    writer.done = {}
    return writer


def test_the_records_are_those_of_the_model(log: Logs, w: Writer) -> None:
    w.add("a", 10)
    w.serve(a=8)
    w.add("b", 4)
    w.serve(a=2, b=4)
    w.serve(a=1, b=1)
    w.serve(b=1)
    steps = list(log(FORMAT, *w.lines).steps())
    assert [step.line for step in steps] == [2, 5, 7, 9]
    records = [step.record for step in steps]
    assert [(r.start, r.end) for r in records] == [(0, 10), (10, 20), (21, 31), (31, 41)]
    assert [r.served for r in records] == [0, 8, 14, 16]
    assert [r.tokens for r in records] == [8, 6, 2, 1]
    assert [r.prefilled for r in records] == [8, 6, 0, 0]
    assert [(r.decoders, r.decoding, r.residents) for r in records] == [
        (0, 0, 1), (0, 0, 2), (2, 2, 2), (1, 1, 1)
    ]  # fmt: skip
    assert records[1].batch == (Entry(0, PREFILL, 2), Entry(1, PREFILL, 4))
    assert records[3].batch == (Entry(1, DECODE, 1),)


def test_a_request_that_is_passed_over_is_resident_all_the_same(log: Logs, w: Writer) -> None:
    """Only its later step shows that it had not ended: a single reading would not see it."""
    w.add("a", 8)
    w.add("b", 8)
    w.serve(a=8)
    w.serve(b=8)
    w.serve(a=1)
    w.serve(a=1, b=1)
    records = [step.record for step in log(FORMAT, *w.lines).steps()]
    assert [(r.decoders, r.residents) for r in records] == [(0, 2), (0, 2), (1, 2), (2, 2)]
    found = verdicts(log(FORMAT, *w.lines), TILE)
    assert said(found["optimal_tiling"]) == ("fails", 4, 1, 7)
    assert said(found["decodes_served"]) == ("fails", 4, 1, 7)


def test_a_request_that_waits_to_the_end_is_resident(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.add("b", 8)
    w.serve(a=8)
    w.serve(a=1)
    found = log(FORMAT, *w.lines)
    assert [step.record.residents for step in found.steps()] == [2, 2]
    assert "1 requests were never scheduled" in found.notes


def test_a_good_log_keeps_the_laws(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.serve(a=8)
    w.serve(a=1)
    w.lines.append(json.dumps({"ev": "flush", "records": 5, "first_seq": 1, "last_seq": w.seq}))
    w.lines.append(json.dumps({"ev": "terminal", "seq_written": w.seq, "seq_produced": w.seq}))
    lines = log(FORMAT, *w.lines)
    found = verdicts(lines, TILE)
    assert said(found["optimal_tiling"]) == ("holds", 2, 0, None)
    assert said(found["request_tokens"]) == ("holds", 1, 0, None)
    assert said(found["computed_once"]) == ("holds", 2, 0, None)
    assert said(found["one_at_a_time"]) == ("holds", 2, 0, None)
    assert said(found["admission_order"]) == ("holds", 1, 0, None)
    assert found["first_token_order"].verdict.result is Result.NOT_EVALUATED
    assert lines.notes == ["outputs are not logged: a request's is counted as its decodes and one"]


@pytest.mark.parametrize("last", [7, 9])
def test_tokens_that_do_not_sum_to_the_prompt_are_seen(log: Logs, w: Writer, last: int) -> None:
    w.add("a", 8)
    w.serve(a=last)
    if last == 9:
        w.serve(a=1)
    found = verdicts(log(FORMAT, *w.lines), TILE)["request_tokens"]
    assert said(found) == ("fails", 1, 1, 2 if last == 7 else 4)


def test_two_tokens_for_a_decode_are_seen(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.serve(a=8)
    w.serve(a=2)
    found = verdicts(log(FORMAT, *w.lines), TILE)
    assert said(found["one_token_per_decode"]) == ("fails", 2, 1, 4)
    assert said(found["request_tokens"]) == ("fails", 1, 1, 4)


def test_tokens_computed_twice_are_seen(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.serve(a=4)
    w.serve(a=4, computed={"a": 0})
    found = verdicts(log(FORMAT, *w.lines), TILE)["computed_once"]
    assert said(found) == ("fails", 2, 1, 4)
    assert found.verdict.reason == (
        "line 4: a has computed 0 tokens, and was scheduled 4 before: preempted and recomputed, "
        "or lost"
    )


def test_a_later_request_that_is_served_first_is_seen(log: Logs, w: Writer) -> None:
    for name in "abc":
        w.add(name, 2)
    w.serve(b=2)
    w.serve(a=2, c=2)
    found = verdicts(log(FORMAT, *w.lines), TILE)["admission_order"]
    assert said(found) == ("fails", 3, 1, 6)
    assert "scheduled on line 4" in found.verdict.reason


def test_a_request_of_another_priority_may_pass(log: Logs, w: Writer) -> None:
    w.add("a", 2, priority=1)
    w.add("b", 2)
    w.serve(b=2)
    w.serve(a=2)
    found = verdicts(log(FORMAT, *w.lines), TILE)["admission_order"]
    assert said(found) == ("holds", 2, 0, None)


def test_overlapping_steps_are_seen(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.serve(a=4)
    w.now -= 600
    w.serve(a=4)
    found = verdicts(log(FORMAT, *w.lines), TILE)["one_at_a_time"]
    assert said(found) == ("fails", 2, 1, 4)
    assert "step 2 starts 100 ns before the one before it ended" in found.verdict.reason


def swap(lines: list[str], a: int, b: int) -> list[str]:
    lines[a], lines[b] = lines[b], lines[a]
    return lines


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda x: [*x[:4], x[4][:-5]], "line 5 is not JSON ("),
        (lambda x: x[:4], "line 4 is the last, and step 2 (line 4) is not done: the log is cut. "),
        (lambda x: [*x[:2], *x[1:]], "line 3 is record 2 a second time; remove one of the two"),
        (lambda x: x[:1] + x[3:], "line 2 is record 4 after 1: the lines between them are miss"),
        (lambda x: swap(x, 1, 2), "line 2 is record 3 after 1: the lines between them are miss"),
        (lambda x: x[1:], "line 1 schedules 'a', which no earlier line adds (or which has ended"),
        (lambda x: [*x, "[]"], "line 6 is '[]'; it must be a JSON object."),
        (lambda x: [*x, '{"ev": "nod"}'], "line 6 has \"ev\" 'nod'; it must be add, sched, done"),
        (lambda x: [x[0].replace("8", "-8", 1), *x[1:]], 'line 1 has a wrong field: "prompt" '),
        (lambda x: [x[0], x[1].replace('{"a": 8}', "3"), *x[2:]], 'line 2 must have the same requ'),
        (lambda x: [*x, '{"ev": "terminal", "seq_written": 9}'], "line 6 says that seq_written "),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_damaged_log_is_named_with_its_line(
    log: Logs, w: Writer, damage: Any, message: str
) -> None:
    w.add("a", 8)
    w.serve(a=8)
    w.serve(a=1)
    assert refused(log(FORMAT, *damage(w.lines))).startswith(message)


def test_a_request_that_is_there_already_is_refused_with_both_lines(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.add("a", 8)
    assert refused(log(FORMAT, *w.lines)) == "line 2 adds 'a', which line 1 added already."


def test_lost_records_leave_nothing_to_hold(log: Logs, w: Writer) -> None:
    w.add("a", 8)
    w.serve(a=8)
    w.lines.append(json.dumps({"ev": "terminal", "seq_written": 3, "seq_produced": 5}))
    found = verdicts(log(FORMAT, *w.lines), TILE)["optimal_tiling"]
    assert found.verdict.result is Result.NOT_EVALUATED
    assert "the writer lost records" in found.verdict.reason


@needs_logs
@pytest.mark.parametrize(
    ("file", "steps", "requests", "tiling"),
    [
        ("vllm_0.27_pilot_step.jsonl", 24, 7, ("fails", 24, 2, 21)),
        ("vllm_0.27_longprefill0_step.jsonl", 12, 14, ("fails", 12, 2, 2)),
        ("vllm_0.27_longprefill256_step.jsonl", 16, 14, ("fails", 16, 12, 2)),
    ],
)
def test_stock_vllm_keeps_the_engine_s_laws_and_breaks_tiling(
    file: str, steps: int, requests: int, tiling: tuple[str, int, int, int]
) -> None:
    found = verdicts(open_log(ENGINE / file, FORMAT), Setting.of(None, 512))
    assert said(found["optimal_tiling"]) == tiling
    for law in ("batch_budget", "batch_not_empty", "one_token_per_decode", "one_at_a_time"):
        assert said(found[law]) == ("holds", steps, 0, None)
    for law in ("request_tokens", "admission_order"):
        assert said(found[law]) == ("holds", requests, 0, None)
    assert found["computed_once"].verdict.result is Result.HOLDS


@needs_logs
@pytest.mark.parametrize("run", ["pilot", "longprefill0", "longprefill256"])
def test_the_two_logs_of_one_run_give_the_same_records(run: str) -> None:
    lines = open_log(ENGINE / f"vllm_0.27_{run}_engine.log", "vllm-iterations").steps()
    steps = open_log(ENGINE / f"vllm_0.27_{run}_step.jsonl", FORMAT).steps()
    for a, b in zip(lines, steps, strict=True):
        for name in ("tokens", "prefilled", "decoders", "served"):
            assert getattr(a.record, name) == getattr(b.record, name)
        assert a.duration is not None
        assert b.duration is not None
        assert 0 < b.duration - a.duration < 1_000  # scheduling is not in "elapsed"
