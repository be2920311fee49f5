"""Public bug reports as scenarios: each row of the notes is one test, named after its report.

A scenario is run under RAD, whose answer is the right one, and where the report is about a faulty
scheduler, under a mutant with that fault, which a claim or law must catch on this very scenario.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radproof import (
    DECODE,
    SEED,
    BadInput,
    Deployment,
    Result,
    SchedulerError,
    check,
    leap,
    optimal_tiling,
    rad,
    run,
)
from radproof.files.paths import parse
from radproof.laws import LAWS, checks
from radproof.mutants import CATALOGUE
from radproof.schedulers import VLLM, CyclicRAD


def results(path: Any, scheduler: Any = rad, **more: Any) -> dict[str, Result]:
    """The result of every claim and law on a path."""
    result = leap(path, scheduler=scheduler, **more)
    return {name: check(result, claim).result for name, claim in checks().items()}


def failing(path: Any, scheduler: Any = rad, **more: Any) -> set[str]:
    """The claims and laws that fail on a path."""
    return {n for n, result in results(path, scheduler, **more).items() if result is Result.FAILS}


def test_vllm_pr_7391_more_decodes_than_the_token_budget() -> None:
    path = [(0, 0, 50)] * 200
    first = next(iter(run(path).records))
    assert (first.decoding, first.tokens) == (200, 128)
    assert failing(path) == set()
    assert "batch_budget" in failing(path, CATALOGUE["decodes_unbudgeted"].scheduler)


@pytest.mark.parametrize(
    ("field", "value"), [("b_col", -1), ("b_col", 0), ("t_lin", -1), ("t_nl", -5), ("chunk", 0)]
)
def test_vllm_44123_a_negative_budget_is_refused(field: str, value: int) -> None:
    with pytest.raises(BadInput, match=f"^{field} is {value}"):
        Deployment(**{field: value})


def test_vllm_44123_a_cycle_of_no_prompts_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^n is 0"):
        CyclicRAD(0)


def test_vllm_30320_zero_new_tokens_scheduled() -> None:
    with pytest.raises(SchedulerError, match="has 0 tokens; it must have 1 or more"):
        run([(0, 128, 1), (0, 128, 1)], scheduler=CATALOGUE["zero_tokens"].scheduler)


def test_vllm_7632_an_empty_prompt_decodes_on_arrival() -> None:
    (first,) = run([(7, 0, 1)]).records
    assert (first.start, first.decoders, first.prefilled) == (7, 1, 0)
    with pytest.raises(SchedulerError, match="division by zero"):
        run([(7, 0, 1)], scheduler=CATALOGUE["empty_prompt_raises"].scheduler)


def test_vllm_10432_no_output_ends_with_the_prefill_or_on_arrival() -> None:
    result = run([(5, 128, 0), (9, 0, 0)])
    assert result.completions == (5 + 4640, 9)
    assert failing([(5, 128, 0), (9, 0, 0)]) == set()


def test_vllm_52693_a_chain_of_turns_without_output() -> None:
    path = [(0, 128, 0)] * 6 + [(0, 128, 2)] * 2
    assert run(path).completions[:6] == tuple(4640 * (n + 1) for n in range(6))
    assert failing(path) == set()
    d = Deployment(b_col=2, t_lin=40, t_nl=5)
    path = [(0, 2, 0)] * 3 + [(0, 2, 2)] * 2
    assert "mode" in failing(path, CATALOGUE["ghost_decodes"].scheduler, deployment=d)


def test_vllm_10583_a_trace_with_one_id_twice_is_refused() -> None:
    batch = CATALOGUE["session_duplicated"].scheduler
    with pytest.raises(SchedulerError, match="names session 0 a second time"):
        run([(0, 0, 1)], scheduler=batch)
    # a path has no session ids: a session is its place, and a file with other columns is refused
    with pytest.raises(BadInput, match="line 1"):
        parse("id,arrive,prompt,output\n1,0,128,1\n1,5,128,1\n")


def test_vllm_metal_pr_200_a_prompt_above_the_budget_waits_for_ever() -> None:
    path = [(0, 128, 1), (0, 129, 1)]
    assert failing(path) == set()
    for scheduler in (CATALOGUE["never_chunks"].scheduler, VLLM(budget=128)):
        with pytest.raises(SchedulerError, match="never makes progress") as raised:
            run(path, scheduler=scheduler)
        assert raised.value.kind == "stuck"


def test_vllm_53130_prefill_goes_on_as_soon_as_there_is_room() -> None:
    path = [(0, 128, 1 + n) for n in range(128)] + [(0, 128, 1)] * 2
    records = list(run(path).records)
    full = next(n for n, record in enumerate(records) if record.decoding == 128)
    assert [record.prefilled for record in records[full : full + 2]] == [0, 128]
    assert failing(path) == set()
    assert "mode" in failing(path, CATALOGUE["admission_stops"].scheduler)


def test_vllm_pr_1034_nano_vllm_pr_271_more_active_requests_than_allowed() -> None:
    path = [(0, 128, 5)] * 140
    assert failing(path) == set()
    assert {"decode_bound", "active_bound"} <= failing(path, CATALOGUE["greater"].scheduler)
    assert {"mode"} <= failing(path, CATALOGUE["newest_starves"].scheduler)


def longest_decode_gap(path: Any, scheduler: Any) -> int:
    """The longest time between two tokens of one session."""
    last: dict[int, int] = {}
    longest = 0
    for record in run(path, scheduler=scheduler).records:
        for entry in record.batch:
            if entry.phase is DECODE:
                longest = max(longest, record.end - last.get(entry.session, record.end))
                last[entry.session] = record.end
    return longest


def test_sglang_32549_decodes_starve_under_sustained_prefills() -> None:
    path = [(0, 0, 3)] + [(k * 4640 + 1, 1024, 3) for k in range(40)]
    assert longest_decode_gap(path, rad) > 40 * 8 * 4640  # RAD prefers throughput, and says so
    assert failing(path) == set()
    d = Deployment(b_col=2, t_lin=40, t_nl=5)
    path = [(0, 2, 9)] * 2 + [(k * 50, 16, 2) for k in range(1, 20)]
    starving = CATALOGUE["prefill_first"].scheduler
    assert "prefill_run" in failing(path, starving, deployment=d)
    assert "prefill_run" not in failing(path, rad, deployment=d)


def test_sglang_22984_a_ragged_tail_takes_a_whole_batch_alone() -> None:
    tail = run([(0, 1, 0)])
    assert check(tail, optimal_tiling).result is Result.OUT_OF_SCOPE
    assert check(tail, optimal_tiling, given=False).result is Result.FAILS
    path = [(0, 129, 1), (0, 127, 1)]
    assert failing(path) == set()
    assert "prefill_filled" in failing(path, CATALOGUE["tail_alone"].scheduler)


def test_vllm_tt_plugin_74_a_chunk_starts_off_the_tile() -> None:
    path = [(0, 256, 1)]
    assert results(path)["chunk_starts"] is Result.HOLDS
    assert "chunk_starts" in failing(path, CATALOGUE["chunk_127"].scheduler)


@pytest.mark.parametrize("prompt", [128, 256])
def test_vllm_pr_7380_the_last_chunk_of_an_exact_multiple(prompt: int) -> None:
    path = [(0, prompt, 1)]
    assert [r.tokens for r in run(path).records] == [128] * (prompt // 128) + [1]
    assert "whole_tiles" in failing(path, CATALOGUE["last_chunk_short"].scheduler)


def test_sglang_jax_1551_a_chunk_larger_than_the_largest_bucket_is_bounded() -> None:
    large = Deployment(chunk=1024)
    assert max(record.tokens for record in run([(0, 2048, 1)], large).records) == 128
    assert failing([(0, 2048, 1)], deployment=large) == set()
    assert "batch_budget" in failing([(0, 2048, 1)], CATALOGUE["whole_prompts"].scheduler)


def test_tensorrt_llm_1377_incomplete_outputs_at_a_low_budget() -> None:
    path = [(0, 129, 3), (0, 57, 2)]
    served = sum(record.tokens for record in run(path).records)
    assert served == 129 + 3 + 57 + 2
    for name in ("remainder_dropped", "ends_one_short"):
        assert "conservation" in failing(path, CATALOGUE[name].scheduler)


def test_vllm_pr_56238_and_9998_a_negative_queue_time() -> None:
    path = [(100, 128, 2), (0, 64, 1)]
    assert results(path)["lifecycle"] is Result.HOLDS
    assert "lifecycle" in failing(path, CATALOGUE["runs_backwards"].scheduler)
    result = run(path)
    early = attrs.evolve(result, completions=(99, *result.completions[1:]))
    assert check(early, LAWS["lifecycle"].claim).result is Result.FAILS


def test_inference_sim_inv_1_a_dropped_request() -> None:
    path = [(0, 0, 1), (1, 1, 0)]
    with pytest.raises(SchedulerError, match="never makes progress"):
        run(path, scheduler=CATALOGUE["session_lost"].scheduler)
    result = run(path)
    dropped = attrs.evolve(result, completions=(result.completions[0], None))
    assert check(dropped, LAWS["conservation"].claim).result is Result.FAILS
    assert check(dropped, LAWS["progress"].claim).result is Result.FAILS


def test_inference_sim_inv_8_endless_work_without_a_completion() -> None:
    endless = run([(0, 0, 2)], SEED, CATALOGUE["nothing_done"].scheduler, limit=50)
    verdict = check(endless, LAWS["progress"].claim)
    assert verdict.result is Result.FAILS
    assert verdict.index == 2
