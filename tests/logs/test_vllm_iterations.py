from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from judged import ENGINE, Logs, needs_logs, refused, said, verdicts

from radproof import BadInput, Deployment, Result
from radproof.logs import LOG_LAWS, Setting, open_log


def line(number: int, ct: int, gt: int, c: int = 1, g: int | None = None, more: str = "") -> str:
    """One iteration as vLLM writes it."""
    g = gt if g is None else g
    return (
        f"(APIServer pid=1) INFO 10-08 14:43:40 [loggers.py:182] Engine 000: Iteration({number}): "
        f"{c if ct else 0} context requests, {ct} context tokens, {g} generation requests, "
        f"{gt} generation tokens, iteration elapsed time: 164.04 ms{more}"
    )


ARGUMENTS = "INFO non-default args: {'max_num_batched_tokens': 512, 'async_scheduling': False}"


FORMAT = "vllm-iterations"


def test_lines_become_records(log: Logs) -> None:
    found = log(
        FORMAT,
        ARGUMENTS,
        line(0, 512, 0),
        "noise",
        line(1, 508, 4, more=", GPU KV cache usage: 0.4%"),
        line(2, 0, 1, more=", GPU KV cache usage: 0.4%"),
    )
    first, second, third = list(found.steps())
    assert third.record.served == 1024
    assert (first.line, first.number, first.duration) == (2, 0, 164_040)
    assert (second.line, second.number) == (4, 1)
    r = second.record
    assert (r.served, r.tokens, r.prefilled, r.decoders) == (512, 512, 508, 4)
    assert (r.residents.low, r.decoding.low) == (5, 4)
    assert found.budget == 512


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_short_batch_with_a_prefill_breaks_tiling_however_many_wait(log: Logs, end: str) -> None:
    lines = (ARGUMENTS, line(0, 512, 0), line(1, 40, 3), line(2, 0, 4))
    found = verdicts(log(FORMAT, *lines, end=end))
    assert said(found["optimal_tiling"]) == ("fails", 2, 1, 3)
    assert found["optimal_tiling"].verdict.reason == (
        "line 3: iteration 1: 43 tokens, 40 of them prefill, 3 decodes served, 4 or more residents"
    )
    assert said(found["unmixed"]) == ("fails", 3, 1, 3)
    assert said(found["batch_budget"]) == ("holds", 3, 0, None)


def test_decodes_alone_leave_tiling_open_since_nobody_says_who_waits(log: Logs) -> None:
    found = verdicts(log(FORMAT, ARGUMENTS, line(0, 512, 0), line(1, 0, 4)))["optimal_tiling"]
    assert said(found) == ("not evaluated", 1, 0, None)
    assert found.verdict.reason == (
        "true on 1 of 2 iterations, none false; the lines do not say who waits"
    )


def test_a_batch_over_the_budget_is_seen(log: Logs) -> None:
    found = verdicts(log(FORMAT, ARGUMENTS, line(0, 512, 0), line(1, 512, 1)))["batch_budget"]
    assert said(found) == ("fails", 2, 1, 3)


def test_without_a_tile_the_budget_is_not_evaluated(log: Logs) -> None:
    found = verdicts(log(FORMAT, line(0, 512, 0)))
    assert said(found["batch_budget"]) == ("not evaluated", 0, 0, None)
    assert "the tile is not logged; give it with --b-col" in found["batch_budget"].verdict.reason


def test_a_deployment_does_not_make_up_the_starts(log: Logs) -> None:
    lines = log(FORMAT, ARGUMENTS, line(0, 512, 0), line(1, 40, 3))
    found = verdicts(lines, Setting.of(Deployment(b_col=512), None))["token_rate"]
    assert found.verdict.result is Result.NOT_EVALUATED
    assert "start is not logged" in found.verdict.reason


def test_more_generation_tokens_than_requests_are_no_decodes(log: Logs) -> None:
    found = verdicts(log(FORMAT, ARGUMENTS, line(0, 40, 6, g=2)))
    assert said(found["one_token_per_decode"]) == ("not evaluated", 0, 0, None)
    assert "speculation" in found["one_token_per_decode"].verdict.reason


def test_dummy_iterations_are_skipped_and_counted(log: Logs) -> None:
    found = log(FORMAT, line(0, 8, 0), line(1, 0, 0, more=" (dummy)"), line(2, 8, 0))
    assert [step.number for step in found.steps()] == [0, 2]
    assert found.notes[1:] == ["1 dummy iterations of data parallelism are skipped"]


def test_a_log_that_starts_late_does_not_know_what_was_served(log: Logs) -> None:
    [step] = log(FORMAT, line(7, 8, 0)).steps()
    assert step.record.served.why == ("the log starts at iteration 7",)


