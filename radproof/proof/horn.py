"""Induction over the path, by Spacer: constrained Horn clauses from the rules, one system each.

Spacer looks for an invariant by itself. What it answers is not believed: the invariant that it
names is checked by plain questions, that it holds at the start, that every move keeps it, and that
it gives the claim. Spacer counts resource units, so that an answer is the same on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
import z3

from radproof.lemmas.obligations import World
from radproof.lemmas.path_systems import DEPLOYMENTS, SYSTEMS, System
from radproof.lemmas.symbols import boolean, terms_of
from radproof.number import both, negate
from radproof.proof import cvc5
from radproof.proof.answers import Answer
from radproof.proof.questions import logic, smtlib

SPACER_BUDGET = 1_000_000
"""Spacer's rlimit for a system; it needs a tenth of it."""

CHECK_BUDGET = 1_000_000
"""Z3's rlimit for each question about an invariant."""


@attrs.frozen
class Induction:
    """What Spacer made of a claim at a deployment."""

    name: str
    """The theorem's name, with b_col and b_lcm."""
    statement: str
    verdict: Answer
    seconds: float
    invariant: str = ""
    """What holds at every instant of every path, where it is proved."""
    questions: int = 0
    """How many plain questions confirm the invariant."""
    reason: str = ""


def inductions(world: World, second: bool = False) -> Iterator[Induction]:
    """Each claim at each deployment; with `second`, cvc5 is asked about the invariants too."""
    for name, build in SYSTEMS.items():
        for d in DEPLOYMENTS:
            started = time.perf_counter()
            statement = (build.__doc__ or "").partition("\n")[0]
            found = Induction(f"{name}[{d.b_col}x{d.b_lcm}]", statement, Answer.UNKNOWN, 0.0)
            if name == "optimal_tiling" and world.scheduler.order is not None:
                found = attrs.evolve(
                    found, reason="the abstraction keeps one prompt; an order may serve another"
                )
            else:
                found = _asked(found, build(world, d), second)
            yield attrs.evolve(found, seconds=time.perf_counter() - started)


@attrs.frozen
class _Clauses:
    """A system as z3 terms: its relation of the state's variables, and what they become."""

    system: System
    relation: z3.FuncDeclRef
    here: tuple[z3.ExprRef, ...]
    free: tuple[z3.ExprRef, ...]

    @classmethod
    def of(cls, system: System) -> _Clauses:
        here, free = terms_of(system.state), terms_of(system.free)
        relation = z3.Function("reached", *(term.sort() for term in here), z3.BoolSort())
        return cls(system, relation, here, free)

    def after(self, values: Mapping[str, Any]) -> list[z3.ExprRef]:
        """The state's terms with these values for some of them."""
        named = zip(self.system.state, self.here, strict=True)
        return [_term(values[name]) if name in values else term for name, term in named]

    def moves(self) -> Iterator[tuple[z3.BoolRef, list[z3.ExprRef]]]:
        """Each move: when, and the state after it."""
        for move in self.system.moves:
            yield boolean(both(*move.when)), self.after(move.after)

    @property
    def broken(self) -> z3.BoolRef:
        """Where the claim is asked for and false."""
        return boolean(both(*self.system.asked, negate(self.system.claim)))


def _term(value: Any) -> z3.ExprRef:
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return z3.IntVal(value) if isinstance(value, int) else value.term


def _asked(found: Induction, system: System, second: bool) -> Induction:
    clauses = _Clauses.of(system)
    answer, said = _spacer(clauses)
    if answer == z3.sat:
        return attrs.evolve(
            found,
            verdict=Answer.REFUTED,
            reason="the moves, of which some paths may have none, reach a state that breaks it",
        )
    if answer != z3.unsat:
        return attrs.evolve(found, reason=said)
    invariant = _invariant(clauses, said)
    if invariant is None:
        return attrs.evolve(found, reason="Spacer names no invariant")
    questions = list(_questions(clauses, invariant))
    wrong = [text for text, asked in questions if not _unsat(asked, second)]
    if wrong:
        reason = f"Spacer's invariant is not confirmed: {'; '.join(wrong)}"
        return attrs.evolve(found, reason=reason)
    return attrs.evolve(
        found,
        verdict=Answer.PROVED,
        invariant=_shown(invariant),
        questions=len(questions),
    )


def _spacer(clauses: _Clauses) -> tuple[z3.CheckSatResult, Any]:
    """Spacer's answer: unsat with its solution, or unknown with the reason."""
    # in a fresh context: Spacer's choices depend on how the terms of theirs are numbered
    context = z3.Context()

    def fresh(term: z3.ExprRef) -> z3.ExprRef:
        return term.translate(context)

    def reached(terms: Iterable[z3.ExprRef]) -> z3.ExprRef:
        return fresh(clauses.relation(*terms))

    engine = z3.Fixedpoint(ctx=context)
    engine.set(engine="spacer", rlimit=SPACER_BUDGET)
    engine.register_relation(reached(clauses.here).decl())
    engine.declare_var(*map(fresh, (*clauses.here, *clauses.free)))
    engine.rule(reached(clauses.after(clauses.system.initial)))
    for when, after in clauses.moves():
        engine.rule(reached(after), [reached(clauses.here), fresh(when)])
    try:
        answer = engine.query(z3.And(reached(clauses.here), fresh(clauses.broken)))
    except z3.Z3Exception as error:
        said = str(error)
        return z3.unknown, "out of its budget" if "resource" in said or "cancel" in said else said
    return answer, engine.get_answer() if answer == z3.unsat else engine.reason_unknown()


def _invariant(clauses: _Clauses, solution: Any) -> z3.BoolRef | None:
    """The invariant over the state's variables, from Spacer's ``forall x. reached(x) = ...``."""
    body = solution.body() if z3.is_quantifier(solution) else solution
    if not (z3.is_eq(body) and body.arg(0).decl().name() == clauses.relation.name()):
        return None
    bound = [z3.get_var_index(argument) for argument in body.arg(0).children()]
    terms = dict(zip(bound, clauses.here, strict=True))
    found = body.arg(1).translate(clauses.relation.ctx)
    return z3.substitute_vars(found, *(terms[index] for index in range(len(bound))))


def _shown(invariant: z3.BoolRef) -> str:
    """The invariant on one line, the same wherever it was found."""
    return " ".join(z3.simplify(invariant.translate(z3.Context())).sexpr().split())


def _questions(clauses: _Clauses, invariant: z3.BoolRef) -> Iterator[tuple[str, list[z3.BoolRef]]]:
    """What confirms the invariant: each in words, and what is to be unsatisfiable."""

    def at(values: list[z3.ExprRef]) -> z3.BoolRef:
        return z3.substitute(invariant, *zip(clauses.here, values, strict=True))

    yield "it holds at time 0", [z3.Not(at(clauses.after(clauses.system.initial)))]
    for move, (when, after) in zip(clauses.system.moves, clauses.moves(), strict=True):
        yield f"kept by: {move.text}", [invariant, when, z3.Not(at(after))]
    yield "it gives the claim", [invariant, clauses.broken]


def _unsat(asked: list[z3.BoolRef], second: bool) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", CHECK_BUDGET)
    solver.add(*asked)
    if solver.check() != z3.unsat:
        return False
    if not second:
        return True
    text = f"(set-logic {logic(asked)})\n{smtlib(asked)}(check-sat)\n"
    return cvc5.ask("invariant", text).verdict is Answer.PROVED
