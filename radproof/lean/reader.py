"""Reading the fragment of Lean that radproof writes: the mirror's text, and the facts of a file.

Expressions, patterns and types become tuples: a tag and its parts. Whatever the fragment does not
have is refused, with its line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import attrs

from radproof.lean.budget import MOST_JOBS
from radproof.lean.tokens import Token, Unreadable, tokens

MOST_NESTED = 64
"""Brackets, functions and matches within one another."""

MOST_JOINED = MOST_JOBS
"""Signs between the parts of one expression, and parts of one list."""

_BINDING = {"||": 30, "&&": 35, "+": 65, "-": 65, "::": 67, "*": 70, "/": 70, "%": 70}
_COMMANDS = {"def", "theorem", "structure", "inductive"}
_RESERVED = {*_COMMANDS, "with", "match", "where", "rfl", "fun", "namespace", "end", "set_option"}
_RESERVED |= {"import", "open", "axiom", "opaque", "unsafe", "partial", "instance", "example"}
_RESERVED |= {"macro", "syntax", "notation", "elab", "attribute", "initialize", "by", "let", "do"}

_BY_TERM = ("Reach", "FillsAsRad", "¬")
"""How a statement begins that a term proves."""

Expression = tuple[Any, ...]
Type = tuple[Any, ...]
"""A name and the types it is applied to; ``("→", a, b)`` for a function."""

_PROP: Type = ("Prop",)


@attrs.frozen
class Constructor:
    """How a value of a type is made: ``Session.mk``, ``Outcome.stays``."""

    name: str
    type: str
    fields: tuple[str, ...]
    types: tuple[Type, ...]
    places: dict[str, int] = attrs.field(
        init=False,
        eq=False,
        hash=False,
        repr=False,
        default=attrs.Factory(lambda self: _places(self), takes_self=True),
    )


@attrs.frozen
class Declared:
    """A structure, which has one constructor, or an inductive type."""

    name: str
    constructors: tuple[Constructor, ...]
    line: int


@attrs.frozen
class Relation:
    """An inductive family of propositions with one index: which values of it have a derivation."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    index: Type
    rules: tuple[tuple[str, tuple[tuple[str, Type], ...], Expression], ...]
    """Of each constructor the name, the fields with their types, and the proposition."""
    line: int


