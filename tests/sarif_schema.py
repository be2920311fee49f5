"""What the published schema of SARIF 2.1.0 requires of a log."""

from __future__ import annotations

from typing import Any


def required(log: dict[str, Any]) -> None:
    """The parts that the schema requires, and the values that it allows."""
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
