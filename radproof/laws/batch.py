"""Laws of a single batch: each is one formula over the numbers of a record.

Python evaluates them on records and on whole stretches; the solver reads the same formulas.
"""

from __future__ import annotations

from radproof import rules
from radproof.invariants import few_decodes
from radproof.laws.law import law
from radproof.model import Node, Record
from radproof.number import Truth, both, either, minimum, negate

# any engine


@law(
    "engine",
    at="batch",
    source="vLLM PR 7391; paper, section on tiles",
    proved_by=("fillAmounts_sum",),
)
def batch_budget(i: Record, d: Node) -> Truth:
    """A batch has at most b_lcm tokens and at most b_col decodes."""
    return both(i.tokens <= d.b_lcm, i.decoders <= d.b_col)


@law(
    "engine",
    at="batch",
    source="vLLM 30320",
    proved_by=("mem_fillIter", "progress"),
    faults=("tokens",),
)
def batch_not_empty(i: Record, d: Node) -> Truth:
    """A batch has one token or more, and so has each entry."""
    return i.tokens >= 1


@law(
    "engine",
    at="batch",
    source="semantics: one token for a decode",
    proved_by=("wantOf.decode", "fillIter_ones"),
    faults=("decode",),
)
def one_token_per_decode(i: Record, d: Node) -> Truth:
    """A decode that is served gets one token."""
    return i.tokens == i.prefilled + i.decoders


@law("engine", at="batch", source="paper, equation (7) without attention")
def exact_duration(i: Record, d: Node) -> Truth:
    """A batch lasts exactly max(1, t_lin ceil(tokens / b_col) + t_nl tokens)."""
    return i.end - i.start == rules.duration(i.tokens, d)


# RAD


@law("rad", at="batch", source="paper, RAD; Bari.lean serves_rad", proved_by=("serves_rad",))
def unmixed(i: Record, d: Node) -> Truth:
    """A batch never holds both decodes and prefills."""
    return either(i.prefilled == 0, i.decoders == 0)


@law("rad", at="batch", source="paper, RAD; Bari.lean decodeMode")
def mode(i: Record, d: Node) -> Truth:
    """A batch decodes if and only if b_col jobs decode or no job is left to prefill."""
    decodes = rules.decode_mode(i.decoding, i.residents, d)
    return both(either(negate(decodes), i.prefilled == 0), either(decodes, i.decoders == 0))


@law(
    "rad",
    at="batch",
    source="Exec.lean fillIter",
    proved_by=("fillIter_ones", "fillAmounts_sum"),
)
def decodes_served(i: Record, d: Node) -> Truth:
    """A decode batch serves min(D, b_col) decodes."""
    return either(i.prefilled > 0, i.decoders == minimum(i.decoding, d.b_col))


@law("rad", at="batch", source="Exec.lean fillIter", proved_by=("fillAmounts_sum",))
def prefill_filled(i: Record, d: Node) -> Truth:
    """A batch of prefills takes b_lcm tokens, or all that wait where they are fewer."""
    # with no budget a prefill takes `chunk`, so a chunk below the tile leaves this to chunk_starts
    waiting = i.demand - i.decoding
    return either(i.prefilled == 0, d.chunk < d.b_lcm, i.prefilled == minimum(d.b_lcm, waiting))


@law(
    "rad",
    at="batch",
    family="assumption3",
    source="law 3 of RAD on a path",
    proved_by=("rad_batch", "rad_handle"),
)
def whole_tiles(i: Record, d: Node) -> Truth:
    """A batch of prefills is exactly b_lcm tokens."""
    return either(i.prefilled == 0, d.chunk < d.b_lcm, i.prefilled == d.b_lcm)


@law(
    "rad",
    at="batch",
    family="positive",
    source="law 4 of RAD on a path",
    proved_by=("rad_batch",),
)
def full_or_all_decode(i: Record, d: Node) -> Truth:
    """A batch that fills no tile is all residents decoding, fewer than b_col."""
    full = either(i.tokens == d.b_lcm, i.decoders == d.b_col)
    alone = both(i.decoders == i.decoding, i.decoding == i.residents, i.decoding < d.b_col)
    return either(full, d.chunk < d.b_lcm, alone)


@law(
    "rad",
    at="batch",
    family="positive",
    source="law 1 of RAD on a path; vLLM PR 1034",
    proved_by=("decodes_fit",),
)
def decode_bound(i: Record, d: Node) -> Truth:
    """At most b_col jobs decode."""
    return few_decodes(i.decoding, d)
