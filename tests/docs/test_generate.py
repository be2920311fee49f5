"""The generated pages, from few sessions, and whether they are stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from docs.generate import __main__ as command
from docs.generate import architecture, mutants
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


def test_a_mutant_that_survives_is_reported() -> None:
    text = mutants.text([Kill(CATALOGUE["mixed"], None, None, False, 1.0)])
    assert "- caught: 0 of 1" in text
    assert "**not by unmixed**" in text


def call(mode: str, root: Path, *names: str) -> Result:
    return CliRunner().invoke(command.main, [mode, "--root", str(root), *names])


@pytest.mark.parametrize("name", sorted(command.PAGES.keys() - {*command.MEASURED}))
def test_no_page_is_stale(name: str) -> None:
    """Of those that are drawn and not measured; the others are checked by hand."""
    result = call("--check", architecture.ROOT, name)
    assert result.exit_code == 0, result.output


def test_a_stale_page_is_reported_and_blessed(tmp_path: Path) -> None:
    assert call("--bless", tmp_path, "proofs").exit_code == 0
    assert call("--check", tmp_path, "proofs").exit_code == 0
    page = tmp_path / "docs" / "proofs.md"
    page.write_text(page.read_text().replace("rad_batch", "rad_botch"))
    stale = call("--check", tmp_path, "proofs")
    assert stale.exit_code == 1
    assert stale.stderr == "docs/proofs.md is stale: python -m docs.generate --bless proofs\n"
    assert CliRunner().invoke(command.main, []).exit_code == 2


def test_seconds_do_not_make_a_page_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def page(seconds: float, more: str = "") -> None:
        text = mutants.text([Kill(CATALOGUE["mixed"], "unmixed", (), True, seconds)]) + more
        made = "docs/mutants.md", lambda progress: text
        monkeypatch.setitem(command.PAGES, "mutants", made)

    page(1.0)
    assert call("--check", tmp_path, "mutants").exit_code == 1
    assert call("--bless", tmp_path, "mutants").exit_code == 0
    page(2.5)
    assert call("--check", tmp_path, "mutants").exit_code == 0
    page(1.0, "more")
    assert call("--check", tmp_path, "mutants").exit_code == 1


def test_markdown() -> None:
    assert rows(("a", "b"), [("x|y", "1")], numbers=1) == [
        "| a | b |",
        "| --- | --: |",
        "| x\\|y | 1 |",
    ]
    assert shown(()) == ""
