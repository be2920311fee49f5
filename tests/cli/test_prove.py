"""``radproof prove`` as its users meet it."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from radproof.cli.main import main
from radproof.lemmas.catalogue import LEMMAS
from radproof.proof import cvc5
from radproof.proof.trusted import TRUSTED


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(main, ["prove", *map(str, arguments)])

    return run


def test_rad_is_proved_and_the_table_is_the_same_twice(call):
    first, again = call("--no-cache"), call("--no-cache")
    assert first.exit_code == again.exit_code == 0
    seconds = re.compile(r"\d+\.\d{3}")
    assert seconds.sub("-", first.output) == seconds.sub("-", again.output)
    for lemma in LEMMAS:
        assert re.search(rf"^ {re.escape(lemma.name)} .* proved ", first.output, re.M), lemma.name
    assert f"{len(LEMMAS)} lemmas: {len(LEMMAS)} proved." in first.output
    assert "optimal_tiling (BariRad.optimal_tiling): follows." in first.output
    for name, _ in TRUSTED:
        assert f"  {name}: " in first.output


def test_json_has_every_field_of_the_design(call):
    result = call("--solver", "both", "--json", "--lemma", "tiled_rate", "--lemma", "rad_start[2]")
    assert result.exit_code == 0
    data = json.loads(result.output)
    assert [row["name"] for row in data["lemmas"]] == ["tiled_rate", "rad_start[2]"]
    row = data["lemmas"][0]
    assert {
        "name",
        "lean",
        "verdict",
        "encoding",
        "seconds",
        "rlimit",
        "budget",
        "vacuity",
        "second",
    } <= set(row)
    assert (row["lean"], row["verdict"]) == ("tiled_rate", "proved")
    assert row["second"]["verdict"] == "proved"
    assert row["vacuity"] == {"checks": 2, "unreached": []}
    assert 0 < row["rlimit"] * 2 < row["budget"]
    assert row["enumerated"] == 129
    assert [one["name"] for one in data["trusted"]] == [name for name, _ in TRUSTED]


def test_a_changed_threshold_is_refuted_with_a_counterexample(call, tmp_path):
    result = call("--scheduler", "radproof.mutants:threshold_127", "--json")
    assert result.exit_code == 1
    data = json.loads(result.output)
    refuted = {row["name"] for row in data["lemmas"] if row["verdict"] == "refuted"}
    assert {"rad_batch", "rad_start[2]", "rad_start[8]"} <= refuted
    assert "tiled_rate" not in refuted
    assert {one["lemma"] for one in data["counterexamples"]} == refuted
    for one in data["counterexamples"]:
        assert one["replays"]
        assert (tmp_path / one["file"]).exists()
    assert {t["name"]: t["result"] for t in data["theorems"]}["optimal_tiling"] == "is false"


def test_the_counterexample_is_printed(call):
    result = call("--no-given", "--lemma", "rad_start[8]")
    assert result.exit_code == 1
    assert "rad_start[8]: counterexample to induction" in result.output
    assert "replay: radproof replay .radproof/ctis/rad_start-8-" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--lemma", "rad_bach"), "Did you mean 'rad_batch'?"),
        (("--scheduler", "nobody"), "unknown scheduler"),
        (("--scheduler", "plain:fn"), "can only be tested, not proved"),
        (("--solver", "cvc6"), "cvc6"),
    ],
)
def test_usage_is_exit_2_and_one_message(call, tmp_path, arguments, said):
    (tmp_path / "plain.py").write_text("def fn(view):\n    return (), None\n")
    result = call(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_without_cvc5_the_extra_is_named(call, monkeypatch):
    monkeypatch.setattr(cvc5.importlib.util, "find_spec", lambda name: None)
    result = call("--solver", "both", "--lemma", "tiled_rate")
    assert result.exit_code == 2
    assert "pip install 'radproof[cvc5]'" in result.output


def test_the_archive_has_every_lemma_and_its_proof(call, tmp_path):
    result = call(
        "--solver", "both", "--smt2", "out", "--lemma", "tiled_rate", "--lemma", "rad_start[2]"
    )
    assert result.exit_code == 0
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["rad_start-2.cpc", "rad_start-2.smt2", "tiled_rate.cpc", "tiled_rate.smt2"]
    text = (tmp_path / "out" / "tiled_rate.smt2").read_text()
    assert text.startswith("; radproof lemma tiled_rate: ")
    assert "; expected answer: unsat" in text
    # and the file alone, header and all, is what cvc5 proves
    assert cvc5.ask("tiled_rate", text).verdict == "proved"
    assert "(declare-const" in (tmp_path / "out" / "tiled_rate.cpc").read_text()


def test_z3_alone_archives_no_proofs(call, tmp_path):
    assert call("--smt2", "out", "--lemma", "tiled_rate").exit_code == 0
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["tiled_rate.smt2"]


def test_the_cache_is_used_unless_told_not_to(call, tmp_path):
    call("--lemma", "tiled_rate", "--no-cache")
    assert not (tmp_path / ".radproof").exists()
    call("--lemma", "tiled_rate")
    assert len(list((tmp_path / ".radproof/proofs").iterdir())) == 1
    data = json.loads(call("--lemma", "tiled_rate", "--json").output)
    assert data["lemmas"][0]["cached"]


def test_help_has_examples_and_exit_codes(call):
    result = call("--help")
    assert result.exit_code == 0
    for part in ("Examples:", "radproof prove --solver both", "Exit codes:", "--no-given"):
        assert part in result.output
