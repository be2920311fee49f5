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

from radproof import Session
from radproof.files.paths import Breaks, PathFile, write

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


ONE_THEN_NONE = """
from radproof import DECODE, Entry

def one_then_none(view):
    return ((Entry(0, DECODE, 1),) if view.now == 0 else ()), None
"""


@pytest.mark.parametrize(
    ("kind", "name", "code", "result"),
    [("claim", "optimal_tiling", 1, "fails"), ("scheduler", "stuck", 2, "not evaluated")],
)
def test_what_was_broken_before_a_fault_and_the_fault_are_each_reproduced(
    kind: str, name: str, code: int, result: str
) -> None:
    """One path breaks the claim at 0 and ends in a fault: a file says which of the two it shows."""
    file = Path("found.json")
    breaks = Breaks(kind, name, given=False)  # type: ignore[arg-type]
    scheduler = f"{user(ONE_THEN_NONE)}:one_then_none"
    sessions = (Session(0, 0, 2), Session(0, 0, 1))
    write(file, PathFile(sessions, scheduler=scheduler, breaks=breaks))
    found = as_json("replay", str(file), code=code)
    assert (found["reproduced"], found["result"]) == (True, result)
    assert (found["error"] is None) == (kind == "claim")
    assert radproof("explain", str(file)).exit_code == 0


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


@pytest.fixture
def state() -> str:
    name = "radproof.mutants:lifo_prefill"
    found = as_json("prove", "--scheduler", name, "--lemma", "serves_in_order", code=1)
    [one] = found["counterexamples"]
    return str(one["file"])


def test_a_state_is_replayed_in_the_order_that_its_scheduler_serves_in(state: str) -> None:
    result = radproof("replay", state)
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, "reproduced.")
    assert "serves_in_order under radproof.mutants:lifo_prefill: one step from " in result.output
    mended = radproof("replay", state, "--scheduler", "rad")
    assert mended.exit_code == 0
    assert mended.output.splitlines()[-1].startswith("not reproduced: ")


def test_a_state_is_replayed_only_under_a_scheduler_in_rule_form(state: str) -> None:
    name = user(ROUND_ROBIN)
    said = one_line("replay", state, "--scheduler", f"{name}:one")
    assert said.startswith(f"{name}:one is plain Python code")
    assert "a state can be replayed only under a scheduler in rule form" in said


CTI = Path(__file__).parents[2] / "lean_mirror" / "sources" / "cti"


def test_a_state_that_one_event_breaks_is_replayed_too() -> None:
    result = radproof("replay", str(CTI / "rad-exec-ragged-tail.json"))
    assert result.exit_code == 1
    assert result.output == (
        "rad_batch under rad: one event from t = 50 with 1 jobs\n"
        "  RateInv before the event: holds\n"
        "  optimal_tiling after it, at t = 95: fails\n"
        "reproduced.\n"
    )
    changed = str(CTI / "rad-start-chunk.json")
    assert as_json("replay", changed, code=1)["reproduced"] is True
    mended = radproof("replay", changed, "--scheduler", "rad")
    assert mended.exit_code == 0
    assert "\nnot reproduced: not a counterexample to induction" in mended.output


def test_a_state_that_is_wrong_is_named_with_its_file(state: str) -> None:
    text = Path(state).read_text()
    for old, new, said in (
        ('"watch": ["', '"watch": ["x', 'field "watch" names the unknown law \'x'),
        (
            "radproof.state/2",
            "radproof.cti/1",
            "is 'radproof.cti/1', which this radproof",
        ),
        ('"now"', '"new"', "the file has an unknown field 'new'. Did you mean 'now'?"),
    ):
        assert old in text
        message = one_line("replay", path_file(text.replace(old, new), "it.json"))
        assert message.startswith("it.json: ")
        assert said in message
