"""The pytest plugin: the `claims` marker, the options, the header and the claim table.

Loaded with every pytest run where radproof is installed, so it imports nothing heavy until a
claims test runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from radproof.errors import BadInput, CannotWrite
from radproof.schedulers.loading import Loaded, load

if TYPE_CHECKING:
    from radproof.search.search import Finding

PROPERTY = "radproof"
"""The key of a finding in a test report, which xdist sends from a worker to the controller."""

EXIT = "radproof.exit"
"""The key of a claims test's exit code: 1 fails, 2 bad input, 3 undecided."""


@attrs.frozen
class Profile:
    """How thorough a claims test is."""

    name: str
    examples: int
    """Paths drawn for each claim."""
    seed: int | None
    """None draws a new one each time; the table shows it."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("dev", examples=200, seed=None),
        Profile("ci", examples=3_000, seed=0),
        Profile("nightly", examples=20_000, seed=None),
    )
}
DEFAULT_PROFILE = "ci"


def profile(name: str) -> Profile:
    """The profile of this name. Raises BadInput for an unknown name."""
    if name not in PROFILES:
        raise BadInput(f"unknown profile {name!r}; it must be one of: {', '.join(PROFILES)}.")
    return PROFILES[name]


@attrs.frozen
class Options:
    """What the command line chose: the scheduler, the profile, the folder of counterexamples."""

    scheduler: Loaded
    profile: Profile
    folder: FilePath


OPTIONS: pytest.StashKey[Options] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--radproof-scheduler`` and ``--radproof-profile``."""
    group = parser.getgroup("radproof", "radproof: claims about schedulers")
    group.addoption(
        "--radproof-scheduler",
        default="rad",
        metavar="MODULE:NAME",
        help="the scheduler that the claims are checked on (default: rad)",
    )
    group.addoption(
        "--radproof-profile",
        default=DEFAULT_PROFILE,
        metavar="|".join(PROFILES),
        help=f"how many paths are drawn for each claim (default: {DEFAULT_PROFILE})",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; raise UsageError for an unknown scheduler or profile before any test."""
    config.addinivalue_line("markers", "claims: the claims about the scheduler (radproof).")
    try:
        config.stash[OPTIONS] = Options(
            scheduler=load(config.getoption("--radproof-scheduler")),
            profile=profile(config.getoption("--radproof-profile")),
            folder=_folder(config),
        )
    except BadInput as error:
        raise pytest.UsageError(f"radproof: {error}") from None


def _folder(config: pytest.Config) -> FilePath:
    from radproof.files.corpus import FOLDER

    return FilePath(config.invocation_params.dir) / FOLDER


def pytest_report_header(config: pytest.Config) -> str:
    """The versions, the profile and the scheduler, so that a reader can run it again."""
    options = config.stash[OPTIONS]
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("radproof", "hypothesis", "z3-solver")
    )
    return (
        f"radproof: {versions}; profile {options.profile.name} "
        f"({options.profile.examples:,} paths a claim); scheduler {options.scheduler.name}"
    )


@pytest.fixture(scope="session")
def radproof_options(request: pytest.FixtureRequest) -> Options:
    """The scheduler and the profile that the command line chose."""
    return request.config.stash[OPTIONS]


@pytest.fixture
def radproof_report(
    request: pytest.FixtureRequest, radproof_options: Options
) -> Callable[[Finding], None]:
    """Puts a finding into the claim table, and fails the test unless the claim holds."""

    def conclude(finding: Finding) -> None:
        from radproof import lean, pictures
        from radproof.report.text import finding_row

        properties = request.node.user_properties
        properties.append((PROPERTY, json.dumps(finding_row(finding))))
        properties.append((EXIT, finding.exit_code))
        found = finding.counterexample
        if found is not None:
            try:
                file = found.save(radproof_options.folder)
            except CannotWrite as error:
                # one that witnesses its claim fails nothing
                if finding.exit_code:
                    pytest.fail(found.text(unsaved=str(error)), pytrace=False)
                return
            if finding.exit_code:
                shown = FilePath(os.path.relpath(file))
                term, picture = lean.write_term_beside(shown), pictures.write_beside(shown)
                pytest.fail(found.text(shown, term, picture), pytrace=False)
        if finding.exit_code:
            pytest.fail(
                f"{finding.claim.name} is not evaluated: none of {finding.paths:,} paths reached: "
                f"{', '.join(finding.missing)}. Draw more paths (--radproof-profile), or check "
                "whether this scheduler can reach it.",
                pytrace=False,
            )

    return conclude


def _rows(reporter: pytest.TerminalReporter) -> Iterator[dict[str, Any]]:
    for outcome in ("passed", "failed"):
        for report in reporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == PROPERTY and report.when == "call":
                    yield json.loads(value)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """The claim table, in the same order whichever worker finishes first."""
    rows = sorted(_rows(terminalreporter), key=lambda row: (row["scaled"], row["claim"]))
    if not rows:
        return
    from radproof.report.text import finding_table, sometimes_table

    terminalreporter.section(f"claims: {config.stash[OPTIONS].scheduler.name}")
    terminalreporter.write_line(finding_table(rows))
    if config.get_verbosity() > 0:
        terminalreporter.write_line("\npaths that reached each situation")
        terminalreporter.write_line(sometimes_table(rows))
    seeds = sorted({row["seed"] for row in rows})
    terminalreporter.write_line(f"seed {', '.join(map(str, seeds))}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Exit code 3 if every failure is undecided: not evaluated, or not proved."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or exitstatus != pytest.ExitCode.TESTS_FAILED:
        return
    failed = [report for how in ("failed", "error") for report in reporter.stats.get(how, [])]
    if failed and all((EXIT, 3) in getattr(report, "user_properties", ()) for report in failed):
        session.exitstatus = 3
