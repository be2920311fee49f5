"""Python code run on symbols, once for every sequence of truths that it can see.

A lemma is arithmetic; the loops of the machine and of `RuleScheduler` are not: they ask whether a
comparison is true, and go on from there. `explore` calls such code on numbers that answer. Each
question that Z3 cannot settle from the answers before it has two answers, and the code is called
again for the other one. What comes back is the tree of the questions, with the result of the code
at its leaves; an answer that Z3 rules out is a leaf of its own, which a lemma says is not reached.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

import attrs

from radproof.errors import RadproofError
from radproof.lemmas.symbols import Possible, Symbol
from radproof.number import Num, Truth, ite, negate
from radproof.readers.base import ARITHMETIC, COMPARISONS, Operation, Proposition

T = TypeVar("T")

MOST = 20_000
"""The most sequences of answers that are tried."""


@attrs.frozen
class Question(Generic[T]):
    """A truth that the code asked for, and what it came to with either answer."""

    truth: Truth
    yes: Tree[T]
    no: Tree[T]


@attrs.frozen
class Excluded:
    """An answer that the hypotheses and the answers before it rule out."""


@attrs.frozen
class Leaf(Generic[T]):
    """What the code returned."""

    result: T


Tree: TypeAlias = "Question[T] | Excluded | Leaf[T]"


@attrs.define(eq=False)
class Script:
    """The answers along a call of the code, and what the calls before it have computed."""

    possible: Possible
    answers: list[_Answer] = attrs.field(factory=list)
    """Those of earlier calls, which this call repeats, and then its own."""
    place: int = 0
    strayed: bool = False
    """Whether the code asked something else than on the call that this one repeats."""
    _known: dict[int, bool] = attrs.field(factory=dict)
    """The answers of this call, by the symbol that was asked."""
    _plain: dict[int, bool | None] = attrs.field(factory=dict)
    """The truth of a symbol that has one truth."""
    opposites: dict[int, Symbol] = attrs.field(factory=dict)
    """The truth that a symbol negates, by the symbol."""
    _numbers: dict[int, Branching] = attrs.field(factory=dict)
    """Every number by the id of its symbol: it keeps the symbol, so that the id stays its own."""
    _made: dict[Any, Any] = attrs.field(factory=dict)
    """Every number by the operation and the numbers that it was made of."""

    def again(self) -> None:
        """Start the next call."""
        self.place, self.strayed, self._known = 0, False, {}

    def number(self, value: Any) -> Any:
        """A symbol as a number that this script answers for; anything else as it is."""
        if not isinstance(value, Symbol):
            return value
        if id(value) not in self._numbers:
            self._numbers[id(value)] = Branching(value, self)
        return self._numbers[id(value)]

    def once(self, operation: Callable[..., Any], *of: Any) -> Any:
        """What an operation on symbols gives for these numbers: the same object on every call."""
        key = (
            operation,
            *(id(one) if isinstance(one, Branching) else (type(one), one) for one in of),
        )
        if key not in self._made:
            values = map(plain, of)
            symbolic = (
                operation if operation not in _OPERATORS else partial(Symbol._apply, operation)
            )
            self._made[key] = self.number(symbolic(*values))
        return self._made[key]

    def known(self, symbol: Symbol) -> bool | None:
        """The truth of `symbol` where it is the same on every call, or this one has answered it."""
        key = id(symbol)
        if key in self.opposites:
            found = self.known(self.opposites[key])
            return None if found is None else not found
        if key not in self._plain:
            self._plain[key] = self.possible.plain(symbol) if symbol.is_truth else None
        return self._known.get(key) if self._plain[key] is None else self._plain[key]

    def answer(self, symbol: Symbol) -> bool:
        """The truth of `symbol` on this call."""
        if id(symbol) in self.opposites:
            return not self.answer(self.opposites[id(symbol)])
        found = self.known(symbol)
        if found is not None:
            return found
        if self.place == len(self.answers):
            self.answers.append(self._new(symbol))
        given = self.answers[self.place]
        self.strayed = self.strayed or given.symbol is not symbol
        self.place += 1
        self._known[id(symbol)] = given.value
        return given.value

    def _new(self, symbol: Symbol) -> _Answer:
        yes = self.possible.beside(symbol)
        no = not yes or self.possible.beside(negate(symbol))
        self.possible.assume(symbol if yes else negate(symbol))
        return _Answer(symbol, yes, open=yes and no)


@attrs.define(eq=False)
class _Answer:
    symbol: Symbol
    value: bool
    open: bool
    """Whether the other answer is possible and still to be tried."""
    other: Any = attrs.field(factory=Excluded)
    """The tree under the other answer, once that has been tried."""


def explore(run: Callable[[Script], T], given: Iterable[Truth] = ()) -> Tree[T]:
    """The tree of every call of `run`, whose numbers come from `Script.number`, under `given`.

    Raises RadproofError where the code asks for more sequences of answers than `MOST`, or asks
    otherwise when it is called again.
    """
    possible = Possible(tuple(given))
    script = Script(possible)
    answers = script.answers
    for _ in range(MOST):
        script.again()
        tree: Tree[T] = Leaf(run(script))
        if script.strayed or script.place < len(answers):
            raise RadproofError("the code is not a function: called again, it asks otherwise")
        while answers and not answers[-1].open:
            last = answers.pop()
            possible.forget()
            yes, no = (tree, last.other) if last.value else (last.other, tree)
            tree = Question(last.symbol, yes, no)
        if not answers:
            return tree
        last = answers[-1]
        possible.forget()
        last.other, last.open, last.value = tree, False, not last.value
        possible.assume(last.symbol if last.value else negate(last.symbol))
    raise RadproofError(f"the code asks for more than {MOST:,} sequences of truths")


def always(tree: Tree[T], truth: Callable[[T], Truth]) -> Truth:
    """That no excluded answer is given, and `truth` holds of the result of every call."""
    if isinstance(tree, Leaf):
        return truth(tree.result)
    if isinstance(tree, Excluded):
        return False
    yes, no = always(tree.yes, truth), always(tree.no, truth)
    return True if yes is True and no is True else ite(tree.truth, yes, no)


def leaves(tree: Tree[T]) -> int:
    """How many calls of the code the tree holds."""
    if isinstance(tree, Question):
        return leaves(tree.yes) + leaves(tree.no)
    return int(isinstance(tree, Leaf))


@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Branching(Proposition):
    """A number or a truth in symbols whose truth, where code asks for it, is the script's answer.

    As a key, it is told from another by their equality alone.
    """

    symbol: Symbol
    script: Script

    @staticmethod
    def _apply(operation: Operation, a: object, b: object) -> Any:
        known = (int, Branching)
        if not (isinstance(a, known) and isinstance(b, known)):
            return NotImplemented
        script = a.script if isinstance(a, Branching) else b.script  # type: ignore[union-attr]
        if operation not in (operator.eq, operator.ne) or _is_truth(a) is not _is_truth(b):
            a, b = _counted(a), _counted(b)
        if operation in _AS_LESS:
            return _AS_LESS[operation](script, a, b)
        return script.once(operation, a, b)

    def __neg__(self) -> Any:
        return self._once(operator.neg)

    def ite(self, then: Num, otherwise: Num) -> Any:
        known = self._known
        return (
            self._once(Symbol.ite, then, otherwise)
            if known is None
            else (then if known else otherwise)
        )

    def negate(self) -> Any:
        known = self._known
        if known is not None:
            return not known
        opposite = self._once(Symbol.negate)
        self.script.opposites[id(opposite.symbol)] = self.symbol
        return opposite

    def either(self, *others: Truth) -> Any:
        return self._joined(Symbol.either, True, others)

    def both(self, *others: Truth) -> Any:
        return self._joined(Symbol.both, False, others)

    def _joined(self, join: Callable[..., Any], absorbing: bool, others: tuple[Any, ...]) -> Any:
        """The disjunction or conjunction of what this call has no answer to yet."""
        asked = []
        for truth in (self, *others):
            known = truth._known
            if known is absorbing:
                return absorbing
            if known is None:
                asked.append(truth)
        if not asked:
            return not absorbing
        return asked[0] if len(asked) == 1 else asked[0]._once(join, *asked[1:])

    @property
    def _known(self) -> bool | None:
        return self.script.known(self.symbol)

    def _once(self, make: Callable[..., Any], *others: Any) -> Any:
        return self.script.once(make, self, *others)

    def __bool__(self) -> bool:
        symbol = self.symbol
        if not symbol.is_truth:
            return bool(self != 0)
        return self.script.answer(symbol)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "?"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)


def plain(value: Any) -> Any:
    """A branching number as a lemma reads it: the symbol that it stands for."""
    return value.symbol if isinstance(value, Branching) else value


def _is_truth(value: Any) -> bool:
    return value.symbol.is_truth if isinstance(value, Branching) else isinstance(value, bool)


def _counted(value: Any) -> Any:
    """A truth as the number 0 or 1, as Python counts it; a number as it is."""
    if isinstance(value, bool):
        return int(value)
    return value.ite(1, 0) if _is_truth(value) else value


def _named(value: Any) -> Any:
    """What tells a number from another, as a key."""
    return id(value) if isinstance(value, Branching) else (type(value), value)


_OPERATORS = (*ARITHMETIC, *COMPARISONS)


def _less(script: Script, a: Any, b: Any) -> Any:
    """The truth of a < b, False where the two have been answered to be equal, or b to be less."""
    for other in (script.once(operator.eq, a, b), script.once(operator.lt, b, a)):
        if isinstance(other, Branching) and other._known:
            return False
    return script.once(operator.lt, a, b)


_AS_LESS: dict[Operation, Callable[[Script, Any, Any], Any]] = {
    operator.lt: _less,
    operator.gt: lambda script, a, b: _less(script, b, a),
    operator.le: lambda script, a, b: negate(_less(script, b, a)),
    operator.ge: lambda script, a, b: negate(_less(script, a, b)),
    operator.ne: lambda script, a, b: negate(script.once(operator.eq, a, b)),
}
"""Each comparison by the two that are asked, so that a truth is one symbol however it is asked."""
