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
from radproof.report.publish import Published, publish
from radproof.schedulers.loading import Loaded
from radproof.search.search import Finding

SUBJECT = Subject("radproof.mutants:tail_alone", SEED, ("clock",), 0)


def published(
    outputs: Outputs,
    findings: list[Finding],
    scheduler: Loaded,
    old: Baseline | None = None,
) -> Published:
    results = {f.claim.name: f.result for f in findings}
    return publish(outputs, findings, scheduler, Baseline(SUBJECT, results, 1.2), old)


def test_nothing_asked_for_writes_nothing(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nothing = published(Outputs(), findings, tail_alone)
    assert (nothing.lines, nothing.changes, nothing.errors) == ([], None, [])
    assert nothing.exit_code(3) == 3
    assert list(tmp_path.iterdir()) == []


def test_each_file_that_is_asked_for_is_written(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path
) -> None:
    outputs = Outputs(tmp_path / "s.json", tmp_path / "s.md", tmp_path / "b.json", annotate=True)
    (tmp_path / "s.md").write_text("# The step before\n", "utf-8")
    written, *marks = published(outputs, findings, tail_alone).lines
    required(json.loads((tmp_path / "s.json").read_text("utf-8")))
    assert (tmp_path / "s.md").read_text("utf-8").startswith("# The step before\n## radproof: ")
    assert Baseline.read(tmp_path / "b.json") == Baseline(
        SUBJECT, {f.claim.name: f.result for f in findings}, 1.2
    )
    assert written == f"baseline: written to {tmp_path / 'b.json'}"
    assert [mark.split()[0] for mark in marks] == ["::warning", "::error"]


def test_a_baseline_decides_the_exit_code(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path
) -> None:
    outputs = Outputs(baseline=tmp_path / "b.json", summary=tmp_path / "s.md")
    assert published(outputs, findings, tail_alone).exit_code(1) == 1
    old = Baseline.read(tmp_path / "b.json")
    known = published(outputs, findings, tail_alone, old)
    assert (known.lines, known.exit_code(1)) == (["baseline: nothing has changed"], 0)
    better = attrs.evolve(old, results={**old.results, "prefill_filled": Result.HOLDS})
    worse = published(outputs, findings, tail_alone, better)
    said = "newly failing: prefill_filled (holds, now fails)"
    assert (worse.lines, worse.exit_code(1)) == ([f"baseline: {said}"], 1)
    assert f"- {said}" in (tmp_path / "s.md").read_text("utf-8")


def test_a_fault_is_no_baseline_and_none_excuses_it(
    findings: list[Finding], fault: Finding, tail_alone: Loaded, tmp_path: Path
) -> None:
    """The run after one that ended in a fault had exit code 0: nothing had changed."""
    outputs = Outputs(baseline=tmp_path / "b.json")
    first = published(outputs, [fault], tail_alone)
    assert first.lines == ["baseline: not written, since the scheduler is at fault"]
    assert (first.exit_code(2), list(tmp_path.iterdir())) == (2, [])
    old = Baseline(SUBJECT, {"progress": Result.FAILS}, 1.0)
    assert published(outputs, [fault], tail_alone, old).exit_code(2) == 2


def test_a_file_that_cannot_be_written_stops_no_other(
    findings: list[Finding], tail_alone: Loaded, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "old.md").write_bytes(b"\xff")
    below = tmp_path / "file" / "x"
    known = Baseline(SUBJECT, {f.claim.name: f.result for f in findings}, 1.2)
    cases = [
        (Outputs(below, tmp_path / "s.md", tmp_path / "b.json"), {"s.md", "b.json"}),
        (Outputs(tmp_path / "s.json", below, tmp_path / "b.json"), {"s.json", "b.json"}),
        (Outputs(tmp_path / "s.json", tmp_path / "s.md", below), {"s.json", "s.md"}),
        (Outputs(tmp_path / "s.json", tmp_path / "old.md"), {"s.json"}),
    ]
    for outputs, written in cases:
        done = published(outputs, findings, tail_alone)
        (said,) = done.errors
        assert said.startswith(str(tmp_path))
        assert written == {f.name for f in tmp_path.iterdir()} - {"file", "old.md"}
        for name in written:
            (tmp_path / name).unlink()
    # what is known is known, whatever could not be written
    assert published(cases[0][0], findings, tail_alone, known).exit_code(1) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full here")
def test_a_device_has_no_summary_before(findings: list[Finding], tail_alone: Loaded) -> None:
    """/dev/full can be read without end."""
    (said,) = published(Outputs(summary=Path("/dev/full")), findings, tail_alone).errors
    assert said == "/dev/full cannot be written: No space left on device."
