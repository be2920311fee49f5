"""A seed draws the same, whatever else the process has imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis.internal.conjecture import providers
from radproof.strategies import paths

from radproof import SEED
from radproof.search.drawing import draw

PROGRAM = """
{before}
from radproof import SEED
from radproof.search.drawing import draw
from radproof.strategies import paths
drawn = []
draw(paths("natural", SEED), lambda path: drawn.append(path) or False, 200, 3)
print([[(s.arrive, s.prompt, s.output) for s in path] for path in drawn])
"""


def drawn_with(before: str, folder: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before)],
        cwd=folder, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_a_module_with_constants_changes_nothing(tmp_path: Path) -> None:
    constants = ", ".join(str(1_000 + 37 * n) for n in range(200))
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = [{constants}]\n", "utf-8")
    assert drawn_with("", tmp_path) == drawn_with("import full_of_numbers", tmp_path)


def test_hypothesis_is_left_as_it_was() -> None:
    before = providers.HypothesisProvider.__dict__.get("_maybe_draw_constant")
    draw(paths("natural", SEED), lambda path: False, 2, 0)
    assert providers.HypothesisProvider.__dict__.get("_maybe_draw_constant") is before


def test_the_first_is_taken_where_nothing_is_to_be_shrunk() -> None:
    seen = []

    def interesting(path: Path) -> bool:
        seen.append(path)
        return len(path) > 3  # type: ignore[arg-type]

    first = draw(paths("natural", SEED), interesting, 50, 0, shrink=False)
    assert first == next(path for path in seen if len(path) > 3)


def test_an_error_that_does_not_recur_is_raised() -> None:
    calls = []

    def failing(path: object) -> bool:
        calls.append(path)
        if len(calls) == 7:
            raise ZeroDivisionError("once")
        return False

    with pytest.raises(ZeroDivisionError, match="once"):
        draw(paths("natural", SEED), failing, 50, 0)
