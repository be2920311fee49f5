from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from radproof import BadInput, Deployment
from radproof.claims import Result
from radproof.report.baseline import Baseline, Subject, compare, stored

SUBJECT = Subject("s", Deployment(), ("engine", "mine:few"), 0)


def baseline(seconds: float = 1.0, /, **results: str) -> Baseline:
    return Baseline(SUBJECT, {name: Result(word) for name, word in results.items()}, seconds)


def test_a_baseline_shows_what_changed() -> None:
    old = baseline(10.0, a="holds", b="fails", c="fails")
    new = baseline(20.0, a="fails", b="holds", c="fails", d="fails")
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
    old = baseline(before)
    changes = compare(old, attrs.evolve(old, seconds=now))
    assert [change.what for change in changes] == ["slower"] * slower


def test_a_new_law_that_holds_fails_nothing() -> None:
    (change,) = compare(baseline(), baseline(a="holds"))
    assert (str(change), change.worse) == ("not in the baseline: a (holds)", False)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("holds", "not evaluated", "newly failing: a (holds, now not evaluated)"),
        ("not evaluated", "fails", "newly failing: a (not evaluated, now fails)"),
        ("witnessed", "unknown", "newly failing: a (witnessed, now unknown)"),
        ("fails", "unknown", "no longer failing: a (fails, now unknown)"),
        ("unknown", "holds", "newly holding: a (unknown, now holds)"),
        ("unknown", "not evaluated", None),
        ("holds", None, "no longer checked: a (holds)"),
        ("fails", None, "no longer checked: a (fails)"),
    ],
)
def test_what_gets_worse_fails_the_gate(before: str, now: str | None, said: str | None) -> None:
    changes = compare(baseline(a=before), baseline(**({} if now is None else {"a": now})))
    assert [str(change) for change in changes] == ([] if said is None else [said])
    worse = ["newly failing", "no longer checked: a (holds)"]
    assert [c.worse for c in changes] == [str(c).startswith(tuple(worse)) for c in changes]


def test_a_file_that_is_not_a_baseline_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text("{}", "utf-8")
    with pytest.raises(BadInput, match="is not a baseline"):
        Baseline.read(file)
    file.write_text("{", "utf-8")
    with pytest.raises(BadInput, match="line 1"):
        Baseline.read(file)
    good = baseline(1.5, a="holds")
    good.write(file)
    assert Baseline.read(file) == good
    file.write_text(file.read_text("utf-8").replace('"holds"', '"hold"'), "utf-8")
    with pytest.raises(BadInput, match="a is 'hold'; it must be holds or fails or "):
        Baseline.read(file)


def test_a_baseline_of_before_it_had_a_subject_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text(
        '{"schema": "radproof.baseline/1", "scheduler": "s", "results": {"a": "fails"}, '
        '"seconds": 1.0}',
        "utf-8",
    )
    with pytest.raises(BadInput, match="Remove the file, and --baseline writes a new one"):
        stored(file, SUBJECT)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("scheduler", "t", "of scheduler s, and not t. "),
        ("deployment", Deployment(b_row=512), r"b_row=1,.*b_row=512.*\. "),
        ("claims", ("engine",), "of claims engine, mine:few, and not engine. "),
        ("seed", 7, "of seed 0, and not 7. "),
    ],
)
def test_a_baseline_is_bound_to_its_subject(
    field: str, value: object, said: str, tmp_path: Path
) -> None:
    """A failing claim of another scheduler's baseline made a failing one green."""
    file = tmp_path / "b.json"
    assert stored(file, SUBJECT) is None
    baseline(a="fails").write(file)
    assert stored(file, SUBJECT) == baseline(a="fails")
    with pytest.raises(BadInput, match=f"b.json is the baseline of another check: .*{said}"):
        stored(file, attrs.evolve(SUBJECT, **{field: value}))
