"""The mirror's text held against the Python that it stands for, on small states.

The fixtures are runs, and a run meets few of the numbers on which a rule, a claim or an invariant
may differ. Here the moves, the claims, the invariants and the least common multiple are compared on
drawn states, reachable or not, always the same ones, under RAD and under other rules; and what is
said of every path, on a few whole runs and states beside them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import attrs

from radproof.claims import CLAIMS
from radproof.lean import twin
from radproof.lean.core import Function, Value, apply
from radproof.lean.definitions import rules_definition
from radproof.lean.errors import NotTheSame
from radproof.lean.interpret import Program, deep
from radproof.lean.leaping import leap
from radproof.lean.reader import commands
from radproof.lean.state_invariants import CONDITIONS, INVARIANTS
from radproof.lean.stretches import repeats
from radproof.lean.values import to_lean, to_python
from radproof.model import Deployment, Session
from radproof.number import either, ite, minimum, monus, negate
from radproof.rules import Rules
from radproof.schedulers import RuleScheduler

_NODES = (
    Deployment(b_col=2, t_lin=3, t_nl=1, chunk=2),
    Deployment(b_col=2, b_row=3, b_red=4, t_lin=0, t_nl=2, chunk=5),
    Deployment(b_col=3, b_row=2, t_lin=5, t_nl=0, chunk=4),
    Deployment(b_col=1, t_lin=0, t_nl=0, chunk=1),
)
_LOPSIDED = Rules(
    serves=lambda mode, decoding: either(mode, negate(decoding)),
    want=lambda decoding, left, d: left + ite(decoding, 1, d.chunk),
    take=lambda wanted, remaining: minimum(wanted + 1, remaining),
    served_after=lambda served, tokens: served + 2 * tokens,
    done_after=lambda done, share: 2 * done + share,
    left=lambda total, done: monus(total + 1, done),
)
"""Rules in which no parameter can stand for another, and a decode's want reads what is left."""

_SCHEDULERS = (
    RuleScheduler(),
    RuleScheduler(order=lambda job: (job.prompt, job.prefilled)),
    RuleScheduler(_LOPSIDED),
)
_ROUNDS = 40
"""In each, a state and a path for each deployment and each scheduler."""

_RUNS = 3
"""Whole runs of each deployment under each scheduler."""

_MOST_EVENTS = 30
"""In one of them; a longer one is left out."""

_LONG_PATHS = 8
"""Paths with stretches, of each deployment."""

_MOST_LEAPT = 3
"""Events of a stretch."""

_STATE, _NODE, _SESSION = ("State",), ("Deployment",), ("Session",)
_PATH = ("List", _SESSION)


@cache
def check_drift(program: Program) -> None:
    """Raises NotTheSame where the text and Python differ, naming the definition and the state.

    A text that agrees is not checked again.
    """
    draw, settings = random.Random(0), list(_settings(program))
    for _ in range(_ROUNDS):
        for here, config, made in settings:
            state = _state(draw, config.deployment)
            _check_moves(here, config, made, state)
            _check_claims(here, config, made, _odd(draw, state))
            path = _path(draw, config.deployment)
            given = (made, to_lean(here, path, _PATH))
            _compare(here, "start", given, twin.start(config, path), path)
    _check_runs(random.Random(1), settings)
    for tiles in itertools.product((1, 2, 4, 6), (1, 2, 3), (1, 4)):
        node = Deployment(b_col=tiles[0], b_row=tiles[1], b_red=tiles[2])
        wrong = to_lean(program, node, _NODE)
        wrong = wrong._replace(fields=tuple([0 if f == "bLcm" else v for f, v in _fields(wrong)]))
        _compare(program, "lcmOfTiles", (wrong,), node.b_lcm, node)
    _check_conditions(program)


@cache
def check_leaps(program: Program) -> None:
    """Raises NotTheSame where the text says of a stretch what the events one by one do not.

    program: with the definitions of a file in stretches.
    """
    draw = random.Random(2)
    for here, config, made in _settings(program, _SCHEDULERS[:1]):
        for _ in range(_LONG_PATHS):
            path = _long_path(draw, config.deployment)
            states = list(itertools.islice(twin.event_states(config, path), _MOST_EVENTS))
            for place, state in enumerate(states):
                for events in range(1, min(_MOST_LEAPT, len(states) - 1 - place) + 1):
                    _check_leap(here, config, made, states[place : place + events + 1])
                before = to_lean(here, state, _STATE)
                _compare(here, "steps", (made, 0, before), state, state)
                entries = before.fields[before.made_by.places["iter"]]
                _compare(here, "repeatsAlong", (made, 1, (), entries), not entries, state)


