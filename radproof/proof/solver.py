"""Z3: a fresh solver for every lemma, a resource limit and no timeout, default options.

A resource limit counts the solver's own steps, so the same question gets the same answer on every
machine. A lemma is *proved* only if it passes every vacuity check: where its hypotheses contradict
each other, or a disjunct of its goal cannot be reached, it is *vacuous*.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import z3

from radproof.lemmas.obligations import Sort
from radproof.lemmas.symbols import NODE, ints
from radproof.proof.answers import Answer, Outcome
from radproof.proof.questions import Question

HYPOTHESES = "the hypotheses"


def version() -> str:
    """The solver's name and version, as a cache key and a report have it."""
    return f"z3 {z3.get_version_string()}"


def solve(question: Question) -> Outcome:
    """Ask Z3, in a fresh context and from the question's text alone."""
    started = time.perf_counter()
    context = z3.Context()
    goal = z3.parse_smt2_string(question.text, ctx=context)
    reach = z3.parse_smt2_string(question.reach, ctx=context)
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", question.lemma.budget)
    solver.add(*(goal[i] for i in range(question.hypotheses)))
    solver.push()
    solver.add(goal[question.hypotheses])
    before = _used(solver)
    answer = solver.check()
    rlimit = _used(solver) - before
    verdict, model, reason = Answer.PROVED, None, ""
    if answer == z3.unknown:
        verdict, reason = Answer.UNKNOWN, _why(solver)
        easier = _with_usual_values(goal, question)
        if easier.check() == z3.sat:
            verdict, model, reason = Answer.REFUTED, _small(easier, question), ""
    elif answer == z3.sat:
        verdict, model = Answer.REFUTED, _small(solver, question)
    solver.pop()
    unreached: tuple[str, ...] = ()
    if verdict is Answer.PROVED:
        unreached = _vacuity(solver, reach, question)
        if unreached:
            verdict, reason = Answer.VACUOUS, "not reached: " + "; ".join(unreached)
    return Outcome(
        verdict,
        time.perf_counter() - started,
        rlimit,
        len(question.targets) + 1,
        unreached,
        model,
        reason,
    )


def vacuity(question: Question) -> tuple[str, ...]:
    """What cannot be reached of a lemma that another solver proved, in words."""
    context = z3.Context()
    reach = z3.parse_smt2_string(question.reach, ctx=context)
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", question.lemma.budget)
    solver.add(*(reach[i] for i in range(question.hypotheses)))
    return _vacuity(solver, reach, question)


def _vacuity(solver: z3.Solver, reach: z3.AstVector, question: Question) -> tuple[str, ...]:
    """What cannot be reached: the hypotheses, or else the targets; with the reason of a give-up."""
    answer = solver.check()
    if answer != z3.sat:
        return (HYPOTHESES + (f" ({_why(solver)})" if answer == z3.unknown else ""),)
    unreached = []
    for number, target in enumerate(question.targets):
        solver.push()
        solver.add(reach[question.hypotheses + number])
        answer = solver.check()
        if answer != z3.sat:
            unreached.append(target + (f" ({_why(solver)})" if answer == z3.unknown else ""))
        solver.pop()
    return tuple(unreached)


def _used(solver: z3.Solver) -> int:
    """The resource units that the solver's context has used so far."""
    figures = solver.statistics()
    return next((int(value) for name, value in figures if name == "rlimit count"), 0)


def _why(solver: z3.Solver) -> str:
    reason = solver.reason_unknown()
    return "out of its budget" if "cancel" in reason or "resource" in reason else str(reason)


USUAL: dict[str, tuple[int, ...]] = {
    "tiles": (1, 2),
    "t_lin": (4000,),
    "t_nl": (5,),
    "wait": (0, 1),
} | dict.fromkeys(("slack", "attention", "now", "served", "done", "idle", "waste", "share"), (0,))
"""Values that make a counterexample easy to read, tried in this order."""
SMALL = (1, 2, 3, 4, 0)


def _with_usual_values(goal: z3.AstVector, question: Question) -> z3.Solver:
    """A solver asked the same with the numbers of `USUAL` fixed, and a small tile.

    Products of unknowns become linear, so that it refutes a wrong rule where Z3 gave up. That it
    does not refute says nothing of other values.
    """
    solver = z3.Solver(ctx=goal.ctx)
    solver.set("rlimit", question.lemma.budget)
    names = [name for name, sort in question.lemma.sorts.items() if sort is int]
    values = {name: usual[0] for name in names if (usual := _usual(name))} | {"b_col": SMALL[1]}
    solver.add(*goal, *(z3.Int(name, ctx=goal.ctx) == value for name, value in values.items()))
    return solver


def _usual(name: str) -> tuple[int, ...]:
    return USUAL.get(name.split("_")[0], USUAL.get(name, ()))


def _small(solver: z3.Solver, question: Question) -> dict[str, Any]:
    """The values of a counterexample with small numbers: each is fixed in turn, where it can be.

    `solver` holds the refuted goal; what is fixed stays in its top frame, which the caller pops.
    """
    sorts = question.lemma.sorts
    best = ints(solver.model(), sorts)
    # the deployment last: the jobs tell a reader more than the tiles
    numbers = [name for name in sorts if sorts[name] is int]
    order = sorted(numbers, key=lambda name: name in NODE)
    positive = [
        z3.Int(name, ctx=solver.ctx) >= 1 for name in order if name.split("_")[0] not in USUAL
    ]
    solver.push()
    solver.add(*positive)
    if solver.check() == z3.sat:
        best = ints(solver.model(), sorts)
        solver.pop()
        solver.add(*positive)
    else:
        solver.pop()
    for name in order:
        best = _fix(solver, name, best, sorts)
    # the fixed values determine a model, but not always every variable of it
    return best if solver.check() != z3.sat else ints(solver.model(), sorts)


def _fix(
    solver: z3.Solver, name: str, best: dict[str, Any], sorts: Mapping[str, Sort]
) -> dict[str, Any]:
    """Fix a number at the first easy value that leaves a counterexample, and return that one.

    Where none does, the number stays open, and `best` is returned.
    """
    variable = z3.Int(name, ctx=solver.ctx)
    for value in (*_usual(name), *SMALL):
        found = best if best[name] == value else None
        if found is None:
            solver.push()
            solver.add(variable == value)
            if solver.check() == z3.sat:
                found = ints(solver.model(), sorts)
            solver.pop()
        if found is not None:
            solver.add(variable == value)
            return found
    return best
