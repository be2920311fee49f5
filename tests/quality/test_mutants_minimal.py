"""Every mutant is caught by the claim or law that must catch it, and the minimal path is exactly
this: nothing smaller shows it, and nothing larger is handed to a user."""

from __future__ import annotations

import pytest

from radproof import Session
from radproof.laws import LAWS, checks
from radproof.mutants import CATALOGUE
from radproof.mutants.matrix import hunt

# (arrive, prompt, output) of each session, where a tile is two tokens and lasts 50 us
MINIMAL: dict[str, list[tuple[int, int, int]]] = {
    "chunk_127": [(0, 2, 0)],
    "chunk_64": [(0, 2, 0), (0, 2, 0)],
    "whole_prompts": [(0, 3, 0)],
    "last_chunk_short": [(0, 2, 0)],
    "budget_127": [(0, 2, 0)],
    "budget_64": [(0, 2, 0)],
    "budget_256": [(0, 2, 0), (0, 2, 0)],
    "budget_off": [(0, 1, 0), (0, 2, 0)],
    "decodes_unbudgeted": [(0, 0, 1), (0, 0, 1), (0, 0, 1)],
    "threshold_127": [(0, 2, 1), (0, 2, 0)],
    "threshold_129": [(0, 2, 1), (0, 2, 1), (0, 2, 1)],
    "greater": [(0, 2, 1), (0, 2, 1), (0, 2, 1)],
    "decode_first": [(0, 0, 1), (0, 1, 0)],
    "prefill_first": [(0, 2, 1), (0, 2, 1), (0, 2, 1)],
    "only_full_decodes": [(0, 0, 1)],
    "residents_for_decodes": [(0, 0, 1), (0, 1, 0)],
    "mixed": [(0, 0, 1), (0, 1, 0)],
    "shortest_first": [(0, 2, 0), (0, 1, 0)],
    "longest_first": [(0, 1, 0), (0, 2, 0)],
    "lifo_prefill": [(0, 1, 0), (1, 1, 0), (2, 1, 0)],
    "lifo_decode": [(0, 0, 1), (0, 0, 1)],
    "fewest_tokens_first": [(0, 0, 2), (1, 0, 1)],
    "odd_sessions_first": [(0, 2, 0), (0, 2, 0)],
    "floor_for_ceil": [(0, 0, 2)],
    "no_t_nl": [(0, 2, 1)],
    "one_too_small": [(0, 0, 1)],
    "one_too_large": [(0, 0, 1)],
    "tile_too_many": [(0, 2, 1)],
    "no_minimum": [(0, 0, 1)],
    "runs_backwards": [(0, 0, 1)],
    "served_twice": [(0, 0, 2)],
    "served_not_counted": [(0, 0, 2)],
    "two_tokens_done": [(0, 0, 2)],
    "nothing_done": [(0, 0, 1)],
    "ends_one_short": [(0, 0, 2)],
    "remainder_dropped": [(0, 3, 1)],
    "decode_skipped": [(0, 0, 1), (0, 0, 1)],
    "newest_starves": [(0, 0, 1), (0, 1, 0)],
    "session_lost": [(0, 0, 1), (1, 1, 0)],
    "session_duplicated": [(0, 0, 1)],
    "two_tokens_asked": [(0, 0, 1)],
    "zero_tokens": [(0, 2, 0), (0, 1, 0)],
    "negative_chunk": [(0, 1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1)],
    "latched_mode": [(0, 0, 2), (1, 1, 0)],
    "mode_before_arrivals": [(0, 0, 2), (45, 1, 0)],
    "arrivals_late": [(0, 0, 2), (1, 1, 0)],
    "waits_for_company": [(0, 0, 1), (1, 0, 1)],
    "never_chunks": [(0, 3, 0)],
    "admission_stops": [(0, 0, 1), (0, 0, 2), (0, 1, 0)],
    "round_robin": [(0, 3, 0), (0, 3, 0)],
    "tail_alone": [(0, 1, 0), (0, 1, 0)],
    "ghost_decodes": [(0, 0, 1), (0, 1, 0), (1, 1, 0)],
    "empty_prompt_raises": [(0, 0, 1)],
    "decodes_before_tail": [(0, 0, 1), (0, 3, 0)],
    "turns_by_a_counter": [(0, 0, 1), (0, 0, 1)],
    "changes_its_memory": [(0, 0, 2)],
    "one_admission": [(0, 0, 1), (0, 0, 1)],
    "skips_after_an_end": [(0, 0, 1), (0, 0, 2), (0, 0, 1)],
    "newest_request_first": [(0, 1, 0), (1, 0, 1), (1, 0, 2), *3 * [(2, 0, 2)]],
    "shortest_request_first": [(0, 2, 0), (0, 3, 0), *3 * [(1, 2, 0)]],
    "half_a_prompt": [(0, 3, 0)],
    "decodes_uncounted": [(0, 0, 2)],
    "chunk_counted_twice": [(0, 1, 1)],
}


def test_every_mutant_has_its_row() -> None:
    assert set(MINIMAL) == set(CATALOGUE)
    assert len(CATALOGUE) >= 40


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_minimal_path_is_exactly_this(name: str) -> None:
    kill = hunt(CATALOGUE[name])
    assert kill.killed_by == CATALOGUE[name].killed_by
    assert kill.path == tuple(Session(*session) for session in MINIMAL[name])
    assert kill.minimal


def test_every_law_has_a_mutant_that_it_must_catch() -> None:
    assert set(LAWS) <= {mutant.killed_by for mutant in CATALOGUE.values()}


def test_every_mutant_names_a_claim_or_a_law() -> None:
    assert {mutant.killed_by for mutant in CATALOGUE.values()} <= set(checks())
