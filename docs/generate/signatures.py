"""A griffe extension of mkdocs.yml: what griffe does not find in the source of the package.

attrs writes ``__init__`` when it makes a class. The strategies lie at the top of the repository and
become ``radproof.strategies`` only when imported.
"""

from __future__ import annotations

import inspect
from pathlib import Path as FilePath

import attrs
import griffe
import radproof.strategies


class Signatures(griffe.Extension):  # type: ignore[misc]  # griffe is untyped here
    """Gives each class of attrs its signature, and the package its strategies."""

    def on_package(
        self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **facts: object
    ) -> None:
        """The modules of ``radproof.strategies`` join the package."""
        assert radproof.strategies.__file__ is not None
        folder = griffe.Module("strategies", parent=pkg)
        pkg.set_member("strategies", folder)
        for file in FilePath(radproof.strategies.__file__).parent.glob("[!_]*.py"):
            code = file.read_text(encoding="utf-8")
            module = griffe.visit(
                file.stem, file, code, parent=folder, extensions=loader.extensions
            )
            folder.set_member(file.stem, module)

    def on_class_members(self, *, cls: griffe.Class, **facts: object) -> None:
        """The parameters are those of the imported class, as it writes them."""
        found = griffe.dynamic_import(cls.path)
        if not attrs.has(found):
            return
        given = [
            griffe.Parameter(
                parameter.name,
                annotation=parameter.annotation,
                kind=griffe.ParameterKind(parameter.kind.description),
                default=_default(parameter.default, cls.members.get(parameter.name)),
            )
            for parameter in inspect.signature(found).parameters.values()
        ]
        cls.set_member(
            "__init__", griffe.Function("__init__", parameters=griffe.Parameters(*given))
        )


def _default(value: object, field: griffe.Object | None) -> str | None:
    """What is written after the ``=``: ``...`` for a default computed when the object is made."""
    if value is inspect.Parameter.empty:
        return None
    if value is attrs.NOTHING:
        return "..."
    written = str(getattr(field, "value", "attrs.field"))
    return repr(value) if written.startswith("attrs.field") else written
