"""JSON in files: one reader for all formats, which says in words where a file is wrong.

A format is an attrs class, and cattrs fills it. Nothing is converted: a float, a bool or a text is
not an int, and an unknown field is refused. The class's own validators check its numbers; each
raises ``<field> is <value>; it must be ...`` (`model.whole`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar, get_args

import attrs
from cattrs import Converter
from cattrs.cols import homogenous_tuple_structure_factory, is_mapping, mapping_structure_factory
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
)
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.literals import is_literal

from radproof.errors import BadInput, did_you_mean
from radproof.model import Session, is_not_whole

T = TypeVar("T")

_CONVERTER = Converter()
_ROWS: set[type] = set()


class _Wrong(BadInput):
    """A wrong value. The message is a sentence without its subject: ``is 7; it must be ...``."""


def loads(text: str, what: str = "a file of radproof's") -> Any:
    """The JSON value of a text, which is `what` it should be.

    Raises BadInput with the line and column of what is wrong.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        if error.msg == "Extra data":
            raise BadInput(
                f"{place}: more than one JSON value, and {what} is one. For an engine's log use "
                "radproof trace."
            ) from None
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        what = "the JSON ends in the middle; the file is truncated" if cut else error.msg
        raise BadInput(f"{place}: {what}. Write the file again from its source.") from None
    except (ValueError, RecursionError) as error:  # a number of over 4,300 digits, deep nesting
        raise BadInput(f"the JSON cannot be read: {error}") from None


