"""The tables of docs/real-traffic.md, measured on the traces and logs beside the repository.

`python tests/real_tables.py` prints them; tests/test_shared.py holds the page against them.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from radproof import CLAIMS, SEED, Verdict, check, leap
from radproof.claims import Claim
from radproof.files.paths import read
from radproof.laws import LAWS
from radproof.logs import LOG_LAWS, Setting, judge, open_log
from radproof.report.markdown import rows as table_rows
from radproof.traces import Shape, shape

TRACES = (
    "azure_2023_conv.csv",
    "azure_2023_code.csv",
    "vidur_splitwise_code.csv",
    "azure_2024_conv_head5.csv",
    "azure_2024_code_head5.csv",
    "mooncake_conversation.csv",
    "mooncake_conversation_head200.jsonl",
    "mooncake_synthetic.csv",
    "burstgpt_1_head3.csv",
)
LOGS = (
    ("vllm_0.27_pilot_engine.log", "vllm-iterations", None),
    ("vllm_0.27_longprefill0_engine.log", "vllm-iterations", None),
    ("vllm_0.27_longprefill256_engine.log", "vllm-iterations", None),
    ("vllm_0.27_fcfs_engine.log", "vllm-iterations", None),
    ("vllm_0.27_pilot_step.jsonl", "vllm-steps", 512),
    ("vllm_0.27_longprefill0_step.jsonl", "vllm-steps", 512),
    ("vllm_0.27_longprefill256_step.jsonl", "vllm-steps", 512),
    ("sglang_0.5.16_laguna-int4_batches.log", "sglang", 8192),
    ("llmservingsim_vllm_RTX4090_Llama-3.1-8B_requests.jsonl", "requests", None),
    ("llmservingsim_vllm_RTXPRO6000_Llama-3.1-8B_requests.jsonl", "requests", None),
)
LOG_CLAIMS = (
    "optimal_tiling", "batch_budget", "batch_not_empty", "one_token_per_decode", "request_tokens",
    "computed_once", "one_at_a_time", "admission_order", "first_token_order", "request_lifecycle",
)  # fmt: skip


def traces(folder: Path) -> str:
    """The claim table of every trace, its prompts rounded up to the tile."""
    rows = []
    for name in TRACES:
        given = read(folder / name)
        path, _ = shape(given.sessions, Shape("pad", Fraction(1), None, None), SEED)
        before, after = (sum(s.prompt for s in p) for p in (given.sessions, path))
        on_tile = sum(s.prompt % SEED.b_lcm == 0 for s in given.sessions)
        found = leap(path)
        rows.append(
            [
                name,
                f"{len(path):,}",
                f"{100 * on_tile / len(path):.1f} %",
                f"{100 * (after - before) / before:.2f} %",
                f"{found.iterations:,}",
                *(_word(check(found, claim)) for claim in CLAIMS.values()),
            ]
        )
    columns = ["trace", "sessions", "prompts on the tile", "padding", "iterations", *CLAIMS]
    return "\n".join(table_rows(columns, rows))


def logs(folder: Path) -> str:
    """The verdict table of every engine's log, with the first line that shows a failure."""
    known: dict[str, Claim] = {**CLAIMS, **{n: law.claim for n, law in LAWS.items()}}
    known |= {name: law.claim for name, law in LOG_LAWS.items()}
    found = []
    for name, format_name, b_col in LOGS:
        log = open_log(folder / name, format_name)
        setting = None if b_col is None else Setting.of(None, b_col)
        verdicts = judge(log, [known[claim] for claim in LOG_CLAIMS], setting)
        found.append({v.verdict.claim.name: _word(v.verdict, v.line) for v in verdicts})
    columns = ["claim or law", *(str(n) for n in range(1, len(LOGS) + 1))]
    body = [[claim, *(row[claim] for row in found)] for claim in LOG_CLAIMS]
    return "\n".join(table_rows(columns, body))


def _word(verdict: Verdict, line: int | None = None) -> str:
    if line is not None:
        return f"fails, line {line:,} ({verdict.failures:,} of {verdict.checked:,})"
    return verdict.result.value if verdict.result.value != "not evaluated" else "-"


if __name__ == "__main__":
    data = Path(__file__).resolve().parents[2] / "shared" / "data"
    print(traces(data / "traces"))
    print()
    for number, (name, format_name, _) in enumerate(LOGS, 1):
        print(f"{number}. `{name}`, {format_name}")
    print()
    print(logs(data / "engine"))
