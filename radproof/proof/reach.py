"""A path that reaches a counterexample to induction, where one of a few simple ones does.

A state's jobs can nearly always be brought about: a prompt that waits is a session that arrives,
a decode is a session without a prompt, or one with a whole tile of it first. Each candidate path
is run step by step until a watched law breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import attrs

from radproof.errors import SchedulerError
from radproof.machine import initial, step
from radproof.model import DECODE, Deployment, Path, Session, State
from radproof.pathfile import Breaks, PathFile
from radproof.proof.audit import LAWS, REFUSED, Step, broken
from radproof.proof.obligations import World
from radproof.proof.scenes import Scene
from radproof.schedulers import RuleScheduler

STEPS = 400
"""Iterations of a candidate path that are looked at."""

CLAIMS = {
    "token_rate": "token_rate",
    "optimal_tiling": "optimal_tiling",
    "decodes_fit": "radproof.proof.laws:decodes_fit",
}
"""The laws that are claims, by the names under which `radproof replay` finds them."""


@attrs.frozen
class Reached:
    """A path on which a watched law breaks: the law in words, when, and the path file of it."""

    law: str
    at: int
    file: PathFile


def candidates(scene: Scene, tiled: bool) -> Iterator[Path]:
    """Paths that may reach the scene's jobs; only with prompts of whole tiles where `tiled`."""
    tile = scene.deployment.b_lcm
    residents, waiting = [], []
    for job in scene.state.jobs:
        session = scene.path[job.session]
        output = max(1, session.output)
        if job.phase is DECODE:
            residents.append((0, output - job.done))
            waiting.append((tile, output + len(scene.state.jobs)))
        else:
            residents.append((session.prompt - job.done, output))
            waiting.append((session.prompt, output))
    for listed in (residents, waiting, [(tile, 3 * len(waiting))] * (len(waiting) + 1)):
        if not tiled or all(prompt % tile == 0 for prompt, _ in listed):
            yield tuple(Session(0, prompt, output) for prompt, output in listed)
    coming = [scene.path[session] for session in scene.state.pending]
    if coming and not scene.state.jobs:
        yield tuple(coming)


def find(
    scene: Scene, world: World, watch: tuple[str, ...], scheduler: str | None
) -> Reached | None:
    """The first candidate path on which a watched law breaks."""
    for path in candidates(scene, tiled=world.tiling.given is not None):
        for before, taken in islice(_steps(path, scene.deployment, world), STEPS):
            laws = broken(taken, watch)
            if laws:
                return Reached(
                    laws[0], before.now, _file(path, taken, laws[0], watch, world, scheduler)
                )
    return None


def _steps(path: Path, node: Deployment, world: World) -> Iterator[tuple[State, Step]]:
    scheduler = RuleScheduler(world.rules)
    state = initial(path)
    while not state.over:
        scene = Scene(state, path, node)
        try:
            after, record = step(state, path, node, scheduler)
        except SchedulerError as error:
            yield state, Step(scene, world, None, None, str(error), error.kind)
            return
        yield state, Step(scene, world, after, record)
        state = after


def _file(
    path: Path, taken: Step, law: str, watch: tuple[str, ...], world: World, scheduler: str | None
) -> PathFile:
    breaks = None
    if law == REFUSED:
        breaks = Breaks("scheduler", taken.kind)
    else:
        name = next(name for name in watch if LAWS[name][0] == law)
        if name in CLAIMS and taken.record is not None:
            given = world.tiling.given is not None
            breaks = Breaks("claim", CLAIMS[name], taken.before.now, given)
    return PathFile(
        path,
        deployment=taken.scene.deployment,
        scheduler=scheduler,
        note=f"reaches a counterexample to induction at t = {taken.before.now}: {law}",
        breaks=breaks,
    )
