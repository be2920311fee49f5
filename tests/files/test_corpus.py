from __future__ import annotations

from pathlib import Path

import pytest

from radproof import BadInput, Session
from radproof.files.corpus import FOLDER, committed, saved
from radproof.files.paths import Breaks, PathFile, write

PATH = (Session(0, 128, 1),)


def test_the_folder_is_below_the_current_one() -> None:
    assert Path(".radproof/counterexamples") == FOLDER


def test_a_folder_that_is_not_there_has_saved_nothing(tmp_path: Path) -> None:
    assert saved(tmp_path / "none", ["token_rate"]) == ([], [])


def test_those_of_the_claim_and_of_schedulers_at_fault_come_back(tmp_path: Path) -> None:
    files = {
        "a.json": PathFile(PATH, breaks=Breaks("claim", "token_rate")),
        "b.json": PathFile(PATH, breaks=Breaks("claim", "optimal_tiling")),
        "c.json": PathFile(PATH, breaks=Breaks("scheduler", "stuck"), scheduler="m:x"),
        "d.json": PathFile(PATH),
    }
    for name, file in files.items():
        write(tmp_path / name, file)
    (tmp_path / "notes.txt").write_text("not a path file")
    assert saved(tmp_path, ["token_rate"])[0] == [files["a.json"], files["c.json"]]
    assert saved(str(tmp_path), ["optimal_tiling"])[0] == [files["b.json"], files["c.json"]]
    assert saved(tmp_path, ["other"])[0] == [files["c.json"]]


def test_they_come_in_the_same_order(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        file = PathFile((Session(0, 0, ord(name)),), breaks=Breaks("claim", "mine"))
        write(tmp_path / f"{name}.json", file)
    assert [f.sessions[0].output for f in saved(tmp_path, ["mine"])[0]] == [97, 98, 99]


def test_a_saved_file_that_cannot_be_read_is_named_and_left_out(tmp_path: Path) -> None:
    """One file of another version's stopped every check."""
    good = PathFile(PATH, breaks=Breaks("claim", "token_rate"))
    write(tmp_path / "m.json", good)
    (tmp_path / "a.json").write_text('{"schema": "radproof.path/9", "sessions": 7}')
    (tmp_path / "x.json").write_text("{")
    (tmp_path / "z.json").mkdir()
    found, unread = saved(tmp_path, ["token_rate"])
    assert found == [good]
    other, cut, folder = unread
    assert other.startswith(f"{tmp_path}/a.json: field \"schema\" is 'radproof.path/9'; this rad")
    assert cut.startswith(f"{tmp_path}/x.json: line 1 column 2: the JSON ends in the middle")
    assert folder.startswith(f"{tmp_path}/z.json is a folder")


def test_a_committed_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(BadInput, match=r"x\.json: line 1 column 2: the JSON ends in the middle"):
        committed(tmp_path)
