"""A parser of the fragment of Lean that radproof writes."""

import pytest

from radproof.lean.definitions import mirror
from radproof.lean.reader import (
    MOST_JOINED,
    MOST_NESTED,
    Definition,
    TermProof,
    Theorem,
    applied,
    commands,
    expression,
)
from radproof.lean.tokens import Unreadable


def name(text):
    return ("name", text)


a, b, c = name("a"), name("b"), name("c")
NAT, BOOL = ("Nat",), ("Bool",)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("12", ("number", 12)),
        ("i.tokens", name("i.tokens")),
        ("a + b * c", ("+", a, ("*", b, c))),
        ("a - b - c", ("-", ("-", a, b), c)),
        ("(a + b) * c", ("*", ("+", a, b), c)),
        ("a && b || c", ("||", ("&&", a, b), c)),
        ("a :: [b]", ("::", a, ("list", [b]))),
        ("a :: b :: c", ("::", a, ("::", b, c))),
        ("[]", ("list", [])),
        ("Nat.ble a (b + 1)", ("apply", name("Nat.ble"), [a, ("+", b, ("number", 1))])),
        ("fun x _ => x", ("fun", ["x", "_"], name("x"))),
        ("{ now := a, jobs := [] }", ("structure", None, {"now": a, "jobs": ("list", [])})),
        ("{ rad with take := a }", ("structure", "rad", {"take": a})),
        ("a /-! a note -/\n  + b", ("+", a, b)),
        (
            "match a, b with | 0, _ => a | k + 1, _ => b",
            (
                *("match", [a, b]),
                [
                    ([("number", 0), name("_")], a),
                    ([("+", name("k"), ("number", 1)), name("_")], b),
                ],
            ),
        ),
    ],
)
def test_expressions(text, read):
    assert expression(text) == read


def test_a_definition_and_a_theorem_with_their_lines():
    assert commands("\ndef n : Nat := 2\n\ntheorem t : n = 2 := rfl", line=7) == [
        Definition("n", (), NAT, ("number", 2), 8),
        Theorem("t", name("n"), ("number", 2), 10),
    ]


def test_a_theorem_about_what_is_reached_is_kept_word_by_word():
    found = commands(
        "theorem t : Reach c p s :=\n  f t_0\n\ntheorem u : ¬ P := fun h => h\ndef n : Nat := 2", 7
    )
    assert [type(one) for one in found] == [TermProof, TermProof, Definition]
    words = [[(text, line) for _, text, line in one.tokens] for one in found[:2]]
    assert words[0][:2] == [("t", 7), (":", 7)]
    assert words[0][-3:] == [(":=", 7), ("f", 8), ("t_0", 8)]
    assert [text for text, _ in words[1]] == ["u", ":", "¬", "P", ":=", "fun", "h", "=>", "h"]


def test_propositions_are_equations_implications_and_what_holds_for_all():
    (found,) = commands("def P (a : Nat) : Prop := ∀ b c, a = b → Q b → R c a")
    premise, conclusion = ("apply", name("Q"), [b]), ("apply", name("R"), [c, a])
    assert found.body == ("∀", ["b", "c"], ("→", ("=", a, b), ("→", premise, conclusion)))
    with pytest.raises(Unreadable, match="'=' begins neither"):
        commands("def n : Bool := a = b")


def test_a_relation_has_its_constructors():
    (found,) = commands(
        "inductive Reach (c : Nat) : Nat → Prop where\n"
        "  | start : Reach c 0\n  | step (s : Nat) : Reach c s → Reach c (f s)"
    )
    assert (found.name, found.parameters, found.index) == ("Reach", (("c", NAT),), NAT)
    start, step = found.rules
    assert start == ("start", (), ("apply", name("Reach"), [c, ("number", 0)]))
    assert step[:2] == ("step", (("s", NAT),))
    assert (step[2][0], applied(step[2][1]), applied(step[2][2])) == ("→", "Reach", "Reach")
    assert applied(a) == ""


def test_a_definition_with_parameters_has_their_types():
    (found,) = commands("def f {T : Type} (d e : Nat) (i : List T → Bool) : Bool := d")
    assert found.parameters == (("d", NAT), ("e", NAT), ("i", ("→", ("List", ("T",)), BOOL)))


def test_equations_are_rows_of_patterns():
    (found,) = commands("def size : List Job → Nat\n  | [] => 0\n  | _ :: rest => rest")
    assert found.body == (
        "equations",
        [([("list", [])], ("number", 0)), ([("::", name("_"), name("rest"))], name("rest"))],
    )


def test_types_have_constructors():
    state, outcome = commands(
        "structure State where\n  now : Nat\n  last : Option Record\n\n"
        "inductive Outcome where\n  | stays (j : Job)\n  | gone"
    )
    (made,) = state.constructors
    assert (made.name, made.fields) == ("State.mk", ("now", "last"))
    assert made.types == (NAT, ("Option", ("Record",)))
    assert [one.name for one in outcome.constructors] == ["Outcome.stays", "Outcome.gone"]


def test_the_mirror_is_of_the_fragment():
    body = mirror().partition("namespace Radproof\n")[2].rpartition("\nend Radproof")[0]
    assert len(commands(body)) > 70


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("def n : Nat := 1 ? 2", r"line 7: unexpected character '\?'"),
        ("def n : Nat :=\n  1 +\n\nend Radproof", "line 10: expected an expression, found 'end'"),
        ("def n : Nat := [1, 2\n\ndef", "line 9: expected ',', found 'def'"),
        ("def n : Nat := 1 -- one", "expected an expression, found '-'"),
        ("/- one -/\ndef n : Nat := 1", "line 7: '/' begins neither"),
        ("/-! one /- two -/ three -/\ndef n : Nat := 1", "line 7: unexpected character '!'"),
        ("def n Nat := 1", "line 7: expected ':', found 'Nat'"),
        ("def n.m : Nat := 1", "line 7: expected a name without a dot, found 'n.m'"),
        ("instance n := 1", "line 7: 'instance' begins neither a definition nor a theorem"),
        ("def n : Nat := 1\nend Radproof", "line 8: 'end' begins neither"),
        ("inductive R : Nat → Nat where", "line 7: expected a family of propositions"),
        ("def P : Prop := ∀ 1, a", "line 7: expected a name, found '1'"),
        ("def P : Nat := ¬ a", "line 7: expected an expression, found '¬'"),
        ("theorem t : n := rfl", "line 7: expected '=', found ':='"),
        ("def n : S := { a := 1, a := 2 }", "line 7: expected each field once, and a is there"),
        (f"def n : Nat :=\n {'(' * 99}", f"line 8: more than {MOST_NESTED} expressions within"),
        (f"def n : Nat := {'fun x => ' * 99}x", f"more than {MOST_NESTED} expressions within"),
        (f"def n : {'Nat → ' * 99}Nat := x", f"more than {MOST_NESTED} expressions within"),
        (f"def n : Nat := 1{' + 1' * (MOST_JOINED + 1)}", f"expected at most {MOST_JOINED} parts"),
        (f"def n : T := [{'1, ' * MOST_JOINED}1]", f"expected at most {MOST_JOINED} items"),
    ],
)
def test_what_is_not_of_the_fragment_is_named_with_its_line(facts, said):
    with pytest.raises(Unreadable, match=said):
        commands(facts, line=7)
