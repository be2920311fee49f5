"""Z3 at its border: its terms as numbers, variables for a lemma, ints from a model."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import attrs
import z3

from radproof.errors import BadInput
from radproof.lemmas.obligations import NUMBER, Lemma, Sequent, Sort, World, numbers
from radproof.model import DECODE, PREFILL, Phase
from radproof.number import Num, Truth
from radproof.readers.base import COMPARISONS, Operation, Proposition
from radproof.readers.terms import Names, NotSymbolic
from radproof.rules import Signature


@attrs.frozen(eq=False, order=False, hash=False, repr=False)
class Symbol(Proposition):
    """A whole number or a truth whose value only the solver knows.

    No rule sees a z3 term itself: that divides with `/` where ints give a float, and answers an
    `if` by how it is written. A `Symbol` has only the operations that ints have with the same
    meaning, on numbers and truths kept apart, and raises `NotSymbolic` for any other.
    """

    term: Any
    """The z3 term: an Int, or a Bool where it is a truth."""
    is_truth: bool
    positive: bool = False
    """Whether a rule may divide by it: every lemma assumes that it is 1 or more (`divisor`)."""

    @staticmethod
    def _apply(operation: Operation, a: object, b: object) -> Symbol:
        (left, left_truth), (right, right_truth) = _z3_of(a), _z3_of(b)
        if left_truth or right_truth:
            if left_truth is not right_truth:
                raise NotSymbolic("a truth is not a number; use ite(truth, 1, 0)")
            if operation not in (operator.eq, operator.ne):
                raise NotSymbolic("truths can only be compared with == and !=; use either or both")
        elif operation in (operator.floordiv, operator.mod):
            if not (b.positive if isinstance(b, Symbol) else right > 0):
                raise NotSymbolic(
                    "a divisor may be 0 or less, where solvers and Python differ; divide by a "
                    "positive constant, or by the deployment's b_col, b_lcm or chunk"
                )
            if operation is operator.floordiv:
                operation = operator.truediv  # z3 writes the division of two Ints as `/`
        return Symbol(operation(left, right), operation in COMPARISONS)

    def __neg__(self) -> Symbol:
        if self.is_truth:
            raise NotSymbolic("a truth is not a number; use ite(truth, -1, 0)")
        return Symbol(-self.term, False)

    def ite(self, then: Num, otherwise: Num) -> Symbol:
        (left, left_truth), (right, right_truth) = _z3_of(then), _z3_of(otherwise)
        if left_truth is not right_truth:
            raise NotSymbolic("one side of an ite is a number and the other a truth")
        return Symbol(z3.If(_truth_of(self), left, right), left_truth)

    def negate(self) -> Symbol:
        return Symbol(z3.Not(_truth_of(self)), True)

    def either(self, *others: Truth) -> Symbol:
        return Symbol(z3.Or(_truth_of(self), *map(_truth_of, others)), True)

    def both(self, *others: Truth) -> Symbol:
        return Symbol(z3.And(_truth_of(self), *map(_truth_of, others)), True)

    def __bool__(self) -> bool:
        raise NotSymbolic(
            "the truth of a number in symbols is not known; use ite, either, both, minimum or "
            "maximum for if, or, and, min and max"
        )

    def _no_value(self, *_: object) -> NoReturn:
        raise NotSymbolic(
            "a number in symbols has no value: it is never a float, an index, a key or text; "
            "divide with floor_div or ceil_div"
        )

    __hash__ = _no_value
    __int__ = __index__ = __float__ = __round__ = __trunc__ = __floor__ = __ceil__ = _no_value
    __pow__ = __rpow__ = __divmod__ = __rdivmod__ = __truediv__ = __rtruediv__ = _no_value
    __abs__ = __format__ = __str__ = _no_value


def _z3_of(value: object) -> tuple[Any, bool]:
    """What z3 is given for a number or a truth, and whether it is a truth."""
    if isinstance(value, Symbol):
        return value.term, value.is_truth
    if type(value) in (int, bool):
        return value, type(value) is bool
    raise NotSymbolic(f"{value!r} is not a whole number")


def _truth_of(value: object) -> Any:
    term, is_truth = _z3_of(value)
    if not is_truth:
        raise NotSymbolic("a number is not a truth; compare it")
    return term


def divisor(value: Num) -> Num:
    """`value` as a number to divide by, where the lemma's hypotheses say that it is 1 or more."""
    return attrs.evolve(value, positive=True) if isinstance(value, Symbol) else value


NODE = numbers("slack tiles t_lin t_nl b_col")
"""A deployment's variables: b_lcm is `tiles` times b_col, its chunk b_lcm and `slack` more."""


def node(v: Names, b_lcm: Num | None = None) -> Names:
    """The deployment that the values of `NODE` describe, as the rules read it.

    b_lcm: `tiles` times b_col unless given.
    """
    b_lcm = v.tiles * v.b_col if b_lcm is None else b_lcm
    return Names(
        {
            "b_col": divisor(v.b_col),
            "b_lcm": divisor(b_lcm),
            "chunk": divisor(b_lcm + v.slack),
            "t_lin": v.t_lin,
            "t_nl": v.t_nl,
        }
    )


def any_node(v: Names) -> tuple[Truth, ...]:
    """Every deployment: tiles of 1 token or more, speeds of 0 or more, a chunk of b_lcm or more."""
    return (v.b_col >= 1, v.tiles >= 1, v.slack >= 0, v.t_lin >= 0, v.t_nl >= 0)


