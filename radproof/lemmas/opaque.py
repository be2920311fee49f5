"""A world whose rules, claims and order are unknown functions, for the compositions.

A composition is asked here: all that it may know of a rule or a claim is what an instance of a
lemma says. So it follows for every scheduler for which those lemmas are proved, and a lemma that
it could do without is not needed. The functions leave out the deployment, which is one and the
same throughout a composition; a rule that is asked about another is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from radproof.claims import Claim
from radproof.lemmas.obligations import COMPOSITION, NUMBER, TRUTH, Lemma, Sequent, World
from radproof.lemmas.symbols import NODE, Symbol, node, symbolic, unknown_function, variables
from radproof.model import SCALARS, Node
from radproof.readers.terms import Names, NotSymbolic
from radproof.rules import SIGNATURES, Rules
from radproof.schedulers import RuleScheduler

_FIELDS = ("b_col", "b_lcm", "chunk", "t_lin", "t_nl")


def as_asked(lemma: Lemma, world: World) -> Sequent:
    """The lemma over symbols, as the solvers are asked it; a composition in the opaque world.

    Raises BadInput as `symbolic` does.
    """
    if lemma.encoding != COMPOSITION:
        return symbolic(lemma, world)
    return symbolic(lemma, opaque(world, node(Names(variables(NODE)))))


def opaque(world: World, d: Node) -> World:
    """The world, at this deployment, with every function unknown.

    Only whether the tiling claim has a hypothesis is kept.
    """
    rules = {name: _rule(name, d) for name in SIGNATURES}
    return World(
        RuleScheduler(Rules(**rules), order=_order),
        attrs.evolve(world.rate, holds=_holds(world.rate, d)),
        attrs.evolve(
            world.tiling,
            holds=_holds(world.tiling, d),
            given=None if world.tiling.given is None else _given(d),
        ),
    )


def _rule(name: str, d: Node) -> Callable[..., Symbol]:
    kinds = SIGNATURES[name].parameters.values()
    apply = unknown_function(name, SIGNATURES[name].result)

    def rule(*arguments: Any) -> Symbol:
        numbers = []
        for kind, argument in zip(kinds, arguments, strict=True):
            if kind is Node:
                _same(d, argument)
            else:
                numbers.append(argument)
        return apply(*numbers)

    return rule


def _holds(claim: Claim, d: Node) -> Callable[[Names, Node], Symbol]:
    """The claim; of a record of which only some fields are known, a function of those alone."""

    def holds(record: Names, at: Node) -> Symbol:
        _same(d, at)
        known = [name for name in SCALARS if _has(record, name)]
        name = claim.name if len(known) == len(SCALARS) else f"{claim.name}_of_{'_'.join(known)}"
        return unknown_function(name, TRUTH)(*(getattr(record, field) for field in known))

    return holds


def _given(d: Node) -> Callable[[Names, Node], Symbol]:
    def given(session: Names, at: Node) -> Symbol:
        _same(d, at)
        return unknown_function("given", TRUTH)(session.prompt, session.output, session.arrive)

    return given


def _order(job: Any) -> Symbol:
    key = unknown_function(f"order_of_a_{job.phase}", NUMBER)
    return key(job.session, job.arrive, job.prompt, job.done)


def _has(record: Names, name: str) -> bool:
    try:
        getattr(record, name)
    except NotSymbolic:
        return False
    return True


def _same(d: Node, other: Node) -> None:
    for name in _FIELDS:
        one, two = getattr(d, name), getattr(other, name)
        if not one.term.eq(two.term):
            raise NotSymbolic(f"a composition asks about a second deployment: {name} is {two.term}")
