from __future__ import annotations

from pathlib import Path

import pytest
from commandline import (
    ROUND_ROBIN,
    as_json,
    one_line,
    path_file,
    radproof,
    user,
)

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def saved() -> str:
    arguments = ("check", "--scheduler", "radproof.mutants:chunk_127", "--claim", "optimal_tiling")
    return str(as_json(*arguments, code=1)["counterexample"])


def test_replay_reproduces_a_saved_counterexample(saved: str) -> None:
    result = radproof("replay", saved)
    assert result.exit_code == 1
    assert result.output.startswith(
        "optimal_tiling under radproof.mutants:chunk_127: fails at 0, in iteration 0 (counted from"
    )
    assert result.output.endswith("\nreproduced.\n")
    found = as_json("replay", saved, code=1)
    assert (found["reproduced"], found["claim"], found["result"]) == (
        *(True, "optimal_tiling", "fails"),
    )
    assert (found["first"], found["error"]) == (0, None)


def test_replay_of_what_no_longer_breaks_does_not_call_it_minimal(saved: str) -> None:
    assert "1-minimal" in radproof("replay", saved).output
    assert "1-minimal" not in radproof("replay", saved, "--scheduler", "rad").output


def test_replay_of_a_mended_scheduler_exits_0(saved: str) -> None:
    result = radproof("replay", saved, "--scheduler", "rad")
    assert result.exit_code == 0
    assert result.output.endswith("\nnot reproduced: this path no longer breaks it.\n")
    assert as_json("replay", saved, "--scheduler", "rad")["reproduced"] is False


def test_replay_that_ends_in_another_mistake_is_not_called_reproduced(saved: str) -> None:
    name = user(ROUND_ROBIN)
    result = radproof("replay", saved, "--scheduler", f"{name}:raises")
    assert result.exit_code == 2
    assert "no such tile" in result.output
    assert "\nreproduced." not in result.output


def test_replay_of_a_plain_path_checks_both_claims() -> None:
    assert radproof("replay", path_file("[[0, 128, 1]]")).exit_code == 0
    bad = radproof(
        "replay", path_file("[[0, 128, 1]]"), "--scheduler", "radproof.mutants:chunk_127"
    )
    assert (bad.exit_code, "fails at 0" in bad.output) == (1, True)


def test_replay_of_a_claim_that_is_gone_says_so(saved: str) -> None:
    text = Path(saved).read_text().replace('"optimal_tiling"', '"optimal_tilling"')
    assert one_line("replay", path_file(text)).startswith(
        "unknown claim 'optimal_tilling'. Did you mean 'optimal_tiling'?"
    )
