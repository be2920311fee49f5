"""What the tests of logs share: verdicts by name, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest
from helpers import SHARED

from radproof import CLAIMS, BadInput
from radproof.laws import LAWS
from radproof.logs import LOG_LAWS, LogVerdict, Setting, judge
from radproof.logs.log import Log

Logs: TypeAlias = Callable[..., Log]
"""The fixture `log`: log("vllm-steps", *lines)."""

ENGINE = SHARED / "data" / "engine"
needs_logs = pytest.mark.skipif(
    not ENGINE.exists(), reason=f"{ENGINE} is not there: the readers are NOT held against real logs"
)


def verdicts(log: Log, setting: Setting | None = None) -> dict[str, LogVerdict]:
    """Every claim, every law of a single batch and every law of logs."""
    claims = [*CLAIMS.values(), *(law.claim for law in LAWS.values() if law.symbolic)]
    claims += [law.claim for law in LOG_LAWS.values()]
    return {v.verdict.claim.name: v for v in judge(log, claims, setting)}


def said(found: LogVerdict) -> tuple[str, int, int, int | None]:
    return found.verdict.result.value, found.verdict.checked, found.verdict.failures, found.line


def refused(log: Log) -> str:
    with pytest.raises(BadInput) as raised:
        list(log.steps())
    text = str(raised.value)
    assert text.startswith(f"{log.file}: ")
    return text.removeprefix(f"{log.file}: ")
