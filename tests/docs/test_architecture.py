"""The manifest is drawn from the tree: a room that is added or renamed shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from docs.generate.architecture import ROOT, manifest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the manifest is drawn from."""
    for name in ("radproof", "strategies", "properties"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_a_line_is_a_room_and_the_first_sentence_of_its_docstring(tree: Path) -> None:
    (tree / "radproof" / "rules.py").write_text('"""Laws of\nthe land. And more."""\n')
    lines = manifest(tree).splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("rules ")] == [
        "Laws of the land."
    ]


def test_what_comes_first_may_import_what_comes_after(tree: Path) -> None:
    names = [line.split()[0] for line in manifest(tree).splitlines() if line[:1].isalpha()]
    assert names.index("cli") < names.index("search") < names.index("machine") < len(names) - 1
    assert names[-1] == "errors"


def test_a_room_without_a_layer_is_refused(tree: Path) -> None:
    (tree / "radproof" / "attic.py").write_text('"""An attic."""\n')
    with pytest.raises(KeyError, match="lack: attic"):
        manifest(tree)
