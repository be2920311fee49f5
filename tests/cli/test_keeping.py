"""What a search finds is kept as it is found."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from radproof import leap, token_rate
from radproof.claims import check
from radproof.cli import keeping
from radproof.cli.keeping import Keeper
from radproof.mutants import CATALOGUE
from radproof.schedulers.loading import Loaded
from radproof.search.counterexample import Counterexample


def of(sessions: int, **fields: object) -> Counterexample:
    scheduler = Loaded.of(CATALOGUE["greater"].scheduler, "radproof.mutants:greater")
    run = leap([(0, 128, 0)] * sessions, scheduler=scheduler.call)
    found = Counterexample.of(run, scheduler, token_rate, check(run, token_rate))
    return attrs.evolve(found, **fields)


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_the_path_that_was_found_is_there_until_the_minimal_one_is(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    large, small = of(9), of(1, minimal=True)
    keeper(large, False)
    assert names(tmp_path) == {large.file_name}
    keeper(small, True)
    assert names(tmp_path) == {small.file_name}
    keeper(large, True)  # found once more, by a search that starts again
    assert names(tmp_path) == {small.file_name, large.file_name}


def test_a_saved_path_that_breaks_again_stays_as_it_was(tmp_path: Path) -> None:
    known = of(2, minimal=True)
    before = known.save(tmp_path).read_text("utf-8")
    keeper = Keeper(tmp_path)
    keeper(of(2), False)
    assert (tmp_path / known.file_name).read_text("utf-8") == before
    keeper(of(1, minimal=True), True)
    assert known.file_name in names(tmp_path)


def test_two_claims_may_share_the_path_that_was_found(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    one, other = of(3), of(3, claim_name="m:other")
    for found in (one, other):
        keeper(found, False)
    keeper(of(1), True)
    assert one.file_name in names(tmp_path)


def test_nothing_is_raised_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keeper = Keeper(tmp_path / "file")
    keeper(of(2), False)
    keeper(of(1), True)


def test_a_long_search_shows_what_it_has_found_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keeper = Keeper(tmp_path)
    keeper(of(2), False)
    keeper.show()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(keeping, "LONG", 0.0)
    keeper.show()
    keeper.show()
    said = capsys.readouterr().err
    assert said.startswith("found: token_rate: ")
    assert said.endswith(f"; {tmp_path / of(2).file_name}\n")
    assert said.count("\n") == 1
