"""The tokens of the fragment of Lean that radproof writes, with their lines.

What a file may hold is bounded before anything is made of it: the characters, the digits of a
number. `reader.py` bounds the nesting, `values.py` the length of a list.
"""

from __future__ import annotations

import re

from radproof.lean.budget import MOST_DIGITS
from radproof.lean.comments import visible
from radproof.lean.errors import NotTheSame

_TOKEN = re.compile(
    r"[ \n]+|/-[-!](?:(?!-/|/-).)*-/"
    r"|(?P<number>0|[1-9]\d*)"
    r"|(?P<word>[A-Za-z_\u03b1][A-Za-z0-9_']*(?:\.[A-Za-z_][A-Za-z0-9_']*)*)"
    r"|(?P<sign>:=|=>|\|\||&&|::|[-+*/%(){}\[\],:=|→∀¬⟨⟩])",
    re.DOTALL | re.ASCII,
)

Token = tuple[str, str, int]
"""The kind (``number``, ``word``, ``sign``, ``end of file``), the text and the line."""


class Unreadable(NotTheSame):
    """A text that is not of the fragment: its line, and what is wrong there."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.what = message


def tokens(text: str, line: int = 1) -> list[Token]:
    """The tokens of a text that begins at `line`, then ``end of file``. Raises Unreadable."""
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise Unreadable(line, f"unexpected character {text[place]!r}")
        if match.lastgroup == "number" and len(match.group()) > MOST_DIGITS:
            raise Unreadable(line, f"a number has more than {MOST_DIGITS} digits")
        if match.lastgroup:
            found.append((match.lastgroup, match.group(), line))
        line += match.group().count("\n")
        place = match.end()
    found.append(("end of file", "the end of the file", line))
    return found


def check_characters(text: str) -> None:
    """Raises Unreadable at the first character that is not `visible`."""
    for number, line in enumerate(text.split("\n"), 1):
        for c in "" if line.isascii() and line.isprintable() else line:
            if not visible(c):
                raise Unreadable(number, f"the character U+{ord(c):04X} does not show")
