"""Ask the solvers every lemma, confirm what is refuted, and give the certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import attrs

from radproof.errors import BadInput
from radproof.lemmas.catalogue import LEMMAS, THEOREMS, below
from radproof.lemmas.obligations import COMPOSITION, WORLD, Lemma, World, world_of
from radproof.proof import cvc5, solver
from radproof.proof.answers import Answer, Opinion, Outcome
from radproof.proof.cache import Cache
from radproof.proof.certificate import Certificate, LemmaRow, Standing
from radproof.proof.composing import left_open
from radproof.proof.cti import confirm
from radproof.proof.enumerate import enumerate_cases
from radproof.proof.fingerprint import rules_hash
from radproof.proof.horn import inductions
from radproof.proof.questions import Question, question
from radproof.schedulers.loading import Loaded

Solvers: TypeAlias = Literal["z3", "cvc5", "both"]


def prove(
    world: World = WORLD,
    lemmas: Iterable[Lemma] = LEMMAS,
    *,
    solvers: Solvers = "z3",
    scheduler: str = "rad",
    cache: Cache | None = None,
    along_paths: bool = False,
    progress: Callable[[str], None] = lambda name: None,
) -> Certificate:
    """The certificate of these lemmas about the world's scheduler and claims.

    cvc5 runs in a process of its own, beside Z3 in this one. `progress` is called with the name of
    each lemma that Z3 has decided; with `along_paths`, Spacer is asked the claims along a path.
    Raises BadInput where a rule is not arithmetic, RadproofError where a solver is not installed.
    """
    rules = rules_hash(world)
    questions = [question(lemma, world) for lemma in lemmas]
    kept = cache or Cache(None)

    def z3_outcomes() -> list[Outcome]:
        return [_z3(one, kept, progress) for one in questions]

    versions = [solver.version()] if solvers != "cvc5" else []
    opinions: Sequence[Opinion | None] = [None] * len(questions)
    if solvers == "z3":
        outcomes = z3_outcomes()
    else:
        versions.append(cvc5.version())
        outcomes, said = _beside_cvc5(questions, kept, z3_outcomes if solvers == "both" else list)
        if solvers == "both":
            opinions = said
        else:
            outcomes = [_alone(one, opinion) for one, opinion in zip(questions, said, strict=True)]
    rows = [
        _row(one, outcome, opinion, world, scheduler)
        for one, outcome, opinion in zip(questions, outcomes, opinions, strict=True)
    ]
    found = Certificate(scheduler, rules, tuple(versions), tuple(rows), world=world)
    return attrs.evolve(
        found,
        opened=_opened(found),
        inductions=tuple(inductions(world, second=solvers != "z3")) if along_paths else (),
    )


def _opened(certificate: Certificate) -> dict[str, str]:
    """What each theorem's proof leaves open where a lemma of it is refuted."""
    found = {}
    for theorem in THEOREMS:
        if certificate.theorem(theorem) is not Standing.NOT:
            continue
        unproved = {*certificate.unproved(theorem)}
        unsure = {one.name for one in LEMMAS if not unproved.isdisjoint(below((one.name,)))}
        openings = (left_open(one, certificate.world, unsure) for one in theorem.compositions)
        first = next(filter(None, openings), None)
        if first is not None:
            found[theorem.name] = first
    return found


def _beside_cvc5(
    questions: list[Question], cache: Cache, meanwhile: Callable[[], list[Outcome]]
) -> tuple[list[Outcome], list[Opinion]]:
    """What `meanwhile` gives while cvc5 works in its process, and cvc5's opinions."""
    known = [cache.opinion(one, _cvc5_version()) for one in questions]
    asked = zip(questions, known, strict=True)
    worker = cvc5.Worker([one for one, opinion in asked if opinion is None])
    try:
        outcomes = meanwhile()
        found = iter(worker.opinions())
    finally:
        worker.stop()
    said = [next(found) if opinion is None else opinion for opinion in known]
    for one, opinion in zip(questions, said, strict=True):
        cache.keep(one, _cvc5_version(), opinion)
    return outcomes, said


def _z3(one: Question, cache: Cache, progress: Callable[[str], None]) -> Outcome:
    version = solver.version()
    kept = cache.outcome(one, version)
    if kept is None:
        kept = solver.solve(one)
        cache.keep(one, version, kept)
    progress(one.lemma.name)
    return kept


def _cvc5_version() -> str:
    return f"{cvc5.version()} rlimit-per {cvc5.RLIMIT}"


def _alone(one: Question, opinion: Opinion) -> Outcome:
    """cvc5's opinion as the outcome, where it alone is asked. Z3 still checks vacuity."""
    verdict, reason = opinion.verdict, opinion.reason
    unreached = solver.vacuity(one) if verdict is Answer.PROVED else ()
    if unreached:
        verdict, reason = Answer.VACUOUS, "not reached: " + "; ".join(unreached)
    elif verdict is Answer.REFUTED:
        reason = "for the counterexample ask z3 (--solver both)"
    return Outcome(verdict, opinion.seconds, 0, len(one.targets) + 1, unreached, reason=reason)


def _row(
    one: Question, outcome: Outcome, opinion: Opinion | None, world: World, scheduler: str
) -> LemmaRow:
    row = LemmaRow(one.lemma, outcome, opinion)
    if one.lemma.grid:
        cases, wrong = enumerate_cases(one.lemma, world)
        row = attrs.evolve(row, cases=cases, wrong=wrong)
    refuted = outcome.verdict is Answer.REFUTED and one.lemma.encoding != COMPOSITION
    if refuted and outcome.model is not None:
        row = attrs.evolve(row, cti=confirm(one.lemma, world, outcome.model, scheduler))
    return row


def first_refuted(scheduler: Loaded) -> str | None:
    """The first lemma that Z3 refutes; None: it refutes none, or the scheduler has no rule form."""
    try:
        world = world_of(scheduler)
        rules_hash(world)
    except BadInput:
        return None
    for lemma in LEMMAS:
        if solver.solve(question(lemma, world)).verdict is Answer.REFUTED:
            return lemma.name
    return None