def fixed_node(b_col: int, tiles: int = 1) -> dict[str, int]:
    """The values of `NODE` for one deployment of the bounded lemmas."""
    return {"b_col": b_col, "tiles": tiles, "slack": 0, "t_lin": 4000, "t_nl": 5}


def variables(sorts: Mapping[str, Sort]) -> dict[str, Any]:
    """A z3 constant for each variable, and a free function for each rule that is left open."""
    return {name: _variable(name, sort) for name, sort in sorts.items()}


def _variable(name: str, sort: Sort) -> Any:
    if isinstance(sort, Signature):
        return unknown_function(name, sort.result)
    return Symbol(z3.Int(name), False) if sort is NUMBER else Symbol(z3.Bool(name), True)


def terms_of(sorts: Mapping[str, type]) -> tuple[Any, ...]:
    """The z3 constants of `variables`, in order."""
    return tuple(symbol.term for symbol in variables(sorts).values())


def unknown_function(name: str, result: type) -> Callable[..., Symbol]:
    """A function of numbers and truths of which a solver knows nothing but its name."""

    def apply(*arguments: object) -> Symbol:
        read = [_z3_of(argument) for argument in arguments]
        sorts = [z3.BoolSort() if is_truth else z3.IntSort() for _, is_truth in read]
        sorts.append(z3.IntSort() if result is NUMBER else z3.BoolSort())
        return Symbol(z3.Function(name, *sorts)(*(term for term, _ in read)), result is not NUMBER)

    return apply


def symbolic(lemma: Lemma, world: World) -> Sequent:
    """The lemma over symbols.

    Raises BadInput where a rule or a claim is not arithmetic over numbers.
    """
    try:
        return lemma.build(Names(variables(lemma.sorts)), world)
    except (NotSymbolic, TypeError, AttributeError, z3.Z3Exception) as error:
        raise BadInput(
            f"lemma {lemma.name}: a rule or claim it reads is not arithmetic over numbers "
            f"({error}). Write it with radproof.number's helpers (ite, minimum, floor_div, "
            "ceil_div, either, both) and the deployment's b_col, b_lcm, t_lin, t_nl, chunk; "
            "other Python code can be tested, not proved."
        ) from None


def boolean(truth: Truth) -> z3.BoolRef:
    """A truth as a z3 Bool."""
    return z3.BoolVal(truth) if isinstance(truth, bool) else _truth_of(truth)


def disjuncts(truth: Truth) -> list[z3.BoolRef]:
    """The disjuncts of a truth; the truth itself where it is not a disjunction."""
    term = boolean(truth)
    return list(term.children()) if z3.is_or(term) else [term]


class Possible:
    """Whether a truth is possible beside those assumed so far, as far as Z3 can tell."""

    def __init__(self, given: Iterable[Truth]) -> None:
        self._solver = z3.Solver()
        self._solver.set("rlimit", 100_000)
        self._solver.add(*(boolean(fact) for fact in given))

    def plain(self, truth: Symbol) -> bool | None:
        """Its value, where that does not depend on any variable."""
        found = z3.simplify(truth.term)
        return True if z3.is_true(found) else False if z3.is_false(found) else None

    def beside(self, truth: Truth) -> bool:
        """False where Z3 rules it out; where it gives up, it counts as possible."""
        self._solver.push()
        self._solver.add(boolean(truth))
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer != z3.unsat)

    def assume(self, truth: Truth) -> None:
        """Assume it, until `forget`."""
        self._solver.push()
        self._solver.add(boolean(truth))

    def forget(self) -> None:
        """Drop the last assumption."""
        self._solver.pop()


def ints(model: z3.ModelRef, sorts: Mapping[str, Sort]) -> dict[str, Any]:
    """The values of a z3 model by the lemma's names; 0 or False where it leaves one open."""
    found: dict[str, Any] = {}
    values = {declaration.name(): model[declaration] for declaration in model.decls()}
    for name, sort in sorts.items():
        value = values.get(name)
        if isinstance(sort, Signature):
            found[name] = _table(value, sort)
        elif sort is NUMBER:
            found[name] = 0 if value is None else value.as_long()
        else:
            found[name] = value is not None and z3.is_true(value)
    return found


def _table(value: z3.FuncInterp | None, signature: Signature) -> dict[str, Any]:
    """A free function in a model: its value at some arguments, and its value otherwise."""
    if value is None:
        return {"at": [], "otherwise": signature.result()}
    count = value.num_entries()
    entries = [value.entry(place) for place in range(count)]
    return {
        "at": [
            [
                *(_plain(entry.arg_value(place)) for place in range(entry.num_args())),
                _plain(entry.value()),
            ]
            for entry in entries
        ],
        "otherwise": _plain(value.else_value()),
    }


def _plain(value: Any) -> int | bool:
    return value.as_long() if z3.is_int(value) else z3.is_true(value)  # type: ignore[no-any-return]


def job(phase: Phase, session: Num, arrive: Num, prompt: Num, done: Num) -> Names:
    """A job as a scheduler's order reads it (`model.Job`), on numbers; its phase is known."""
    return Names(
        {
            "session": session,
            "phase": phase,
            "arrive": arrive,
            "prompt": prompt,
            "done": done,
            "prefilled": done if phase is PREFILL else prompt,
            "generated": done if phase is DECODE else 0,
        }
    )
