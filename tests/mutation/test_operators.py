"""The faults are the ones that they say they are, and each compiles to a module of its own."""

from __future__ import annotations

from typing import Any

import pytest
from mutation.operators import mutants

CHANGES = {
    "a < b": ["a <= b"],
    "a is not b": ["a is b"],
    "a + b": ["a - b"],
    "a // b": ["a * b"],
    "a and b and c": ["b and c", "a and c", "a and b"],
    "not a": ["a"],
    "7": ["8", "6"],
    "400": ["4000"],
    "True": ["False"],
    "min(a, b)": ["max(a, b)"],
    "both(a, b)": ["either(a, b)", "b", "a"],
    "ite(a, b, c)": ["b", "c"],
    "[x for x in a if x]": ["comprehension True", "comprehension False"],
    "b if a else c": ["ifexp True", "ifexp False"],
    "'text'": [],
    "field(repr=False)": [],
}


@pytest.mark.parametrize("expression", CHANGES)
def test_an_expression_is_changed_in_each_of_its_ways(expression: str) -> None:
    assert [mutant.now for mutant in mutants(f"found = {expression}")] == CHANGES[expression]


def test_a_statement_is_left_out_and_a_test_is_fixed() -> None:
    source = """
def f(a):
    for x in a:
        if x:
            continue
        g(x)
    while a:
        a.pop()
    if a:
        return 1
    return 2
"""
    assert [(m.was, m.now) for m in mutants(source)] == [
        ("if x", "if True"),
        ("if x", "if False"),
        ("continue", "pass"),
        ("continue", "break"),
        ("g(x)", "pass"),
        ("while a", "while False"),
        ("a.pop()", "pass"),
        ("if a", "if True"),
        ("if a", "if False"),
        ("return 1", "pass"),
        ("1", "2"),
        ("1", "0"),
        ("2", "3"),
        ("2", "1"),
    ]
    assert [(m.was, m.now) for m in mutants("a += b")] == [("a += b", "pass"), ("a += b", "a -= b")]


def test_what_a_run_does_not_read_is_left_alone() -> None:
    source = '''
"""A text."""
from typing import Literal, overload
if TYPE_CHECKING:
    limit = 3
@overload
def f(a: int) -> Literal[1]: ...
class C:
    """A text."""
    size: Literal[4]
'''
    assert mutants(source) == []


def test_a_fault_changes_its_module_and_no_other_fault() -> None:
    source = "def f(a):\n    return a + 1 if a < 9 else a * 2\n"
    values = [_called(source, mutant) for mutant in mutants(source)]
    assert values == [
        [9, 10, 20],  # a <= 9
        [9, 10, 11],  # always a + 1
        [16, 18, 20],  # never
        [9, 10, 20],  # a < 10
        [16, 18, 20],  # a < 8
        [7, 18, 20],  # a - 1
        [10, 18, 20],  # a + 2
        [8, 18, 20],  # a + 0
        [9, 11, 12],  # a + 2 for a * 2
        [9, 27, 30],  # a * 3
        [9, 9, 10],  # a * 1
    ]


def _called(source: str, mutant: Any) -> list[int]:
    names: dict[str, Any] = {}
    exec(mutant.compiled("thing.py"), names)
    return [names["f"](a) for a in (8, 9, 10)]


def test_like_changes_of_one_function_are_numbered() -> None:
    found = mutants("class C:\n    def f(self):\n        return 1, 1\n")
    assert [(m.where, m.now, m.nth) for m in found] == [
        ("C.f", "2", 0),
        ("C.f", "0", 0),
        ("C.f", "2", 1),
        ("C.f", "0", 1),
    ]
    assert not any(m.at_import for m in found)


def test_a_fault_has_the_lines_of_its_statement_or_of_the_statement_s_head() -> None:
    source = (
        "def f(a):\n    if (a\n        or 1):\n        return [a,\n            1]\n    return a\n"
    )
    assert {(m.lines.start, m.lines.stop) for m in mutants(source)} == {(2, 4), (4, 6)}
