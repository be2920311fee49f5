"""What the code of a rule does: whole-number arithmetic, and nothing that could tell what it is on.

A rule is a Python function, and Python can tell a solver's number from an int: by `is`, `in`,
`isinstance`, a table, a float. What is proved is what is run only where it never does. So every
rule, claim and order is walked, instruction by instruction, on values of which nothing is known
but whether they are numbers; whatever is not straight-line arithmetic is refused, with its line.
The one thing that a walk knows is a job's phase: a lemma about an order is about jobs of one phase.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import attrs

from radproof import number
from radproof.errors import BadInput
from radproof.model import DEPLOYMENT_NAMES, Deployment, Phase
from radproof.readers.base import Number
from radproof.readers.terms import Names, NotSymbolic
from radproof.rules import Rules

HELPERS: tuple[Callable[..., Any], ...] = (
    number.ite,
    number.either,
    number.both,
    number.negate,
    number.minimum,
    number.maximum,
    number.monus,
    number.floor_div,
    number.ceil_div,
)
"""What a rule may call beside functions like itself; every reader gives these its own meaning."""

REMEDY = (
    "Write it with radproof.number's helpers (ite, minimum, floor_div, ceil_div, either, both) and "
    "the deployment's b_col, b_lcm, t_lin, t_nl, chunk; other Python code can only be tested, not "
    "proved."
)


@attrs.frozen(eq=False)
class _Whole(Number):
    """A number or a truth that the walk knows nothing of."""


@attrs.frozen
class _PhaseTest:
    """The truth of a comparison of two phases, the only truth that a walk knows."""

    truth: bool


_NUMBER = _Whole()
_NULL = object()
"""The empty slot beside a function that is called."""


class _Refused(Exception):
    """What is not arithmetic, in words that follow the line's number."""


def result_shape(rule: str, function: object, *arguments: object) -> int | None:
    """Walk a rule's code; None: it returns one number, else the length of its tuple of numbers.

    Arguments are numbers and `Names`. Raises BadInput, with the rule, the line and the remedy,
    where the code is more than arithmetic.
    """
    try:
        result = _call(function, arguments, {}, ())
    except _Refused as refused:
        raise BadInput(f"{rule} is not arithmetic over numbers: {refused}. {REMEDY}") from None
    if _is_number(result):
        return None
    if type(result) is tuple and all(map(_is_number, result)):
        return len(result)
    raise BadInput(
        f"{rule} is not arithmetic over numbers: it returns {_named(result)}, which is neither a "
        f"whole number nor a truth. {REMEDY}"
    )


def _call(
    function: object,
    arguments: Sequence[object],
    keywords: Mapping[str, object],
    active: tuple[object, ...],
) -> object:
    """What a call returns; `active` are the codes that lead to it. Raises _Refused."""
    while type(function) is functools.partial:
        arguments = (*function.args, *arguments)
        keywords = {**function.keywords, **keywords}
        function = function.func
    if any(function is helper for helper in HELPERS):
        for value in (*arguments, *keywords.values()):
            _number(value)
        return _NUMBER
    if type(function) is not FunctionType:
        raise _Refused(f"{_named(function)} is neither a helper nor a plain Python function")
    if function.__code__ in active:
        raise _Refused(f"{function.__name__} calls itself")
    # a copy without attributes, which could claim another signature
    plain = FunctionType(function.__code__, {}, "", function.__defaults__, function.__closure__)
    plain.__kwdefaults__ = function.__kwdefaults__
    try:
        bound = inspect.signature(plain).bind(*arguments, **keywords)
    except TypeError as error:
        raise _Refused(f"{function.__name__}: {error}") from None
    bound.apply_defaults()
    code = function.__code__
    captured = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    walk = _Walk(code, function.__globals__, captured, dict(bound.arguments), (*active, code))
    return walk.result()


