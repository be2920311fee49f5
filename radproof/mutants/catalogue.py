"""Every mutant with the claim or law that must catch it, and where it was seen."""

from __future__ import annotations

import attrs

from radproof.model import Deployment
from radproof.mutants import changed_rules, decisions
from radproof.schedulers.protocol import Scheduler

TILE_OF_TWO = Deployment(b_col=2, t_lin=40, t_nl=5)
"""Where mutants are hunted: two decodes fill a batch, so that a handful of sessions does."""

FREE = attrs.evolve(TILE_OF_TWO, t_lin=0, t_nl=0)
"""A deployment whose batches cost nothing."""


@attrs.frozen
class Mutant:
    """A faulty scheduler.

    killed_by: the claim or law that must catch it; about: what is wrong, in one line; source: the
    public report, empty where it is a slip anybody could make; deployment: where it shows.
    """

    name: str
    scheduler: Scheduler = attrs.field(repr=False)
    killed_by: str
    about: str
    source: str = ""
    deployment: Deployment = TILE_OF_TWO

    @property
    def spec(self) -> str:
        """What `radproof check --scheduler` takes."""
        return f"radproof.mutants:{self.name}"


def _rule(
    name: str, killed_by: str, about: str, source: str = "", deployment: Deployment = TILE_OF_TWO
) -> Mutant:
    return Mutant(name, getattr(changed_rules, name), killed_by, about, source, deployment)


def _decision(name: str, killed_by: str, source: str = "") -> Mutant:
    scheduler = getattr(decisions, name)
    about = scheduler.__doc__.strip().removesuffix(".")
    return Mutant(name, scheduler, killed_by, about[0].lower() + about[1:], source)


_ALL = (
    _rule("chunk_127", "chunk_starts", "a chunk is one token short", "vllm-tt-plugin 74"),
    _rule("chunk_64", "one_partial", "a chunk is half a tile"),
    _rule("whole_prompts", "batch_budget", "a prompt is prefilled whole", "sglang-jax 1551"),
    _rule(
        "last_chunk_short",
        "whole_tiles",
        "a last chunk of exactly a tile is one token short",
        "vLLM PR 7380",
    ),
    _rule("budget_127", "optimal_tiling", "the budget is one token short"),
    _rule("budget_64", "whole_tiles", "the budget is half a tile"),
    _rule("budget_256", "optimal_tiling", "the budget is two tiles"),
    _rule("budget_off", "batch_budget", "there is no budget"),
    _rule("decodes_unbudgeted", "batch_budget", "decodes have no budget", "vLLM PR 7391"),
    _rule("threshold_127", "full_or_all_decode", "decodes take over one too early"),
    _rule("threshold_129", "decode_bound", "decodes take over one too late", "vLLM PR 1034"),
    _rule("greater", "active_bound", "> for >= in the mode", "nano-vllm PR 271"),
    _rule("decode_first", "mode", "decodes go first whenever there is one"),
    _rule("prefill_first", "prefill_run", "prompts go first as long as one waits", "SGLang 32549"),
    _rule("only_full_decodes", "progress", "decodes wait until b_col are there"),
    _rule("residents_for_decodes", "mode", "residents are counted where decodes should be"),
    _rule("mixed", "unmixed", "decodes ride along with prefills"),
    _rule("shortest_first", "prefill_order", "the prompt with the least left goes first"),
    _rule("longest_first", "prefill_order", "the prompt with the most left goes first"),
    _rule("lifo_prefill", "prefill_order", "the newest prompt goes first"),
    _rule("lifo_decode", "decode_order", "the newest decode goes first"),
    _rule("fewest_tokens_first", "decode_order", "the decode with the fewest tokens goes first"),
    _rule("odd_sessions_first", "finish_order", "sessions with odd numbers go first"),
    _rule("floor_for_ceil", "token_rate", "a part-filled tile costs nothing"),
    _rule("no_t_nl", "token_rate", "tokens cost nothing"),
    _rule("one_too_small", "exact_duration", "a batch is 1 us too short"),
    _rule("one_too_large", "exact_duration", "a batch is 1 us too long"),
    _rule("tile_too_many", "clock", "a full tile costs two"),
    _rule(
        "no_minimum", "exact_duration", "a batch that costs nothing takes no time", deployment=FREE
    ),
    _rule("runs_backwards", "lifecycle", "a batch ends before it starts", "vLLM PR 56238"),
    _rule("served_twice", "token_rate", "tokens are counted twice"),
    _rule("served_not_counted", "served_recomputed", "tokens are not counted"),
    _rule("two_tokens_done", "conservation", "a token counts as two"),
    _rule("nothing_done", "progress", "a batch leaves the work as it was", "inference-sim INV-8"),
    _rule("ends_one_short", "conservation", "a session ends one token early"),
    _rule("remainder_dropped", "counts_recomputed", "a last token is dropped", "TensorRT-LLM 1377"),
    _decision("decode_skipped", "decodes_served"),
    _decision("newest_starves", "mode", "vLLM PR 1034"),
    _decision("session_lost", "progress", "inference-sim INV-1"),
    _decision("session_duplicated", "well_formed", "vLLM 10583"),
    _decision("two_tokens_asked", "one_token_per_decode"),
    _decision("zero_tokens", "batch_not_empty", "vLLM 30320"),
    _decision("negative_chunk", "batch_not_empty", "Sarathi-Serve's chunk"),
    _decision("latched_mode", "mode"),
    _decision("mode_before_arrivals", "mode"),
    _decision("arrivals_late", "mode"),
    _decision("waits_for_company", "no_idling", "inference-sim INV-8"),
    _decision("never_chunks", "progress", "vllm-metal PR 200"),
    _decision("admission_stops", "mode", "vLLM 53130"),
    _decision("round_robin", "one_partial"),
    _decision("tail_alone", "prefill_filled", "SGLang 22984"),
    _decision("ghost_decodes", "mode", "vLLM 52693"),
    _decision("empty_prompt_raises", "well_formed", "vLLM 7632"),
    _decision("decodes_before_tail", "mode"),
    _decision("turns_by_a_counter", "pure"),
    _decision("changes_its_memory", "pure"),
)

CATALOGUE: dict[str, Mutant] = {mutant.name: mutant for mutant in _ALL}
"""Every mutant by name."""