def _check_leap(
    program: Program, config: twin.Config, made: Value, states: list[twin.State]
) -> None:
    before, after, events = to_lean(program, states[0], _STATE), states[-1], len(states) - 1
    _compare(program, "steps", (made, events, before), after, states[0])
    repeated = all(repeats(config, *pair) for pair in itertools.pairwise(states))
    try:
        found = to_python(leap(program, made, before, events))
    except NotTheSame as error:
        if repeated:
            raise NotTheSame(
                f"{events} events after {states[0]} are one stretch, and the mirror's tests say "
                f"that {error}."
            ) from None
        return
    if not repeated or found != after:
        raise NotTheSame(
            f"{events} events after {states[0]} come to {after}, and the mirror's leap to {found}."
        )


def _check_conditions(program: Program) -> None:
    """Each condition of the invariants, on corner numbers."""
    for name, (condition, _) in CONDITIONS.items():
        for node in _NODES:
            numbers = sorted({0, 1, node.b_col, node.b_lcm, node.b_lcm + node.b_col, 7, 30})
            values = {("Nat",): numbers, ("Bool",): (False, True), _NODE: (node,)}
            kinds = program.parameters[name]
            for given in itertools.product(*[values[kind] for kind in kinds]):
                lean = tuple([to_lean(program, *one) for one in zip(given, kinds, strict=True)])
                _compare(program, name, lean, bool(condition(*given)), given)


def _settings(
    program: Program, schedulers: Sequence[RuleScheduler] = _SCHEDULERS
) -> Iterator[tuple[Program, twin.Config, Value]]:
    """Each deployment under each scheduler: the text with its rules, and its two configurations."""
    for number, scheduler in enumerate(schedulers):
        rules = f"rules{number}"
        here = Program(commands(rules_definition(rules, scheduler)), program)
        for node in _NODES:
            made = (to_lean(here, node, _NODE), here.names[rules])
            config = twin.Config.of(node, scheduler)
            yield here, config, apply(here.names["Config.mk"], made)


def _fields(value: Value) -> Iterator[tuple[str, Any]]:
    return zip(value.made_by.fields, value.fields, strict=True)


def _check_moves(program: Program, config: twin.Config, made: Any, s: twin.State) -> None:
    given = (made, to_lean(program, s, _STATE))
    _compare(program, "step", given, twin.step(config, s), s)
    _compare(program, "afterEvent", given, twin.after_event(config, s), s)


def _check_claims(program: Program, config: twin.Config, made: Any, s: twin.State) -> None:
    node, state = config.deployment, to_lean(program, s, _STATE)
    for name, invariant in INVARIANTS.items():
        _compare(program, name, (made, state), invariant(config, s), s)
    for name, claim in CLAIMS.items():
        truth = s.last is None or bool(claim.holds(s.last, node))
        _compare(program, "onLast", (program.names[name], made, state), truth, s)
        for arrival in s.pending if claim.given is not None else ():
            given = (to_lean(program, node, _NODE), to_lean(program, arrival.session, _SESSION))
            inside = bool(claim.in_scope(arrival.session, node))
            _compare(program, f"given_{name}", given, inside, arrival.session)


def _check_runs(
    draw: random.Random, settings: Iterable[tuple[Program, twin.Config, Value]]
) -> None:
    """Which states a run reaches, which paths are tiled, and what each claim is of all that."""
    every_path = Function("every path", 1, lambda given: True)
    for here, config, made in settings:
        node = to_lean(here, config.deployment, _NODE)
        tiled = apply(here.names["Tiled"], (node,))
        for _ in range(_RUNS):
            path = _path(draw, config.deployment)
            states = list(itertools.islice(twin.event_states(config, path), _MOST_EVENTS))
            if not twin.over(states[-1]):
                continue
            inside = all(CLAIMS["optimal_tiling"].in_scope(s, config.deployment) for s in path)
            given = (made, to_lean(here, path, _PATH))
            _compare(here, "Tiled", (node, given[1]), inside, path)
            for state in (*states, _state(draw, config.deployment)):
                lean = to_lean(here, state, _STATE)
                _compare(here, "Reach", (*given, lean), state in states, state)
                for name, claim in CLAIMS.items():
                    holds = state.last is None or bool(claim.holds(state.last, config.deployment))
                    for family, has in ((tiled, inside), (every_path, True)):
                        asked = (made, family, here.names[name], given[1], lean)
                        wanted = not has or state not in states or holds
                        _compare(here, "EveryIteration", asked, wanted, state)


