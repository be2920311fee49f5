"""Made-up lemmas, one for each thing that a solver can make of one."""

from __future__ import annotations

from radproof.lemmas.obligations import Lemma, Part, Sequent, numbers
from radproof.number import either


def made(given, goal, names="x y", budget=100_000):
    """A lemma whose hypotheses and goal are functions of its variables."""
    return Lemma(
        "made",
        "",
        "made up",
        "QF witness",
        numbers(names),
        lambda v, world: Sequent(given(v), goal(v)),
        budget=budget,
    )


TRUE = made(lambda v: (v.x > 0,), lambda v: (Part("x + 1 > 1", v.x + 1 > 1),))
FALSE = made(lambda v: (v.x > 0,), lambda v: (Part("x > 1", v.x > 1),))
ABSURD = made(lambda v: (v.x > 0, v.x < 0), lambda v: (Part("anything", v.y == 7),))
DEAD = made(lambda v: (v.x > 0,), lambda v: (Part("either", either(v.x > 0, v.x < 0)),))
NEVER = made(lambda v: (v.x > 0,), lambda v: (Part("then", v.y == v.y + 1, when=v.x < 0),))
HARD = made(
    lambda v: (v.x > 1, v.y > 1),
    lambda v: (Part("a prime", v.x * v.y != 1_000_000_007 * 998_244_353),),
    budget=20_000,
)
