"""Every lemma, in the order of the argument, and the theorems they compose to."""

from __future__ import annotations

import attrs

from radproof.errors import BadInput, did_you_mean
from radproof.lemmas import bounds, fill, jobs, leap, lists, machine_code, rate, tiling
from radproof.lemmas.obligations import Lemma, lemmas_in

SUBJECTS = (fill, rate, tiling, jobs, bounds, leap, lists, machine_code)
"""The modules of the lemmas, in the order of the argument."""

LEMMAS: tuple[Lemma, ...] = tuple(one for subject in SUBJECTS for one in lemmas_in(subject))


@attrs.frozen
class Theorem:
    """What the lemmas compose to, by the induction principle of `trusted`."""

    name: str
    lean: str
    statement: str
    rests_on: tuple[str, ...]


LOOP = tuple(one.name for one in lemmas_in(machine_code))
"""Every theorem is about the list that the machine's own code makes."""

THEOREMS = (
    Theorem(
        "token_rate",
        "BariRad.token_rate",
        "token_rate at every iteration of every path, for every b_col, t_lin, t_nl and every chunk "
        "of b_lcm or more",
        (
            "rate.initial",
            "startIteration_inv",
            "step_inv.wait",
            "served_rate",
            "rate.natural",
            "rate.idle",
            *LOOP,
        ),
    ),
    Theorem(
        "optimal_tiling",
        "BariRad.optimal_tiling",
        "optimal_tiling at every iteration of every path inside Assumption 3, for every chunk of "
        "b_lcm or more",
        (
            "rad_initial",
            "rad_exec",
            "rad_settle",
            "rad_batch",
            "rad_handle",
            "progress",
            "not_empty",
            *LOOP,
        ),
    ),
    Theorem(
        "beyond Lean",
        "",
        "decodes_fit (positive multiples), arrival order, one part-filled prompt, the clock "
        "(t_lin + t_nl >= 1), for every chunk of b_lcm or more",
        (
            "decodes_fit",
            "arrival_order",
            "one_part_filled",
            "clock_identity",
            "progress",
            "not_empty",
            *LOOP,
        ),
    ),
    Theorem(
        "leap",
        "",
        "k repetitions of a step are one stretch",
        (
            "leap_affine",
            "leap_share",
            "leap_stay",
            "leap_order",
            "leap_order.decodes",
            "leap_ends",
            *LOOP,
        ),
    ),
)
"""The other bounded lists are the same lemmas on whole lists: no theorem rests on them."""


def lemmas_named(name: str) -> tuple[Lemma, ...]:
    """The lemmas of this name: one, or a family that shares it before a bracket.

    A Lean name gives all that restate it. Raises BadInput, with the nearest name, for any other.
    """
    found = tuple(one for one in LEMMAS if name in (one.name, one.lean, one.name.split("[")[0]))
    if found:
        return found
    names = sorted({one.name for one in LEMMAS} | {one.lean for one in LEMMAS if one.lean})
    raise BadInput(
        f"unknown lemma {name!r}.{did_you_mean(name, names)} "
        "`radproof prove` without --lemma lists them all."
    )
