"""The one place where Hypothesis is driven: draw cases, and shrink one that is interesting."""

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

    Those make what a seed draws depend on what else the process has imported: on whether the
    command line or pytest runs, and under xdist on the tests that a worker had before. It has no
    setting for this; a Hypothesis that does not draw them has nothing to be kept from.
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

    Without `shrink` the first one that is found. Every setting is given: a profile of the user's
    own, or the one Hypothesis takes on CI, would otherwise change what a seed means. The database
    stays off for the same reason, and because found paths are kept as files, which outlive a
    change of Hypothesis.
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
        if errors:  # once is enough, and it may not come again: what looks counts its looks
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
    return None
