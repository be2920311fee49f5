"""The only module that runs Hypothesis: it draws cases and shrinks an interesting one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import hypothesis
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

T = TypeVar("T")


@contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Keeps Hypothesis from drawing the constants that it finds in the loaded modules.

    With them, what a seed draws depends on what else the process has imported: on whether the
    command line or pytest runs, and under xdist on the earlier tests of a worker. Hypothesis has no
    setting for this. A version without such draws needs no change.
    """
    name = "_maybe_draw_constant"
    drawing = providers.HypothesisProvider.__dict__.get(name)
    if drawing is None:
        yield
        return
    setattr(providers.HypothesisProvider, name, lambda *args, **kwargs: None)
    try:
        yield
    finally:
        setattr(providers.HypothesisProvider, name, drawing)


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

    Without `shrink` it is the first one found. Every setting is given, since a profile of the
    user's, or the one that Hypothesis loads on CI, would otherwise change what a seed means. The
    database is off for the same reason, and because found paths are kept as files, which outlive
    a change of Hypothesis.
    """
    smallest: list[T] = []
    errors: list[Exception] = []
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
        if errors:  # Hypothesis runs a failing case again; a search that counts may not fail twice
            raise errors[0]
        try:
            found = interesting(case)
        except Exception as error:
            errors.append(error)
            raise
        if found:
            smallest[:] = [case]
            raise _Interesting

    try:
        with _no_constants_of_modules():
            property_()
    except _Interesting:  # Hypothesis ends on the smallest example, and raises what it raised
        return smallest[0]
    except hypothesis.errors.Flaky:  # it was interesting once: the caller looks again
        return smallest[0] if smallest else None
    return None
