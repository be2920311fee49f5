"""What the solvers are asked: SMT-LIB text, the same for every solver and for the archive."""

from __future__ import annotations

import hashlib

import attrs
import z3

from radproof.lemmas.obligations import COMPOSITION, Lemma, World
from radproof.lemmas.opaque import as_asked
from radproof.lemmas.symbols import boolean, disjuncts


@attrs.frozen
class Question:
    """A lemma as text."""

    lemma: Lemma
    text: str = attrs.field(repr=False)
    """The hypotheses and then the negated goal, one assertion each: *unsat* proves the lemma."""
    reach: str = attrs.field(repr=False)
    """For the vacuity checks: the hypotheses and then each target."""
    hypotheses: int
    """How many of the assertions are hypotheses."""
    targets: tuple[str, ...]
    """What a vacuity check must reach, in words."""

    def key(self, version: str) -> str:
        """The SHA-256 that names this question put to a solver of this version."""
        asked = "\n".join((version, str(self.lemma.budget), self.text, self.reach))
        return hashlib.sha256(asked.encode()).hexdigest()


def question(lemma: Lemma, world: World) -> Question:
    """The lemma as text. Raises BadInput where the world's rules are not arithmetic."""
    sequent = as_asked(lemma, world)
    assumed = [boolean(fact) for fact in (*sequent.given, *(use.truth for use in sequent.uses))]
    targets, reached = [], []
    for part in sequent.goal:
        if part.invariant and part.when is False:
            continue  # the part is about another case
        # which disjunct of an invariant is true is another event's affair
        whole = lemma.encoding == COMPOSITION
        cases = [boolean(part.holds)] if whole else disjuncts(part.holds)
        for number, case in enumerate(cases, 1):
            of = f" ({number} of {len(cases)})" if len(cases) > 1 else ""
            targets.append(part.text + of)
            reached.append(z3.And(boolean(part.when), case))
    asked = z3.Not(boolean(sequent.conclusion))
    return Question(
        lemma,
        f"(set-logic {logic([*assumed, asked])})\n{smtlib([*assumed, asked])}(check-sat)\n",
        smtlib([*assumed, *reached]),
        len(assumed),
        tuple(targets),
    )


def smtlib(assertions: list[z3.BoolRef]) -> str:
    """The assertions as SMT-LIB text, which is the same wherever they were made."""
    # in a fresh context: z3 numbers the names in the text by the terms of their context
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.add(*(assertion.translate(context) for assertion in assertions))
    # without the comment and the status that z3 adds
    kept = [
        line
        for line in solver.to_smt2().splitlines()
        if not line.startswith(("; ", "(set-info", "(check-sat"))
    ]
    return "\n".join([*kept, ""])


def logic(assertions: list[z3.BoolRef]) -> str:
    """QF_LIA where every product has a constant side and every divisor is constant, else QF_NIA.

    With unknown functions QF_UFLIA or QF_UFNIA.
    """
    found, functions = "LIA", ""
    todo = {term.get_id(): term for term in assertions}
    seen: set[int] = set()
    while todo:
        number, term = todo.popitem()
        seen.add(number)
        children = term.children()
        if not children:
            continue
        kind = term.decl().kind()
        if kind == z3.Z3_OP_MUL:
            found = "NIA" if sum(not z3.is_int_value(child) for child in children) > 1 else found
        elif kind in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD):
            found = found if z3.is_int_value(children[1]) else "NIA"
        elif kind == z3.Z3_OP_UNINTERPRETED:
            functions = "UF"
        todo |= {each: child for child in children if (each := child.get_id()) not in seen}
    return f"QF_{functions}{found}"


def header(lemma: Lemma, rules: str) -> str:
    """The comment lines above an archived question."""
    return (
        f"; radproof lemma {lemma.name}: {lemma.statement}\n"
        f"; Lean name: {lemma.lean or 'none, beyond Bari.lean'}; encoding: {lemma.encoding}\n"
        f"; rules, SHA-256: {rules}\n"
        "; expected answer: unsat (the last assertion is the negated goal)\n"
    )
