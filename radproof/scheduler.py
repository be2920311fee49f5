"""The protocol of a scheduler, and finding one by name.

A scheduler is a pure function of a `View` (what a real one could see) to a batch and its next
memory. It may carry `rules`, a `radproof.rules.Rules`, where the engine it stands for has a
clock or a count of its own; the machine then runs by those.
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any, Protocol

import attrs

from radproof.errors import BadInput
from radproof.model import Deployment, Entry, Job
from radproof.rules import RULES, Rules


@attrs.frozen
class View:
    """What a scheduler sees when an iteration is to start: never how long an output will be."""

    now: int
    jobs: tuple[Job, ...]
    deployment: Deployment
    memory: Any = None


class Scheduler(Protocol):
    """A pure function: the entries of the next batch, and the memory for the next call.

    The memory is None at the start of a path. An empty batch leaves the engine idle until the
    next arrival.
    """

    def __call__(self, view: View, /) -> tuple[Iterable[Entry], Any]: ...


def rules_of(scheduler: Scheduler) -> Rules:
    """The rules the machine runs by under this scheduler: its own, or RAD's."""
    rules = getattr(scheduler, "rules", RULES)
    return rules if isinstance(rules, Rules) else RULES


BUILT_IN = {
    name: f"radproof.schedulers:{name}"
    for name in ("rad", "rad_cycles", "sarathi", "vllm", "orca", "faster_transformer", "slai")
}


def load(spec: str) -> Scheduler:
    """The scheduler named `spec`: a built-in name, or ``module:name`` (as in ``pkg.mod:obj``).

    It may be a function, or an object or class of another shape (see `adapters.adapt`). Raises
    BadInput with the nearest known name where there is none of this name.
    """
    from radproof.adapters import adapt

    found = load_object(BUILT_IN.get(spec, spec), what="scheduler", known=sorted(BUILT_IN))
    return adapt(found, spec)


def load_object(spec: str, *, what: str, known: list[str]) -> Any:
    """The object that ``module:name`` names, looked for from the current folder first.

    Raises BadInput: a name without a module that is not known, a module that cannot be
    imported, a name that the module does not have; each with the nearest right one.
    """
    module_name, colon, name = spec.partition(":")
    if not colon or not module_name or not name:
        raise BadInput(
            f"unknown {what} {spec!r}.{_nearest(spec, known)} Known here: {', '.join(known)}. "
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
            f"{_nearest(module_name, files)} The form is module:name, with dots, without .py."
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
                f"{what} {spec!r}: {module_name} has no {name!r}.{_nearest(name, names)}"
            )
        found = getattr(found, part)
    return found


def where_raised(error: BaseException) -> str:
    """What was raised, and the innermost place outside radproof: file and line."""
    places = []
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno))
    else:
        traceback = error.__traceback__
        while traceback is not None:
            places.append((traceback.tb_frame.f_code.co_filename, traceback.tb_lineno))
            traceback = traceback.tb_next
    here = str(FilePath(__file__).parent)
    outside = [p for p in places if "importlib" not in p[0] and not str(p[0]).startswith(here)]
    file, line = (outside or places or [("", 0)])[-1]
    said = f"{type(error).__name__}: {error} ({file}, line {line})"
    return said.encode("utf-8", "backslashreplace").decode()  # an error may hold half a character


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean {near[0]!r}?" if near else ""
