"""Test terms: a run, or a counterexample with the right rules' run beside it."""

import re

import attrs
import pytest
from lean.drawn import PAIR, subject

from radproof import CLAIMS, SEED, Claim, Deployment, RuleScheduler, Session
from radproof.errors import BadInput
from radproof.lean import twin
from radproof.lean.budget import MOST_EVENTS
from radproof.lean.errors import NotInLean, TooLarge
from radproof.lean.export import conformance, counterexample, own_claims
from radproof.lean.roundtrip import read_back
from radproof.mutants import chunk_127, threshold_127

TILING, RATE = CLAIMS["optimal_tiling"], CLAIMS["token_rate"]
MINE = Claim(name="my-bound", kind="every iteration", holds=lambda i, d: i.tokens <= d.b_col - 1)


def theorems(document):
    return re.findall(r"^theorem (\S+) : (.*?) := rfl", document.text(), re.MULTILINE | re.DOTALL)


def test_a_run_states_each_event_and_each_claim_on_each_iteration():
    document = conformance(subject())
    names = [name for name, _ in theorems(document)]
    assert names.count("t_0") == 1
    assert len([name for name in names if name.startswith("t_")]) == document.events + 1
    iterations = len(re.findall(r"^def i\d+ : Record", document.text(), re.MULTILINE))
    for claim in CLAIMS:
        assert [n for n in names if re.fullmatch(rf"{claim}_\d+", n)] == [
            f"{claim}_{place}" for place in range(iterations)
        ]
    assert ("given_optimal_tiling_path", "List.all path (given_optimal_tiling node) = true") in (
        theorems(document)
    )


def test_a_horizon_ends_the_run_and_is_said():
    document = conformance(subject(horizon=4640))
    assert "Horizon: 4640 microseconds, inclusive." in document.text()
    assert document.events < conformance(subject()).events


def test_a_counterexample_stops_where_the_claim_breaks():
    document = counterexample(subject((Session(0, 256, 1),), scheduler=chunk_127), TILING)
    stated = dict(theorems(document))
    assert stated["breaks"] == "optimal_tiling node i0 = false"
    assert "def i1 " not in document.text()
    assert "def right_i1 " in document.text()
    assert stated["right_optimal_tiling_0"] == "optimal_tiling node right_i0 = true"


def test_the_right_run_has_whole_chunks():
    small = Deployment(chunk=64)
    document = counterexample(subject((Session(0, 128, 1),), small), TILING)
    assert "def right_node : Deployment :=" in document.text()
    assert "chunk := 64 }" in document.text()
    assert ("right_optimal_tiling_0", "optimal_tiling right_node right_i0 = true") in (
        theorems(document)
    )


def test_where_rad_breaks_the_claim_too_there_is_no_contrast():
    document = counterexample(subject(scheduler=threshold_127), MINE)
    assert "RAD's own run of this path breaks the claim too" in document.text()
    assert "def right_" not in document.text()


def test_a_path_that_breaks_nothing_is_not_a_counterexample():
    with pytest.raises(BadInput, match="holds in every iteration"):
        counterexample(subject(), RATE)
    with pytest.raises(BadInput, match="outside the given"):
        counterexample(subject((Session(0, 129, 1),)), TILING)


def test_the_given_is_demanded_unless_it_is_dropped():
    document = counterexample(subject((Session(0, 129, 1),)), TILING, given=False)
    assert dict(theorems(document))["given_optimal_tiling_path"].endswith("= false")


def test_a_claim_of_a_whole_run_has_no_counterexample_in_one_iteration():
    whole = attrs.evolve(MINE, kind="whole run")
    with pytest.raises(
        BadInput, match="is of the kind 'whole run'; a Lean counterexample is about"
    ):
        counterexample(subject(), whole)


def test_a_claim_that_is_not_arithmetic_is_refused():
    with pytest.raises(NotInLean, match="claim claim_my_bound cannot be written in Lean"):
        conformance(subject(), [attrs.evolve(MINE, holds=lambda i, d: min(i.tokens, 2) <= 2)])


def test_too_long_a_run_is_refused_with_the_remedy(monkeypatch):
    """Where the rules fill a batch in another way than RAD's, no stretch is a theorem."""
    longest = RuleScheduler(order=lambda job: (job.prompt,))
    with pytest.raises(TooLarge, match=rf"more than {MOST_EVENTS} events.*Shrink the path"):
        conformance(subject((Session(0, 1, 10**4),), scheduler=longest))
    monkeypatch.setattr("radproof.lean.stretches.MOST_SERVED", 1000)
    with pytest.raises(TooLarge, match=r"more than 1000 residents.*Shrink the path"):
        conformance(subject((Session(0, 1, 10**9),)))


LONG = (*(Session(0, 1280, 3),) * 5, Session(10**6, 0, 400))


def test_a_long_run_is_written_in_stretches():
    document = conformance(subject(LONG))
    text = document.text()
    assert text.startswith("import Proofs.Along\n")
    run_of = list(twin.event_states(twin.Config(SEED), LONG))
    assert document.events == len(run_of) - 1 > MOST_EVENTS
    reading = read_back(text, "it")
    assert [run_of[event] for event in reading.events] == list(reading.states)
    assert reading.events[-1] == len(run_of) - 1
    leaps = re.findall(r"theorem t_\d+ : steps config (\d+) s\d+ = s\d+ :=", text)
    assert sum(map(int, leaps)) + text.count(" : step config s") == document.events
    assert "theorem reach_0 : Reach config path s0" in text
    assert "theorem token_rate_0 : token_rate node i0 = true := rfl" in text


def test_a_long_counterexample_is_refuted_in_stretches():
    path = (Session(0, 1280, 400),) * 130
    pair = Deployment(b_col=2, t_lin=40, t_nl=5, chunk=2)
    text = counterexample(subject(path, pair, threshold_127), TILING).text()
    read_back(text, "it")
    assert "theorem refuted : \u00ac EveryIteration config (Tiled node) optimal_tiling" in text
    assert "right_" not in text
    assert text.count("theorem reach_") == text.count(" : State :=")


def test_the_mirror_may_be_imported():
    text = conformance(subject(imports=True)).text()
    assert text.startswith("import RadproofMirror\n")
    assert read_back(text, "it").path == PAIR


def test_only_a_user_s_claims_are_defined_in_the_file():
    assert own_claims([RATE, MINE]) == {"claim_my_bound": MINE}
    again = attrs.evolve(RATE, statement="mine")
    assert own_claims([again]) == {"claim_token_rate": again}
    text = conformance(subject(), [RATE, MINE]).text()
    assert text.count("def claim_my_bound (d : Deployment) (i : Record) : Bool :=") == 1
