"""The mirror's text: rules, claims and conditions written from the functions that run."""

import re

import attrs
import pytest

from radproof import CLAIMS, RULES, Claim, RuleScheduler
from radproof.lean.definitions import (
    claim_definition,
    lean_name,
    mirror,
    rule_fields,
    rule_form,
    rules_definition,
)
from radproof.lean.errors import NotInLean
from radproof.lean.expressions import lean_field
from radproof.lean.state_invariants import CONDITIONS
from radproof.rules import SIGNATURES
from radproof.schedulers.loading import Loaded

STRUCTURE = mirror().partition("structure Rules where\n")[2].partition("\n\n")[0]


def test_the_structure_of_rules_has_each_rule_with_its_type():
    lines = STRUCTURE.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [lean_field(rule) for rule in SIGNATURES]
    assert "  want : Bool → Nat → Deployment → Nat" in lines
    assert "  decodeMode : Nat → Nat → Deployment → Bool" in lines
    assert lines[-1] == "  order : List Job → List Job"


def test_no_mark_of_the_template_is_left():
    assert not re.search("^--", mirror(), re.MULTILINE)


def test_the_mirror_has_every_claim_and_every_condition_once():
    for name in (*CLAIMS, *CONDITIONS):
        assert len(re.findall(rf"^def {name}\b", mirror(), re.MULTILINE)) == 1


def test_a_rule_that_is_not_arithmetic_is_named():
    def want(decoding, left, d):
        return 1 if decoding else min(left, d.chunk)

    faulty = RuleScheduler(attrs.evolve(RULES, want=want))
    with pytest.raises(NotInLean, match=r"rule want .*radproof\.number"):
        rule_fields(faulty)


def test_a_number_below_zero_is_refused():
    faulty = RuleScheduler(attrs.evolve(RULES, take=lambda wanted, remaining: -1))
    with pytest.raises(NotInLean, match="below 0"):
        rule_fields(faulty)


def test_only_what_is_changed_is_written():
    changed = RuleScheduler(attrs.evolve(RULES, serves=lambda mode, decoding: True))
    assert rules_definition("changed", changed) == (
        "def changed : Rules :=\n  { rad with\n    serves := fun _ _ => true }"
    )
    assert rules_definition("same", RuleScheduler()) == "def same : Rules := rad"


def test_a_changed_rule_has_the_parameters_of_rad_under_any_names():
    changed = RuleScheduler(attrs.evolve(RULES, budget=lambda m, node: node.b_col))
    assert rule_fields(changed)["budget"] == "fun _ d => d.bCol"


def test_an_order_may_differ_by_phase():
    order = RuleScheduler(order=lambda job: (job.phase == "decode", job.prompt - job.prefilled))
    assert rule_fields(order)["order"] == (
        "fun jobs => sortBy (fun j => cond j.decoding [1, j.session.prompt - j.session.prompt] "
        "[0, j.session.prompt - j.done]) jobs"
    )


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (None, "fun jobs => jobs"),
        (lambda job: job.arrive, "fun jobs => sortBy (fun j => [j.session.arrive]) jobs"),
        (lambda job: 0, "fun jobs => sortBy (fun _ => [0]) jobs"),
    ],
)
def test_an_order_that_is_the_same_in_both_phases_is_written_once(order, text):
    assert rule_fields(RuleScheduler(order=order))["order"] == text


@pytest.mark.parametrize("order", [lambda job: str(job.arrive), lambda job: job.waited])
def test_an_order_that_is_not_arithmetic_is_refused(order):
    with pytest.raises(NotInLean, match="the order cannot be written in Lean"):
        rule_fields(RuleScheduler(order=order))


def test_plain_code_is_not_in_rule_form():
    with pytest.raises(NotInLean, match="Write it in rule form"):
        rule_form(Loaded.of(lambda view: ((), None), "mine:it"))


def test_a_claim_leaves_out_what_it_does_not_read():
    claim = Claim(name="ends-late", kind="every iteration", holds=lambda i, d: i.end > i.start)
    assert claim_definition(claim) == (
        "def ends_late (_ : Deployment) (i : Record) : Bool :=\n  Nat.ble (i.start + 1) i.stop"
    )


def test_a_claim_with_a_given_says_what_it_asks_of_a_session():
    claim = Claim(
        name="short",
        kind="every iteration",
        holds=lambda i, d: i.tokens <= d.b_col,
        given=lambda session, d: session.prompt <= d.b_lcm,
    )
    definition, given = claim_definition(claim).split("\n\n")
    assert definition.startswith("def short (d : Deployment) (i : Record) : Bool :=")
    assert given.endswith(
        "def given_short (d : Deployment) (s : Session) : Bool :=\n  Nat.ble s.prompt d.bLcm"
    )


def test_a_claims_name_becomes_an_identifier():
    assert lean_name("my-bound µ2") == "my_bound__2"
