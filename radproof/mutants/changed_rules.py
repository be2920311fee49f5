"""RAD with one rule changed. The names are the numbers at the seed's deployment; at a scaled-down
one, "127" reads as one less than the tile, "64" as half of it.
"""

from __future__ import annotations

from radproof import rules
from radproof.model import DECODE, Job, Node
from radproof.mutants.catalogue import FREE, mutant
from radproof.number import (
    Num,
    Truth,
    both,
    ceil_div,
    either,
    floor_div,
    ite,
    maximum,
    minimum,
    monus,
)


@mutant(changes="want", killed_by="chunk_starts", source="vllm-tt-plugin 74")
def chunk_127(decoding: Truth, left: Num, d: Node) -> Num:
    """A chunk is one token short."""
    return ite(decoding, 1, minimum(left, d.chunk - 1))


@mutant(changes="want", killed_by="one_partial")
def chunk_64(decoding: Truth, left: Num, d: Node) -> Num:
    """A chunk is half a tile."""
    return ite(decoding, 1, minimum(left, ceil_div(d.chunk, 2)))


def _take_all(wanted: Num, remaining: Num) -> Num:
    return wanted


@mutant(changes="want", killed_by="batch_budget", source="sglang-jax 1551", take=_take_all)
def whole_prompts(decoding: Truth, left: Num, d: Node) -> Num:
    """A prompt is prefilled whole."""
    return ite(decoding, 1, left)


@mutant(changes="want", killed_by="whole_tiles", source="vLLM PR 7380")
def last_chunk_short(decoding: Truth, left: Num, d: Node) -> Num:
    """A last chunk of exactly a tile is one token short."""
    short = ite(both(left == d.chunk, left > 1), left - 1, minimum(left, d.chunk))
    return ite(decoding, 1, short)


@mutant(changes="budget", killed_by="optimal_tiling")
def budget_127(mode: Truth, d: Node) -> Num:
    """The budget is one token short."""
    return rules.budget(mode, d) - 1


@mutant(changes="budget", killed_by="whole_tiles")
def budget_64(mode: Truth, d: Node) -> Num:
    """The budget is half a tile."""
    return ceil_div(rules.budget(mode, d), 2)


@mutant(changes="budget", killed_by="optimal_tiling")
def budget_256(mode: Truth, d: Node) -> Num:
    """The budget is two tiles."""
    return 2 * rules.budget(mode, d)


@mutant(changes="budget", killed_by="batch_budget")
def budget_off(mode: Truth, d: Node) -> Num:
    """There is no budget."""
    return 10**30


@mutant(changes="budget", killed_by="batch_budget", source="vLLM PR 7391")
def decodes_unbudgeted(mode: Truth, d: Node) -> Num:
    """Decodes have no budget."""
    return ite(mode, 10**30, d.b_lcm)


