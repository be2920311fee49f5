"""Scenes: the states that a lemma's values describe, where the machine can have them."""

from __future__ import annotations

import pytest

from radproof.lemmas import scenes
from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD
from radproof.model import DECODE, PREFILL
from radproof.readers.terms import Names

NODE = {"tiles": 2, "b_col": 2, "slack": 1, "t_lin": 9, "t_nl": 1}


def test_the_deployment_has_the_values_of_the_lemma():
    node = scenes.deployment_of(Names(NODE))
    assert (node.b_col, node.b_lcm, node.chunk, node.t_lin, node.t_nl) == (2, 4, 5, 9, 1)


def test_residents_stand_in_their_order_and_sessions_to_come_after_them():
    made = scenes.newcomer(
        Names(NODE | {"tokens": 3, "old": 1, "now": 5, "new": 7, "next": 9}), WORLD
    )
    assert [(job.session, job.phase, job.arrive) for job in made.state.jobs] == [(0, PREFILL, 1)]
    assert (made.state.now, made.state.pending) == (5, (1, 2))
    assert [session.arrive for session in made.path] == [1, 7, 9]


def test_a_crowd_has_its_decodes_first():
    made = scenes.crowd(Names(NODE | {"decodes": 2, "residents": 4, "left": 8}), WORLD)
    assert [job.phase for job in made.state.jobs] == [DECODE] * 2 + [PREFILL] * 2
    assert [session.prompt for session in made.path] == [0, 0, 8, 4]


@pytest.mark.parametrize(
    "values",
    [
        {"decodes": 3, "residents": 2, "left": 4},
        {"decodes": -1, "residents": 2, "left": 4},
        {"decodes": 0, "residents": 401, "left": 4},
        {"decodes": 0, "residents": 1, "left": -4},
    ],
)
def test_values_that_no_state_has_give_no_scene(values):
    assert scenes.crowd(Names(NODE | values), WORLD) is None


@pytest.mark.parametrize("second", ["", "rest"])
def test_a_filling_has_the_prompts_of_its_lemma(second):
    values = Names({"budget": 3, "want": 2, "rest": 4})
    made = scenes.filling(values, WORLD, second)
    assert [session.prompt for session in made.path] == ([2, 4] if second else [2])
    assert scenes.filling(Names({"budget": 0, "want": 2}), WORLD) is None


@pytest.mark.parametrize("lemma", [one for one in LEMMAS if one.scene], ids=lambda one: one.name)
def test_a_scene_reads_only_its_lemma_s_variables(lemma):
    # `Names` raises for any other
    lemma.scene(Names(dict.fromkeys(lemma.sorts, 1)), WORLD)
