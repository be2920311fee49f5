from __future__ import annotations

import griffe
import pytest

from docs.generate.signatures import Signatures


@pytest.fixture(scope="module")
def package() -> griffe.Object:
    """radproof as griffe reads it, with the extension."""
    extensions = griffe.load_extensions(Signatures)
    loaded = griffe.load("radproof", extensions=extensions)
    assert isinstance(loaded, griffe.Object)
    return loaded


def test_a_class_of_attrs_has_its_signature(package: griffe.Object) -> None:
    made = package["model.Deployment.__init__"]
    assert [(p.name, p.annotation, p.default) for p in made.parameters] == [
        ("b_col", "int", "128"),
        ("b_row", "int", "1"),
        ("b_red", "int", "1"),
        ("t_lin", "int", "4000"),
        ("t_nl", "int", "5"),
        ("chunk", "int", "..."),
    ]
    ruled = package["schedulers.rule_form.RuleScheduler.__init__"]
    assert [p.default for p in ruled.parameters] == ["RULES", "None"]
    rules = package["rules.Rules.__init__"]
    assert rules.parameters["take"].default == "take"


def test_another_class_is_left_alone(package: griffe.Object) -> None:
    assert "__init__" not in package["claims.Result"].members


def test_the_strategies_are_of_the_package(package: griffe.Object) -> None:
    assert "max_sessions" in [p.name for p in package["strategies.paths.paths"].parameters]
