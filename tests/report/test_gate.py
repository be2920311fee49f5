"""What the gate hands over, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from radproof import BadInput, rad
from radproof.cli.main import main
from radproof.laws import LAWS, checks
from radproof.mutants import CATALOGUE, TILE_OF_TWO, decisions
from radproof.report.annotations import marks
from radproof.report.baseline import Baseline, compare
from radproof.report.place import place_of
from radproof.report.sarif import sarif
from radproof.report.summary import summary
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding, Plan, search

NAME = "radproof.mutants:tail_alone"


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    chosen = {name: checks()[name] for name in ("optimal_tiling", "clock", "prefill_filled")}
    scheduler = Loaded.of(CATALOGUE["tail_alone"].scheduler, NAME)
    return search(chosen, scheduler, Plan(TILE_OF_TWO, examples=5))


def required(log: dict[str, Any]) -> None:
    """The parts that the published schema of SARIF 2.1.0 requires, and the values it allows."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    assert log["runs"]
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(set(ids)) == len(ids)
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["level"] in ("none", "note", "warning", "error")
            assert ids[result["ruleIndex"]] == result["ruleId"]
            for location in result["locations"]:
                place = location["physicalLocation"]
                assert "\\" not in place["artifactLocation"]["uri"]
                assert place["region"]["startLine"] >= 1
            assert all(isinstance(v, str) for v in result.get("partialFingerprints", {}).values())


def test_sarif_has_a_rule_for_each_and_a_result_for_what_fails(findings: list[Finding]) -> None:
    place = place_of(decisions.tail_alone)
    log = json.loads(json.dumps(sarif(findings, NAME, place)))
    required(log)
    (run,) = log["runs"]
    assert [r["id"] for r in run["tool"]["driver"]["rules"]] == [f.claim.name for f in findings]
    failing = {r["ruleId"]: r for r in run["results"]}
    assert "clock" not in failing
    assert failing["prefill_filled"]["properties"]["path"] == [[0, 1, 0], [0, 1, 0]]
    uri = failing["prefill_filled"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("radproof/mutants/decisions.py")


def test_the_place_is_the_scheduler_s_own_line() -> None:
    place = place_of(Loaded.of(decisions.tail_alone).source)
    assert place is not None
    line = Path(place.file).read_text("utf-8").splitlines()[place.line - 1]
    assert line.startswith("def tail_alone")
    rad_place = place_of(rad)
    assert rad_place is not None
    assert rad_place.file.endswith("rule_form.py")

    class Engine:
        def add_request(self, number: int, prompt: int) -> None: ...
        def schedule(self) -> None: ...
        def update(self, number: int, tokens: int, finished: bool) -> None: ...

    place = place_of(Loaded.of(Engine).source)
    assert place is not None
    assert place.file.endswith("test_gate.py")
    assert place_of(len) is None


def test_annotations_are_escaped(findings: list[Finding]) -> None:
    lines = marks(findings, place_of(decisions.tail_alone))
    assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)
    assert all("\n" not in line for line in lines)
    (line,) = [line for line in lines if "prefill_filled" in line]
    assert "title=radproof%3A prefill_filled::" in line
    assert line.endswith("%0Asmallest path: 2 x (0, 1, 0)")


def test_the_summary_has_the_table_and_the_smallest_path(findings: list[Finding]) -> None:
    text = summary(findings, NAME)
    assert text.startswith(f"## radproof: {NAME}: ")
    assert "| `prefill_filled` | rad | **fails** |" in text
    assert "| `clock` | engine | holds |" in text
    assert "Smallest path, (arrive, prompt, output): `2 x (0, 1, 0)`" in text


def test_a_baseline_tells_what_changed() -> None:
    old = Baseline("s", {"a": "holds", "b": "fails", "c": "fails"}, 10.0)
    new = Baseline("s", {"a": "fails", "b": "holds", "c": "fails", "d": "fails"}, 20.0)
    assert [(c.what, c.name, c.worse) for c in compare(old, new)] == [
        ("newly failing", "a", True),
        ("newly holding", "b", False),
        ("not in the baseline", "d", True),
        ("slower", "s", False),
    ]
    assert compare(old, old) == []


def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text("{}", "utf-8")
    with pytest.raises(BadInput, match="is not a baseline"):
        Baseline.read(file)
    file.write_text("{", "utf-8")
    with pytest.raises(BadInput, match="line 1"):
        Baseline.read(file)
    good = Baseline("s", {"a": "holds"}, 1.5)
    good.write(file)
    assert Baseline.read(file) == good


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["check", "--examples", "4", *arguments])


def test_laws_stand_in_the_table_and_decide_the_exit_code(here: Path) -> None:
    files = ("--sarif", "s.json", "--summary", "sum.md")
    result = call("--scheduler", NAME, "--laws", "engine", *files)
    assert result.exit_code == 0, result.output
    assert all(name in result.output for name, law in LAWS.items() if law.group == "engine")
    assert "optimal_tiling" not in result.output
    result = call("--scheduler", NAME, "--claim", "prefill_filled", "--annotate", *files)
    assert result.exit_code == 1, result.output
    assert "::error " in result.output
    required(json.loads((here / "s.json").read_text("utf-8")))
    assert (here / "sum.md").read_text("utf-8").count("## radproof: ") >= 2


def test_with_a_baseline_only_what_newly_fails_fails_the_gate(here: Path) -> None:
    common = ("--claim", "prefill_filled", "--baseline", "base.json")
    assert call("--scheduler", NAME, *common).exit_code == 1
    known = call("--scheduler", NAME, *common)
    assert known.exit_code == 0
    assert "baseline: nothing has changed" in known.output
    better = Baseline("rad", {"prefill_filled": "holds"}, 99.0)
    better.write(here / "base.json")
    worse = call("--scheduler", NAME, *common)
    assert worse.exit_code == 1
    assert "baseline: newly failing: prefill_filled (holds, now fails)" in worse.output


def test_a_known_counterexample_runs_first(here: Path) -> None:
    (here / "corpus").mkdir()
    (here / "corpus" / "known.json").write_text("[[0, 7, 0], [0, 9, 0]]", "utf-8")
    result = call("--scheduler", NAME, "--claim", "prefill_filled", "--json")
    assert json.loads(result.output)["claims"]["prefill_filled"]["paths"] == 1


def test_an_unknown_group_of_laws_is_refused(here: Path) -> None:
    result = call("--laws", "engine,red")
    assert result.exit_code == 2
    assert "unknown laws 'red'. Did you mean 'rad'?" in result.output
