"""The rules as the solvers read them: what may be proved at all, and the hash that names it.

A rule is a Python function, and could treat a solver's number otherwise than an int. Its code is
walked first (`arithmetic`), and then it is called with symbols, which have no operation that ints
and solvers read differently (`lemmas.symbols.Symbol`): what is left means the same on both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from radproof.errors import OF_A_USER, BadInput
from radproof.lemmas.obligations import NUMBER, TRUTH, World, numbers, truths
from radproof.lemmas.symbols import NODE, Symbol, job, node, variables
from radproof.model import DECODE, PREFILL, SCALARS, Phase
from radproof.number import Truth
from radproof.proof.arithmetic import REMEDY, result_shape
from radproof.readers.terms import Names
from radproof.rules import SIGNATURES, Rules
from radproof.schedulers import RuleScheduler


def _most(sort: type, letters: str) -> str:
    """As many letters as the most parameters of the sort that a rule has, and at least two."""
    counts = [list(found.parameters.values()).count(sort) for found in SIGNATURES.values()]
    return letters[: max(2, *counts)]


_NUMBERS, _TRUTHS = _most(NUMBER, "abcdefgh"), _most(TRUTH, "pqrstuvw")
_SESSION = numbers("output arrive")
_JOB = "session arrive prompt done"
_TWO_JOBS = numbers(" ".join(f"one_{name} other_{name}" for name in _JOB.split()))
_SORTS = NODE | numbers(" ".join(_NUMBERS)) | truths(" ".join(_TRUTHS)) | _SESSION | _TWO_JOBS


def _readings(world: World) -> Iterator[tuple[str, Callable[[Names], Any]]]:
    """Every rule and claim with its name, as a function of values for `_SORTS`."""
    rules = world.rules

    def reading(rule: str) -> Callable[[Names], Any]:
        return lambda v: getattr(rules, rule)(*_arguments(rule, v))

    for rule in SIGNATURES:
        yield rule, reading(rule)
    yield world.rate.name, lambda v: world.rate.holds(_record(v), node(v))
    yield world.tiling.name, lambda v: world.tiling.holds(_record(v), node(v))
    yield "given", lambda v: world.tiled(v.a, node(v), v.output, v.arrive)
    for one, other in _two_phases(world):
        yield "order", partial(_offered_first, world, one, other)


def _two_phases(world: World) -> tuple[tuple[Phase, Phase], ...]:
    """The phases of two jobs that an order compares; without one, they do not matter."""
    if world.scheduler.order is None:
        return ((PREFILL, PREFILL),)
    return tuple((one, other) for one in Phase for other in Phase)


def _offered_first(world: World, one: Phase, other: Phase, v: Names) -> Truth:
    return world.offered_first(_a_job("one", one, v), _a_job("other", other, v))


def _a_job(which: str, phase: Phase, v: Names) -> Names:
    return job(phase, *(getattr(v, f"{which}_{name}") for name in _JOB.split()))


def _record(v: Names) -> Names:
    # distinct fields from two numbers, so that a claim that swaps two fields has another hash
    fields = {name: v.a + place * v.b for place, name in enumerate(SCALARS)}
    return Names(fields | {"decoders": v.a, "residents": v.b})


def _arguments(rule: str, v: Names) -> list[Any]:
    """A rule's arguments: the numbers a, b ... and the truths p, q ... in turn, and the node."""
    free = {NUMBER: iter(_NUMBERS), TRUTH: iter(_TRUTHS)}
    return [
        getattr(v, next(free[kind])) if kind in free else node(v)
        for kind in SIGNATURES[rule].parameters.values()
    ]


def rules_hash(world: World) -> str:
    """The SHA-256 of every rule and claim as z3 reads it: which rules a proof is about.

    Raises BadInput where one is not arithmetic, or could mean something else on ints than to z3.
    No solver is asked.
    """
    symbols = Names(variables(_SORTS))
    _walk(world, symbols)
    lines = []
    for name, reading in _readings(world):
        wanted = SIGNATURES[name].result if name in SIGNATURES else TRUTH
        found = _read(name, reading, symbols, wanted)
        text = found.term.sexpr() if isinstance(found, Symbol) else repr(found)
        lines.append(f"{name}: {text}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


_WORDS = {NUMBER: "number", TRUTH: "truth"}


def _read(name: str, reading: Callable[[Names], Any], symbols: Names, wanted: type) -> Any:
    """What a rule gives on symbols. Raises BadInput where that is not a number or truth."""
    try:
        found = reading(symbols)
    except OF_A_USER as error:  # the rule is the user's code
        raise BadInput(
            f"{name} is not arithmetic over numbers ({type(error).__name__}: {error}). {REMEDY}"
        ) from None
    kind = type(found)
    if isinstance(found, Symbol):
        kind = TRUTH if found.is_truth else NUMBER
    if kind is not wanted:
        raise BadInput(
            f"{name} is not arithmetic over numbers: it gives a {_WORDS.get(kind, kind.__name__)} "
            f"where a {_WORDS[wanted]} is needed. {REMEDY}"
        )
    return found


def _walk(world: World, v: Names) -> None:
    """Walk the code of every rule, claim and order. Raises BadInput."""
    if type(world.scheduler) is not RuleScheduler or type(world.rules) is not Rules:
        raise BadInput(
            "the scheduler or its rules are of a class of their own, which could give other rules "
            "each time. Write radproof.RuleScheduler(attrs.evolve(RULES, ...)) itself."
        )
    for name, function, arguments in _functions(world, v):
        if result_shape(name, function, *arguments) is not None:
            raise BadInput(f"{name} is not arithmetic over numbers: it gives a tuple. {REMEDY}")
    order = world.scheduler.order
    if order is None:
        return
    jobs = [job(phase, v.a, v.b, v.a, v.b) for phase in (PREFILL, DECODE)]
    if len({result_shape("order", order, one) for one in jobs}) > 1:
        raise BadInput(
            "order is not arithmetic over numbers: the keys of a prefill and of a decode have "
            f"different lengths, so Python does not compare them place by place. {REMEDY}"
        )


def _functions(world: World, v: Names) -> Iterator[tuple[str, object, tuple[object, ...]]]:
    """Each rule and claim with what it is called with."""
    for name in SIGNATURES:
        yield name, getattr(world.rules, name), tuple(_arguments(name, v))
    for claim in (world.rate, world.tiling):
        yield claim.name, claim.holds, (_record(v), node(v))
        if claim.given is not None:
            session = Names({"arrive": v.a, "prompt": v.a, "output": v.a})
            yield f"given of {claim.name}", claim.given, (session, node(v))
