"""Expressions evaluated as Lean evaluates them."""

import pytest

from radproof import CLAIMS, SEED, Session
from radproof.lean import literals, twin
from radproof.lean.errors import NotTheSame
from radproof.lean.interpret import Meaning
from radproof.lean.reader import FACTS_BEGIN, expression, parse_source
from radproof.rules import RULES, SIGNATURES

RECORD = twin.Record(0, 4640, 0, 128, 128, 0, 0, 1, 128)


def meaning(facts=""):
    return Meaning(parse_source(f"\n{FACTS_BEGIN}\n{facts}"))


def value(text, facts=""):
    return meaning(facts).of(expression(text))


@pytest.mark.parametrize(
    ("text", "is_"),
    [
        ("2 - 3", 0),
        ("7 / 2", 3),
        ("7 / 0", 0),
        ("7 % 4", 3),
        ("7 % 0", 7),
        ("1 + 2 * 3", 7),
        ("minimum 2 3 + maximum 2 3", 5),
        ("Nat.ble 3 3 && Nat.beq 3 4", False),
        ("Nat.ble 4 3 || same true true", True),
        ("cond (Nat.ble 1 0) 5 6", 6),
        ("[1, 2] ++ List.replicate 2 0", [1, 2, 0, 0]),
        ("numbersFrom 3 2", [3, 4]),
        ("List.all [1, 2] (fun n => Nat.ble n 1)", False),
        ("(fun a b => a - b) 5 3", 2),
        ("jobsFrom 4 2 (Session.mk 0 1 0) false 0", [
            twin.Job(4, Session(0, 1, 0), False, 0), twin.Job(5, Session(0, 1, 0), False, 0),
        ]),
        ("sortBy (fun j => [j.done]) [Job.mk 0 (Session.mk 0 9 0) false 7, "
         "Job.mk 1 (Session.mk 0 9 0) false 3]", [
            twin.Job(1, Session(0, 9, 0), False, 3), twin.Job(0, Session(0, 9, 0), False, 7),
        ]),
    ],
)  # fmt: skip
def test_values(text, is_):
    assert value(text) == is_


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nobody + 1", "the name nobody is used before it is defined"),
        ("Nat.ble 1", "invalid arguments to Nat.ble: .*missing 1 required positional argument"),
        ("Session.mk 1 2", "invalid arguments to Session.mk: "),
        ("Nat.ble 1 [2]", "invalid arguments to Nat.ble: .*not supported"),
        ("{ now := 0, served := 1 }", "the structure with the fields now, served is not valid"),
        ("{ demand := 1 }", "the structure with the fields demand is not valid"),
        (
            "{ bCol := 128, bRow := 1, bRed := 1, bLcm := 64, tLin := 1, tNl := 1, chunk := 1 }",
            "bLcm is 64, but the tiles give 128",
        ),
    ],
)
def test_an_expression_without_a_value_is_refused(text, said):
    with pytest.raises(NotTheSame, match=said):
        value(text)


def test_definitions_are_evaluated_in_order():
    found = meaning("def n : Nat := 2\ndef m : Nat := n * n").values
    assert found == {"n": 2, "m": 4}
    with pytest.raises(NotTheSame, match="the name n is used before it is defined"):
        meaning("def m : Nat := n * n\ndef n : Nat := 2")


def test_rad_means_what_rad_computes():
    rad = meaning().names["rad"].rules
    values = {int: (5, 300), bool: (True, False)}
    for rule, signature in SIGNATURES.items():
        kinds = list(signature.parameters.values())
        for place in range(2):
            given = [values[kind][place] if kind in values else SEED for kind in kinds]
            assert getattr(rad, rule)(*given) == getattr(RULES, rule)(*given), rule


def test_changed_rules_keep_the_others():
    facts = "def changed : Rules := { rad with servedAfter := fun served tokens => served }"
    changed = meaning(facts).values["changed"]
    assert changed.rules.served_after(3, 4) == 3
    assert changed.rules.done_after(3, 4) == 7
    assert changed.order([2, 1]) == [2, 1]


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: claim.name)
def test_a_claim_of_the_mirror_is_the_claim(claim):
    node, record = literals.deployment(SEED), literals.record(RECORD)
    facts = f"def node : Deployment := {node}\ndef i0 : Record := {record}"
    assert value(f"{claim.name} node i0", facts) is bool(claim.holds(RECORD, SEED))


def test_a_claim_on_the_latest_record_holds_where_there_is_none():
    state = literals.state(twin.start(twin.Config(SEED), ()), None)
    facts = f"def node : Deployment := {literals.deployment(SEED)}\ndef s0 : State := {state}"
    facts += "\ndef config : Config := { deployment := node, rules := rad }"
    assert value("onLast token_rate config s0", facts) is True
