"""The rules as z3 reads them: their text and hash, and that ints read the same.

A rule is a Python function, and could treat a solver's term otherwise than an int: through `/`, a
test of types, a table. Before anything is proved, every rule and claim is compared on both, at
sampled values.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import z3

from radproof.errors import BadInput
from radproof.lemmas.obligations import NUMBER, TRUTH, World, numbers, truths
from radproof.lemmas.symbols import NODE, node, prefill, variables
from radproof.model import SCALARS
from radproof.readers.terms import Names
from radproof.rules import SIGNATURES

SAMPLES = 40
"""Assignments at which each rule is compared; half of them small, for ties and edges."""


def _most(sort: type, letters: str) -> str:
    """As many letters as the most parameters of the sort that a rule has, and at least two."""
    counts = [list(found.parameters.values()).count(sort) for found in SIGNATURES.values()]
    return letters[: max(2, *counts)]


_NUMBERS, _TRUTHS = _most(NUMBER, "abcdefgh"), _most(TRUTH, "pqrstuvw")
_SORTS = NODE | numbers(" ".join(_NUMBERS)) | truths(" ".join(_TRUTHS))


def _readings(world: World) -> dict[str, Callable[[Names], Any]]:
    """Every rule and claim by name, as a function of values for `_SORTS`."""
    rules = world.rules

    def record(v: Names) -> Names:
        # distinct fields from two numbers, so that a claim that swaps two fields has another hash
        fields = {name: v.a + place * v.b for place, name in enumerate(SCALARS)}
        return Names(fields | {"decoders": v.a, "residents": v.b})

    def reading(rule: str) -> Callable[[Names], Any]:
        return lambda v: getattr(rules, rule)(*_arguments(rule, v))

    return {rule: reading(rule) for rule in SIGNATURES} | {
        world.rate.name: lambda v: world.rate.holds(record(v), node(v)),
        world.tiling.name: lambda v: world.tiling.holds(record(v), node(v)),
        "given": lambda v: world.tiled(v.a, node(v)),
        # each field from the two numbers in another way, so that no two keys read alike
        "order": lambda v: world.offered_first(
            prefill(v.a, v.b, v.a + v.b, v.b), prefill(v.b, v.a, v.b, v.a)
        ),
    }


def _arguments(rule: str, v: Names) -> list[Any]:
    """A rule's arguments: the numbers a, b ... and the truths p, q ... in turn, and the node."""
    free = {NUMBER: iter(_NUMBERS), TRUTH: iter(_TRUTHS)}
    return [
        getattr(v, next(free[kind])) if kind in free else node(v)
        for kind in SIGNATURES[rule].parameters.values()
    ]


def rules_hash(world: World) -> str:
    """The SHA-256 of every rule and claim as z3 reads it: which rules a proof is about.

    Raises BadInput where one is not arithmetic, or means something else on ints than to z3.
    """
    symbols = variables(_SORTS)
    lines = []
    for name, reading in _readings(world).items():
        try:
            term = reading(Names(symbols))
            text = term.sexpr() if isinstance(term, z3.AstRef) else repr(term)
            _compare(name, reading, term, symbols)
        except BadInput:
            raise
        except Exception as error:  # the rule is the user's code
            raise BadInput(
                f"{name} is not arithmetic over numbers ({type(error).__name__}: {error}). Write "
                "it with radproof.number's helpers (ite, minimum, floor_div, ceil_div, either, "
                "both) and the deployment's b_col, b_lcm, t_lin, t_nl, chunk; other Python code "
                "can only be tested, not proved."
            ) from None
        lines.append(f"{name}: {text}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _compare(
    name: str, reading: Callable[[Names], Any], term: object, symbols: dict[str, Any]
) -> None:
    """Raises BadInput with the first values at which ints and z3 read the rule differently."""
    draw = random.Random(name)
    for sample in range(SAMPLES):
        values = _values(draw, 4 if sample % 2 else 300)
        plain = reading(Names(values))
        if not isinstance(plain, (int, bool)):
            raise BadInput(
                f"{name} gives {plain!r} on whole numbers, neither a whole number nor a truth. "
                "Divide with radproof.number's floor_div or ceil_div."
            )
        pairs = [(symbol, _constant(values[key])) for key, symbol in symbols.items()]
        read = z3.simplify(z3.substitute(term, *pairs)) if isinstance(term, z3.AstRef) else term
        if str(read) != str(plain):
            shown = ", ".join(f"{key} = {value}" for key, value in values.items())
            raise BadInput(
                f"{name} means {plain} on ints and {read} to the solver, at {shown}: what would be "
                "proved is not what is run. Write it as one arithmetic expression for both."
            )


def _values(draw: random.Random, most: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, sort in _SORTS.items():
        if sort is NUMBER:
            least = 1 if name in ("b_col", "tiles") else 0
            values[name] = draw.randint(least, most)
        else:
            values[name] = draw.random() < 0.5
    return values


def _constant(value: int) -> z3.ExprRef:
    return z3.BoolVal(value) if isinstance(value, bool) else z3.IntVal(value)
