from __future__ import annotations

import json

from sarif_schema import required

from radproof.laws import checks
from radproof.mutants import decisions
from radproof.report.place import place_of
from radproof.report.sarif import headline, sarif
from radproof.schedulers.loading import Loaded, load
from radproof.search.search import Finding, Plan, search


def test_sarif_has_a_rule_for_each_and_a_result_for_what_fails(
    findings: list[Finding], tail_alone: Loaded
) -> None:
    place = place_of(decisions.tail_alone)
    log = json.loads(json.dumps(sarif(findings, tail_alone.name, place)))
    required(log)
    (run,) = log["runs"]
    assert [r["id"] for r in run["tool"]["driver"]["rules"]] == [f.claim.name for f in findings]
    failing = {r["ruleId"]: r for r in run["results"]}
    assert "clock" not in failing
    assert failing["prefill_filled"]["properties"]["path"] == [[0, 1, 0], [0, 1, 0]]
    uri = failing["prefill_filled"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.endswith("radproof/mutants/decisions.py")


def test_a_rule_names_its_group_and_its_source(findings: list[Finding]) -> None:
    (run,) = sarif(findings, "x", None)["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    groups = {name: rule["properties"]["group"] for name, rule in rules.items()}
    assert groups == {"optimal_tiling": "claim", "clock": "engine", "prefill_filled": "rad"}
    assert " Source: " in rules["clock"]["fullDescription"]["text"]
    assert " Source: " not in rules["optimal_tiling"]["fullDescription"]["text"]
    assert rules["prefill_filled"]["name"] == "PrefillFilled"


def test_a_finding_without_an_answer_is_a_warning_without_a_path(undecided: Finding) -> None:
    (run,) = sarif([undecided], "few", None)["runs"]
    (result,) = run["results"]
    assert result["level"] == "warning"
    assert not result.keys() & {"locations", "properties", "partialFingerprints"}


def test_the_headline_says_what_is_violated(findings: list[Finding]) -> None:
    said = {finding.claim.name: headline(finding) for finding in findings if finding.exit_code}
    assert said["prefill_filled"] == (
        "prefill_filled fails at 0: violated: a batch of prefills takes b_lcm tokens, or all that "
        "wait where they are fewer"
    )


def test_the_headline_names_what_no_path_reached(undecided: Finding) -> None:
    assert headline(undecided) == (
        f"token_rate is not evaluated: none of {undecided.paths:,} paths reached "
        f"{', '.join(undecided.missing)}"
    )


def test_the_headline_of_a_fault_is_what_the_scheduler_did(fault: Finding) -> None:
    assert headline(fault).startswith("progress fails: the scheduler never makes progress")


def test_the_headline_says_why_a_law_cannot_be_asked() -> None:
    (found,) = search({"own_count": checks()["own_count"]}, load("rad"), Plan(examples=1))
    assert found.exit_code == 3
    assert headline(found).startswith(
        "own_count is not evaluated: the scheduler has no count of its own that it offers; "
    )
