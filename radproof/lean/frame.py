"""What stands around the facts of a file: written, and read from the first byte to the last.

/-                    import RadproofMirror
title and notes       (or Proofs.Along)
-/
                      /-
the mirror      or    title and notes
                      -/

set_option maxRecDepth 100000

namespace Radproof

the facts

end Radproof
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Mapping
from typing import Literal, NoReturn

import attrs

from radproof.errors import BadInput
from radproof.files.text import read_text
from radproof.lean.comments import head
from radproof.lean.definitions import MODULE, mirror
from radproof.lean.tokens import Unreadable, check_characters

NAMESPACE = "Radproof"
Base = Literal["written out", "mirror", "proofs"]
"""What a file stands on: the mirror, written out in it or imported; or the proofs, imported."""

IMPORTS: Mapping[Base, str] = {
    "written out": "",
    "mirror": f"import {MODULE}\n\n",
    "proofs": "import Proofs.Along\n\n",
}
"""How it begins."""

_DEPTH = "set_option maxRecDepth 100000\n"
_OPTIONS: Mapping[Base, str] = {
    "written out": _DEPTH,
    "mirror": _DEPTH,
    "proofs": f"{_DEPTH}set_option maxHeartbeats 1000000\n",
}
"""Lean's bounds on a recursion over a list, and on the work of a theorem, which 500 jobs exceed."""

_OPEN = f"\nnamespace {NAMESPACE}\n\n"
_AFTER = f"\n\nend {NAMESPACE}\n"
_HEAD = re.compile(r"/-\n(?:(?!/-|-/).)*\n-/", re.DOTALL)


@attrs.frozen
class Facts:
    """The facts of a file, the line that they begin on, and what the file stands on."""

    text: str
    line: int
    base: Base


def framed(lines: Iterable[str], facts: str, base: Base) -> str:
    """The whole file: `lines` are the title and the notes."""
    between = _between(base)
    if base == "written out":
        between = f"\n\n{mirror().strip()}{between}"
    return IMPORTS[base] + head(lines) + between + facts + _AFTER


def base_of(text: str) -> Base:
    """What a file stands on, by its first line."""
    found = [base for base, line in IMPORTS.items() if line and text.startswith(line)]
    return found[0] if found else "written out"


def is_framed(text: str) -> bool:
    """Whether a comment stands where the title of a file of this kind does."""
    return _HEAD.match(text, len(IMPORTS[base_of(text)])) is not None


def _between(base: Base) -> str:
    return f"\n\n{_OPTIONS[base]}{_OPEN}"


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
    base = base_of(text)
    place = len(IMPORTS[base])
    comment = _HEAD.match(text, place)
    if comment is None:
        _fail(text, place, f"expected the comment that begins a file, or `import {MODULE}`")
    place = comment.end()
    if base == "written out":
        place = _past(text, place, f"\n\n{mirror().strip()}", "its mirror is not this version's")
    expected = "expected the option and the namespace before the facts"
    place = _past(text, place, _between(base), expected)
    if not text.endswith(_AFTER) or len(text) < place + len(_AFTER):
        _fail(text, len(text), f"expected `end {NAMESPACE}` and the end of the file")
    facts = text[place : -len(_AFTER)]
    return Facts(facts, text.count("\n", 0, place) + 1, base)


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
