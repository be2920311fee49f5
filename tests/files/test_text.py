"""Text on disk: read with its reason why not, written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import radproof
from radproof import BadInput
from radproof.files.text import made_by, read_text, version, write_text


def cannot_read(file: Path) -> str:
    with pytest.raises(BadInput) as raised:
        read_text(file)
    return str(raised.value)


def test_a_missing_file_suggests_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "path.json").write_text("[]")
    assert cannot_read(tmp_path / "pth.json") == (
        f"{tmp_path}/pth.json: there is no such file. Did you mean {tmp_path}/path.json?"
    )
    assert cannot_read(tmp_path / "zzz") == f"{tmp_path}/zzz: there is no such file."
    assert cannot_read(tmp_path / "no" / "x").endswith("no/x: there is no such file.")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert cannot_read(tmp_path) == f"{tmp_path} is a folder; name a path file in it."


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"[[0, 1, \xff")
    assert cannot_read(tmp_path / "x") == (
        f"{tmp_path}/x: byte 8 is not UTF-8 text; is it the file that you mean?"
    )


def test_a_file_below_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("[]")
    assert cannot_read(tmp_path / "x" / "y") == f"{tmp_path}/x/y cannot be read: Not a directory."


@pytest.mark.parametrize("where", ["replace", "chmod"])
@pytest.mark.parametrize("stops", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_write_leaves_what_was_there(
    where: str, stops: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.json"
    write_text(file, "it")

    def interrupted(*_: Any) -> None:
        raise stops

    with monkeypatch.context() as patch:
        patch.setattr(os, where, interrupted)
        expected = KeyboardInterrupt if stops is KeyboardInterrupt else BadInput
        with pytest.raises(expected) as raised:
            write_text(file, "lost")
    if expected is BadInput:
        assert str(raised.value) == f"{file} cannot be written: No space left on device."
    assert read_text(file) == "it"
    assert os.listdir(tmp_path) == ["x.json"]


def test_interrupted_while_the_text_is_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    real: Callable[..., Any] = tempfile.NamedTemporaryFile

    def half(*arguments: Any, **more: Any) -> Any:
        stream = real(*arguments, **more)
        write_all = stream.write

        def write(text: str) -> None:
            write_all(text[: len(text) // 2])
            raise KeyboardInterrupt

        stream.write = write
        return stream

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", half)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "x.json", "it")
    assert os.listdir(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(
        BadInput, match=r"x/y\.json cannot be written: (Not a directory|File exists)"
    ):
        write_text(tmp_path / "x" / "y.json", "it")


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_into_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_text(pipe, "through")
        assert reader.communicate(timeout=20)[0] == b"through"
    assert pipe.is_fifo()


def test_writing_makes_the_folder_and_leaves_nothing_else_in_it(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "x.json"
    write_text(file, "it")
    write_text(file, "again")
    assert read_text(file) == "again"
    assert os.listdir(file.parent) == ["x.json"]
    assert file.stat().st_mode & 0o777 == 0o644


def test_the_version_is_stated_once() -> None:
    assert version() == radproof.__version__
    assert made_by() == f"radproof {radproof.__version__}"


def test_a_file_is_read_and_written_without_z3_hypothesis_or_numpy() -> None:
    program = (
        "import sys, radproof.files.text, radproof.files.json, radproof.files.paths\n"
        "sys.exit(str({'z3', 'hypothesis', 'numpy'} & set(sys.modules) or '') or 0)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
