"""A griffe extension of mkdocs.yml: a class of attrs is shown with the signature it has.

attrs writes ``__init__`` when a class is made, so it does not stand in the source that griffe reads.
"""

from __future__ import annotations

import inspect
from typing import Any

import attrs
import griffe


class Signatures(griffe.Extension):  # type: ignore[misc]  # griffe is read by no type checker here
    """Adds ``__init__`` to each class of attrs."""

    def on_class_members(self, *, cls: griffe.Class, **facts: Any) -> None:
        """The parameters are those of the class as it is imported, in its own words."""
        found = griffe.dynamic_import(cls.path)
        if not attrs.has(found):
            return
        given = [
            griffe.Parameter(
                parameter.name,
                annotation=parameter.annotation,
                kind=griffe.ParameterKind(parameter.kind.description),
                default=_default(parameter.default),
            )
            for parameter in inspect.signature(found).parameters.values()
        ]
        cls.set_member("__init__", griffe.Function("__init__", parameters=griffe.Parameters(*given)))


def _default(value: object) -> str | None:
    """What is written after the ``=``: ``...`` where it is worked out when the object is made."""
    if value is inspect.Parameter.empty:
        return None
    if value is attrs.NOTHING:
        return "..."
    return getattr(value, "__qualname__", repr(value))
