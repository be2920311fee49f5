"""``radproof mutants``."""

from __future__ import annotations

import json

from click.testing import CliRunner

from radproof.cli.main import main


def test_json_has_what_caught_each() -> None:
    result = CliRunner().invoke(main, ["mutants", "mixed", "lifo_decode", "--json"])
    assert result.exit_code == 0, result.output
    mixed, lifo = json.loads(result.output)
    assert (mixed["name"], mixed["killed_by"], mixed["sessions"]) == ("mixed", "unmixed", 2)
    assert mixed["minimal"] is True
    assert mixed["seconds"] < 20
    assert "optimal_tiling" in mixed["also"]
    assert lifo["killed_by"] == "decode_order"


def test_the_table_counts_them() -> None:
    result = CliRunner().invoke(main, ["mutants", "one_too_large"])
    assert result.exit_code == 0
    assert "exact_duration" in result.output
    assert "1 of 1 caught" in result.output


def test_an_unknown_mutant_is_refused() -> None:
    result = CliRunner().invoke(main, ["mutants", "lifo_decodes"])
    assert result.exit_code == 2
    assert "Did you mean 'lifo_decode'?" in result.output
