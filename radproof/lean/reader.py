"""Reading an emitted file: a parser of the fragment of Lean that radproof writes.

It reads definitions that are one expression and theorems closed by `rfl`; the text before them,
which must be the mirror's, it keeps as it is. Expressions become tuples: a tag and its parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import attrs

from radproof.lean.errors import NotTheSame

_TOKEN = re.compile(
    r"\s+|/-.*?-/|--[^\n]*"
    r"|(?P<number>\d+)"
    r"|(?P<word>[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*)"
    r"|(?P<sign>:=|=>|\+\+|\|\||&&|::|[-+*/%(){}\[\],:=|→⟨⟩])",
    re.DOTALL,
)
FACTS_BEGIN = "set_option maxRecDepth 100000"
"""The line between the text that is kept and the facts."""

_BINDING = {"||": 1, "&&": 2, "++": 3, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5}
_COMMANDS = {"def", "theorem", "structure", "inductive", "namespace", "end", "set_option", "open"}
_COMMANDS |= {"import", "axiom", "opaque", "unsafe", "partial", "instance", "example", "macro"}

Expression = tuple[Any, ...]
Token = tuple[str, str, int]


@attrs.frozen
class Source:
    """The text before the facts, and in order the definitions and the theorems, (left, right)."""

    preamble: str
    definitions: dict[str, Expression]
    theorems: dict[str, tuple[Expression, Expression]]


def parse_source(text: str, where: str = "the text") -> Source:
    """Read a whole file. Raises NotTheSame with the first line that is not of the fragment."""
    try:
        return _parse(text)
    except _Unreadable as error:
        line, message = error.args
        raise NotTheSame(
            f"{where}, line {line}: {message}. The reader knows only what radproof writes; write "
            "the file again with `radproof lean export` or `radproof lean fixtures --bless`."
        ) from None


def expression(text: str) -> Expression:
    """Read one expression."""
    return _Parser(text, 1).expression()


class _Unreadable(Exception):
    """The line, and what is wrong in it."""


def _parse(text: str) -> Source:
    preamble, found, facts = text.partition(f"\n{FACTS_BEGIN}\n")
    if not found:
        raise _Unreadable(1, "`set_option maxRecDepth`, after which the facts begin, is missing")
    source, parser = Source(preamble, {}, {}), _Parser(facts, preamble.count("\n") + 3)
    while parser.peek()[0] != "end of file":
        _command(parser, source)
    return source


def _command(parser: _Parser, source: Source) -> None:
    _, word, line = parser.take()
    if word in ("namespace", "end"):
        parser.word()
        return
    if word not in ("def", "theorem"):
        raise _Unreadable(line, f"{word!r} begins neither a definition nor a theorem")
    name = parser.word()
    if name in source.definitions or name in source.theorems:
        raise _Unreadable(line, f"{name} is defined twice")
    parameters = []
    while word == "def" and parser.peek()[1] == "(":
        parser.take()
        parameters.append(parser.word())
        parser.until(")")
    parser.sign(":")
    if word == "def":
        parser.until(":=")
        body = parser.expression()
        source.definitions[name] = ("fun", parameters, body) if parameters else body
        return
    left = parser.expression()
    parser.sign("=")
    right = parser.expression()
    parser.sign(":=")
    if parser.word() != "rfl":
        raise _Unreadable(line, f"theorem {name} is not closed by rfl")
    source.theorems[name] = (left, right)


class _Parser:
    def __init__(self, text: str, line: int) -> None:
        self.tokens: list[Token] = []
        self.next = 0
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise _Unreadable(line, f"unexpected character {text[place]!r}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group(), line))
            line += match.group().count("\n")
            place = match.end()
        self.tokens.append(("end of file", "the end of the file", line))

    def peek(self) -> Token:
        return self.tokens[self.next]

    def take(self) -> Token:
        token = self.tokens[self.next]
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def fail(self, wanted: str) -> NoReturn:
        raise _Unreadable(self.peek()[2], f"expected {wanted}, found {self.peek()[1]!r}")

    def sign(self, sign: str) -> None:
        if self.peek()[1] != sign:
            self.fail(f"{sign!r}")
        self.take()

    def word(self) -> str:
        if self.peek()[0] != "word":
            self.fail("a name")
        return self.take()[1]

    def until(self, sign: str) -> str:
        words = []
        while self.peek()[1] != sign and self.peek()[0] != "end of file":
            words.append(self.take()[1])
        self.sign(sign)
        return " ".join(words)

    def expression(self, least: int = 0) -> Expression:
        if self.peek()[1] == "fun":
            self.take()
            return ("fun", self.until("=>").split(), self.expression())
        left = self.application()
        while _BINDING.get(self.peek()[1], 0) > least:
            sign = self.take()[1]
            left = (sign, left, self.expression(_BINDING[sign]))
        return left

    def application(self) -> Expression:
        found, arguments = self.atom(), []
        while self._starts_atom():
            arguments.append(self.atom())
        return ("apply", found, arguments) if arguments else found

    def _starts_atom(self) -> bool:
        kind, text, _ = self.peek()
        if kind == "word":
            return text not in _COMMANDS and text not in ("with", "rfl")
        return kind == "number" or text in ("(", "[", "{")

    def atom(self) -> Expression:
        if not self._starts_atom():
            self.fail("an expression")
        kind, text, _ = self.take()
        if kind == "number":
            return ("number", int(text))
        if kind == "word":
            return ("name", text)
        if text == "(":
            found = self.expression()
            self.sign(")")
            return found
        if text == "[":
            return ("list", self.several("]", self.expression))
        base = self.word() if self.tokens[self.next + 1][1] == "with" else None
        if base is not None:
            self.take()
        return ("structure", base, dict(self.several("}", self.field)))

    def field(self) -> tuple[str, Expression]:
        name = self.word()
        self.sign(":=")
        return name, self.expression()

    def several(self, close: str, one: Callable[[], Any]) -> list[Any]:
        found: list[Any] = []
        while self.peek()[1] != close:
            if found:
                self.sign(",")
            found.append(one())
        self.take()
        return found
