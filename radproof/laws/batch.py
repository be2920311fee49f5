"""Laws of a single batch: each is one formula over the numbers of a record.

Python reads them on records and on whole stretches, the solver as they stand.
"""

from __future__ import annotations

from typing import Any

from radproof import rules
from radproof.claims import Claim, Family
from radproof.invariants import GIVEN, few_decodes
from radproof.laws.law import Group, Law
from radproof.number import both, either, minimum, negate


def _prefills(i: Any) -> Any:
    return i.prefilled > 0


def _budget(i: Any, d: Any) -> Any:
    return both(i.tokens <= d.b_lcm, i.decoders <= d.b_col)


def _some_work(i: Any, d: Any) -> Any:
    return i.tokens >= 1


def _one_token(i: Any, d: Any) -> Any:
    return i.tokens == i.prefilled + i.decoders


def _duration(i: Any, d: Any) -> Any:
    return i.end - i.start == rules.duration(i.tokens, d)


def _unmixed(i: Any, d: Any) -> Any:
    return either(i.prefilled == 0, i.decoders == 0)


def _mode(i: Any, d: Any) -> Any:
    decodes = rules.decode_mode(i.decoding, i.residents, d)
    return both(either(negate(decodes), i.prefilled == 0), either(decodes, i.decoders == 0))


def _decodes_served(i: Any, d: Any) -> Any:
    return either(_prefills(i), i.decoders == minimum(i.decoding, d.b_col))


def _prefill_filled(i: Any, d: Any) -> Any:
    # with no budget a prefill takes `chunk`, so a chunk below the tile leaves this to chunk_starts
    waiting = i.demand - i.decoding
    return either(i.prefilled == 0, d.chunk < d.b_lcm, i.prefilled == minimum(d.b_lcm, waiting))


def _whole_tiles(i: Any, d: Any) -> Any:
    return either(i.prefilled == 0, d.chunk < d.b_lcm, i.prefilled == d.b_lcm)


def _full_or_all_decode(i: Any, d: Any) -> Any:
    full = either(i.tokens == d.b_lcm, i.decoders == d.b_col)
    alone = both(i.decoders == i.decoding, i.decoding == i.residents, i.decoding < d.b_col)
    return either(full, d.chunk < d.b_lcm, alone)


def _decode_bound(i: Any, d: Any) -> Any:
    return few_decodes(i.decoding, d)


def _law(
    name: str,
    holds: Any,
    statement: str,
    *,
    group: Group,
    source: str,
    family: Family = "natural",
) -> Law:
    claim = Claim(
        name=name,
        kind="every iteration",
        holds=holds,
        given=GIVEN[family],
        family=family,
        statement=statement,
    )
    return Law(claim, group, source, "tests/laws/test_batch.py")


BATCH_LAWS = (
    _law(
        "batch_budget",
        _budget,
        "a batch has at most b_lcm tokens and at most b_col decodes",
        group="engine",
        source="vLLM PR 7391; paper, section on tiles",
    ),
    _law(
        "batch_not_empty",
        _some_work,
        "a batch has one token or more, and so has each entry",
        group="engine",
        source="vLLM 30320",
    ),
    _law(
        "one_token_per_decode",
        _one_token,
        "a decode that is served gets one token",
        group="engine",
        source="semantics: one token for a decode",
    ),
    _law(
        "exact_duration",
        _duration,
        "a batch lasts exactly max(1, t_lin ceil(tokens / b_col) + t_nl tokens)",
        group="engine",
        source="paper, equation (7) without attention",
    ),
    _law(
        "unmixed",
        _unmixed,
        "a batch never holds both decodes and prefills",
        group="rad",
        source="paper, RAD; Bari.lean serves_rad",
    ),
    _law(
        "mode",
        _mode,
        "a batch decodes if and only if b_col jobs decode or no job is left to prefill",
        group="rad",
        source="paper, RAD; Bari.lean decodeMode",
    ),
    _law(
        "decodes_served",
        _decodes_served,
        "a batch of decodes serves all of them, b_col at the most",
        group="rad",
        source="Exec.lean fillIter",
    ),
    _law(
        "prefill_filled",
        _prefill_filled,
        "a batch of prefills takes b_lcm tokens, or all that wait where they are fewer",
        group="rad",
        source="Exec.lean fillIter",
    ),
    _law(
        "whole_tiles",
        _whole_tiles,
        "a batch of prefills is exactly b_lcm tokens",
        group="rad",
        family="assumption3",
        source="law 3 of RAD on a path",
    ),
    _law(
        "full_or_all_decode",
        _full_or_all_decode,
        "a batch that fills no tile is all residents decoding, fewer than b_col",
        group="rad",
        family="positive",
        source="law 4 of RAD on a path",
    ),
    _law(
        "decode_bound",
        _decode_bound,
        "at most b_col jobs decode",
        group="rad",
        family="positive",
        source="law 1 of RAD on a path; vLLM PR 1034",
    ),
)
