"""Induction over the path by Spacer: what is proved no path breaks, and no answer is believed."""

from __future__ import annotations

from itertools import combinations_with_replacement

import attrs
import pytest
import z3
from proof.changed_rules import CHANGED

from radproof.claims import check
from radproof.errors import SchedulerError
from radproof.lemmas.obligations import WORLD
from radproof.lemmas.path_systems import DEPLOYMENTS, SYSTEMS
from radproof.model import Session
from radproof.proof import horn
from radproof.proof.answers import Answer
from radproof.proof.certificate import Certificate, Exit
from radproof.proof.horn import inductions
from radproof.proof.tables import console, show
from radproof.runs import run

SMALL = DEPLOYMENTS[0]
NAMES = [f"{name}[{d.b_col}x{d.b_lcm}]" for name in SYSTEMS for d in DEPLOYMENTS]


def verdicts(world):
    return {one.name: one.verdict for one in inductions(world)}


def test_both_claims_of_rad_are_proved_at_every_deployment():
    found = list(inductions(WORLD, second=True))
    assert [one.name for one in found] == NAMES
    assert NAMES[-1] == "optimal_tiling[128x512]"
    assert {one.verdict for one in found} == {Answer.PROVED}
    assert all(one.invariant and one.questions >= 4 for one in found)


SESSIONS = [
    Session(arrive, prompt, output)
    for arrive in (0, 4021)
    for prompt in (0, 1, 4, 8)
    for output in (0, 1, 3)
]
PATHS = [path for size in (1, 2) for path in combinations_with_replacement(SESSIONS, size)]
PATHS += [(Session(0, 4, 2),) * size for size in (3, 4)] + [(Session(0, 0, 3),) * 3]


def broken(world, claim):
    """A small path on which the claim fails, None: there is none."""
    for path in PATHS:
        try:
            found = run(path, SMALL, world.scheduler, limit=60)
        except SchedulerError:
            continue
        if check(found, claim).result == "fails":
            return path
    return None


@pytest.mark.parametrize("name", CHANGED)
def test_no_path_breaks_what_is_proved(name):
    world, _ = CHANGED[name]
    found = verdicts(world)
    for claim in (world.rate, world.tiling):
        if found[f"{claim.name}[2x4]"] is Answer.PROVED:
            assert broken(world, claim) is None


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("duration: t_lin - 1", "token_rate"),
        ("served_after: twice", "token_rate"),
        ("decode_mode: any decode", "optimal_tiling"),
        ("budget: a prefill token too few", "optimal_tiling"),
        ("want: half of what is left", "optimal_tiling"),
        ("done_after: one too many", "optimal_tiling"),
        ("take: the larger", "optimal_tiling"),
        ("optimal_tiling: no hypothesis", "optimal_tiling"),
    ],
)
def test_a_changed_rule_is_refuted(name, claim):
    found = verdicts(CHANGED[name][0])
    assert {found[one] for one in NAMES if one.startswith(claim)} == {Answer.REFUTED}


def test_an_order_is_unknown_to_the_abstraction_of_one_prompt():
    found = list(inductions(CHANGED["order: shortest first"][0]))
    assert [one.verdict for one in found] == [Answer.PROVED] * 3 + [Answer.UNKNOWN] * 3
    assert found[-1].reason == "the abstraction keeps one prompt; an order may serve another"


def test_out_of_its_budget_it_says_so(monkeypatch):
    monkeypatch.setattr(horn, "SPACER_BUDGET", 10)
    assert {(one.verdict, one.reason) for one in inductions(WORLD)} == {
        (Answer.UNKNOWN, "out of its budget")
    }


@pytest.mark.parametrize(
    ("invariant", "wrong"),
    [
        (lambda now, served: True, "it gives the claim"),
        (lambda now, served: served >= 1, "it holds at time 0"),
        (lambda now, served: served == 0, "kept by: an iteration"),
    ],
)
def test_an_invariant_is_believed_only_where_plain_questions_confirm_it(
    invariant, wrong, monkeypatch
):
    def says(clauses):
        now, served = bound = [z3.Var(1, z3.IntSort()), z3.Var(0, z3.IntSort())]
        solution = clauses.relation(*bound) == z3.And(invariant(now, served))
        return z3.unsat, solution.translate(z3.Context())

    monkeypatch.setattr(horn, "_spacer", says)
    monkeypatch.setattr(horn, "SYSTEMS", {"token_rate": SYSTEMS["token_rate"]})
    for one in inductions(WORLD):
        assert one.verdict is Answer.UNKNOWN
        assert one.reason.startswith("Spacer's invariant is not confirmed: ")
        assert wrong in one.reason


def test_a_solution_that_names_no_invariant_is_not_believed(monkeypatch):
    monkeypatch.setattr(horn, "_spacer", lambda clauses: (z3.unsat, z3.BoolVal(True)))
    assert {one.reason for one in inductions(WORLD)} == {"Spacer names no invariant"}


def test_a_claim_that_spacer_breaks_leaves_no_clean_certificate(capsys):
    proved, refuted = (
        next(iter(inductions(world))) for world in (WORLD, CHANGED["token_rate: too fast"][0])
    )
    clean = Certificate("rad", "0" * 64, ("z3",), (), (proved,))
    assert clean.exit_code is Exit.HOLDS
    broken = attrs.evolve(clean, inductions=(proved, refuted))
    assert broken.exit_code is Exit.UNKNOWN
    assert [one["verdict"] for one in broken.as_json()["inductions"]] == ["proved", "refuted"]
    show(broken, console())
    shown = capsys.readouterr().out
    assert "token_rate[2x4]: proved by (not" in shown
    assert "which 4 plain questions confirm" in shown
    assert "token_rate[2x4]: refuted: the moves, of which" in shown