@attrs.define(eq=False)
class _Walk:
    """A walk along the code of one function."""

    code: CodeType
    module: Mapping[str, Any]
    """The function's global variables."""
    captured: Mapping[str, CellType]
    local: dict[str, object]
    active: tuple[object, ...]
    stack: list[object] = attrs.field(factory=list)
    keywords: tuple[str, ...] = ()
    """The names of the next call's last arguments (Python 3.11, 3.12)."""

    def result(self) -> object:
        """What the function returns. Raises _Refused."""
        code = self.code
        line = code.co_firstlineno
        try:
            if code.co_exceptiontable:
                raise _Refused("it handles exceptions or loops (try, with, a comprehension)")
            steps = list(dis.get_instructions(code))
            places = {step.offset: place for place, step in enumerate(steps)}
            place = 0
            while True:
                step = steps[place]
                line = (step.positions and step.positions.lineno) or line
                if step.opname in ("RETURN_VALUE", "RETURN_CONST"):
                    return step.argval if step.opname == "RETURN_CONST" else self.stack.pop()
                target = self._jump(step) if "JUMP" in step.opname else None
                if target is None:
                    if "JUMP" not in step.opname:
                        self._take(step)
                    place += 1
                else:
                    place = places[target]
        except _Refused as refused:
            if " (line " in str(refused):
                raise
            raise _Refused(f"{refused} (line {line} of {code.co_filename})") from None

    def _jump(self, step: dis.Instruction) -> int | None:
        """The offset to go on at; None: the next instruction."""
        name = step.opname
        target = int(step.argval)
        if target <= step.offset:
            raise _Refused("it loops")
        if name == "JUMP_FORWARD":
            return target
        top = self.stack.pop()
        if not isinstance(top, _PhaseTest) or name.endswith("NONE"):
            raise _Refused(
                "it asks whether a number is true (if, and, or, a chained comparison, assert)"
            )
        taken = top.truth is ("IF_TRUE" in name)
        if name.endswith("_OR_POP") and taken:
            self.stack.append(top)
        return target if taken else None

    def _take(self, step: dis.Instruction) -> None:
        """One instruction that does not jump."""
        name, stack = step.opname, self.stack
        if name in _IDLE:
            return
        if name in ("LOAD_CONST", "LOAD_SMALL_INT"):
            stack.append(step.argval)
        elif name in _LOAD_FAST:
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            stack += map(self._variable, names)
        elif name == "STORE_FAST":
            self.local[step.argval] = stack.pop()
        elif name == "STORE_FAST_STORE_FAST":
            for variable in step.argval:
                self.local[variable] = stack.pop()
        elif name == "STORE_FAST_LOAD_FAST":
            stored, loaded = step.argval
            self.local[stored] = stack.pop()
            stack.append(self._variable(loaded))
        elif name == "LOAD_GLOBAL":
            found = [self._global(step.argval)]
            if (step.arg or 0) & 1:  # the empty slot of a call, until 3.12 below the function
                found.insert(1 if sys.version_info >= (3, 13) else 0, _NULL)
            stack += found
        elif name == "LOAD_DEREF":
            stack.append(self._captured(step.argval))
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            stack.append(_attribute(stack.pop(), step.argval))
            if name == "LOAD_METHOD" or (sys.version_info >= (3, 12) and (step.arg or 0) & 1):
                stack.append(_NULL)
        elif name == "PUSH_NULL":
            stack.append(_NULL)
        elif name == "KW_NAMES":
            self.keywords = self.code.co_consts[step.arg or 0]
        elif name in ("CALL", "CALL_KW"):
            if name == "CALL_KW":
                self.keywords = stack.pop()  # type: ignore[assignment]
            stack.append(self._called(step.arg or 0))
        elif name == "BINARY_OP":
            right, left = stack.pop(), stack.pop()
            stack.append(_operation(step.argrepr, left, right))
        elif name in ("COMPARE_OP", "IS_OP"):
            right, left = stack.pop(), stack.pop()
            stack.append(_comparison(name, step, left, right))
        elif name == "UNARY_NEGATIVE":
            _number(stack[-1])
            stack[-1] = _NUMBER
        elif name in ("UNARY_NOT", "TO_BOOL"):
            test = stack.pop()
            if not isinstance(test, _PhaseTest):
                raise _Refused("it asks whether a number is true (not; use negate)")
            stack.append(_PhaseTest(test.truth is (name == "TO_BOOL")))
        elif name == "BUILD_TUPLE":
            size = step.arg or 0
            parts = tuple(stack[len(stack) - size :])
            del stack[len(stack) - size :]
            stack.append(parts)
        elif name == "POP_TOP":
            stack.pop()
        elif name == "COPY":
            stack.append(stack[-(step.arg or 0)])
        elif name == "SWAP":
            other = -(step.arg or 0)
            stack[-1], stack[other] = stack[other], stack[-1]
        else:
            raise _Refused(_WORDS.get(name, f"its instruction {name} is not arithmetic"))

    def _variable(self, name: str) -> object:
        if name not in self.local:
            raise _Refused(f"it reads {name} before it is set")
        return self.local[name]

    def _global(self, name: str) -> object:
        builtins = self.module.get("__builtins__", {})
        for names in (self.module, builtins if isinstance(builtins, dict) else vars(builtins)):
            if name in names:
                return names[name]
        raise _Refused(f"it reads {name}, which is not defined")

    def _captured(self, name: str) -> object:
        if name not in self.captured:
            raise _Refused(f"it shares its variable {name} with an inner function")
        try:
            return self.captured[name].cell_contents
        except ValueError:
            raise _Refused(f"it reads {name} before it is set") from None

    def _called(self, count: int) -> object:
        stack, names = self.stack, self.keywords
        self.keywords = ()
        arguments = stack[len(stack) - count :]
        pair = stack[len(stack) - count - 2 : len(stack) - count]
        del stack[len(stack) - count - 2 :]
        (function,) = (one for one in pair if one is not _NULL)
        by_place = arguments[: count - len(names)]
        by_name = dict(zip(names, arguments[count - len(names) :], strict=True))
        return _call(function, by_place, by_name, self.active)


