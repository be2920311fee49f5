"""The same rules: change one of them, or a claim, and a lemma is refuted with a real model."""

from __future__ import annotations

import functools

import attrs
import pytest
from proof.changed_rules import CHANGED
from proof.made_up import DEAD, FALSE, TRUE

from radproof.claims import check
from radproof.errors import SchedulerError
from radproof.lemmas.catalogue import LEMMAS, THEOREMS, lemmas_named
from radproof.lemmas.obligations import COMPOSITION, WORLD, World, world_of
from radproof.model import PREFILL, Deployment, Session
from radproof.proof.answers import Answer
from radproof.proof.audit import broken_laws, take_step
from radproof.proof.certificate import Exit
from radproof.proof.prove import prove
from radproof.proof.questions import question
from radproof.proof.solver import solve
from radproof.rules import RULES
from radproof.runs import run
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import Loaded


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
    # under RAD the same step breaks none of these laws, where RAD can be in that state
    row = _refuted(name)
    scene = row.cti.scene
    totals = [
        scene.path[job.session].prompt if job.phase is PREFILL else scene.path[job.session].output
        for job in scene.state.jobs
    ]
    if all(job.done < total for job, total in zip(scene.state.jobs, totals, strict=True)):
        assert not broken_laws(take_step(scene, WORLD), row.lemma.watch)


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
    certificate = prove(World(RuleScheduler(same)))
    assert {row.outcome.verdict for row in certificate.rows} == {Answer.PROVED}


def test_threshold_129_breaks_the_bound_on_decodes_and_neither_claim():
    world, _ = CHANGED["decode_mode: b_col + 1"]
    certificate = prove(world)
    refuted = [row.lemma.name for row in certificate.rows if row.outcome.verdict != "proved"]
    assert refuted == ["decodes_fit"]
    follows = {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS}
    assert follows == {
        "run": "follows",
        "token_rate": "follows",
        "optimal_tiling": "follows",
        "arrival order": "follows",
        "decodes_fit": "is false",
        "clock": "follows",
        "leap": "follows",
    }


@pytest.mark.parametrize(
    ("name", "refuted", "open_ones"),
    [
        # each of these was proved, and its theorem said to follow, while a path breaks it
        (
            "want: nothing for a decode at a tile of 9",
            {"wantOf.decode"},
            {
                "run",
                "optimal_tiling",
                "token_rate",
                "arrival order",
                "decodes_fit",
                "clock",
                "leap",
            },
        ),
        ("budget: four tiles for decodes", {"batch_fits"}, {"token_rate"}),
        ("served_after: below nothing", {"rate.natural"}, {"token_rate"}),
        ("served_after: a token while idle", {"rate.idle"}, {"token_rate", "clock"}),
        ("done_after: below nothing", {"handle_done"}, {"optimal_tiling"}),
        ("order: by the tokens of the output", {"leap_order.decodes"}, {"leap"}),
        ("order: the least prefilled first", {"leap_order"}, {"leap"}),
    ],
)
def test_a_hypothesis_that_the_rules_do_not_meet_refutes_the_lemma_that_states_it(
    name, refuted, open_ones
):
    certificate = prove(CHANGED[name][0])
    found = {row.lemma.name for row in certificate.rows if row.outcome.verdict is Answer.REFUTED}
    assert refuted <= found
    said = {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS}
    not_so = ("does not follow", "is false")
    assert {name for name, word in said.items() if word in not_so} >= open_ones
    assert certificate.exit_code is Exit.FAILS


def test_the_machine_is_stuck_where_a_decode_wants_nothing():
    world, _ = CHANGED["want: nothing for a decode at a tile of 9"]
    path = (Session(7, 9, 0), Session(8, 9, 1))
    with pytest.raises(SchedulerError, match="never makes progress") as error:
        run(path, Deployment(b_col=9), world.scheduler)
    assert error.value.kind == "stuck"
    assert check(run(path, Deployment(b_col=8), world.scheduler), world.tiling).result != "fails"


def test_some_change_refutes_every_lemma_about_the_rules():
    # a lemma that no rule can break says nothing about the rules; these are about numbers alone
    about_numbers = {
        "fillAmounts_sum.base",
        "fillIter_ones.base",
        "mul_le_mul",
        "mul_mod",
        "le_mul",
    }
    quick = [
        one
        for one in LEMMAS
        if one.name not in about_numbers and "[" not in one.name and one.encoding != COMPOSITION
    ]
    left = {one.name for one in quick}
    # no rule can break these: they follow from the claim's form, or from time going on
    unbreakable = {
        "step_inv.wait",
        "served_rate",
        "leap_ends",
    }
    for world, _ in CHANGED.values():
        asked = [one for one in quick if one.name in left - unbreakable]
        answers = {one.name: solve(question(one, world)).verdict for one in asked}
        left -= {name for name, verdict in answers.items() if verdict is Answer.REFUTED}
    assert left == unbreakable


def test_an_order_is_proved_as_it_is_run():
    shortest = RuleScheduler(order=lambda job: job.prompt - job.prefilled)
    certificate = prove(world_of(Loaded.of(shortest, "mine")), scheduler="mine")
    refuted = {row.lemma.name for row in certificate.rows if row.outcome.verdict is Answer.REFUTED}
    assert refuted == {"serves_in_order"}
    [cti] = [row.cti for row in certificate.rows if row.cti is not None]
    assert cti.laws == ("a prompt gets tokens only where every earlier one is finished",)
    said = {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS}
    assert said["token_rate"] == said["optimal_tiling"] == "follows"
    assert said["clock"] == said["leap"] == "follows"
    assert said["arrival order"] == said["decodes_fit"] == "does not follow"


@pytest.mark.parametrize(
    "order",
    [
        lambda job: job.arrive,
        lambda job: (job.arrive, job.session),
        lambda job: -job.prefilled,
        lambda job: 0,
    ],
)
def test_an_order_that_keeps_arrivals_in_order_is_proved(order):
    [row] = prove(
        world_of(Loaded.of(RuleScheduler(order=order), "mine")), lemmas_named("serves_in_order")
    ).rows
    assert row.outcome.verdict is Answer.PROVED


def test_last_come_first_served_is_refuted():
    backwards = RuleScheduler(order=lambda job: (-job.arrive, -job.session))
    [row] = prove(world_of(Loaded.of(backwards, "mine")), lemmas_named("serves_in_order")).rows
    assert row.outcome.verdict is Answer.REFUTED
    assert row.cti.laws


def test_every_lemma_is_proved_by_both_and_reached():
    certificate = prove(solvers="both")
    assert {row.outcome.verdict for row in certificate.rows} == {Answer.PROVED}
    assert {row.second.verdict for row in certificate.rows} == {Answer.PROVED}
    assert not any(row.outcome.unreached for row in certificate.rows)
    # where a fill has passed nothing, and of a decode, the invariant says nothing
    silent = {row.lemma.name for row in certificate.rows if row.outcome.checks < 2}
    assert silent == {"one_part_filled.fill.begins", "optimal_tiling.rejoins"}
    assert certificate.exit_code is Exit.HOLDS
    assert len(certificate.rows) == len(LEMMAS)


def test_cvc5_alone_is_still_asked_about_vacuity():
    certificate = prove(WORLD, [TRUE, DEAD, FALSE], solvers="cvc5")
    verdicts = [row.outcome.verdict for row in certificate.rows]
    assert verdicts == [Answer.PROVED, Answer.VACUOUS, Answer.REFUTED]