def test_asynchronous_scheduling_has_no_durations(log: Logs) -> None:
    found = log(FORMAT, ARGUMENTS.replace("False", "True"), line(0, 8, 0))
    list(found.steps())
    assert "asynchronous" in found.untimed


def test_a_log_without_its_arguments_does_not_say_what_its_times_are(log: Logs) -> None:
    for lines, notes in ((WHOLE, 1), ((ARGUMENTS, *WHOLE), 0)):
        found = log(FORMAT, *lines)
        list(found.steps())
        assert len(found.notes) == notes


KV = ", GPU KV cache usage: 0.4%"
WHOLE = (line(0, 512, 0), line(1, 8, 1), line(2, 0, 2))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((*WHOLE[:2], WHOLE[2][:-9]), "line 3 starts an iteration and does not end it as vLLM do"),
        ((*WHOLE[:2], WHOLE[2][:-2]), "line 3 starts an iteration and does not end it as vLLM do"),
        ((WHOLE[0] + WHOLE[1],), "line 1 starts an iteration and does not end it as vLLM does: "),
        ((WHOLE[0][:150] + WHOLE[1],), "line 1 starts an iteration and does not end it as vLLM "),
        ((line(0, 8, 0, more=KV), line(1, 8, 0)), "line 2 ends before the cache usage that the "),
        ((line(0, 8, 0, more=KV), line(1, 8, 0, more=KV[:-9])), "line 2 starts an iteration and"),
        ((WHOLE[0], WHOLE[0]), "line 2 is iteration 0 a second time; remove one of the two lines"),
        ((WHOLE[1], WHOLE[0]), "line 2 is iteration 0 after 1: lines are out of order, or the en"),
        ((WHOLE[0], WHOLE[2]), "line 2 is iteration 2 after 0: the lines between them are miss"),
        ((line(0, 5, 0, c=6),), "line 1 has fewer tokens than requests; it is damaged."),
        ((WHOLE[0], WHOLE[1].replace("000", "001")), "line 2 is of engine '001', the lines befor"),
        ((WHOLE[0].replace("512", "5x2"),), "line 1 starts an iteration and does not end it"),
    ],
)  # fmt: skip
def test_a_damaged_log_is_named_with_its_line(
    log: Logs, lines: tuple[str, ...], message: str
) -> None:
    found = log(FORMAT, *lines)
    assert refused(found).startswith(message)


def test_a_line_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "engine.log"
    file.write_bytes(WHOLE[0].encode() + b"\n\xff\xfe\n")
    with pytest.raises(BadInput, match=r"line 2 is not UTF-8 text at byte 0; it is damaged\."):
        list(open_log(file, "vllm-iterations").steps())


def peak(log: Logs, iterations: int) -> int:
    """The most bytes that judging a log of so many iterations needs."""
    lines = log(FORMAT, ARGUMENTS, *(line(n, 508, 4) for n in range(iterations)))
    tracemalloc.start()
    try:
        found = verdicts(lines)
        size = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert said(found["optimal_tiling"]) == ("holds", iterations, 0, None)
    return size


def test_a_long_log_is_judged_in_constant_memory(log: Logs) -> None:
    short, long = peak(log, 200), peak(log, 4_000)
    assert long < short + 20_000
    assert long < 1_000_000


@needs_logs
@pytest.mark.parametrize(
    ("file", "iterations", "tiling"),
    [
        ("vllm_0.27_pilot_engine.log", 24, ("fails", 9, 2, 10)),
        ("vllm_0.27_longprefill0_engine.log", 12, ("fails", 9, 2, 2)),
        ("vllm_0.27_longprefill256_engine.log", 16, ("fails", 13, 12, 2)),
        ("vllm_0.27_fcfs_engine.log", 70, ("fails", 6, 4, 3)),
    ],
)
def test_stock_vllm_keeps_the_engine_s_laws_and_breaks_tiling(
    file: str, iterations: int, tiling: tuple[str, int, int, int]
) -> None:
    log = open_log(ENGINE / file, "vllm-iterations")
    found = verdicts(log)
    assert said(found["optimal_tiling"]) == tiling
    for law in ("batch_budget", "batch_not_empty", "one_token_per_decode"):
        assert said(found[law]) == ("holds", iterations, 0, None)
    for law in LOG_LAWS:
        assert found[law].verdict.result is Result.NOT_EVALUATED
    assert log.budget == 512
    shown = (ENGINE / file).read_text().splitlines()[tiling[3] - 1]
    assert "Iteration(" in shown
    assert " 512 context tokens" not in shown