_IDLE = (
    "CACHE",
    "COPY_FREE_VARS",
    "EXTENDED_ARG",
    "NOP",
    "NOT_TAKEN",
    "PRECALL",
    "RESUME",
)

_LOAD_FAST = (
    "LOAD_FAST",
    "LOAD_FAST_BORROW",
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW",
    "LOAD_FAST_CHECK",
    "LOAD_FAST_LOAD_FAST",
)

_LOOK_UP = "it looks something up by a number; use ite"

_WORDS = {
    "BINARY_SUBSCR": _LOOK_UP,
    "BUILD_CONST_KEY_MAP": _LOOK_UP,
    "BUILD_MAP": _LOOK_UP,
    "CALL_FUNCTION_EX": "it calls a function with * or **",
    "GET_ITER": "it loops",
    "CONTAINS_OP": "it tests membership with in; use either(x == 1, x == 2)",
    "MAKE_CELL": "it defines a function",
    "MAKE_FUNCTION": "it defines a function",
    "STORE_DEREF": "it changes a variable of another function",
    "STORE_GLOBAL": "it changes a global variable",
}
"""What an instruction does, in a user's words."""

_OPERATORS = ("+", "-", "*", "//", "%")

_DIVISION = "it divides with /, which is a float on ints; use floor_div or ceil_div"


def _is_number(value: object) -> bool:
    return type(value) in (int, bool) or isinstance(value, Number | _PhaseTest)


def _number(value: object) -> None:
    """Raises _Refused where the value is not a number or a truth."""
    if not _is_number(value):
        raise _Refused(f"it calculates with {_named(value)}, which is not a whole number")


def _attribute(owner: object, name: str) -> object:
    """An attribute of the deployment, the record, the job, or of a module or bundle of rules."""
    if type(owner) is Names:
        try:
            value = getattr(owner, name)
        except NotSymbolic as error:
            raise _Refused(str(error)) from None
        return value if type(value) is Phase else _NUMBER
    if type(owner) is ModuleType and name in vars(owner):
        return vars(owner)[name]
    if (type(owner) is Rules and name in attrs.fields_dict(Rules)) or (
        type(owner) is Deployment and name in DEPLOYMENT_NAMES
    ):
        return getattr(owner, name)
    if owner is Phase and name in Phase.__members__:
        return Phase[name]
    raise _Refused(
        f"it reads {name} of {_named(owner)}, which is not the deployment, the record or the job"
    )


def _operation(sign: str, left: object, right: object) -> object:
    if sign.removesuffix("=") not in _OPERATORS:
        raise _Refused(
            _DIVISION
            if sign.startswith("/")
            else _LOOK_UP
            if sign.startswith("[")
            else f"it calculates with {sign}"
        )
    _number(left)
    _number(right)
    return _NUMBER


def _comparison(name: str, step: dis.Instruction, left: object, right: object) -> object:
    if type(left) is Phase and type(right) is Phase:
        same = left is right
        if name == "IS_OP":
            return _PhaseTest(same is (step.arg == 0))
        if step.argval in ("==", "!="):
            return _PhaseTest(same is (step.argval == "=="))
    if name == "IS_OP":
        raise _Refused("it compares with is, which tells objects apart and not numbers; use ==")
    _number(left)
    _number(right)
    return _NUMBER


def _named(value: object) -> str:
    """A value as a message names it."""
    if isinstance(value, Number):
        return "a number"
    if isinstance(value, Names):
        return "the deployment, the record or the job"
    if isinstance(value, type | FunctionType | ModuleType) or inspect.isbuiltin(value):
        return str(value.__name__)
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
