"""Text on disk: read with every error in words, written whole or not at all.

Every file that radproof writes names the version that made it.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from importlib import metadata
from pathlib import Path as FilePath
from typing import TypeVar

from radproof.errors import BadInput, CannotWrite

T = TypeVar("T")


@cache
def version() -> str:
    """The installed version, from the package's metadata (pyproject takes it from `radproof`)."""
    return metadata.version("radproof")


def made_by() -> str:
    """``radproof <version>``: the field ``made_by`` of a file."""
    return f"radproof {version()}"


def read_text(file: str | os.PathLike[str]) -> str:
    """The file's text. Raises BadInput where it is missing, a folder, unreadable or not text."""
    name = os.fspath(file)
    try:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            return stream.read()
    except FileNotFoundError:
        folder = FilePath(file).parent
        names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
        near = difflib.get_close_matches(FilePath(file).name, names, n=1)
        hint = f" Did you mean {folder / near[0]}?" if near else ""
        raise BadInput(f"{name}: there is no such file.{hint}") from None
    except IsADirectoryError:
        raise BadInput(f"{name} is a folder; name a path file in it.") from None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"{name}: byte {error.start} is not UTF-8 text; is it the file that you mean?"
        ) from None
    except OSError as error:
        raise BadInput(f"{name} cannot be read: {error.strerror}.") from None


def read_as(file: str | os.PathLike[str], parse: Callable[[str], T]) -> T:
    """The file's text, parsed. Raises BadInput as `read_text` and `parse` do, with the file."""
    text = read_text(file)
    try:
        return parse(text)
    except BadInput as error:
        raise BadInput(f"{os.fspath(file)}: {error}") from None


def write_text(file: str | os.PathLike[str], text: str) -> None:
    """Write `text`, whole or not at all. Raises CannotWrite with the reason."""
    write_bytes(file, text.encode("utf-8", "backslashreplace"))


def write_bytes(file: str | os.PathLike[str], content: bytes) -> None:
    """Write `content`, whole or not at all. Raises CannotWrite as `write_text` does."""
    target = FilePath(os.path.realpath(file))  # keep a link, and write the file that it leads to
    temporary = None
    try:
        if target.exists() and not target.is_file():  # a pipe, a device
            target.write_bytes(content)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            dir=target.parent,
            delete=False,
            prefix=f".{target.name}.",
        ) as stream:
            temporary = stream.name
            stream.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        raise CannotWrite(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
