"""Code that looks at what a number is, instead of asking the number.

A reader's number answers what an int would, or refuses, and `base.believed` notices a refusal that
was swallowed. But `type` asks the interpreter, and the number is not told. So code that a reader's
number is given to is searched for such a look: `asks` walks the functions that it can reach by
name. An identity (``i.start is i.end``) is such a look, except with an object that no number is
(``job.phase is DECODE``). It does not find a look that is built at run time
(``getattr(builtins, "ty" + "pe")``), or C code that accepts an exact int alone and whose TypeError
the caller then swallows (json's encoder, datetime, decimal). A term and a column do not pass for an
int as well as a number on a range does: code that catches exceptions (`catches`) is given neither.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

TYPE = (type, id)
"""What tells a number on a range from an int, for which it otherwise passes."""

CLASS = (*TYPE, isinstance, issubclass, hasattr, getattr, callable, int, bool, float, str)
"""What tells a term, or a column, from an int: ``match`` with ``case int()`` reads the class."""

_TRUSTED = sys.stdlib_module_names | {"radproof", "attr", "attrs", "numpy", "hypothesis", "z3"}
"""Packages whose code is not searched."""

_FUNCTIONS = (types.FunctionType, staticmethod, classmethod, property, functools.cached_property)
_LEAVES = (int, float, str, bytes, type(None), types.CodeType)
_TOO_MUCH = object()
_MOST = 10_000
"""Objects looked at. Code that reaches more is taken to look."""


def asks(thing: object, about: Iterable[object]) -> bool:
    """Whether code that `thing`, a callable, can reach uses one of the builtins `about`.

    Or whether it compares the identities of what may be numbers.
    """
    wanted = {id(look) for look in about}
    return any(
        one is _TOO_MUCH or id(one) in wanted or _compares_identities(one) for one in _all(thing)
    )


def catches(thing: object) -> bool:
    """Whether code that `thing`, a callable, can reach may catch what is raised in it.

    By ``try``, by ``with`` (`contextlib.suppress`), or in the body of a generator.
    """
    return any(
        one is _TOO_MUCH or (isinstance(one, types.FunctionType) and _handles(one))
        for one in _all(thing)
    )


def _handles(function: types.FunctionType) -> bool:
    return not _trusted(function) and _has_handlers(function.__code__)


@functools.lru_cache(maxsize=4096)
def _has_handlers(code: types.CodeType) -> bool:
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return bool(code.co_exceptiontable) or any(map(_has_handlers, inner))


def _all(thing: object) -> Iterator[object]:
    """All that code can reach by name, itself first; `_TOO_MUCH` at the end where that is a lot."""
    seen: set[int] = set()
    waiting = [thing]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _LEAVES):
            continue
        seen.add(id(one))
        if len(seen) > _MOST:
            yield _TOO_MUCH
            return
        yield one
        waiting += _reached(one)


def _compares_identities(one: object) -> bool:
    """Whether it is a function with an `is` whose right side may be a number."""
    if not isinstance(one, types.FunctionType) or _trusted(one):
        return False
    return any(_may_be_number(one, load) for load in _identities(one.__code__))


def _may_be_number(function: types.FunctionType, load: _Load | None) -> bool:
    if load is None:
        return True
    constant, *names = load
    value: object = constant
    if names:
        places = (function.__globals__, vars(builtins))
        value = next((place[names[0]] for place in places if names[0] in place), 0)
        for name in names[1:]:
            value = inspect.getattr_static(value, name, 0)
    # True and False are results of comparisons, which a reader's number gives as an int does
    return type(value) is int


_Load: TypeAlias = tuple[Any, ...]
"""What the right side of an `is` loads: (value,), or (None, global name, attribute, ...)."""


@functools.lru_cache(maxsize=4096)
def _identities(code: types.CodeType) -> tuple[_Load | None, ...]:
    """What each `is` in this code, and in the functions it defines, has on its right side.

    None where that is neither a constant nor a global or an attribute of one.
    """
    found: list[_Load | None] = []
    last: _Load | None = None
    for one in dis.get_instructions(code):
        if one.opname == "IS_OP":
            found.append(last)
        if one.opname == "LOAD_CONST":
            last = (one.argval,)
            if isinstance(one.argval, types.CodeType):
                found += _identities(one.argval)
        elif one.opname == "LOAD_GLOBAL":
            last = (None, one.argval)
        elif one.opname == "LOAD_ATTR" and last is not None and len(last) > 1:
            last = (*last, one.argval)
        else:
            last = None
    return tuple(found)


def _reached(one: Any) -> Iterator[object]:
    """The objects that code reaches from this one by name."""
    if isinstance(one, types.FunctionType):
        if not _trusted(one):
            yield from _named(one)
    elif isinstance(one, staticmethod | classmethod | types.MethodType):
        yield from (one.__func__, getattr(one, "__self__", None))
    elif isinstance(one, property):
        yield from (one.fget, one.fset, one.fdel)
    elif isinstance(one, functools.cached_property):
        yield one.func
    elif isinstance(one, type):
        for base in one.__mro__:
            if not _trusted(base):
                yield from (value for value in vars(base).values() if isinstance(value, _FUNCTIONS))
    elif isinstance(one, functools.partial):
        yield from (one.func, *one.args, *one.keywords.values())
    elif isinstance(one, dict):
        yield from one.values()
    elif isinstance(one, list | tuple | set | frozenset):
        yield from one
    elif not isinstance(one, types.ModuleType | types.BuiltinFunctionType):
        yield type(one)
        yield from kept(one).values()


def kept(one: object) -> dict[str, object]:
    """The attributes that an object itself keeps, in its dictionary or in slots, by name."""
    found = dict(getattr(one, "__dict__", ()))
    for name, slot in _slots(type(one)):  # type: ignore[arg-type]  # types can be hashed
        try:
            found[name] = slot.__get__(one)
        except AttributeError:  # nothing in it yet
            continue
    return found


@functools.lru_cache(maxsize=1024)
def _slots(kind: type) -> tuple[tuple[str, types.MemberDescriptorType], ...]:
    return tuple(
        (name, slot)
        for base in kind.__mro__
        for name, slot in vars(base).items()
        if isinstance(slot, types.MemberDescriptorType)
    )


def _named(function: types.FunctionType) -> Iterator[object]:
    """The values of the names that a function uses, and those in its closure and defaults."""
    names = _names(function.__code__)
    modules = []
    for name in names:
        for place in (function.__globals__, vars(builtins), sys.modules):
            if name in place:
                value = place[name]
                if isinstance(value, types.ModuleType):
                    modules.append(value)
                else:
                    yield value
                    break
    for module in modules:
        yield from (vars(module)[name] for name in names if name in vars(module))
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield getattr(function, "__wrapped__", None)


@functools.lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> frozenset[str]:
    """The names that code uses, the functions that it defines included."""
    inner = (_names(const) for const in code.co_consts if isinstance(const, types.CodeType))
    return frozenset(code.co_names).union(*inner)


def _trusted(one: Any) -> bool:
    module = getattr(one, "__module__", None) or ""
    return module.partition(".")[0] in _TRUSTED
