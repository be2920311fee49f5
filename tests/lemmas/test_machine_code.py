"""The code of the loop against what the lemmas foresee of it: a change of either is refuted."""

from __future__ import annotations

import attrs
import pytest
from lemmas.sabotage import SABOTAGES

from radproof.claims import check
from radproof.files import states
from radproof.lemmas import as_foreseen, branching
from radproof.lemmas.catalogue import LEMMAS, THEOREMS, lemmas_named
from radproof.lemmas.obligations import WORLD
from radproof.model import Deployment, Session
from radproof.proof.answers import Answer
from radproof.proof.audit import STEP_LAWS
from radproof.proof.certificate import Exit
from radproof.proof.cti import describe
from radproof.proof.prove import prove
from radproof.proof.step_replay import step_report
from radproof.runs import run

LOOP = tuple(one for one in LEMMAS if one.name.startswith("loop"))


def test_the_code_does_what_the_lemmas_foresee():
    rows = prove(WORLD, LOOP, solvers="both").rows
    assert [row.outcome.verdict for row in rows] == [Answer.PROVED] * len(LOOP)
    assert [row.second.verdict for row in rows] == [Answer.PROVED] * len(LOOP)
    assert all(row.exit_code is Exit.HOLDS for row in rows)


@pytest.mark.parametrize("lemma", [one for one in LOOP if one.name != "loop.batch[3]"])
def test_the_solver_says_so_too_where_it_is_told_no_answer(lemma, monkeypatch):
    # the terms of the lemma are then all there, where otherwise answers have cut most of them
    monkeypatch.setattr(branching.Branching, "_known", None)
    (row,) = prove(WORLD, [attrs.evolve(lemma, budget=20_000_000)]).rows
    assert row.outcome.verdict is Answer.PROVED
    assert row.outcome.rlimit > 300


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_change_of_the_loop_is_refuted(name, monkeypatch):
    sabotage = SABOTAGES[name]
    sabotage.carry_out(monkeypatch)
    (row,) = prove(WORLD, lemmas_named(sabotage.lemma)).rows
    assert row.outcome.verdict is Answer.REFUTED
    assert row.cti.real
    if sabotage.function != "initial":  # which no step confirms
        assert row.cti.laws == (STEP_LAWS["loop"][0],)
    assert row.exit_code is Exit.FAILS


@pytest.mark.parametrize(
    "name",
    ["the batch overfills", "who goes on to decode goes first", "admission is reversed"],
)
def test_no_theorem_follows_from_a_changed_loop_and_a_path_shows_it(name, monkeypatch):
    SABOTAGES[name].carry_out(monkeypatch)
    certificate = prove(WORLD, lemmas_named(SABOTAGES[name].lemma))
    assert {certificate.theorem(theorem) for theorem in THEOREMS} == {"does not follow"}
    text = "\n".join(describe(certificate.rows[0].cti))
    assert "the machine's step confirms it" in text
    assert "reached at t = " in text


def test_a_loop_that_overfills_breaks_the_claim_that_was_proved(monkeypatch):
    SABOTAGES["the batch overfills"].carry_out(monkeypatch)
    path = (Session(0, 2, 0), Session(0, 2, 0))
    verdict = check(run(path, Deployment(b_col=2), WORLD.scheduler), WORLD.tiling)
    assert str(verdict) == "fails at 0"


def test_where_no_path_shows_it_the_rules_of_the_model_are_shown(monkeypatch, tmp_path):
    # RAD's own rules give nothing to who comes after somebody that got nothing
    SABOTAGES["skip who gets nothing"].carry_out(monkeypatch)
    certificate = prove(WORLD, lemmas_named("loop[2+1]"))
    found = certificate.rows[0].cti
    text = "\n".join(describe(found))
    assert "  under any rules that say decode_mode(" in text
    assert "no path was found on which the scheduler's own rules show it" in text
    assert found.save(tmp_path, WORLD, certificate.rules) is None


def test_a_step_of_the_scheduler_s_own_is_saved_and_replays(monkeypatch, tmp_path):
    SABOTAGES["the batch overfills"].carry_out(monkeypatch)
    certificate = prove(WORLD, lemmas_named("loop[2+1]"))
    file = certificate.rows[0].cti.save(tmp_path, WORLD, certificate.rules)
    assert step_report(states.read(file), WORLD, "rad")[1]
    monkeypatch.undo()
    assert not step_report(states.read(file), WORLD, "rad")[1]


def test_a_step_that_raises_anything_is_not_as_foreseen(monkeypatch):
    def broken(*_):
        raise KeyError("lost")

    monkeypatch.setattr(as_foreseen.machine, "start", broken)
    (row,) = prove(WORLD, lemmas_named("loop[1+2]")).rows
    assert row.outcome.verdict is Answer.REFUTED
    assert row.cti.parts == (as_foreseen.REFUSED,)


def test_a_rule_is_asked_about_this_deployment_and_no_other(monkeypatch):
    one = SABOTAGES["one token more of the budget"]
    attrs.evolve(one, after="budget(mode, view)").carry_out(monkeypatch)
    (row,) = prove(WORLD, lemmas_named("loop[1+2]")).rows
    assert row.outcome.verdict is Answer.REFUTED
