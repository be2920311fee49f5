from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from radproof import rad
from radproof.mutants import decisions
from radproof.report.place import place_of
from radproof.schedulers.loading import Loaded


def test_the_place_is_the_scheduler_s_own_line() -> None:
    place = place_of(Loaded.of(decisions.tail_alone).source)
    assert place is not None
    line = Path(place.file).read_text("utf-8").splitlines()[place.line - 1]
    assert line.startswith("def tail_alone")
    rad_place = place_of(rad)
    assert rad_place is not None
    assert rad_place.file.endswith("rule_form.py")

    class Engine:
        def add_request(self, number: int, prompt: int) -> None: ...
        def schedule(self) -> None: ...
        def update(self, number: int, tokens: int, finished: bool) -> None: ...

    place = place_of(Loaded.of(Engine).source)
    assert place is not None
    assert place.file.endswith("test_place.py")
    assert place_of(len) is None


def kept(function: Callable[[int], int]) -> Callable[[int], int]:
    return function


@kept
def decorated(number: int) -> int:
    return number


def test_the_line_of_a_decorated_function_is_its_own() -> None:
    place = place_of(functools.partial(decorated, 1))
    assert place is not None
    assert Path(__file__).read_text("utf-8").splitlines()[place.line - 1].startswith("def decorat")


def test_a_file_outside_the_folder_is_named_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = place_of(decorated)
    assert place is not None
    assert place.file == Path(__file__).as_posix()
    monkeypatch.chdir(Path(__file__).parent)
    place = place_of(decorated)
    assert place is not None
    assert place.file == "test_place.py"
