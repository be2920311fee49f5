"""Counterexamples to induction: believed when the machine confirms them, saved, replayed."""

from __future__ import annotations

from proof.changed_rules import CHANGED

from radproof.claims import check
from radproof.files.paths import read
from radproof.files.states import read as read_state
from radproof.lemmas.catalogue import LEMMAS, lemmas_named
from radproof.lemmas.obligations import WORLD
from radproof.model import Session
from radproof.proof import cti, step_replay
from radproof.proof.prove import prove
from radproof.runs import run
from radproof.schedulers import RuleScheduler


def found(change, name):
    """The counterexample to the lemma of this name, and its world."""
    world, _ = CHANGED[change]
    (one,) = (one for one in LEMMAS if one.name == name)
    (row,) = prove(world, [one], scheduler="mine").rows
    return row.cti, world


def test_a_model_that_breaks_nothing_is_not_real():
    # under RAD itself the lemma is true, so ints do not confirm a model of any solver
    (one,) = lemmas_named("handle_work")
    claimed = cti.confirm(one, WORLD, {"total": 3, "done": 1, "share": 1})
    assert not claimed.real
    assert not claimed.replays
    outside = cti.confirm(one, WORLD, {"total": 3, "done": 5, "share": 1})
    assert not outside.real


def test_the_table_of_a_ragged_tail():
    counterexample, _ = found("optimal_tiling: no hypothesis", "rad_start[4]")
    text = "\n".join(cti.describe(counterexample))
    assert "  breaks: optimal_tiling" in text
    assert "    session  phase    left  batch  after\n    0        prefill  1     1 " in text
    assert "the machine's step confirms it: optimal_tiling" in text
    assert "reached at t = 0 by the path (0, 1, 1)" in text


def test_a_claim_is_saved_as_a_path_on_which_it_fails(tmp_path):
    counterexample, world = found("decode_mode: b_col - 1", "rad_batch")
    file = counterexample.save(tmp_path, world, "0123456789")
    assert file.name == "rad_batch-01234567.path.json"
    saved = read(file)
    verdict = check(run(saved.sessions, saved.deployment, RuleScheduler(world.rules)), world.tiling)
    assert verdict.result == "fails"
    assert verdict.first == saved.breaks.first
    assert check(run(saved.sessions, saved.deployment), world.tiling).result == "holds"


def test_a_law_that_is_not_a_claim_is_saved_as_a_state_and_replayed(tmp_path):
    counterexample, world = found("done_after: one too many", "handle_work")
    file = counterexample.save(tmp_path, world, "0123456789")
    saved = read_state(file)
    assert step_replay.scene_of(saved) == counterexample.scene
    assert step_replay.replay(saved, world)[1] == counterexample.laws != ()
    assert step_replay.replay(saved, WORLD)[1] == ()
    text, reproduced = step_replay.step_report(saved, WORLD, "rad")
    assert not reproduced
    assert text.endswith("breaks no watched law.")


def test_a_path_is_attached_only_inside_the_claims_given():
    # with Assumption 3 in force, no path with a ragged prompt may be called reachable
    for change in ("want: half of what is left", "budget: a prefill token too few"):
        counterexample, _ = found(change, "rad_batch")
        path = counterexample.reached.file.sessions
        tile = counterexample.scene.deployment.b_lcm
        assert all(session.prompt % tile == 0 for session in path)


def test_a_bound_on_decodes_is_reached_without_empty_prompts():
    counterexample, _ = found("decode_mode: b_col + 1", "decodes_fit")
    path = counterexample.reached.file.sessions
    assert all(isinstance(one, Session) and one.prompt > 0 for one in path)
