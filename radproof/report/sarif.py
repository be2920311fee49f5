"""SARIF 2.1.0: what code-scanning tools read. One rule for each claim and law that was checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from radproof.claims import CLAIMS, Result
from radproof.files.paths import sha256
from radproof.files.text import version
from radproof.laws import LAWS
from radproof.report.place import Place
from radproof.search.search import Finding

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Result.FAILS: "error", Result.NOT_EVALUATED: "warning", Result.UNKNOWN: "warning"}


def sarif(findings: Sequence[Finding], scheduler_name: str, place: Place | None) -> dict[str, Any]:
    """The log of one check: a rule for each finding, and a result for each that does not hold."""
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "radproof",
                        "version": version(),
                        "semanticVersion": version(),
                        "rules": [_rule(finding) for finding in findings],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, index, scheduler_name, place)
                    for index, finding in enumerate(findings)
                    if finding.exit_code
                ],
            }
        ],
    }


def _rule(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    law = LAWS.get(claim.name)
    source = f" Source: {law.source}. For RAD: {law.evidence}." if law is not None else ""
    statement = claim.statement or claim.name
    return {
        "id": claim.name,
        "name": "".join(part.capitalize() for part in claim.name.split("_")),
        "shortDescription": {"text": statement},
        "fullDescription": {"text": f"{statement}.{source}"},
        "defaultConfiguration": {"level": "error"},
        "properties": {"group": law.group if law is not None else "claim"},
    }


def _result(
    finding: Finding, index: int, scheduler_name: str, place: Place | None
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.claim.name,
        "ruleIndex": index,
        "level": _LEVELS.get(finding.result, "error"),
        "message": {"text": f"{scheduler_name}: {headline(finding)}"},
    }
    if place is not None:
        result["locations"] = [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": place.file},
                    "region": {"startLine": place.line},
                }
            }
        ]
    found = finding.counterexample
    if found is not None:
        result["partialFingerprints"] = {"radproofPath/v1": sha256(found.path)}
        result["properties"] = {"path": [[s.arrive, s.prompt, s.output] for s in found.path]}
    return result


def headline(finding: Finding) -> str:
    """What is wrong, in one line."""
    found = finding.counterexample
    name = finding.claim.name
    if found is None:
        missing = ", ".join(finding.missing) if name in CLAIMS else "what it is about"
        why = finding.reason or f"none of {finding.paths:,} paths reached {missing}"
        return f"{name} is {finding.result.value}: {why}"
    if found.error is not None:
        return f"{name} fails: {found.error}"
    assert found.verdict is not None
    why = found.verdict.reason or f"violated: {finding.claim.statement or name}"
    return f"{name} {found.verdict.result.value} at {found.verdict.first}: {why}"