def _compare(
    program: Program, name: str, given: tuple[Any, ...], wanted: object, at: object
) -> None:
    """Raises NotTheSame where the text's function gives something else; `at` is for the message."""
    with deep():
        found = to_python(apply(program.names[name], given))
    if type(found) is not type(wanted) or found != wanted:
        raise NotTheSame(
            f"the mirror's {name} differs from Python: it gives {found}, Python gives {wanted}, "
            f"at {at}."
        )


# Draws: small numbers, so that every comparison is met from both sides.


def _number(draw: random.Random, node: Deployment) -> int:
    """A number of tokens: a multiple of b_lcm, of b_col, or any small one."""
    return draw.choice((node.b_lcm, node.b_col, 1)) * draw.choice((0, 1, 1, 2, 3))


def _session(draw: random.Random, node: Deployment) -> Session:
    return Session(draw.choice((0, 0, 1, 3, 6)), _number(draw, node), draw.randrange(0, 3))


def _path(draw: random.Random, node: Deployment) -> tuple[Session, ...]:
    return tuple(_session(draw, node) for _ in range(draw.randrange(5)))


def _long_path(draw: random.Random, node: Deployment) -> tuple[Session, ...]:
    """A path with long prompts and outputs."""
    return tuple(
        Session(s.arrive * draw.choice((1, 40)), s.prompt * draw.choice((1, 4)), s.output * 3)
        for s in _path(draw, node)
    )


def _state(draw: random.Random, node: Deployment) -> twin.State:
    numbers = draw.sample(range(9), 9)
    jobs = tuple(_job(draw, node, numbers.pop()) for _ in range(draw.randrange(5)))
    sessions = sorted(_path(draw, node)[:2], key=lambda session: session.arrive)
    pending = tuple(twin.Arrival(numbers.pop(), session) for session in sessions)
    runs = draw.random() < 0.7
    served = draw.sample(jobs, draw.randrange(len(jobs) + 1)) if runs else []
    now = draw.randrange(0, 5)
    return twin.State(
        now=now,
        pending=pending,
        jobs=jobs,
        iter=tuple(twin.Entry(j.number, j.decoding, _number(draw, node)) for j in served),
        iter_end=now + draw.randrange(-min(now, 1), 5) if runs else None,
        served=draw.randrange(0, 4),
        last=None if draw.random() < 0.3 else _record(draw, node),
        ended=(),
    )


def _odd(draw: random.Random, s: twin.State) -> twin.State:
    """Now and then a state that no run has, but for one thing as it should be.

    A job is there twice, or not there although it is served; an entry calls a prefill a decode; the
    sessions to come are out of order, from the first instant on, before which nothing was served.
    """
    changes: list[dict[str, Any]] = [{}, {}, {}]
    if s.jobs:
        changes += [{"jobs": s.jobs[1:]}, {"jobs": (*s.jobs, s.jobs[0])}]
    flipped = tuple(attrs.evolve(entry, decoding=not entry.decoding) for entry in s.iter)
    changes += [{"iter": flipped}]
    changes += [{"now": 0, "served": 0, "last": None, "pending": s.pending[::-1]}]
    return attrs.evolve(s, **draw.choice(changes))


def _job(draw: random.Random, node: Deployment, number: int) -> twin.Job:
    done = draw.choice((0, 0, 1, node.b_col, node.b_lcm))
    return twin.Job(number, _session(draw, node), draw.random() < 0.5, done)


def _record(draw: random.Random, node: Deployment) -> twin.Record:
    start, residents = draw.randrange(0, 20), draw.randrange(1, 4)
    return twin.Record(
        start=start,
        end=start + draw.randrange(1, 9),
        served=draw.randrange(0, 9),
        tokens=draw.randrange(0, 3 * node.b_lcm),
        prefilled=draw.randrange(0, 3),
        decoders=draw.randrange(0, residents + 1),
        decoding=draw.randrange(0, 3),
        residents=residents,
        demand=draw.randrange(0, 9),
    )
