"""Finding a scheduler, or a claim, by its name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.errors import BadInput, did_you_mean, where_raised
from radproof.schedulers.adapters import adapt
from radproof.schedulers.protocol import Scheduler

BUILT_IN = {
    name: f"radproof.schedulers:{name}"
    for name in ("rad", "rad_cycles", "sarathi", "vllm", "orca", "faster_transformer", "slai")
}


@attrs.frozen
class Loaded:
    """A scheduler that knows its own name, and what it was made from.

    name: a built-in name, or ``module:name``; call: the function of a view that is run; source:
    the function, class or object that the user wrote, which `report.place` finds in a file.
    """

    name: str
    call: Scheduler = attrs.field(repr=False)
    source: Any = attrs.field(repr=False)

    @classmethod
    def of(cls, found: Any, name: str | None = None) -> Loaded:
        """A scheduler of any shape that `adapters.adapt` knows; it raises BadInput as that does.

        name: ``module:name`` of the function or class (of an object, its class's) unless given.
        """
        if name is None:
            named = found if hasattr(found, "__qualname__") else type(found)
            name = f"{named.__module__}:{named.__qualname__}"
        return cls(name, adapt(found, name), found)


def load(spec: str) -> Loaded:
    """The scheduler named `spec`: a built-in name, or ``module:name`` (as in ``pkg.mod:obj``).

    It may be a function, or an object or class of another shape (see `adapters.adapt`). Raises
    BadInput with the nearest known name where there is none of this name.
    """
    found = load_object(BUILT_IN.get(spec, spec), what="scheduler", known=sorted(BUILT_IN))
    return Loaded.of(found, spec)


def load_object(spec: str, *, what: str, known: list[str]) -> Any:
    """The object that ``module:name`` names, looked for from the current folder first.

    Raises BadInput: a name without a module that is not known, a module that cannot be
    imported, a name that the module does not have; each with the nearest right one.
    """
    module_name, colon, name = spec.partition(":")
    if not colon or not module_name or not name:
        raise BadInput(
            f"unknown {what} {spec!r}.{did_you_mean(spec, known)} Known here: {', '.join(known)}. "
            f"Your own is named module:name, for example my_package.my_module:my_{what}."
        )
    here = str(FilePath.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise BadInput(
                f"{what} {spec!r}: importing {module_name} needs the module {error.name}, "
                "which is not installed."
            ) from None
        files = [p.stem for p in FilePath.cwd().glob("*.py")]
        raise BadInput(
            f"{what} {spec!r}: there is no module {module_name!r} in {here} nor installed."
            f"{did_you_mean(module_name, files)} The form is module:name, with dots, without .py."
        ) from None
    except (Exception, SystemExit) as error:
        raise BadInput(
            f"{what} {spec!r}: importing {module_name} raised {where_raised(error)}"
        ) from None
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            names = [n for n in vars(module) if not n.startswith("_")]
            raise BadInput(
                f"{what} {spec!r}: {module_name} has no {name!r}.{did_you_mean(name, names)}"
            )
        found = getattr(found, part)
    return found
