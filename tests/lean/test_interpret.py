"""The fragment evaluated as Lean evaluates it."""

import sys

import pytest

from radproof import CLAIMS, SEED
from radproof.lean import literals, twin
from radproof.lean.core import MOST_ITEMS, Meaningless
from radproof.lean.interpret import Program, machine
from radproof.lean.reader import commands, expression
from radproof.lean.tokens import Unreadable
from radproof.rules import RULES, SIGNATURES

RECORD = twin.Record(0, 4640, 0, 128, 128, 0, 0, 1, 128)


def value(text, facts=""):
    return Program(commands(facts), machine()).value(expression(text))


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
        ("chains [[1, 2], [], numbersFrom 0 2]", (1, 2, 0, 1)),
        ("1 :: 2 :: []", (1, 2)),
        ("numbersFrom 3 2", (3, 4)),
        ("List.all [1, 2] (fun n => Nat.ble n 1)", False),
        ("List.map (Nat.ble 2) [1, 2]", (False, True)),
        ("(fun a b => a - b) 5 3", 2),
        ("(fun a => fun b => a - b) 5 3", 2),
        ("match [1, 2] with | [] => 0 | a :: _ => a", 1),
        ("match 5 with | 0 => 0 | k + 1 => k", 4),
        ("match some 3 with | none => 0 | some n => n", 3),
        ("match true, 0 with | false, _ => 1 | true, 0 => 2 | _, _ => 3", 2),
        ("size (join [1, 2] [3])", 3),
        ("gcdWithin 12 18 12", 6),
        ("leastMultiple 4 6", 12),
    ],
)
def test_values(text, is_):
    assert value(text) == is_
    assert type(value(text)) is type(is_)


def test_a_list_as_long_as_any_is_gone_through():
    assert value(f"size (numbersFrom 0 {MOST_ITEMS})") == MOST_ITEMS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nobody + 1", "the name nobody is used before it is defined"),
        ("Nat.ble true 1", "what is no natural number is computed with"),
        ("true + 1", "what is no natural number is computed with"),
        ("cond 1 2 3", "what is no Bool is asked for its truth"),
        ("1 && true", "what is no Bool is asked for its truth"),
        ("1 :: 2", "what is no list is used as one"),
        ("1 2", "what is no function is applied"),
        ("{ now := 0, served := 1 }", "no structure has exactly the fields now, served"),
        ("{ demand := 1 }", "no structure has exactly the fields demand"),
        ("{ rad with demand := 1 }", "demand are not all fields of what is changed"),
        ("(fun s => s.prompt) 3", "s.prompt names a field that its value does not have"),
        ("match 1 with | 0 => 0", "no row of a match has the value"),
        ("match 1 with | 1 + n => 0", "a pattern is not of the fragment"),
        ("fun true => 1", "true is a name of Lean's core, and no variable"),
        ("alike 99999999999 0", "it recurses too deeply: a list or a count is too long"),
        ("numbersFrom 0 99999999999", "it recurses too deeply: a list or a count is too long"),
        ("0 :: numbersFrom 0 6000", f"a list has more than {MOST_ITEMS} items"),
        (f"{'(fun n => n * n) (' * 5}{'9' * 999}{')' * 5}", "a number grows beyond what any run"),
    ],
)
def test_an_expression_without_a_value_is_refused(text, said):
    before = sys.getrecursionlimit()
    with pytest.raises(Meaningless, match=said):
        value(text)
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize(
    "text",
    [
        "true.__class__",
        "rad.__init__.__globals__",
        "Nat.ble.__call__",
        "List.all.run",
        "[].__class__",
        "start.arity",
        "rad.made_by",
        "rad.order.name",
        "print",
        "open",
        "getattr",
    ],
)
def test_no_name_leads_out_of_the_text(text):
    """`lean read` used to look fields up in Python: eight such definitions made a folder."""
    with pytest.raises((Meaningless, Unreadable)):
        value(text)


