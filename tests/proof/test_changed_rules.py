"""The same rules: change one of them, or a claim, and a lemma is refuted with a real model."""

from __future__ import annotations

import functools

import attrs
import pytest
from proof.changed_rules import CHANGED

from radproof.claims import Result, check
from radproof.files.paths import read
from radproof.model import PREFILL
from radproof.proof.answers import Answer
from radproof.proof.audit import broken, take
from radproof.proof.catalogue import LEMMAS, THEOREMS, lemma
from radproof.proof.obligations import WORLD
from radproof.proof.prove import prove
from radproof.proof.questions import question
from radproof.proof.solver import solve
from radproof.rules import RULES
from radproof.runs import run
from radproof.schedulers import RuleScheduler


@functools.cache
def _refuted(name):
    world, refuted = CHANGED[name]
    (one,) = (one for one in LEMMAS if one.name == refuted)
    (row,) = prove(world, [one]).rows
    return row


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_rule_is_refuted_and_the_machine_confirms_it(name):
    row = _refuted(name)
    assert row.outcome.verdict is Answer.REFUTED
    assert row.cti is not None
    assert row.cti.real
    assert row.cti.replays
    assert row.disagreement is None


@pytest.mark.parametrize("name", [n for n, (world, _) in CHANGED.items() if world.rules != RULES])
def test_it_is_the_change_that_the_machine_confirms(name):
    # under RAD the same step breaks none of these laws, wherever RAD can be in that state
    row = _refuted(name)
    scene = row.cti.scene
    totals = [
        scene.path[job.session].prompt if job.phase is PREFILL else scene.path[job.session].output
        for job in scene.state.jobs
    ]
    if all(job.done < total for job, total in zip(scene.state.jobs, totals, strict=True)):
        assert not broken(take(scene, WORLD), row.lemma.watch)


def test_every_rule_and_both_claims_are_changed():
    changed = {name.split(":")[0] for name in CHANGED}
    assert changed == {field.name for field in attrs.fields(type(RULES))} | {
        "token_rate",
        "optimal_tiling",
        "order",
    }


def test_a_rule_that_says_the_same_is_proved():
    # for jobs that have done no more than their whole, a - b is monus(a, b)
    same = attrs.evolve(
        RULES,
        left=lambda total, done: total - done,
        decode_mode=lambda decodes, residents, d: (
            RULES.decode_mode(decodes, residents, d) == (decodes >= 0)
        ),
    )
    certificate = prove(same)
    assert {row.outcome.verdict for row in certificate.rows} == {Answer.PROVED}


def test_threshold_129_breaks_the_bound_on_decodes_and_neither_claim():
    world, _ = CHANGED["decode_mode: b_col + 1"]
    certificate = prove(world)
    refuted = [row.lemma.name for row in certificate.rows if row.outcome.verdict != "proved"]
    assert refuted == ["decodes_fit"]
    follows = {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS}
    assert follows == {
        "token_rate": "follows",
        "optimal_tiling": "follows",
        "beyond Lean": "does not follow",
        "leap": "follows",
    }


def test_without_assumption_3_a_ragged_tail_is_the_counterexample():
    world, _ = CHANGED["optimal_tiling: no hypothesis"]
    (row,) = prove(world, lemma("rad_start[8]")).rows
    found = row.cti
    assert found is not None
    assert found.parts == ("optimal_tiling",)
    prompts = [job for job in found.scene.state.jobs if job.phase == "prefill"]
    tails = [found.scene.path[job.session].prompt - job.done for job in prompts]
    assert any(tail % 8 for tail in tails)
    # and it is reached from time 0: the claim fails on a path, once its hypothesis is dropped
    path = found.reached.file.sessions
    result = run(path, found.scene.deployment)
    assert check(result, WORLD.tiling, given=False).result is Result.FAILS
    assert check(result, WORLD.tiling).result is Result.OUT_OF_SCOPE


def test_a_reached_counterexample_is_a_path_file_on_which_the_claim_fails(tmp_path):
    world, _ = CHANGED["decode_mode: b_col + 1"]
    certificate = prove(world, lemma("decodes_fit"), scheduler="radproof.mutants:threshold_129")
    file = certificate.rows[-1].cti.save(tmp_path, world, certificate.rules)
    saved = read(file)
    assert saved.breaks.name == "radproof.proof.laws:decodes_fit"
    from radproof.proof.laws import decodes_fit

    result = run(saved.sessions, saved.deployment, RuleScheduler(world.rules))
    verdict = check(result, decodes_fit)
    assert (verdict.result, verdict.first) == (Result.FAILS, saved.breaks.first)


def test_no_lemma_is_left_that_no_change_refutes():
    # a lemma nobody can break says nothing about the rules; these speak of numbers alone
    about_numbers = {
        "fillAmounts_sum.base",
        "fillIter_ones.base",
        "le_ceil_mul",
        "mul_le_mul",
        "mul_mod",
        "le_mul",
        "rad_settle.base",
        "rad_settle",
        "clock_identity.base",
        "leap_affine.base",
        "leap_past",
        "decodes_fit.base",
    }
    quick = [one for one in LEMMAS if one.name not in about_numbers and "[" not in one.name]
    left = {one.name for one in quick}
    # no rule can break these: they follow from the claim's form, or from time going on
    unbreakable = {
        "tiled_rate.attention",
        "step_inv.wait",
        "served_rate",
        "leap_ends",
        "arrival_order",
    }
    for world, _ in CHANGED.values():
        asked = [one for one in quick if one.name in left - unbreakable]
        answers = {one.name: solve(question(one, world)).verdict for one in asked}
        left -= {name for name, verdict in answers.items() if verdict is Answer.REFUTED}
    assert left == unbreakable
