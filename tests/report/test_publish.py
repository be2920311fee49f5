"""What one check writes, and the exit code that a baseline gives it."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from sarif_schema import required

from radproof.claims import Result
from radproof.model import SEED
from radproof.report.baseline import Baseline, Subject
from radproof.report.outputs import Outputs
from radproof.report.publish import publish
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding

SUBJECT = Subject("radproof.mutants:tail_alone", SEED, ("clock",), 0)


def test_nothing_asked_for_writes_nothing(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    published = publish(Outputs(), findings, tail_alone, SUBJECT, 1.0)
    assert (published.lines, published.changes, published.exit_code(3)) == ([], None, 3)
    assert list(tmp_path.iterdir()) == []


def test_each_file_that_is_asked_for_is_written(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path
) -> None:
    outputs = Outputs(tmp_path / "s.json", tmp_path / "s.md", tmp_path / "b.json", annotate=True)
    (tmp_path / "s.md").write_text("# The step before\n", "utf-8")
    published = publish(outputs, findings, tail_alone, SUBJECT, 1.25)
    required(json.loads((tmp_path / "s.json").read_text("utf-8")))
    assert (tmp_path / "s.md").read_text("utf-8").startswith("# The step before\n## radproof: ")
    assert Baseline.read(tmp_path / "b.json") == Baseline(
        SUBJECT, {f.claim.name: f.result for f in findings}, 1.2
    )
    written, *marks = published.lines
    assert written == f"baseline: written to {tmp_path / 'b.json'}"
    assert [mark.split()[0] for mark in marks] == ["::warning", "::error"]


def test_a_baseline_decides_the_exit_code(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path
) -> None:
    outputs = Outputs(baseline=tmp_path / "b.json", summary=tmp_path / "s.md")
    assert publish(outputs, findings, tail_alone, SUBJECT, 1.0).exit_code(1) == 1
    known = publish(outputs, findings, tail_alone, SUBJECT, 1.0)
    assert (known.lines, known.exit_code(1)) == (["baseline: nothing has changed"], 0)
    better = Baseline.read(tmp_path / "b.json")
    better = attrs.evolve(better, results={**better.results, "prefill_filled": Result.HOLDS})
    better.write(tmp_path / "b.json")
    worse = publish(outputs, findings, tail_alone, SUBJECT, 1.0)
    said = "newly failing: prefill_filled (holds, now fails)"
    assert (worse.lines, worse.exit_code(1)) == ([f"baseline: {said}"], 1)
    assert f"- {said}" in (tmp_path / "s.md").read_text("utf-8")


def test_a_fault_is_no_baseline_and_none_excuses_it(
    findings: list[Finding], fault: Finding, tail_alone: Loaded, tmp_path: Path
) -> None:
    """The run after one that ended in a fault had exit code 0: nothing had changed."""
    outputs = Outputs(baseline=tmp_path / "b.json")
    first = publish(outputs, [fault], tail_alone, SUBJECT, 1.0)
    assert first.lines == ["baseline: not written, since the scheduler is at fault"]
    assert (first.exit_code(2), list(tmp_path.iterdir())) == (2, [])
    Baseline(SUBJECT, {"progress": Result.FAILS}, 1.0).write(tmp_path / "b.json")
    assert publish(outputs, [fault], tail_alone, SUBJECT, 1.0).exit_code(2) == 2
