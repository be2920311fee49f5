"""The mirror's text against Python: whoever changes it is found, without a Lean."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from lean.sabotage import (
    SABOTAGES,
    STRETCHES,
    definitions,
    sabotaged,
    sabotaged_stretches,
)

from radproof.cli.lean import lean
from radproof.lean.definitions import stretches
from radproof.lean.drift import check_drift, check_leaps
from radproof.lean.errors import NotTheSame
from radproof.lean.interpret import leaping, machine
from radproof.lean.roundtrip import evaluate, parse_source

FIXTURES = sorted((Path(__file__).parents[2] / "lean_mirror" / "Fixtures").glob("*/*.lean"))


@pytest.fixture(scope="module")
def sources():
    return [parse_source(file.read_text(encoding="utf-8")) for file in FIXTURES]


def test_the_text_is_python_s():
    check_drift(machine())


def test_each_definition_is_sabotaged():
    assert {name for name, _, _ in SABOTAGES} == set(definitions())


@pytest.mark.parametrize("row", SABOTAGES, ids=lambda row: f"{row[0]}: {row[2]}")
def test_each_sabotage_is_found(row, sources):
    """By what `radproof lean fixtures` compares, or by a theorem of a fixture (`lean read`)."""
    with pytest.raises(NotTheSame):
        _check(machine(sabotaged(*row)), sources)


def test_the_text_of_stretches_is_python_s():
    check_leaps(leaping(machine()))


def test_each_definition_of_stretches_is_sabotaged():
    assert {name for name, _, _ in STRETCHES} == set(definitions(stretches()))


@pytest.mark.parametrize("row", STRETCHES, ids=lambda row: f"{row[0]}: {row[2]}")
def test_each_sabotage_of_stretches_is_found(row):
    with pytest.raises(NotTheSame):
        check_leaps(leaping(machine(), sabotaged_stretches(*row)))


def _check(changed, sources):
    check_drift(changed)
    for source in sources:
        evaluate(source, changed)


def test_the_command_finds_the_end_of_an_iteration_before_an_arrival(monkeypatch):
    """The sabotage that `fixtures --bless`, `read` and these tests used to take for the mirror."""
    row = ("nextEvent", "Nat.ble a.session.arrive t", "Nat.ble (a.session.arrive + 1) t")
    changed = machine(sabotaged(*row))
    monkeypatch.setattr("radproof.lean.fixtures.machine", lambda: changed)
    for mode in ("--check", "--bless"):
        ran = CliRunner().invoke(lean, ["fixtures", mode, "--root", str(FIXTURES[0].parents[2])])
        assert ran.exit_code == 1
        assert "the mirror's step differs from Python" in ran.output
