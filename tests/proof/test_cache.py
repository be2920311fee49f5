"""Kept answers: found again for the same question only, and never believed when damaged."""

from __future__ import annotations

import attrs
import pytest
from proof.changed_rules import CHANGED
from proof.made_up import HARD

from radproof.lemmas.catalogue import lemmas_named
from radproof.lemmas.obligations import WORLD
from radproof.proof import prove as prove_module
from radproof.proof.answers import Answer
from radproof.proof.cache import Cache
from radproof.proof.prove import prove
from radproof.proof.questions import question
from radproof.proof.solver import solve

BATCH = lemmas_named("rad_batch")


def test_a_second_run_asks_nothing(tmp_path, monkeypatch):
    cache = Cache(tmp_path)
    first = prove(WORLD, BATCH, cache=cache, solvers="both")

    def refuse(one):
        raise AssertionError("asked again")

    monkeypatch.setattr(prove_module.solver, "solve", refuse)
    again = prove(WORLD, BATCH, cache=cache, solvers="both")
    assert again.rows[0].outcome.cached
    assert again.rows[0].outcome == first.rows[0].outcome
    assert again.rows[0].second == first.rows[0].second


def test_another_rule_is_another_question(tmp_path):
    cache = Cache(tmp_path)
    assert prove(WORLD, BATCH, cache=cache).rows[0].outcome.verdict is Answer.PROVED
    world, _ = CHANGED["decode_mode: b_col - 1"]
    for _ in range(2):  # the second time from the cache, with the model
        row = prove(world, BATCH, cache=cache).rows[0]
        assert row.outcome.verdict is Answer.REFUTED
        assert row.cti.replays
    assert row.outcome.cached


def test_the_key_covers_text_reach_budget_and_version():
    asked = question(BATCH[0], WORLD)
    keys = {
        asked.key("z3 1"),
        asked.key("z3 2"),
        attrs.evolve(asked, text=asked.text + " ").key("z3 1"),
        attrs.evolve(asked, reach=asked.reach + " ").key("z3 1"),
        attrs.evolve(asked, lemma=attrs.evolve(BATCH[0], budget=7)).key("z3 1"),
    }
    assert len(keys) == 5
    assert asked.key("z3 1") == question(BATCH[0], WORLD).key("z3 1")


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"verdict": "proved"}', '{"verdict": "sure"}'])
def test_a_damaged_answer_is_none(tmp_path, damage):
    cache = Cache(tmp_path)
    prove(WORLD, BATCH, cache=cache)
    (file,) = tmp_path.iterdir()
    file.write_text(damage)
    outcome = prove(WORLD, BATCH, cache=cache).rows[0].outcome
    assert outcome.verdict is Answer.PROVED
    assert not outcome.cached


def test_no_folder_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prove(WORLD, BATCH)
    prove(WORLD, BATCH, cache=Cache(None))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_does_not_stop_the_proof(tmp_path):
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "below")
    assert prove(WORLD, BATCH, cache=cache).rows[0].outcome.verdict is Answer.PROVED


def test_unknown_is_asked_again(tmp_path):
    """A later version may refute what this one gave up on."""
    cache, hard = Cache(tmp_path), question(HARD, WORLD)
    cache.keep(hard, "z3", solve(hard))
    assert cache.outcome(hard, "z3") is None
    cache.keep(hard, "z3", attrs.evolve(solve(hard), verdict=Answer.REFUTED))
    kept = cache.outcome(hard, "z3")
    assert kept is not None
    assert kept.cached