@mutant(changes="decode_mode", killed_by="full_or_all_decode")
def threshold_127(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decodes take over one too early."""
    return either(decodes >= d.b_col - 1, decodes == residents)


@mutant(changes="decode_mode", killed_by="decode_bound", source="vLLM PR 1034")
def threshold_129(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decodes take over one too late."""
    return either(decodes >= d.b_col + 1, decodes == residents)


@mutant(changes="decode_mode", killed_by="active_bound", source="nano-vllm PR 271")
def greater(decodes: Num, residents: Num, d: Node) -> Truth:
    """> for >= in the mode."""
    return either(decodes > d.b_col, decodes == residents)


@mutant(changes="decode_mode", killed_by="mode")
def decode_first(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decodes go first whenever there is one."""
    return decodes >= 1


@mutant(changes="decode_mode", killed_by="prefill_run", source="SGLang 32549")
def prefill_first(decodes: Num, residents: Num, d: Node) -> Truth:
    """Prompts go first as long as one waits."""
    return decodes == residents


@mutant(changes="decode_mode", killed_by="progress")
def only_full_decodes(decodes: Num, residents: Num, d: Node) -> Truth:
    """Decodes wait until b_col are there."""
    return decodes >= d.b_col


@mutant(changes="decode_mode", killed_by="mode")
def residents_for_decodes(decodes: Num, residents: Num, d: Node) -> Truth:
    """Residents are counted where decodes should be."""
    return either(residents >= d.b_col, decodes == residents)


@mutant(changes="serves", killed_by="unmixed")
def mixed(mode: Truth, decoding: Truth) -> Truth:
    """Decodes ride along with prefills."""
    return either(decoding, mode == decoding)


@mutant(changes="order", killed_by="prefill_order")
def shortest_first(job: Job) -> int:
    """The prompt with the least left goes first."""
    return job.prompt - job.prefilled


@mutant(changes="order", killed_by="prefill_order")
def longest_first(job: Job) -> int:
    """The prompt with the most left goes first."""
    return job.prefilled - job.prompt


@mutant(changes="order", killed_by="prefill_order")
def lifo_prefill(job: Job) -> int:
    """The newest prompt goes first."""
    return -job.arrive


@mutant(changes="order", killed_by="decode_order")
def lifo_decode(job: Job) -> int:
    """The newest decode goes first."""
    return -job.session if job.phase is DECODE else 0


@mutant(changes="order", killed_by="decode_order")
def fewest_tokens_first(job: Job) -> int:
    """The decode with the fewest tokens goes first."""
    return job.generated


@mutant(changes="order", killed_by="finish_order")
def odd_sessions_first(job: Job) -> int:
    """Sessions with odd numbers go first."""
    return -(job.session % 2)


@mutant(changes="duration", killed_by="token_rate")
def floor_for_ceil(tokens: Num, d: Node) -> Num:
    """A part-filled tile costs nothing."""
    return maximum(1, d.t_lin * floor_div(tokens, d.b_col) + d.t_nl * tokens)


@mutant(changes="duration", killed_by="token_rate")
def no_t_nl(tokens: Num, d: Node) -> Num:
    """Tokens cost nothing."""
    return maximum(1, d.t_lin * ceil_div(tokens, d.b_col))


@mutant(changes="duration", killed_by="exact_duration")
def one_too_small(tokens: Num, d: Node) -> Num:
    """A batch is 1 us too short."""
    return maximum(1, rules.duration(tokens, d) - 1)


@mutant(changes="duration", killed_by="exact_duration")
def one_too_large(tokens: Num, d: Node) -> Num:
    """A batch is 1 us too long."""
    return rules.duration(tokens, d) + 1


@mutant(changes="duration", killed_by="clock")
def tile_too_many(tokens: Num, d: Node) -> Num:
    """A full tile costs two."""
    return maximum(1, d.t_lin * (floor_div(tokens, d.b_col) + 1) + d.t_nl * tokens)


@mutant(changes="duration", killed_by="exact_duration", deployment=FREE)
def no_minimum(tokens: Num, d: Node) -> Num:
    """A batch that costs nothing takes no time."""
    return d.t_lin * ceil_div(tokens, d.b_col) + d.t_nl * tokens


@mutant(changes="duration", killed_by="lifecycle", source="vLLM PR 56238")
def runs_backwards(tokens: Num, d: Node) -> Num:
    """A batch ends before it starts."""
    return 0 - rules.duration(tokens, d)


@mutant(changes="served_after", killed_by="token_rate")
def served_twice(served: Num, tokens: Num) -> Num:
    """Tokens are counted twice."""
    return served + 2 * tokens


@mutant(changes="served_after", killed_by="served_recomputed")
def served_not_counted(served: Num, tokens: Num) -> Num:
    """Tokens are not counted."""
    return served


@mutant(changes="done_after", killed_by="conservation")
def two_tokens_done(done: Num, share: Num) -> Num:
    """A token counts as two."""
    return done + 2 * share


@mutant(changes="done_after", killed_by="progress", source="inference-sim INV-8")
def nothing_done(done: Num, share: Num) -> Num:
    """A batch leaves the work as it was."""
    return done


@mutant(changes="left", killed_by="conservation")
def ends_one_short(total: Num, done: Num) -> Num:
    """A session ends one token early."""
    return ite(done > 0, monus(total, done + 1), monus(total, done))


@mutant(changes="left", killed_by="counts_recomputed", source="TensorRT-LLM 1377")
def remainder_dropped(total: Num, done: Num) -> Num:
    """A last token is dropped."""
    rest = monus(total, done)
    return ite(both(done > 0, rest == 1), 0, rest)