UP_TO = """inductive UpTo (n : Nat) : Nat → Prop where
  | here : UpTo n 0
  | next (m : Nat) : UpTo n m → UpTo n (cond (Nat.ble n m) m (m + 1))

def Below (n : Nat) (f : Nat → Prop) : Prop := ∀ m k, UpTo n m → f m → Nat.ble m k = true
"""


def test_a_relation_is_true_of_what_it_reaches():
    assert [m for m in range(9) if value(f"UpTo 3 {m}", UP_TO)] == [0, 1, 2, 3]
    assert value("UpTo 0 0", UP_TO) is True


def test_what_holds_for_all_is_a_truth_for_each():
    for m, k, f, is_ in (
        (3, 2, "true", False),
        (3, 3, "true", True),
        (4, 2, "true", True),
        (3, 2, "false", True),
    ):
        assert value(f"Below 3 (fun _ => {f}) {m} {k}", UP_TO) is is_


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("UpTo n m → UpTo", "UpTo", "a constructor is not of the fragment"),
        ("UpTo n m → UpTo", "UpTo m m → UpTo", "a constructor is not of the fragment"),
        ("UpTo n m → UpTo", "UpTo n m → UpTo n m → UpTo", "a constructor is not of the fragment"),
        ("(m : Nat)", "(m k : Nat)", "a constructor is not of the fragment"),
        ("here : UpTo n 0", "here : UpTo 0 0", "a constructor is not of the fragment"),
        ("here : UpTo n 0", "here : Nat", "a constructor is not of the fragment"),
        ("(cond (Nat.ble n m) m (m + 1))", "(m + 1)", f"reaches more than {MOST_ITEMS} values"),
        ("Nat.ble m k = true", "Nat.ble m k = 1", "what cannot be compared is compared"),
        ("Nat.ble m k = true", "f = f", "what cannot be compared is compared"),
    ],
)
def test_a_proposition_that_is_not_of_the_fragment_is_refused(before, after, said):
    with pytest.raises((Meaningless, Unreadable), match=said):
        value("Below 3 (fun _ => true) 1 1", UP_TO.replace(before, after, 1))


def test_definitions_are_evaluated_in_order():
    program = Program(commands("def n : Nat := 2\ndef m : Nat := n * n"))
    assert (program.names["n"], program.names["m"]) == (2, 4)
    with pytest.raises(Unreadable, match="line 1: m: the name n is used before it is defined"):
        Program(commands("def m : Nat := n * n\ndef n : Nat := 2"))
    with pytest.raises(Unreadable, match="line 2: n is defined twice"):
        Program(commands("def n : Nat := 2\ndef n : Nat := 2"))
    with pytest.raises(Unreadable, match="line 1: cond is defined twice"):
        Program(commands("def cond : Nat := 2"))
    with pytest.raises(Unreadable, match="line 1: theorem t is not a definition"):
        Program(commands("theorem t : 1 = 1 := rfl"))


def test_rad_means_what_rad_computes():
    node = literals.deployment(SEED)
    numbers, truths = ("5", "300"), ("true", "false")
    for rule, signature in SIGNATURES.items():
        kinds = list(signature.parameters.values())
        for place in range(2):
            texts = [
                numbers[place] if kind is int else truths[place] if kind is bool else node
                for kind in kinds
            ]
            given = [
                int(numbers[place]) if kind is int else place == 0 if kind is bool else SEED
                for kind in kinds
            ]
            lean = next(
                n for n in value("rad").made_by.fields if n.lower() == rule.replace("_", "")
            )
            found = value(f"(fun r => r.{lean} {' '.join(f'({t})' for t in texts)}) rad")
            assert found == getattr(RULES, rule)(*given), rule


def test_changed_rules_keep_the_others():
    facts = "def changed : Rules := { rad with servedAfter := fun served tokens => served }"
    for text, is_ in (("servedAfter", 3), ("doneAfter", 7)):
        assert value(f"(fun r => r.{text} 3 4) changed", facts) == is_
    assert value("(fun r => r.order [2, 1]) changed", facts) == (2, 1)


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
