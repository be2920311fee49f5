"""verify(): three lines in a user's own test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers import unleapt

from radproof import (
    DECODE,
    PREFILL,
    BadInput,
    Claim,
    Deployment,
    Entry,
    Session,
    View,
    optimal_tiling,
    rad,
    token_rate,
)
from radproof.files.paths import PathFile, write
from radproof.laws import checks
from radproof.mutants import CATALOGUE, TILE_OF_TWO
from radproof.testing import Broken, verify


def test_a_scheduler_that_keeps_the_laws_passes() -> None:
    verify(rad, laws=["engine", "rad"], deployment=TILE_OF_TWO, examples=20)


def test_the_laws_of_any_engine_are_the_default() -> None:
    with pytest.raises(Broken, match="batch_budget"):
        verify(CATALOGUE["budget_off"].scheduler, deployment=TILE_OF_TWO, examples=20)


def test_the_message_has_the_table_and_the_smallest_path() -> None:
    with pytest.raises(Broken) as raised:
        verify(CATALOGUE["lifo_decode"].scheduler, claims=["decode_order"], examples=20)
    text = str(raised.value)
    assert "does not keep its claims and laws" in text
    assert "decode_order   whole run   fails at 0" in text
    assert "session 1 is served before session 0, which comes first" in text
    assert "sessions 0..1: 2 x (0, 0, 1)" in text
    assert "1-minimal" in text


def test_a_claim_of_one_s_own_is_checked() -> None:
    small = Claim("small", "every iteration", lambda i, d: i.residents <= 1)
    with pytest.raises(Broken, match="small"):
        verify(rad, claims=[small], examples=20)
    verify(rad, claims=[token_rate, optimal_tiling], deployment=TILE_OF_TWO, examples=300)


def test_a_claim_that_few_paths_are_about_is_not_evaluated_in_a_test_either() -> None:
    """`verify` passed what `check` calls *not evaluated*; and a law's name did not help it."""
    for name in ("small", "clock"):
        few = Claim(
            name,
            "every iteration",
            lambda i, d: True,
            given=lambda s, d: (s.arrive, s.prompt, s.output) == (0, 1, 1),
        )
        with pytest.raises(Broken, match=f"{name}: no path reached: full decode batch"):
            verify(rad, claims=[few], examples=20)


def test_a_scheduler_may_be_named() -> None:
    with pytest.raises(Broken, match=r"radproof\.mutants:mixed"):
        verify("radproof.mutants:mixed", claims=["unmixed"], examples=20)


def test_an_unknown_claim_is_refused() -> None:
    with pytest.raises(BadInput, match="unknown claim 'tokn_rate'"):
        verify(rad, claims=["tokn_rate"])
    with pytest.raises(BadInput, match="unknown laws 'rads'"):
        verify(rad, laws=["rads"])


def test_a_saved_path_of_another_deployment_is_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A path found at 128 was run at 128 against a scheduler judged at 512, and failed it."""
    roomy = Deployment(b_col=128, b_row=512)
    write(tmp_path / "found.json", PathFile((Session(0, 512, 1),), deployment=Deployment()))
    verify(in_chunks, claims=["batch_budget"], deployment=roomy, examples=20, corpus=tmp_path)
    assert "1 saved path of another deployment was left out" in capsys.readouterr().out
    write(tmp_path / "here.json", PathFile((Session(0, 513, 1),), deployment=roomy))
    with pytest.raises(Broken, match="1 saved path of another deployment was left out"):
        verify(too_much, claims=["batch_budget"], deployment=roomy, examples=20, corpus=tmp_path)


def test_paths_that_were_not_checked_in_full_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    verify(
        unleapt(in_chunks), claims=["batch_budget"], deployment=Deployment(b_row=512), examples=20
    )
    assert " paths were not run to their end" in capsys.readouterr().out


def in_chunks(view: View) -> Any:
    """Chunks of 512 tokens, one prompt at a time, and decodes where nothing waits."""
    prefills = [job for job in view.jobs if job.phase is PREFILL]
    if not prefills:
        return [Entry(job.session, DECODE, 1) for job in view.jobs[:128]], None
    job = prefills[0]
    return [Entry(job.session, PREFILL, min(512, job.prompt - job.prefilled))], None


def too_much(view: View) -> Any:
    """Whole prompts, however long."""
    job = view.jobs[0]
    tokens = job.prompt - job.prefilled if job.phase is PREFILL else 1
    return [Entry(job.session, job.phase, tokens)], None


def test_a_law_that_cannot_be_asked_is_named_and_the_test_passes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    verify(rad, laws=["engine"], deployment=TILE_OF_TWO, examples=5)
    assert "own_count: not evaluated; the scheduler has no count of its" in capsys.readouterr().out
    with pytest.raises(Broken, match="own_count: the scheduler has no count of its own"):
        verify(rad, claims=["own_count"], deployment=TILE_OF_TWO, examples=1)


def shown(raised: pytest.ExceptionInfo[BaseException]) -> list[str]:
    """The files whose lines pytest shows."""
    return [entry.path.name for entry in raised.traceback.filter(raised)]


def test_a_failure_shows_the_user_s_line_and_none_of_radproof_s() -> None:
    with pytest.raises(Broken) as broken:
        verify(too_much, claims=["batch_budget"], examples=5)
    assert shown(broken) == ["test_testing.py"]
    with pytest.raises(BadInput) as wrong:
        verify(rad, laws=["engin"])
    assert shown(wrong) == ["test_testing.py"]


def test_one_group_or_claim_needs_no_list() -> None:
    """`laws="engine"` gave "unknown laws 'e'"."""
    with pytest.raises(Broken, match=r" well_formed (.|\n)* batch_budget "):
        verify(too_much, laws="engine", examples=2)
    for one in ("batch_budget", checks()["batch_budget"]):
        with pytest.raises(Broken, match=" batch_budget "):
            verify(too_much, claims=one, examples=2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"laws": "rada"}, "unknown laws 'rada'. Did you mean 'rad'?"),
        ({"laws": "engine,rad"}, "unknown laws 'engine,rad'"),
        ({"laws": 3}, "laws has 3; name groups of laws: engine, rad."),
        ({"claims": [7]}, "claim 7 is not a radproof.Claim, or the name of one."),
        ({"examples": 0}, "examples is 0; it must be a whole number >= 1."),
        ({"examples": True}, "examples is True; it must be a whole number >= 1."),
        ({"examples": "5"}, "examples is '5'; it must be a whole number >= 1."),
        ({"seed": -1}, "seed is -1; it must be a natural number"),
        ({"deployment": (3, 1)}, "deployment is (3, 1); it must be a radproof.Deployment."),
        ({"corpus": "nowhere"}, "corpus 'nowhere' is no folder in {here}, where the tests run."),
        ({"corpus": "file"}, "corpus 'file' is no folder in {here}, "),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_refused_with_the_remedy(
    given: dict[str, Any], said: str, here: Path
) -> None:
    """A corpus that is missing passed, and `examples=0` blamed Hypothesis."""
    Path("file").touch()
    with pytest.raises(BadInput) as raised:
        verify(rad, **({"claims": ["clock"], "examples": 2} | given))
    assert str(raised.value).startswith(said.format(here=here))
