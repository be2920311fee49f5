"""The generated pages, from few sessions, and whether they are stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.generate import __main__ as command
from docs.generate import mutants
from radproof.mutants import CATALOGUE
from radproof.mutants.matrix import Kill, matrix
from radproof.report.markdown import rows, shown


def test_the_kill_matrix_has_a_cross_where_a_law_must_catch() -> None:
    chosen = [CATALOGUE["mixed"], CATALOGUE["runs_backwards"]]
    kills = list(matrix(chosen))
    text = mutants.text(kills)
    assert "- caught: 2 of 2" in text
    assert "| `mixed` | decodes ride along with prefills |" in text
    assert "**X**" in text
    assert [kill.refuted for kill in kills] == ["serves_rad", "tiled_rate"]
    assert "| `serves_rad` |" in text


def test_a_mutant_that_gets_away_is_told() -> None:
    text = mutants.text([Kill(CATALOGUE["mixed"], None, None, False, 1.0)])
    assert "- caught: 0 of 1" in text
    assert "**not by unmixed**" in text


def test_seconds_do_not_make_a_page_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def page(seconds: float) -> str:
        return mutants.text([Kill(CATALOGUE["mixed"], "unmixed", (), True, seconds)])

    def call(mode: str) -> int:
        arguments = [mode, "--docs", str(tmp_path), "mutants"]
        return CliRunner().invoke(command.main, arguments).exit_code

    monkeypatch.setitem(command.PAGES, "mutants", lambda progress: page(1.0))
    assert call("--check") == 1
    assert call("--bless") == 0
    monkeypatch.setitem(command.PAGES, "mutants", lambda progress: page(2.5))
    assert call("--check") == 0
    monkeypatch.setitem(command.PAGES, "mutants", lambda progress: page(1.0) + "more")
    assert call("--check") == 1


def test_markdown() -> None:
    assert rows(("a", "b"), [("x|y", "1")], numbers=1) == [
        "| a | b |",
        "| --- | --: |",
        "| x\\|y | 1 |",
    ]
    assert shown(()) == ""
