"""The fragment of Lean, evaluated as Lean evaluates it: the mirror's own text, and a file's facts.

Nothing here runs a rule or a step in Python: `Program` knows what the text defines and Lean's core
(`core.py`), and nothing else. An expression is compiled once to a function of the values in scope.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from radproof.lean.core import (
    CORE,
    MOST_ITEMS,
    NONE_OF,
    OPERATIONS,
    SOME_OF,
    Function,
    Meaningless,
    Value,
    apply,
    nat,
    truth,
)
from radproof.lean.definitions import mirror, stretches
from radproof.lean.reader import (
    Command,
    Constructor,
    Declared,
    Definition,
    Expression,
    Relation,
    TermProof,
    Theorem,
    Type,
    commands,
)
from radproof.lean.tokens import Unreadable

Scope = tuple[str, ...]
Code = Callable[[tuple[Any, ...]], Any]
"""From the values of the names in scope to a value."""

Test = Callable[[Any], tuple[Any, ...] | None]
"""From a value to what a pattern's names stand for; None where it does not match."""

_DEEPEST = 90_000
"""Python's calls within one another: a recursion over MOST_ITEMS takes a dozen for each item."""

_PATTERNS = {"none": NONE_OF, "some": SOME_OF}


@contextmanager
def deep() -> Iterator[None]:
    """Recursion over long lists; raises Meaningless where it has no end in sight."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(_DEEPEST, before))
    try:
        yield
    except RecursionError:
        raise Meaningless("it recurses too deeply: a list or a count is too long") from None
    finally:
        sys.setrecursionlimit(before)


class Program:
    """The definitions of a text, in order; a definition may use those before it, and itself."""

    def __init__(self, found: Iterable[Command] = (), base: Program | None = None) -> None:
        self.names: dict[str, Any] = dict(CORE if base is None else base.names)
        self.constructors: dict[str, Constructor] = {} if base is None else dict(base.constructors)
        self.structures: dict[frozenset[str], Constructor] = (
            {} if base is None else dict(base.structures)
        )
        self.parameters: dict[str, tuple[Type, ...]] = {} if base is None else dict(base.parameters)
        for command in found:
            self.add(command)

    def add(self, command: Command) -> None:
        """Add a type or a definition. Raises Unreadable or Meaningless, with the line."""
        if isinstance(command, Theorem | TermProof):
            raise Unreadable(command.line, f"theorem {command.name} is not a definition")
        if command.name in self.names:
            raise Unreadable(command.line, f"{command.name} is defined twice")
        try:
            if isinstance(command, Declared):
                self._declare(command)
            elif isinstance(command, Relation):
                self._relate(command)
            else:
                self._define(command)
        except Meaningless as error:
            raise Unreadable(command.line, f"{command.name}: {error}") from None

    def value(self, e: Expression) -> Any:
        """The value of an expression without free names. Raises Meaningless for none."""
        with deep():
            return self._code(e, ())(())

    def _declare(self, found: Declared) -> None:
        for made in found.constructors:
            self.constructors[made.name] = made
            self.names[made.name] = _maker(made)
            if made.name == f"{made.type}.mk":
                self.structures[frozenset(made.fields)] = made

    def _relate(self, found: Relation) -> None:
        """A relation is true of what its constructors reach, each from one value or from none."""
        scope = tuple(name for name, _ in found.parameters)
        head, before = ("name", found.name), [("name", name) for name in scope]
        first: list[Code] = []
        onward: list[Code] = []
        for _, fields, proposition in found.rules:
            own = tuple(name for name, _ in fields)
            premise, end = proposition[1:] if proposition[0] == "→" else (None, proposition)
            wanted = ("apply", head, [*before, ("name", *own)]) if own else None
            if len(own) > 1 or premise != wanted or end[0] != "apply":
                raise Meaningless("a constructor is not of the fragment")
            if end[1] != head or end[2][:-1] != before:
                raise Meaningless("a constructor is not of the fragment")
            (onward if own else first).append(self._code(end[2][-1], (*scope, *own)))

        @lru_cache(maxsize=1)
        def reached_by(env: tuple[Any, ...]) -> list[Any]:
            reached: list[Any] = []
            waiting = [code(env) for code in first]
            while waiting:
                value = waiting.pop()
                if value in reached:
                    continue
                if len(reached) == MOST_ITEMS:
                    raise Meaningless(f"{found.name} reaches more than {MOST_ITEMS} values")
                reached.append(value)
                waiting += [code((*env, value)) for code in onward]
            return reached

        self.names[found.name] = Function(
            found.name, len(scope) + 1, lambda given: given[-1] in reached_by(given[:-1])
        )

    def _define(self, found: Definition) -> None:
        scope = tuple(name for name, _ in found.parameters)
        self.parameters[found.name] = tuple(kind for _, kind in found.parameters)
        equations = found.body[1] if found.body[0] == "equations" else None
        arity = len(scope) + (len(equations[0][0]) if equations else 0)
        if arity == 0:
            self.names[found.name] = self.value(found.body)
            return
        body: list[Code] = []
        self.names[found.name] = Function(found.name, arity, lambda given: body[0](given))
        with deep():
            if equations is None:
                body.append(self._code(found.body, scope))
            else:
                rows = [self._row(patterns, e, scope) for patterns, e in equations]
                body.append(_first_match(rows, len(scope)))

    # Expressions.

    def _code(self, e: Expression, scope: Scope) -> Code:
        tag = e[0]
        if tag == "number":
            number = e[1]
            return lambda env: number
        if tag == "name":
            return self._name(e[1], scope)
        if tag == "apply":
            return self._apply(e[1], e[2], scope)
        if tag == "list":
            parts = [self._code(item, scope) for item in e[1]]
            return lambda env: tuple([part(env) for part in parts])
        if tag in ("fun", "∀"):  # what holds for all values is a truth for each
            return self._function(e[1], e[2], scope)
        if tag == "structure":
            return self._structure(e[1], e[2], scope)
        if tag == "match":
            return self._match(e[1], e[2], scope)
        left, right = self._code(e[1], scope), self._code(e[2], scope)
        if tag == "&&":
            return lambda env: truth(left(env)) and truth(right(env))
        if tag == "||":
            return lambda env: truth(left(env)) or truth(right(env))
        if tag == "→":
            return lambda env: not truth(left(env)) or truth(right(env))
        if tag == "=":
            return lambda env: _equal(left(env), right(env))
        operation = OPERATIONS[tag]
        return lambda env: operation(left(env), right(env))

    def _name(self, name: str, scope: Scope) -> Code:
        head, *fields = name.split(".")
        if head in scope:
            place = len(scope) - 1 - scope[::-1].index(head)
            return _fields_of(lambda env: env[place], fields, name)
        if name in self.names:
            found = self.names[name]
            return lambda env: found
        if head not in self.names:
            raise Meaningless(f"the name {name} is used before it is defined")
        whole = self.names[head]
        return _fields_of(lambda env: whole, fields, name)

    def _apply(self, head: Expression, given: list[Expression], scope: Scope) -> Code:
        arguments = [self._code(argument, scope) for argument in given]
        name = head[1] if head[0] == "name" and head[1].split(".")[0] not in scope else None
        if name == "cond" and len(arguments) == 3:
            condition, then, otherwise = arguments
            return lambda env: then(env) if truth(condition(env)) else otherwise(env)
        function = self.names.get(name) if name is not None else None
        if type(function) is Function and function.arity == len(arguments):
            run = function.run
            if len(arguments) == 1:
                only = arguments[0]
                return lambda env: run((only(env),))
            return lambda env: run(tuple([argument(env) for argument in arguments]))
        code = self._code(head, scope)
        return lambda env: apply(code(env), tuple([argument(env) for argument in arguments]))

    def _function(self, names: list[str], e: Expression, scope: Scope) -> Code:
        self._check_names(names)
        body, arity = self._code(e, (*scope, *names)), len(names)
        return lambda env: Function("a function", arity, lambda given: body(env + given))

    def _structure(self, base: str | None, fields: dict[str, Expression], scope: Scope) -> Code:
        codes = {name: self._code(e, scope) for name, e in fields.items()}
        if base is not None:
            return _updated(self._name(base, scope), codes)
        made = self.structures.get(frozenset(fields))
        if made is None:
            raise Meaningless(f"no structure has exactly the fields {', '.join(fields)}")
        ordered = [codes[name] for name in made.fields]
        return lambda env: Value(made, tuple([code(env) for code in ordered]))

    def _match(
        self,
        subjects: list[Expression],
        rows: list[tuple[list[Expression], Expression]],
        scope: Scope,
    ) -> Code:
        values = [self._code(subject, scope) for subject in subjects]
        choose = _first_match([self._row(p, e, scope) for p, e in rows], len(scope))
        return lambda env: choose(env + tuple([value(env) for value in values]))

    # Patterns.

    def _row(
        self, patterns: list[Expression], e: Expression, scope: Scope
    ) -> tuple[list[Test], Code]:
        names: list[str] = []
        tests = [self._pattern(pattern, names) for pattern in patterns]
        return tests, self._code(e, (*scope, *names))

    def _pattern(self, p: Expression, names: list[str]) -> Test:
        """The test of a pattern; adds the names that it binds, in order."""
        tag = p[0]
        if tag == "number":
            return _is(p[1])
        if tag == "list" and not p[1]:
            return lambda v: () if v == () else None
        if tag == "+" and p[2][0] == "number":
            return _successor(self._pattern(p[1], names), p[2][1])
        if tag == "::":
            return _both(self._pattern(p[1], names), self._pattern(p[2], names))
        if tag == "name" and p[1] in ("true", "false"):
            return _is(p[1] == "true")
        head, arguments = (p[1], p[2]) if tag == "apply" else (p, [])
        made = self.constructors.get(head[1], _PATTERNS.get(head[1])) if head[0] == "name" else None
        if made is not None and len(made.fields) == len(arguments):
            return _parts(made, [self._pattern(argument, names) for argument in arguments])
        if tag != "name" or "." in p[1]:
            raise Meaningless("a pattern is not of the fragment")
        self._check_names([p[1]])
        names.append(p[1])
        return lambda v: (v,)

    def _check_names(self, names: list[str]) -> None:
        for name in names:
            if name in CORE:
                raise Meaningless(f"{name} is a name of Lean's core, and no variable")


def _equal(left: Any, right: Any) -> bool:
    if type(left) is not type(right) or type(left) is Function:
        raise Meaningless("what cannot be compared is compared")
    return bool(left == right)


def _maker(made: Constructor) -> Any:
    if not made.fields:
        return Value(made, ())
    return Function(made.name, len(made.fields), lambda given: Value(made, given))


def _fields_of(code: Code, fields: list[str], name: str) -> Code:
    """The code of a field of a field ... of a value."""
    for field in fields:
        code = _field_of(code, field, name)
    return code


def _field_of(code: Code, field: str, name: str) -> Code:
    def read(env: tuple[Any, ...]) -> Any:
        found = code(env)
        if type(found) is not Value or field not in found.made_by.places:
            raise Meaningless(f"{name} names a field that its value does not have")
        return found.fields[found.made_by.places[field]]

    return read


def _updated(base: Code, codes: dict[str, Code]) -> Code:
    def update(env: tuple[Any, ...]) -> Value:
        found = base(env)
        if type(found) is not Value or not codes.keys() <= found.made_by.places.keys():
            raise Meaningless(f"{', '.join(codes)} are not all fields of what is changed")
        fields = list(found.fields)
        for name, code in codes.items():
            fields[found.made_by.places[name]] = code(env)
        return Value(found.made_by, tuple(fields))

    return update


def _first_match(rows: list[tuple[list[Test], Code]], scope: int) -> Code:
    """The first row whose patterns match the values after the first `scope` ones."""

    def choose(given: tuple[Any, ...]) -> Any:
        for tests, code in rows:
            bound: tuple[Any, ...] = given[:scope]
            for test, value in zip(tests, given[scope:], strict=True):
                found = test(value)
                if found is None:
                    break
                bound += found
            else:
                return code(bound)
        raise Meaningless("no row of a match has the value")

    return choose


def _is(wanted: int | bool) -> Test:
    return lambda v: () if type(v) is type(wanted) and v == wanted else None


def _successor(test: Test, by: int) -> Test:
    return lambda v: test(v - by) if nat(v) >= by else None


def _both(head: Test, tail: Test) -> Test:
    def test(v: Any) -> tuple[Any, ...] | None:
        if type(v) is not tuple or not v:
            return None
        first = head(v[0])
        rest = tail(v[1:])
        return None if first is None or rest is None else first + rest

    return test


def _parts(made: Constructor, tests: list[Test]) -> Test:
    def test(v: Any) -> tuple[Any, ...] | None:
        if type(v) is not Value or v.made_by is not made:
            return None
        bound: tuple[Any, ...] = ()
        for one, value in zip(tests, v.fields, strict=True):
            found = one(value)
            if found is None:
                return None
            bound += found
        return bound

    return test


_FRAME = ("namespace Radproof\n", "\nend Radproof")


@cache
def machine(text: str | None = None) -> Program:
    """The mirror's text as a program, the present one unless another is given."""
    return Program(_framed(mirror().strip() if text is None else text))


@cache
def leaping(mirror: Program, text: str | None = None) -> Program:
    """A mirror's program with the definitions of a file in stretches, or with another text's."""
    return Program(_framed(stretches() if text is None else text), mirror)


def _framed(text: str) -> list[Command]:
    before, _, rest = text.partition(_FRAME[0])
    return commands(rest.removesuffix(_FRAME[1]), before.count("\n") + 2)
