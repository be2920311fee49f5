"""Comments in what radproof writes for Lean: the one place where a string enters a Lean file.

A title, a note, a lemma's name, a scheduler's or a file's name may hold anything. In a comment they
are escaped as in a Lean string literal, and what would open or close a comment is taken apart. So a
comment ends where it should, and every line of it is one that a reader sees.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_NAMED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BRACKET = re.compile("(?<=/)(?=-)|(?<=-)(?=/)")


def visible(c: str) -> bool:
    """Whether the character shows, and leaves the order of the line as it is; a space does."""
    kind = unicodedata.category(c)
    return c == " " or not (kind in ("Cc", "Cf", "Cs", "Co") or kind.startswith("Z"))


def escaped(text: str) -> str:
    """The text on one line, with nothing invisible in it, and no `/-` or `-/`."""
    shown = "".join(_NAMED.get(c) or (c if visible(c) else f"\\u{{{ord(c):x}}}") for c in text)
    return _BRACKET.sub("\\\\", shown)


def head(lines: Iterable[str]) -> str:
    """The comment at the head of a file: one line for each text."""
    return "\n".join(["/-", *map(escaped, lines), "-/"])


def heading(text: str) -> str:
    """A comment between commands."""
    return f"/-! {escaped(text)} -/"


def docstring(text: str) -> str:
    """A comment on the definition that follows."""
    return f"/-- {escaped(text)} -/"
