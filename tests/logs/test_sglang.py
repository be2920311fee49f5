from __future__ import annotations

import pytest
from judged import ENGINE, Logs, needs_logs, refused, said, verdicts

from radproof import Result
from radproof.logs import Setting, open_log

FORMAT = "sglang"
TILE = Setting.of(None, 128)


def prefill(new: int, tokens: int, running: int = 0, second: int = 0, rate: float = 1.0) -> str:
    return (
        f"[2026-08-01 23:43:{second:02}] Prefill batch, #new-seq: {new}, #new-token: {tokens}, "
        f"#cached-token: 5, full token usage: 0.00, #running-req: {running}, #queue-req: 0, "
        f"#pending-token: 0, cuda graph: True, input throughput (token/s): {rate}"
    )


def decode(running: int, second: int = 0) -> str:
    return (
        f"[2026-08-01 23:43:{second:02}] Decode batch, #running-req: {running}, #full token: 181, "
        f"accept len: 2.75, gen throughput (token/s): 0.10, #queue-req: 0"
    )


def test_lines_become_records(log: Logs) -> None:
    lines = [prefill(1, 128), "noise", decode(3, 1), prefill(2, 7, 3, 2)]
    first, second, third = (step.record for step in log(FORMAT, *lines).steps())
    assert (first.tokens, first.prefilled, first.decoders, first.residents.low) == (128, 128, 0, 1)
    assert (second.prefilled, second.decoders, second.tokens.low) == (0, 3, 3)
    assert (third.prefilled, third.decoders.low, third.decoders.high) == (7, 0, 3)
    assert (third.tokens.low, third.tokens.high, third.residents.low) == (7, 10, 5)


def test_a_sampled_log_never_holds_and_may_fail(log: Logs) -> None:
    found = verdicts(log(FORMAT, prefill(1, 128), prefill(1, 1, 0, 1), decode(3, 2)), TILE)
    assert said(found["optimal_tiling"]) == ("fails", 2, 1, 2)
    assert said(found["batch_not_empty"]) == ("not evaluated", 3, 0, None)
    assert "only one in so many is logged" in found["batch_not_empty"].verdict.reason


def test_counts_that_are_all_multiples_of_a_page_are_bounds_and_no_full_tiles(log: Logs) -> None:
    """Page 128 would make every batch look tiled, whatever was run."""
    lines = log(FORMAT, prefill(1, 128), prefill(2, 256, 0, 1))
    found = verdicts(lines, TILE)
    assert said(found["optimal_tiling"]) == ("not evaluated", 0, 0, None)
    assert "rounded up to pages, of up to 128 tokens" in found["optimal_tiling"].verdict.reason
    first, second = (step.record for step in log(FORMAT, *map(str, (prefill(1, 128),
                     prefill(2, 256, 0, 1)))).steps())  # fmt: skip
    assert (first.tokens.low, first.tokens.high) == (1, 128)
    assert (second.tokens.low, second.tokens.high) == (2, 256)


def test_one_odd_count_proves_the_page_to_be_1(log: Logs) -> None:
    found = verdicts(log(FORMAT, prefill(1, 128), prefill(2, 256, 0, 1), prefill(1, 1, 0, 2)), TILE)
    assert said(found["optimal_tiling"])[:3] == ("fails", 3, 2)


def test_older_and_ranked_lines_are_read(log: Logs) -> None:
    old = "[2025-02-26 15:44:36 TP0] Prefill batch. #new-seq: 1, #new-token: 11, #cached-token: 24,"
    old += " cache hit rate: 26.67%, token usage: 0.00, #running-req: 0, #queue-req: 0"
    [step] = log(FORMAT, old).steps()
    # one count alone does not say that the page is smaller than it
    assert (step.record.tokens.low, step.record.tokens.high) == (1, 11)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((prefill(1, 7), prefill(1, 7)), "line 2 duplicates line 1; remove one."),
        ((prefill(1, 7, 0, 9), prefill(1, 7)), "line 2 is of 2026-08-01 23:43:00, after one of "),
        ((prefill(1, 7)[:48],), "line 1 has no #running-req; it is cut or damaged."),
        (
            (prefill(1, 7).replace("#new-token", "#token"),),
            "line 1 has no #new-token; it is cut or damaged.",
        ),
        ((decode(1)[:40],), "line 1 has no #running-req; it is cut or damaged."),
        (
            (prefill(1, 7)[:90] + prefill(1, 7),),
            "line 1 holds two batches: a line break is missing.",
        ),
        ((prefill(1, 7)[3:],), "line 1 is a batch without its stamp: "),
        (
            (prefill(1, 7).replace("00]", "00 TP0]"), prefill(1, 8).replace("00]", "00 TP1]")),
            "line 2 is of rank 'TP1' after 'TP0'; give one rank's lines.",
        ),
    ],
)
def test_a_damaged_log_is_named_with_its_line(
    log: Logs, lines: tuple[str, ...], message: str
) -> None:
    assert refused(log(FORMAT, *lines)).startswith(message)


@needs_logs
def test_a_real_server_s_prefills_are_off_the_tile_at_once() -> None:
    file = ENGINE / "sglang_0.5.16_laguna-int4_batches.log"
    found = verdicts(open_log(file, FORMAT), Setting.of(None, 8192))
    assert said(found["optimal_tiling"]) == ("fails", 57, 49, 1)
    assert found["token_rate"].verdict.result is Result.NOT_EVALUATED
    assert found["optimal_tiling"].steps == 113
