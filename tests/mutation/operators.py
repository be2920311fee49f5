"""The faults to put into a module: small changes of its syntax tree, one at a time.

A condition is fixed or its bound moved, an operand is dropped, an operator or a constant replaced,
a statement left out. Texts, annotations and the flags of a repr stay as they are.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from types import CodeType

import attrs

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLED = {
    one: other
    for pair in (
        ("min", "max"),
        ("any", "all"),
        ("minimum", "maximum"),
        ("both", "either"),
        ("conjoin", "disjoin"),
        ("floor_div", "ceil_div"),
    )
    for one, other in (pair, pair[::-1])
}
_LEFT_OUT = (ast.Expr, ast.AugAssign, ast.Raise, ast.Return, ast.Continue, ast.Break, ast.Delete)
_WRITTEN_FOR_READERS = {"repr", "slots"}
_WIDEST = 100
_LIMIT = 100
"""From here on a constant says how much is enough: one more or less is no fault, ten times is."""


@attrs.frozen(eq=False)
class Mutant:
    """One fault in a module: what it changes, and how."""

    where: str
    """The qualified name of the function or class, "" outside any."""
    was: str
    now: str
    nth: int
    """Its place, from 0, among the like changes of that function."""
    lines: range
    """The lines of the statement, or of its head."""
    at_import: bool
    """Whether the statement runs when the module is imported."""
    _tree: ast.Module
    _owner: ast.AST
    _field: str
    _index: int | None
    _replacement: ast.AST

    def compiled(self, path: str) -> CodeType:
        """The code of the whole module, with this fault in it."""
        before = self._swap(self._replacement)
        try:
            return compile(ast.fix_missing_locations(self._tree), path, "exec")
        finally:
            self._swap(before)

    def _swap(self, node: ast.AST) -> ast.AST:
        held = getattr(self._owner, self._field)
        if self._index is None:
            setattr(self._owner, self._field, node)
            return held
        before, held[self._index] = held[self._index], node
        return before

    def __str__(self) -> str:
        return f"{self.lines.start} {self.where or '(module)'}: {self.was}  ->  {self.now}"


def mutants(source: str) -> list[Mutant]:
    """Every fault that can be put into this module, in the order of its lines."""
    return _Walk(ast.parse(source)).found


class _Walk:
    """A walk over a module's tree, which collects its mutants."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.found: list[Mutant] = []
        self.alike: Counter[tuple[str, str, str]] = Counter()
        self.names: list[str] = []
        self.functions = 0
        self.statement: ast.stmt
        self._body(tree)

    def _add(
        self, owner: ast.AST, field: str, index: int | None, was: str, new: ast.AST, now: str
    ) -> None:
        change = ".".join(self.names), _short(was), _short(now)
        self.found.append(
            Mutant(
                *change,
                self.alike[change],
                _lines(self.statement),
                not self.functions,
                self.tree,
                owner,
                field,
                index,
                new,
            )
        )
        self.alike[change] += 1

    def _body(self, owner: ast.AST) -> None:
        for field in ("body", "orelse", "handlers", "finalbody"):
            for index, child in enumerate(getattr(owner, field, ())):
                if isinstance(child, ast.ExceptHandler):
                    self._body(child)
                else:
                    self._statement(owner, field, index, child)

    def _statement(self, owner: ast.AST, field: str, index: int, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom) or _for_types_only(node):
            return
        self.statement = node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self._definition(node)
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if _can_be_left_out(node) and not _ends(owner, index, node):
            self._add(owner, field, index, ast.unparse(node), ast.Pass(), "pass")
        if isinstance(node, ast.Continue | ast.Break):
            other = ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
            self._add(owner, field, index, ast.unparse(node), other, ast.unparse(other))
        if isinstance(node, ast.AugAssign):
            changed = ast.AugAssign(node.target, _COMPUTED[type(node.op)](), node.value)
            self._add(owner, field, index, ast.unparse(node), changed, ast.unparse(changed))
        self._expressions(node)
        self._body(node)

    def _definition(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        for index, decorator in enumerate(node.decorator_list):
            self._expression(node, "decorator_list", index, decorator)
        self.names.append(node.name)
        if isinstance(node, ast.FunctionDef):
            for field in ("defaults", "kw_defaults"):
                for index, default in enumerate(getattr(node.args, field)):
                    if default is not None:
                        self._expression(node.args, field, index, default)
            self.functions += 1
        self._body(node)
        if isinstance(node, ast.FunctionDef):
            self.functions -= 1
        self.names.pop()

    def _expressions(self, owner: ast.AST) -> None:
        """The expressions directly below a node; the statements below it are left to `_body`."""
        for field, value in ast.iter_fields(owner):
            if field in ("annotation", "returns", "format_spec"):
                continue
            children = value if isinstance(value, list) else [value]
            for index, child in enumerate(children):
                place = index if isinstance(value, list) else None
                if isinstance(child, ast.expr):
                    self._expression(owner, field, place, child)
                elif isinstance(child, ast.keyword):
                    if child.arg not in _WRITTEN_FOR_READERS:
                        self._expressions(child)
                elif isinstance(child, ast.comprehension | ast.withitem | ast.arguments):
                    self._expressions(child)

    def _expression(self, owner: ast.AST, field: str, index: int | None, node: ast.expr) -> None:
        was = ast.unparse(node)
        for new in _changes(node):
            self._add(owner, field, index, was, new, ast.unparse(new))
        if _is_a_test(owner, field):
            for value in (True, False):
                # `while True` would not end
                if not (value and isinstance(owner, ast.While)):
                    word = f"{type(owner).__name__.lower()} "
                    self._add(
                        owner, field, index, word + was, ast.Constant(value), f"{word}{value}"
                    )
        self._expressions(node)


def _changes(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression is replaced by."""
    match node:
        case ast.Compare(left, operators, comparators):
            for index, operator in enumerate(operators):
                changed = [*operators]
                changed[index] = _COMPARED[type(operator)]()
                yield ast.Compare(left, changed, comparators)
        case ast.BinOp(left, operator, right) if type(operator) in _COMPUTED:
            yield ast.BinOp(left, _COMPUTED[type(operator)](), right)
        case ast.BoolOp(operator, values):
            for rest in _without_each(values):
                yield rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)) if value >= _LIMIT:
            yield ast.Constant(10 * value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Call(ast.Name(name) as function, arguments) if name in _CALLED:
            yield ast.Call(ast.Name(_CALLED[name], function.ctx), arguments, node.keywords)
            if name in ("both", "either"):
                for rest in _without_each(arguments):
                    yield rest[0] if len(rest) == 1 else ast.Call(function, rest, [])
        case ast.Call(ast.Name("ite"), [_, then, otherwise]):
            yield then
            yield otherwise


def _without_each(nodes: list[ast.expr]) -> Iterator[list[ast.expr]]:
    for index in range(len(nodes)):
        yield nodes[:index] + nodes[index + 1 :]


def _is_a_test(owner: ast.AST, field: str) -> bool:
    return (field == "test" and not isinstance(owner, ast.Assert)) or field == "ifs"


def _can_be_left_out(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return not all(isinstance(target, ast.Name | ast.Tuple) for target in node.targets)
    return isinstance(node, _LEFT_OUT)


def _ends(owner: ast.AST, index: int, node: ast.stmt) -> bool:
    """Whether it is the last statement of a function that returns something."""
    return (
        isinstance(owner, ast.FunctionDef)
        and isinstance(node, ast.Return)
        and index == len(owner.body) - 1
    )


def _for_types_only(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.FunctionDef):
        return any(ast.unparse(each) == "overload" for each in node.decorator_list)
    return False


def _lines(node: ast.stmt) -> range:
    body: Iterable[ast.stmt] = getattr(node, "body", ())
    end = min((child.lineno for child in body), default=(node.end_lineno or node.lineno) + 1)
    return range(node.lineno, max(end, node.lineno + 1))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."
