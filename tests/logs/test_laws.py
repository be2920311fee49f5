"""The laws of logs: each has its name, its statement and its source, and reads its own tally."""

from __future__ import annotations

import pytest
from helpers import TESTS
from judged import Logs, said

from radproof import Result
from radproof.laws import LAWS
from radproof.laws.law import Law
from radproof.logs import LOG_LAWS, judge


@pytest.mark.parametrize("law", LOG_LAWS.values(), ids=list(LOG_LAWS))
def test_what_stands_behind_a_law_is_said(law: Law) -> None:
    assert law.statement
    assert law.source
    assert law.group == "engine"
    assert law.name not in LAWS
    assert (TESTS.parent / law.tested).is_file()


def test_a_law_reads_the_tally_of_its_name(log: Logs) -> None:
    found = log("requests")
    for line, (name, law) in enumerate(LOG_LAWS.items(), start=1):
        assert law.claim.holds(found, None).checked == 0
        found.tally(name).add(None, line)
        found.tally(name).add(f"{name} is broken", line)
        seen = law.claim.holds(found, None)
        assert (seen.checked, seen.failures, seen.first) == (2, 1, line)
        assert seen.reason == f"line {line}: {name} is broken"


def test_a_law_that_the_log_cannot_answer_says_why(log: Logs) -> None:
    found = log("sglang")
    [verdict] = judge(found, [LOG_LAWS["request_tokens"].claim])
    assert said(verdict) == ("not evaluated", 0, 0, None)
    assert verdict.verdict.reason == "the lines name no request"


def test_a_law_of_the_model_is_not_asked_of_a_log(log: Logs) -> None:
    [verdict] = judge(log("radproof"), [LAWS["clock"].claim])
    assert verdict.verdict.result is Result.NOT_EVALUATED
    assert verdict.verdict.reason == ("it needs a whole run of the model, with every session known")
