"""A parser of the fragment of Lean that radproof writes."""

import pytest

from radproof.lean.errors import NotTheSame
from radproof.lean.reader import FACTS_BEGIN, expression, parse_source


def name(text):
    return ("name", text)


a, b, c = name("a"), name("b"), name("c")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("12", ("number", 12)),
        ("i.tokens", name("i.tokens")),
        ("a + b * c", ("+", a, ("*", b, c))),
        ("a - b - c", ("-", ("-", a, b), c)),
        ("(a + b) * c", ("*", ("+", a, b), c)),
        ("a && b || c", ("||", ("&&", a, b), c)),
        ("[a, b] ++ c", ("++", ("list", [a, b]), c)),
        ("[]", ("list", [])),
        ("Nat.ble a (b + 1)", ("apply", name("Nat.ble"), [a, ("+", b, ("number", 1))])),
        ("fun x _ => x", ("fun", ["x", "_"], name("x"))),
        ("{ now := a, jobs := [] }", ("structure", None, {"now": a, "jobs": ("list", [])})),
        ("{ rad with take := a }", ("structure", "rad", {"take": a})),
        ("a /- a note -/ -- and another\n  + b", ("+", a, b)),
    ],
)
def test_expressions(text, read):
    assert expression(text) == read


def file(facts):
    return f"the mirror\n\n{FACTS_BEGIN}\n\nnamespace Radproof\n\n{facts}\n\nend Radproof\n"


def test_a_file_is_its_preamble_its_definitions_and_its_theorems():
    source = parse_source(file("def n : Nat := 2\n\ntheorem t : n = 2 := rfl"))
    assert source.preamble == "the mirror\n"
    assert source.definitions == {"n": ("number", 2)}
    assert source.theorems == {"t": (name("n"), ("number", 2))}


def test_a_definition_with_parameters_is_a_function():
    source = parse_source(file("def f (d : Deployment) (i : Record) : Bool :=\n  Nat.ble i d"))
    assert source.definitions["f"] == (
        *("fun", ["d", "i"]),
        ("apply", name("Nat.ble"), [name("i"), name("d")]),
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("def n : Nat := 1 ? 2", r"line 7: unexpected character '\?'"),
        ("def n : Nat :=\n  1 +", "line 10: expected an expression, found 'end'"),
        ("def n : Nat := [1, 2", "line 9: expected ',', found 'end'"),
        ("def n Nat := 1", "line 7: expected ':', found 'Nat'"),
        ("instance n := 1", "line 7: 'instance' begins neither a definition nor a theorem"),
        ("def n : Nat := 1\ndef n : Nat := 1", "line 8: n is defined twice"),
        ("theorem t : n = 1 := sorry", "line 7: theorem t is not closed by rfl"),
        ("theorem t : n := rfl", "line 7: expected '=', found ':='"),
    ],
)
def test_what_is_not_of_the_fragment_is_named_with_its_line(facts, said):
    with pytest.raises(NotTheSame, match=said):
        parse_source(file(facts), "it")


def test_a_text_without_facts_is_refused():
    with pytest.raises(NotTheSame, match=r"^it, line 1: `set_option maxRecDepth`, .* is missing"):
        parse_source("def n : Nat := 1", "it")
