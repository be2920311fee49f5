"""Z3 at its border: variables for a lemma, ints from a model, the deployment as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import z3

from radproof import number
from radproof.errors import BadInput
from radproof.lemmas.obligations import NUMBER, Lemma, Sequent, World, numbers
from radproof.model import PREFILL
from radproof.number import Num, Truth
from radproof.readers.terms import Names, NotSymbolic

# The helpers of rules and claims on z3's terms; z3 writes the division of two Ints as `/`.
number.choose.register(z3.BoolRef, z3.If)
number.deny.register(z3.BoolRef, z3.Not)
number.disjoin.register(z3.BoolRef, z3.Or)
number.conjoin.register(z3.BoolRef, z3.And)
number.divide.register(z3.ArithRef, lambda kind, a, b: a / b)

NODE = numbers("slack tiles t_lin t_nl b_col")
"""A deployment's variables: b_lcm is `tiles` times b_col, its chunk b_lcm and `slack` more."""


def node(v: Names) -> Names:
    """The deployment that the values of `NODE` describe, as the rules read it."""
    b_lcm = v.tiles * v.b_col
    return Names(
        {
            "b_col": v.b_col,
            "b_lcm": b_lcm,
            "chunk": b_lcm + v.slack,
            "t_lin": v.t_lin,
            "t_nl": v.t_nl,
        }
    )


def any_node(v: Names) -> tuple[Truth, ...]:
    """Every deployment: tiles of 1 token or more, speeds of 0 or more, a chunk of b_lcm or more."""
    return (v.b_col >= 1, v.tiles >= 1, v.slack >= 0, v.t_lin >= 0, v.t_nl >= 0)


def fixed_node(b_col: int, tiles: int = 1) -> dict[str, int]:
    """The values of `NODE` for one deployment of the bounded lemmas."""
    return {"b_col": b_col, "tiles": tiles, "slack": 0, "t_lin": 4000, "t_nl": 5}


def variables(sorts: Mapping[str, type]) -> dict[str, Any]:
    """A z3 constant for each variable."""
    return {name: (z3.Int if sort is NUMBER else z3.Bool)(name) for name, sort in sorts.items()}


def symbolic(lemma: Lemma, world: World) -> Sequent:
    """The lemma over z3 terms.

    Raises BadInput where a rule or a claim is not arithmetic over numbers.
    """
    try:
        return lemma.build(Names(variables(lemma.sorts)), world)
    except (NotSymbolic, TypeError, AttributeError, z3.Z3Exception) as error:
        raise BadInput(
            f"lemma {lemma.name}: a rule or claim it reads is not arithmetic over numbers "
            f"({error}). Write it with radproof.number's helpers (ite, minimum, floor_div, "
            "ceil_div, either, both) and the deployment's b_col, b_lcm, t_lin, t_nl, chunk; "
            "other Python code can be tested, not proved."
        ) from None


def boolean(truth: Truth) -> z3.BoolRef:
    """A truth as a z3 Bool."""
    return z3.BoolVal(truth) if isinstance(truth, bool) else truth


def disjuncts(truth: Truth) -> list[z3.BoolRef]:
    """The disjuncts of a truth; the truth itself where it is not a disjunction."""
    term = boolean(truth)
    return list(term.children()) if z3.is_or(term) else [term]


def ints(model: z3.ModelRef, sorts: Mapping[str, type]) -> dict[str, Any]:
    """The values of a z3 model by the lemma's names; 0 or False where it leaves one open."""
    found: dict[str, Any] = {}
    values = {declaration.name(): model[declaration] for declaration in model.decls()}
    for name, sort in sorts.items():
        value = values.get(name)
        if sort is NUMBER:
            found[name] = 0 if value is None else value.as_long()
        else:
            found[name] = value is not None and z3.is_true(value)
    return found


def prefill(session: Num, arrive: Num, prompt: Num, done: Num) -> Names:
    """A prefilling job, for a scheduler's order to read."""
    return Names(
        {
            "session": session,
            "phase": PREFILL,
            "arrive": arrive,
            "prompt": prompt,
            "done": done,
            "prefilled": done,
            "generated": 0,
        }
    )
