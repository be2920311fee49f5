"""The example repository, as its user sees it. (tests/test_documents.py runs its README.)"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "tiny_engine"


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=EXAMPLE, capture_output=True, text=True, check=False
    )


def test_its_deliberate_bug_is_placed_in_its_file(tmp_path: Path) -> None:
    result = call(
        "radproof", "check", "--scheduler", "tiny_engine.forgetful:Scheduler", "--laws", "engine",
        "--examples", "60", "--out", str(tmp_path), "--sarif", str(tmp_path / "s.sarif"),
    )  # fmt: skip
    assert result.returncode == 2, result.stderr
    log = json.loads((tmp_path / "s.sarif").read_text("utf-8"))
    results = {r["ruleId"]: r for r in log["runs"][0]["results"]}
    place = results["progress"]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "tiny_engine/forgetful.py"


@pytest.mark.parametrize("file", ["action.yml", ".pre-commit-hooks.yaml"])
def test_the_gate_s_files_call_what_there_is(file: str) -> None:
    text = (EXAMPLE.parent.parent / file).read_text("utf-8")
    assert "radproof check" in text
