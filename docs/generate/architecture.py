"""The manifest of ARCHITECTURE.md: a line for each room, drawn from the tree.

The rooms are listed in the order of the layers that `make lint` enforces (pyproject.toml), each
with the first sentence of its docstring.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path as FilePath

ROOT = FilePath(__file__).parents[2]
FILE = ROOT / "ARCHITECTURE.md"
START, END = "<!-- the manifest -->\n", "<!-- end of the manifest -->\n"


def page() -> str:
    """ARCHITECTURE.md with a manifest of the current tree."""
    head, _, rest = FILE.read_text("utf-8").partition(START)
    _, _, tail = rest.partition(END)
    return head + START + manifest() + END + tail


def manifest(root: FilePath = ROOT) -> str:
    """Layer by layer from the top, a line for each file or folder of the package.

    Raises KeyError for a room that is missing from the layers of pyproject.toml.
    """
    layers = _layers(root)
    rooms = _rooms(root)
    unplaced = rooms.keys() - {name for layer in layers for name in layer}
    if unplaced:
        raise KeyError(f"the layers of pyproject.toml lack: {', '.join(sorted(unplaced))}")
    wide = max(map(len, rooms))
    lines = []
    for layer in layers:
        lines += [f"{name:{wide}}  {rooms[name]}" for name in layer]
        lines.append("")
    return "\n".join(["```text", *lines[:-1], "```", ""])


def _layers(root: FilePath) -> list[list[str]]:
    data = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    contract = data["tool"]["importlinter"]["contracts"][0]
    return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]


def _rooms(root: FilePath) -> dict[str, str]:
    """Every file and folder of the package, with its first sentence."""
    sources = {file.stem: file for file in (root / "radproof").glob("*.py")}
    sources.pop("__init__")
    sources |= {file.parent.name: file for file in (root / "radproof").glob("*/__init__.py")}
    sources |= {name: root / name / "__init__.py" for name in ("strategies", "properties")}
    return {name: _sentence(file) for name, file in sources.items()}


def _sentence(file: FilePath) -> str:
    """The first sentence of a file's docstring, in one line."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    paragraph = " ".join(said.split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", paragraph)[0]
