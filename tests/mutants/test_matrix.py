"""The kill matrix: a mutant is hunted, or gets away, with what else breaks."""

from __future__ import annotations

from radproof import Session, rad
from radproof.laws import checks
from radproof.mutants import CATALOGUE, TILE_OF_TWO, Mutant
from radproof.mutants.matrix import hunt, matrix


def test_a_mutant_is_caught_on_a_minimal_path() -> None:
    kill = hunt(CATALOGUE["tail_alone"])
    assert kill.killed_by == "prefill_filled"
    assert kill.path == (Session(0, 1, 0), Session(0, 1, 0))
    assert kill.minimal
    assert kill.seconds > 0


def test_a_right_scheduler_gets_away() -> None:
    (kill,) = matrix([Mutant("rad", rad, killed_by="mode", about="nothing is wrong")])
    assert (kill.killed_by, kill.path, kill.minimal) == (None, None, False)
    assert (kill.also, kill.refuted) == ((), None)


def test_what_else_breaks_and_the_refuted_lemma_are_reported() -> None:
    mixed, late = matrix([CATALOGUE["mixed"], CATALOGUE["arrivals_late"]])
    assert (mixed.killed_by, mixed.refuted) == ("unmixed", "serves_rad")
    assert "mode" in mixed.also
    assert "unmixed" not in mixed.also
    assert set(mixed.also) <= set(checks())
    assert (late.killed_by, late.refuted) == ("mode", None)  # Python, not in rule form


def test_a_mutant_is_hunted_at_its_own_deployment() -> None:
    assert CATALOGUE["no_minimum"].deployment != TILE_OF_TWO
    assert hunt(CATALOGUE["no_minimum"]).killed_by == "exact_duration"
