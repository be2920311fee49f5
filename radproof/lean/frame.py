"""What stands around the facts of a file: written, and read from the first byte to the last.

/-                    import RadproofMirror
title and notes
-/                    /-
                      title and notes
the mirror      or    -/

set_option maxRecDepth 100000

namespace Radproof

the facts

end Radproof
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable
from typing import NoReturn

import attrs

from radproof.errors import BadInput
from radproof.files.text import read_text
from radproof.lean.comments import head
from radproof.lean.definitions import MODULE, mirror
from radproof.lean.tokens import Unreadable, check_characters

NAMESPACE = "Radproof"
IMPORT = f"import {MODULE}\n\n"
_BEFORE = f"\n\nset_option maxRecDepth 100000\n\nnamespace {NAMESPACE}\n\n"
_AFTER = f"\n\nend {NAMESPACE}\n"
_HEAD = re.compile(r"/-\n(?:(?!/-|-/).)*\n-/", re.DOTALL)


@attrs.frozen
class Facts:
    """The facts of a file, the line that they begin on, and whether the file imports the mirror."""

    text: str
    line: int
    imports: bool


def framed(lines: Iterable[str], facts: str, imports: bool) -> str:
    """The whole file: `lines` are the title and the notes."""
    if imports:
        return IMPORT + head(lines) + _BEFORE + facts + _AFTER
    return f"{head(lines)}\n\n{mirror().strip()}{_BEFORE}{facts}{_AFTER}"


def read_source(file: str | os.PathLike[str]) -> str:
    """The text of a Lean file. Raises BadInput as `read_text` does, and for a byte-order mark."""
    text = read_text(file)
    with open(file, "rb") as stream:
        if stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
            raise BadInput(
                f"{os.fspath(file)}: it begins with a byte-order mark, which Lean refuses."
            )
    return text


def facts_of(text: str) -> Facts:
    """The facts of a whole file. Raises Unreadable at the first line that is not as written."""
    check_characters(text)
    imports = text.startswith(IMPORT)
    place = len(IMPORT) if imports else 0
    comment = _HEAD.match(text, place)
    if comment is None:
        _fail(text, place, f"expected the comment that begins a file, or `import {MODULE}`")
    place = comment.end()
    if not imports:
        place = _past(text, place, f"\n\n{mirror().strip()}", "its mirror is not this version's")
    place = _past(text, place, _BEFORE, "expected the option and the namespace before the facts")
    if not text.endswith(_AFTER) or len(text) < place + len(_AFTER):
        _fail(text, len(text), f"expected `end {NAMESPACE}` and the end of the file")
    facts = text[place : -len(_AFTER)]
    return Facts(facts, text.count("\n", 0, place) + 1, imports)


def _past(text: str, place: int, wanted: str, otherwise: str) -> int:
    """The place after `wanted`, which stands at `place`."""
    found = text[place : place + len(wanted)]
    if found != wanted:
        same = next(
            (k for k, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b), len(found)
        )
        _fail(text, place + same, otherwise)
    return place + len(wanted)


def _fail(text: str, place: int, message: str) -> NoReturn:
    raise Unreadable(text.count("\n", 0, place) + 1, message)