@attrs.frozen
class Definition:
    """A definition: its parameters with their types, its type, and its body."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    type: Type
    body: Expression
    """An expression, or ``("equations", rows)``: of each row the patterns and the expression."""
    line: int


@attrs.frozen
class Theorem:
    """``theorem name : left = right := rfl``, or with another proof, as it stands."""

    name: str
    left: Expression
    right: Expression
    line: int
    proof: tuple[Token, ...] = ()
    """The tokens of the whole theorem, from its name on; none: `rfl` proves it."""


@attrs.frozen
class TermProof:
    """A theorem that a term proves, as it stands: its tokens, from the name on."""

    name: str
    tokens: tuple[Token, ...]
    line: int


Command = Declared | Relation | Definition | Theorem | TermProof


def commands(text: str, line: int = 1) -> list[Command]:
    """The commands of a text whose first line is `line`. Raises Unreadable."""
    parser = _Parser(text, line)
    found = []
    while parser.peek()[0] != "end of file":
        found.append(parser.command())
    return found


def expression(text: str) -> Expression:
    """Read one expression. Raises Unreadable."""
    parser = _Parser(text, 1)
    found = parser.expression()
    if parser.peek()[0] != "end of file":
        parser.fail("the end of the expression")
    return found


def applied(e: Expression) -> str:
    """The name of the function that an expression applies; empty where it applies none."""
    return str(e[1][1]) if e[0] == "apply" and e[1][0] == "name" else ""


def _places(made: Constructor) -> dict[str, int]:
    return {name: place for place, name in enumerate(made.fields)}


class _Parser:
    def __init__(self, text: str, line: int) -> None:
        self.tokens: list[Token] = tokens(text, line)
        self.next = 0
        self.depth = 0

    # Tokens.

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[min(self.next + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.peek()
        self.next += 1
        return token

    def fail(self, wanted: str) -> NoReturn:
        _, found, line = self.peek()
        raise Unreadable(line, f"expected {wanted}, found {found!r}")

    def sign(self, sign: str) -> None:
        if self.peek()[1] != sign:
            self.fail(f"{sign!r}")
        self.take()

    def word(self) -> str:
        kind, text, _ = self.peek()
        if kind != "word" or text in _RESERVED:
            self.fail("a name")
        return self.take()[1]

    def plain(self) -> str:
        """A name without fields."""
        if "." in self.peek()[1]:
            self.fail("a name without a dot")
        return self.word()

    # Commands.

    def command(self) -> Command:
        _, word, line = self.take()
        if word not in _COMMANDS:
            raise Unreadable(line, f"{word!r} begins neither a definition nor a theorem")
        name = self.plain()
        if word == "structure":
            return self._structure(name, line)
        if word == "inductive":
            return self._inductive(name, line)
        return self._definition(name, line) if word == "def" else self._theorem(name, line)

    def _structure(self, name: str, line: int) -> Declared:
        self.sign("where")
        fields, types = [], []
        while self.peek()[0] == "word" and self.peek()[1] not in _COMMANDS:
            fields.append(self.plain())
            self.sign(":")
            types.append(self.type())
        made = Constructor(f"{name}.mk", name, tuple(fields), tuple(types))
        return Declared(name, (made,), line)

    def _inductive(self, name: str, line: int) -> Declared | Relation:
        if self.peek()[1] != "where":
            return self._relation(name, line)
        self.sign("where")
        found = []
        while self.peek()[1] == "|":
            self.take()
            constructor, fields = self.plain(), self.parameters()
            names, types = tuple(n for n, _ in fields), tuple(t for _, t in fields)
            found.append(Constructor(f"{name}.{constructor}", name, names, types))
        return Declared(name, tuple(found), line)

    def _relation(self, name: str, line: int) -> Relation:
        parameters = self.parameters()
        self.sign(":")
        kind = self.type()
        if kind[0] != "→" or kind[2] != _PROP:
            self.fail("a family of propositions with one index")
        self.sign("where")
        rules = []
        while self.peek()[1] == "|":
            self.take()
            rule, fields = self.plain(), self.parameters()
            self.sign(":")
            rules.append((rule, fields, self.proposition()))
        return Relation(name, parameters, kind[1], tuple(rules), line)

    def _definition(self, name: str, line: int) -> Definition:
        parameters = self.parameters()
        self.sign(":")
        kind = self.type()
        if self.peek()[1] == "|":
            return Definition(name, parameters, kind, ("equations", self.rows()), line)
        self.sign(":=")
        body = self.proposition() if kind == _PROP else self.expression()
        return Definition(name, parameters, kind, body, line)

    def _theorem(self, name: str, line: int) -> Theorem | TermProof:
        start = self.next - 1
        if self.peek(1)[1] in _BY_TERM:
            return TermProof(name, self._to_next_command(start), line)
        self.sign(":")
        left = self.expression()
        self.sign("=")
        right = self.expression()
        self.sign(":=")
        if self.peek()[1] == "rfl":
            self.take()
            return Theorem(name, left, right, line)
        return Theorem(name, left, right, line, self._to_next_command(start))

    def _to_next_command(self, start: int) -> tuple[Token, ...]:
        while self.peek()[0] != "end of file" and self.peek()[1] not in _COMMANDS:
            self.take()
        return tuple(self.tokens[start : self.next])

    def parameters(self) -> tuple[tuple[str, Type], ...]:
        """``(a b : T)``, any number of times; ``{T : Type}`` says nothing of a value."""
        found: list[tuple[str, Type]] = []
        while self.peek()[1] in ("(", "{"):
            implicit = self.take()[1] == "{"
            names = [self.plain()]
            while self.peek()[1] != ":":
                names.append(self.plain())
            self.take()
            kind = self.type()
            self.sign("}" if implicit else ")")
            if not implicit:
                found += [(name, kind) for name in names]
        return tuple(found)

    def type(self) -> Type:
        with _Deeper(self):
            parts = [self._type_atom()]
            while self._type_goes_on():
                parts.append(self._type_atom())
            found = (parts[0][0], *parts[1:]) if len(parts) > 1 else parts[0]
            if self.peek()[1] == "→":
                self.take()
                return ("→", found, self.type())
            return found

    def _type_goes_on(self) -> bool:
        kind, text, _ = self.peek()
        if kind == "word" and self.peek(1)[1] == ":":  # the next field of a structure
            return False
        return text == "(" or (kind == "word" and text not in _RESERVED)

    def _type_atom(self) -> Type:
        if self.peek()[1] == "(":
            self.take()
            found = self.type()
            self.sign(")")
            return found
        return (self.plain(),)

    # Expressions and patterns.

    def expression(self, least: int = 0) -> Expression:
        with _Deeper(self):
            if self.peek()[1] == "fun":
                return self._function()
            if self.peek()[1] == "match":
                return self._match()
            left = self.application()
            joined = 0
            while _BINDING.get(self.peek()[1], 0) > least:
                joined += 1
                if joined > MOST_JOINED:
                    self.fail(f"at most {MOST_JOINED} parts")
                sign = self.take()[1]
                binding = _BINDING[sign]
                right = self.expression(binding - (sign == "::"))  # a :: b :: c is a :: (b :: c)
                left = (sign, left, right)
            return left

    def proposition(self) -> Expression:
        """An equation, an expression, an implication, or one of them for all values."""
        with _Deeper(self):
            if self.peek()[1] == "∀":
                self.take()
                names = [self.plain()]
                while self.peek()[1] != ",":
                    names.append(self.plain())
                self.take()
                return ("∀", names, self.proposition())
            found = self.expression()
            if self.peek()[1] == "=":
                self.take()
                found = ("=", found, self.expression())
            if self.peek()[1] == "→":
                self.take()
                return ("→", found, self.proposition())
            return found

    def _function(self) -> Expression:
        self.take()
        names = [self.plain()]
        while self.peek()[1] != "=>":
            names.append(self.plain())
        self.take()
        return ("fun", names, self.expression())

    def _match(self) -> Expression:
        self.take()
        subjects = self._separated()
        self.sign("with")
        return ("match", subjects, self.rows())

    def rows(self) -> list[tuple[list[Expression], Expression]]:
        found = []
        while self.peek()[1] == "|":
            self.take()
            patterns = self._separated()
            self.sign("=>")
            found.append((patterns, self.expression()))
        return found

    def _separated(self) -> list[Expression]:
        found = [self.expression()]
        while self.peek()[1] == ",":
            self.take()
            found.append(self.expression())
        return found

    def application(self) -> Expression:
        found, arguments = self.atom(), []
        while self._starts_atom():
            arguments.append(self.atom())
        return ("apply", found, arguments) if arguments else found

    def _starts_atom(self) -> bool:
        kind, text, _ = self.peek()
        if kind == "word":
            return text not in _RESERVED
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
        base = self.plain() if self.peek(1)[1] == "with" else None
        if base is not None:
            self.take()
        return ("structure", base, self._fields())

    def _fields(self) -> dict[str, Expression]:
        fields: dict[str, Expression] = {}

        def one() -> None:
            name = self.plain()
            if name in fields:
                self.fail(f"each field once, and {name} is there")
            self.sign(":=")
            fields[name] = self.expression()

        self.several("}", one)
        return fields

    def several(self, close: str, one: Callable[[], Any]) -> list[Any]:
        found: list[Any] = []
        while self.peek()[1] != close:
            if found:
                self.sign(",")
            if len(found) == MOST_JOINED:
                self.fail(f"at most {MOST_JOINED} items")
            found.append(one())
        self.take()
        return found


class _Deeper:
    """One level of nesting. Raises Unreadable where there are too many."""

    def __init__(self, parser: _Parser) -> None:
        self.parser = parser

    def __enter__(self) -> None:
        self.parser.depth += 1
        if self.parser.depth > MOST_NESTED:
            line = self.parser.peek()[2]
            raise Unreadable(line, f"more than {MOST_NESTED} expressions within one another")

    def __exit__(self, *_: object) -> None:
        self.parser.depth -= 1
