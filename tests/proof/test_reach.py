"""Paths that reach a counterexample to induction, and what is saved of them."""

from __future__ import annotations

from proof.changed_rules import CHANGED

from radproof.claims import Result, check
from radproof.files.paths import read
from radproof.laws import claim_named
from radproof.lemmas.catalogue import lemmas_named
from radproof.lemmas.obligations import WORLD
from radproof.proof.prove import prove
from radproof.runs import run


def test_without_assumption_3_a_ragged_tail_is_the_counterexample():
    world, _ = CHANGED["optimal_tiling: no hypothesis"]
    (row,) = prove(world, lemmas_named("rad_start[8]")).rows
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
    certificate = prove(
        world, lemmas_named("decodes_fit"), scheduler="radproof.mutants:threshold_129"
    )
    file = certificate.rows[-1].cti.save(tmp_path, world, certificate.rules)
    saved = read(file)
    assert saved.breaks.name == "decode_bound"
    result = run(saved.sessions, saved.deployment, world.scheduler)
    verdict = check(result, claim_named(saved.breaks.name))
    assert (verdict.result, verdict.first) == (Result.FAILS, saved.breaks.first)
