from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from radproof import BadInput
from radproof.report.baseline import Baseline, compare


def test_a_baseline_shows_what_changed() -> None:
    old = Baseline("s", {"a": "holds", "b": "fails", "c": "fails"}, 10.0)
    new = Baseline("s", {"a": "fails", "b": "holds", "c": "fails", "d": "fails"}, 20.0)
    assert [(c.what, c.name, c.worse) for c in compare(old, new)] == [
        ("newly failing", "a", True),
        ("newly holding", "b", False),
        ("not in the baseline", "d", True),
        ("slower", "s", False),
    ]
    assert compare(old, old) == []


@pytest.mark.parametrize(
    ("before", "now", "slower"),
    [(0.1, 1.0, False), (10.0, 14.9, False), (1.0, 2.0, False), (1.0, 2.1, True), (10, 15.1, True)],
)
def test_slower_is_over_half_again_and_over_a_second(
    before: float, now: float, slower: bool
) -> None:
    old = Baseline("s", {}, before)
    changes = compare(old, attrs.evolve(old, seconds=now))
    assert [change.what for change in changes] == ["slower"] * slower


def test_a_new_law_that_holds_fails_nothing() -> None:
    (change,) = compare(Baseline("s", {}, 1.0), Baseline("s", {"a": "holds"}, 1.0))
    assert (str(change), change.worse) == ("not in the baseline: a (holds)", False)


def test_a_result_that_is_no_longer_evaluated_newly_fails() -> None:
    old, new = (Baseline("s", {"a": result}, 1.0) for result in ("holds", "not evaluated"))
    (change,) = compare(old, new)
    assert str(change) == "newly failing: a (holds, now not evaluated)"


def test_a_file_that_is_not_a_baseline_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text("{}", "utf-8")
    with pytest.raises(BadInput, match="is not a baseline"):
        Baseline.read(file)
    file.write_text("{", "utf-8")
    with pytest.raises(BadInput, match="line 1"):
        Baseline.read(file)
    good = Baseline("s", {"a": "holds"}, 1.5)
    good.write(file)
    assert Baseline.read(file) == good
