"""The moves of a path: what a batch can do to the first prompt is what the rules say."""

from __future__ import annotations

from collections import Counter

import pytest
from proof.changed_rules import CHANGED

from radproof.lemmas.obligations import WORLD
from radproof.lemmas.path_systems import DEPLOYMENTS, optimal_tiling, token_rate

STAYS = "a batch leaves some of the first prompt"
SPILLS = "a batch takes of a second prompt: any state"


@pytest.mark.parametrize("d", DEPLOYMENTS)
def test_under_rad_a_whole_prompt_stays_whole_and_leaves_nothing_of_the_budget(d):
    system = optimal_tiling(WORLD, d)
    # from a whole prompt and from one that is not, which RAD never has
    assert Counter(move.text for move in system.moves) == {
        "a batch of decodes": 1,
        "a session without a prompt arrives": 1,
        "a prompt arrives": 1,
        STAYS: 2,
        "a batch ends the first prompt": 2,
        SPILLS: 1,
    }
    assert [move.after["whole"] for move in system.moves if move.text == STAYS] == [True, False]


@pytest.mark.parametrize(
    ("name", "moves", "count"),
    [
        ("want: half of what is left", STAYS, 3),  # a whole prompt need not stay whole
        ("budget: two tiles", SPILLS, 2),  # and there is something left for a second
        ("optimal_tiling: no hypothesis", "a prompt arrives", 2),  # it need not be whole at all
    ],
)
def test_a_changed_rule_has_other_moves(name, moves, count):
    world, _ = CHANGED[name]
    found = Counter(move.text for move in optimal_tiling(world, DEPLOYMENTS[0]).moves)
    assert found[moves] == count


@pytest.mark.parametrize(
    "name", ["want: half of what is left", "want: chunk - 1", "left: one too many"]
)
def test_what_a_batch_leaves_is_what_it_leaves_of_any_prompt(name):
    world, d = CHANGED[name][0], DEPLOYMENTS[0]
    rules, found = world.rules, set()
    for left in range(1, 80):
        share = rules.take(rules.want(False, rules.left(left, 0), d), rules.budget(False, d))
        before, after = rules.left(left, 0), rules.left(left, rules.done_after(0, share))
        if after > 0:
            found.add((before % d.b_lcm == 0, after % d.b_lcm == 0))
    moves = [move for move in optimal_tiling(world, d).moves if move.text == STAYS]
    assert len(moves) == len(found)
    assert Counter(move.after["whole"] for move in moves) == Counter(after for _, after in found)


def test_a_batch_fits_its_budget_only_where_every_job_takes_no_more_than_remains():
    def of(world):
        return token_rate(world, DEPLOYMENTS[0]).moves[0].when[1]

    assert of(WORLD) is not True
    assert of(CHANGED["take: the larger"][0]) is True
