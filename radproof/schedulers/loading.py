"""Find a scheduler, or a claim, by its name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path as FilePath
from types import ModuleType
from typing import Any

import attrs

from radproof.errors import OF_A_USER, BadInput, did_you_mean, where_raised
from radproof.schedulers.adapters import adapt
from radproof.schedulers.protocol import Scheduler

BUILT_IN = {
    name: f"radproof.schedulers:{name}"
    for name in ("rad", "rad_cycles", "sarathi", "vllm", "orca", "faster_transformer", "slai")
}


@attrs.frozen
class Loaded:
    """A scheduler with its name, and the object from which it was made."""

    name: str
    """A built-in name, or ``module:name``."""

    call: Scheduler = attrs.field(repr=False)
    """The function of a view that is run."""

    source: object = attrs.field(repr=False)
    """The function, class or object that the user wrote; `report.place` finds it in a file."""

    @classmethod
    def of(cls, found: object, name: str | None = None) -> Loaded:
        """A scheduler of any shape that `adapters.adapt` accepts; raises BadInput as that does.

        name: ``module:name`` of the function or class (of an object, its class's) unless given.
        """
        if name is None:
            named: Any = found if hasattr(found, "__qualname__") else type(found)
            name = f"{named.__module__}:{named.__qualname__}"
        return cls(name, adapt(found, name), found)


def load(spec: str) -> Loaded:
    """The scheduler named `spec`: a built-in name, or ``module:name`` (as in ``pkg.mod:obj``).

    It may be a function, or an object or class of another shape (see `adapters.adapt`). Raises
    BadInput with the closest known name for an unknown one.
    """
    found = load_object(BUILT_IN.get(spec, spec), what="scheduler", known=sorted(BUILT_IN))
    return Loaded.of(found, spec)


def load_object(spec: str, *, what: str, known: list[str]) -> Any:
    """The object named ``module:name``; modules in the current folder come first.

    Raises BadInput for an unknown name without a module, a module that cannot be imported, or a
    name that the module does not have; each with the closest known one.
    """
    module_name, colon, name = spec.partition(":")
    if not colon or not module_name or not name:
        raise BadInput(
            f"unknown {what} {spec!r}.{did_you_mean(spec, known)} Known here: {', '.join(known)}. "
            f"Name your own as module:name, for example my_package.my_module:my_{what}."
        )
    module = _imported(module_name, f"{what} {spec!r}")
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            names = [n for n in vars(module) if not n.startswith("_")]
            raise BadInput(
                f"{what} {spec!r}: {module_name} has no {name!r}.{did_you_mean(name, names)}"
            )
        found = getattr(found, part)
    return found


def _imported(module_name: str, asked: str) -> ModuleType:
    """The module; `asked` is what is looked for in it, for the errors."""
    here = str(FilePath.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name + ".").startswith(error.name + "."):
            raise BadInput(
                f"{asked}: importing {module_name} needs the module {error.name}, "
                "which is not installed."
            ) from None
        files = [p.stem for p in FilePath.cwd().glob("*.py")]
        raise BadInput(
            f"{asked}: no module {module_name!r} in {here}, and none installed."
            f"{did_you_mean(module_name, files)} The form is module:name, with dots, without .py."
        ) from None
    except OF_A_USER as error:
        raise BadInput(f"{asked}: importing {module_name} raised {where_raised(error)}") from None
