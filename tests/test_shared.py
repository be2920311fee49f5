"""Held against the data that stands beside the repository, where it does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import real_tables
from helpers import SHARED, counts, lines, schedule

from radproof import CLAIMS, Result, check, leap, run
from radproof.files.paths import read
from radproof.search.crosscheck import first_difference
from radproof.traces import pad

ORACLE = SHARED / "oracle"
DATA = SHARED / "data"
HOUR = SHARED / "data" / "traces" / "azure_2023_conv.csv"

needs = {
    file: pytest.mark.skipif(
        not file.exists(),
        reason=f"{file} is not there: radproof is NOT held against it (tests/golden is its own)",
    )
    for file in (ORACLE, DATA, HOUR)
}


@needs[ORACLE]
@pytest.mark.parametrize("evaluate", [run, leap], ids=["run", "leap"])
def test_all_of_serq_s_own_runs_agree(evaluate: Any) -> None:
    found = lines(ORACLE / "golden.jsonl")
    assert len(found) == 255
    for line in found:
        result = evaluate(line["path"], horizon=line["horizon"])
        said: dict[str, Any] = {
            "name": line["name"],
            "path": line["path"],
            "horizon": line["horizon"],
            "iterations": result.iterations,
            "completion": list(result.completions),
            "claims": {name: counts(result, claim) for name, claim in CLAIMS.items()},
        }
        if "schedule" in line:
            said["schedule"] = schedule(result)
        assert said == line


@needs[ORACLE]
@pytest.mark.parametrize(
    ("rate", "iterations", "ended", "arrivals"), [(20, 23110, 1984, 2013), (30, 22170, 2961, 3000)]
)
def test_the_page_s_runs_have_the_page_s_counts(
    rate: int, iterations: int, ended: int, arrivals: int
) -> None:
    drawn = json.loads((ORACLE / f"seed_path_{rate}.json").read_text())
    path = [(round(arrive), prompt, output) for arrive, prompt, output in drawn]
    result = leap(path, horizon=100_000_000)
    assert (result.iterations, result.ended, result.arrivals) == (iterations, ended, arrivals)
    for claim in CLAIMS.values():
        verdict = check(result, claim)
        assert (verdict.result, verdict.checked) == (Result.HOLDS, iterations)
    # the definition, as far as it is affordable here
    cut = 2_000_000
    assert first_difference(run(path, horizon=cut), leap(path, horizon=cut)) is None


@needs[HOUR]
def test_the_azure_hour_is_read_whole_and_holds_padded() -> None:
    found = read(HOUR)
    assert len(found.sessions) == 19_366
    assert found.sessions[:2] == read(HOUR).sessions[:2]
    assert [s.arrive for s in found.sessions[:3]] == [0, 4_314_579, 4_541_877]
    assert check(leap(found.sessions), CLAIMS["optimal_tiling"]).result is Result.OUT_OF_SCOPE
    padded, cost = pad(found.sessions, run([]).deployment)
    assert cost.before == sum(s.prompt for s in found.sessions)
    result = leap(padded)
    assert result.ended == 19_366
    for claim in CLAIMS.values():
        assert check(result, claim).result is Result.HOLDS


@needs[DATA]
@pytest.mark.parametrize("kind", ["traces", "engine"])
def test_the_page_on_real_traffic_has_the_tables_that_are_measured(kind: str) -> None:
    page = (Path(__file__).parent.parent / "docs" / "real-traffic.md").read_text("utf-8")
    measured = real_tables.traces if kind == "traces" else real_tables.logs
    assert measured(DATA / kind) in page