def schema_of(text: str) -> object:
    """The schema that a file's text names; None where it has none, or is not JSON."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        data = loads(text)
    except BadInput:
        return None
    return data.get("schema") if isinstance(data, dict) else None


def content(data: object, *schemas: str, remedy: str = "") -> dict[str, Any]:
    """The fields of a file without its schema, which must be one of `schemas`.

    Raises BadInput with `remedy` where `data` is not an object, or has another schema.
    """
    reads = f"this radproof reads {' and '.join(map(repr, schemas))}.{remedy and f' {remedy}'}"
    if not isinstance(data, dict):
        raise BadInput(f"the file is {_shown(data)}, not an object with a schema; {reads}")
    if data.get("schema") not in schemas:
        raise BadInput(f'field "schema" is {data.get("schema")!r}; {reads}')
    return {name: value for name, value in data.items() if name != "schema"}


def structure(cls: type[T], data: Mapping[str, Any]) -> T:
    """The fields of a file as a `cls`. Raises BadInput with the first field that is wrong."""
    try:
        return _CONVERTER.structure(data, cls)
    except (BaseValidationError, BadInput) as error:
        raise BadInput(_sentence(error)) from None


def unstructure(file: attrs.AttrsInstance) -> dict[str, Any]:
    """The fields of a file, as `structure` reads them; a field with its default is left out."""
    return _unstructured(type(file))(file)


@cache
def _unstructured(cls: type[attrs.AttrsInstance]) -> Callable[[Any], dict[str, Any]]:
    return make_dict_unstructure_fn(cls, _CONVERTER, _cattrs_omit_if_default=True)


def as_row(cls: type[T]) -> type[T]:
    """Read and write an attrs class as a row: a list of its fields in their order."""
    names = _names(cls)
    fill = _filled(cls)
    each = "numbers" if all(field.type is int for field in _fields(cls)) else "values"
    wanted = f"{'three' if len(names) == 3 else len(names)} {each}"

    def structured(row: object, _: object) -> Any:
        if type(row) is not list or len(row) != len(names):
            raise _Wrong(f"is {_shown(row)}; it must be {wanted}: {', '.join(names)}")
        return fill(dict(zip(names, row, strict=True)), cls)

    _ROWS.add(cls)
    _CONVERTER.register_structure_hook(cls, structured)
    _CONVERTER.register_unstructure_hook(cls, lambda row: list(attrs.astuple(row)))
    return cls


def _fields(cls: type) -> Sequence[attrs.Attribute[Any]]:
    """The fields that a file may give, with their types."""
    return [field for field in attrs.fields(attrs.resolve_types(cls)) if field.init]


def _names(cls: type) -> list[str]:
    return [field.name for field in _fields(cls)]


def _filled(cls: type) -> Callable[[Any, Any], Any]:
    """Fills a class from an object; an int with a validator is left to the validator."""
    judged: dict[str, Any] = {
        field.name: override(struct_hook=lambda value, _: value)
        for field in _fields(cls)
        if field.validator is not None and field.type in (int, int | None)
    }
    return make_dict_structure_fn(cls, _CONVERTER, _cattrs_forbid_extra_keys=True, **judged)


# checks of a value, by the type of its field


def _natural(value: object, _: object) -> int:
    if type(value) is not int or value < 0:
        raise _Wrong(is_not_whole(value, 0))
    return value


def _number(value: object, _: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Wrong(f"is {_shown(value)}; it must be a number")
    return float(value)


def _truth(value: object, _: object) -> bool:
    if type(value) is not bool:
        raise _Wrong(f"is {_shown(value)}; it must be true or false")
    return value


def _text(value: object, _: object) -> str:
    if type(value) is not str:
        raise _Wrong(f"is {_shown(value)}; it must be text")
    if any(0xD800 <= ord(character) < 0xE000 for character in value):
        # it cannot be written to a file or a terminal
        raise _Wrong(f"is {value!r}; it contains an unpaired surrogate")
    return value


def _one_of(words: Sequence[str], value: object) -> str:
    for word in words:
        if word == value:
            return word
    raise _Wrong(f"is {_shown(value)}; it must be {' or '.join(words)}")


def _word(kind: object) -> Callable[[object, object], str]:
    return lambda value, _: _one_of(get_args(kind), value)


def _choice(value: object, kind: type[StrEnum]) -> StrEnum:
    return kind(_one_of([*kind], value))


def _object(cls: type) -> Callable[[Any, Any], Any]:
    return _only(dict, "an object", _filled(cls))


def _mapping(kind: type) -> Callable[[Any, Any], Any]:
    return _only(dict, "an object", mapping_structure_factory(kind, _CONVERTER))


def _only(json_type: type, what: str, fill: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def structured(value: object, kind: object) -> Any:
        if type(value) is not json_type:
            raise _Wrong(f"is {_shown(value)}; it must be {what}")
        return fill(value, kind)

    return structured


def _list(kind: type) -> Callable[[Any, Any], Any]:
    fill = homogenous_tuple_structure_factory(kind, _CONVERTER)

    def structured(value: object, _: object) -> Any:
        if type(value) is not list:
            raise _Wrong(_missing(kind))
        return fill(value, kind)

    return structured


def _is_list(kind: object) -> bool:
    return getattr(kind, "__origin__", None) is tuple and get_args(kind)[1:] == (...,)


def _missing(kind: type) -> str:
    """What is wrong with a missing field of this type, or one that should be a list."""
    if not _is_list(kind):
        return "is missing" + (f"; it has: {', '.join(_names(kind))}" if attrs.has(kind) else "")
    item = get_args(kind)[0]
    return "is missing or not a list" + (
        f"; it holds [{', '.join(_names(item))}]" if item in _ROWS else ""
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_CONVERTER.register_structure_hook_factory(attrs.has, _object)
_CONVERTER.register_structure_hook_factory(is_mapping, _mapping)
_CONVERTER.register_structure_hook_factory(_is_list, _list)
_CONVERTER.register_structure_hook_factory(is_literal, _word)
for _type, _hook in {
    int: _natural,
    float: _number,
    bool: _truth,
    str: _text,
    StrEnum: _choice,
}.items():
    _CONVERTER.register_structure_hook(_type, _hook)
as_row(Session)


# the place and the words of an error


def _sentence(error: Exception) -> str:
    """The first mistake, with its place, in words."""
    steps: list[str | int] = []
    kind: Any = None
    while isinstance(error, (ClassValidationError, IterableValidationError)):
        # cattrs groups the mistakes of a class or a list, and notes the field or item of each
        noted, others = error.group_exceptions()
        unknown = [one for one in others if isinstance(one, ForbiddenExtraKeysError)]
        if unknown or not noted:
            # an unknown field first: it may be a missing one misspelt
            kind, error = error.cl, (unknown or others)[0]
            break
        error, note = noted[0]
        kind = note.type
        steps.append(note.name if isinstance(note, AttributeValidationNote) else note.index)
    if isinstance(error, ForbiddenExtraKeysError):
        return f"{_place(steps)} {_unknown(sorted(error.extra_fields)[0], _names(kind))}"
    if isinstance(error, KeyError):
        return _stopped(f"{_place(steps)} {_missing(kind)}")
    if isinstance(error, _Wrong):
        return _stopped(f"{_place(steps)} {error}")
    field, _, rest = str(error).partition(" ")
    if field in _names(kind):  # a validator's sentence starts with the field
        return _stopped(f"{_place([*steps, field])} {rest}")
    return _stopped(f"{_place(steps)}: {error}")


def _unknown(name: str, known: Sequence[str]) -> str:
    near = did_you_mean(name, known) or f" Known: {', '.join(known)}."
    return f"has an unknown field {name!r}.{near}"


def _place(steps: Sequence[str | int]) -> str:
    """The place in words: ``field "breaks": name``, ``session 3: prompt``, or ``the file``."""
    words: list[str] = []
    for before, step in pairwise((None, *steps)):
        if isinstance(step, str):
            words.append(step if words else f'field "{step}"')
        elif isinstance(before, str) and before.endswith("s"):
            words[-1] = f"{before.removesuffix('s')} {step}"
        else:
            words.append(f"item {step}")
    return ": ".join(words) or "the file"


def _stopped(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."
