"""The pytest plugin, as a user's pytest run shows it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from radproof import BadInput
from radproof.plugin import DEFAULT_PROFILE, PROFILES, profile

ARGS = ("--pyargs", "radproof.properties", "-m", "claims", "-p", "no:cacheprovider")
DEV = (*ARGS, "--radproof-profile", "dev")

SCHEDULER = """
from radproof import DECODE, Entry

def longest_first(view):
    [job] = sorted(view.jobs, key=lambda job: job.prompt)[-1:]
    tokens = 1 if job.phase is DECODE else min(127, job.prompt - job.prefilled)
    return [Entry(job.session, job.phase, tokens)], view.memory

def raises(view):
    return [][0], None

def one_at_a_time(view):
    job = view.jobs[0]
    return [Entry(job.session, job.phase, 1)], None
"""


def test_header_and_claim_table(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(*DEV, "-k", "token_rate and not scaled", "-W", "error")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "radproof: radproof *, hypothesis *; profile dev (200 paths a claim); scheduler rad",
            "*claims: rad*",
            "*claim*kind*result*iterations*paths*",
            "*token_rate*every iteration*holds*",
            "seed *",
        ]
    )


def test_the_table_is_whole_under_xdist(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(*DEV, "-n", "2", "-k", "test_claim")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*optimal_tiling*holds*", "*token_rate*holds*"])
    result.stdout.fnmatch_lines(["*optimal_tiling (scaled down)*", "*token_rate (scaled down)*"])


def test_a_faulty_scheduler_fails_with_the_smallest_path(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine=SCHEDULER)
    result = pytester.runpytest_subprocess(*DEV, "--radproof-scheduler", "mine:longest_first")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "optimal_tiling under mine:longest_first: fails at 0, in iteration 0*",
            "*1 session of (arrive, prompt, output)*",
            "*session 0: 1 x (0, 128, 0)",
            "*1-minimal*",
            "*replay*radproof replay .radproof/counterexamples/optimal_tiling-*.json",
            "*optimal_tiling*every iteration*fails at 0*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    [file] = Path(pytester.path, ".radproof", "counterexamples").glob("optimal_tiling-*.json")
    assert json.loads(file.read_text())["scheduler"] == "mine:longest_first"
    replayed = pytester.run(sys.executable, "-m", "radproof", "replay", file)
    assert replayed.ret == 1
    replayed.stdout.fnmatch_lines(["*1 x (0, 128, 0)", "reproduced."])


def test_a_finding_is_shown_where_it_cannot_be_saved(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine=SCHEDULER)
    Path(pytester.path, ".radproof").touch()
    result = pytester.runpytest_subprocess(
        *DEV, "--radproof-scheduler", "mine:longest_first", "-k", "optimal_tiling"
    )
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "optimal_tiling under mine:longest_first: fails at 0, in iteration 0*",
            "*not saved*/.radproof/counterexamples/optimal_tiling-* cannot be written: *",
        ]
    )


def test_a_scheduler_that_raises_is_named_with_its_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine=SCHEDULER)
    result = pytester.runpytest_subprocess(
        *DEV, "--radproof-scheduler", "mine:raises", "-k", "token_rate"
    )
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*the scheduler raised at t = 0*IndexError*mine.py, line 9)*"])


def test_a_claim_that_nothing_reached_is_not_evaluated(pytester: pytest.Pytester) -> None:
    # one token an iteration: no decode batch is ever full, so nothing is known about full ones
    pytester.makepyfile(mine=SCHEDULER)
    result = pytester.runpytest_subprocess(
        *DEV, "--radproof-scheduler", "mine:one_at_a_time", "-k", "token_rate and not scaled"
    )
    assert result.ret == 3
    result.stdout.fnmatch_lines(
        ["*token_rate is not evaluated*full decode batch*", "*token_rate*not evaluated*"]
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--radproof-scheduler", "rda"), "*unknown scheduler 'rda'. Did you mean 'rad'?*"),
        (("--radproof-scheduler", "nowhere:it"), "*no module 'nowhere'*"),
        (("--radproof-profile", "quick"), "*unknown profile 'quick'; it must be one of: dev, ci*"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_runs(
    pytester: pytest.Pytester, option: tuple[str, str], message: str
) -> None:
    result = pytester.runpytest_subprocess(*ARGS, *option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_the_marker_is_registered(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--markers")
    result.stdout.fnmatch_lines(["@pytest.mark.claims:*"])


def test_the_ci_profile_has_a_fixed_seed_and_the_examples_of_the_issue() -> None:
    assert DEFAULT_PROFILE == "ci"
    assert profile("ci").seed is not None
    assert profile("ci").examples >= 3_000
    assert profile("dev").examples < profile("ci").examples < profile("nightly").examples
    assert [profile(name).name for name in PROFILES] == ["dev", "ci", "nightly"]


def test_an_unknown_profile_lists_those_there_are() -> None:
    with pytest.raises(BadInput) as raised:
        profile("CI")
    assert str(raised.value) == "unknown profile 'CI'; it must be one of: dev, ci, nightly."
