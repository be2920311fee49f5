"""Prints the benchmarks as one table of ratios: medians of one run, on one machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from radproof.report.text import table

RATIOS = pytest.StashKey[list[tuple[str, str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RATIOS] = []


@pytest.fixture
def show(request: pytest.FixtureRequest) -> Callable[[str, str, str], None]:
    """Add a row: what is measured, the figure, what it must be."""
    rows = request.config.stash[RATIOS]
    return lambda what, figure, wanted: rows.append((what, figure, wanted))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash[RATIOS]
    if rows:
        terminalreporter.section("ratios, medians of this run")
        terminalreporter.write_line(table(("what", "figure", "wanted"), rows, ("figure",)))
