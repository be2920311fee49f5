"""What a file has, by name."""

from radproof.lean.content import Source
from radproof.lean.reader import commands, expression

FACTS = """def n : Nat := 1
def s : State := { now := n, served := 2 }
def t : State := { s with now := 2 }
theorem p : step n = s := rfl
theorem q : Reach n := p
theorem r : step s = t := rfl"""


def source():
    n, s, t, p, q, r = commands(FACTS)
    return Source({"n": n, "s": s, "t": t}, {"p": p, "r": r}, {"q": q})


def test_its_theorems_are_in_order():
    assert source().stated == ["p", "q", "r"]


def test_definitions_by_type():
    assert source().of_type(("State",)) == ["s", "t"]
    assert source().of_type(("Bool",)) == []


def test_a_theorem_says_exactly_this():
    assert source().says("p", "step  n", "s")
    assert not source().says("p", "step s", "s")
    assert not source().says("p", "step n", "t")
    assert not source().says("r", "step n", "s")
    assert not source().says("q", "step n", "s")


def test_a_field_is_read_where_it_is_written_out():
    assert source().field("s", "now") == expression("n")
    assert source().field("s", "jobs") is None
    assert source().field("t", "now") is None
    assert source().field("n", "now") is None
    assert source().field("x", "now") is None
