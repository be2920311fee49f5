"""The one place where Hypothesis is driven: draw cases, and shrink one that is interesting."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import hypothesis
from hypothesis import strategies as st

T = TypeVar("T")


class _Interesting(Exception):
    """Tells Hypothesis that a case is interesting."""


def draw(
    drawn: st.SearchStrategy[T],
    interesting: Callable[[T], bool],
    examples: int,
    seed: int,
    *,
    shrink: bool = True,
) -> T | None:
    """The smallest interesting case that Hypothesis finds and shrinks to, if any.

    Without `shrink` the first one that is found. Every setting is given: a profile of the user's
    own, or the one Hypothesis takes on CI, would otherwise change what a seed means. The database
    stays off for the same reason, and because found paths are kept as files, which outlive a
    change of Hypothesis.
    """
    smallest: list[T] = []
    generate = hypothesis.Phase.generate
    phases = (generate, hypothesis.Phase.shrink) if shrink else (generate,)

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        stateful_step_count=50,
        suppress_health_check=(),
        verbosity=hypothesis.Verbosity.normal,
        backend="hypothesis",
    )
    @hypothesis.given(drawn)
    def property_(case: T) -> None:
        if interesting(case):
            smallest[:] = [case]
            raise _Interesting

    try:
        property_()
    except _Interesting:  # Hypothesis ends on the smallest example, and raises what it raised
        return smallest[0]
    return None
