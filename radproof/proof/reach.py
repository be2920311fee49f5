"""A path that reaches a counterexample to induction, where one of a few simple ones does.

A state's jobs can nearly always be produced: a prompt that waits is a session that arrives, a
decode is a session without a prompt, or one with a prompt of a whole tile. Each candidate path is
run step by step until a watched law breaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import attrs

from radproof.claims import Result, check
from radproof.errors import SchedulerError
from radproof.files.paths import Breaks, PathFile
from radproof.laws import claim_named
from radproof.lemmas.obligations import World
from radproof.lemmas.scenes import Scene
from radproof.machine import states
from radproof.model import DECODE, Deployment, Path, Session, State
from radproof.proof.audit import TakenStep, broken_laws, take_step
from radproof.runs import run

STEPS = 400
"""The most iterations of a candidate path."""

TILED = frozenset({"optimal_tiling", "R1", "R5", "decodes_fit"})
"""The laws about prompts of whole tiles: only a path of such prompts can break one."""


@attrs.frozen
class Reached:
    """A path on which a watched law breaks."""

    law: str
    """The law, in words."""
    at: int
    """When it breaks (microseconds)."""
    file: PathFile
    taken: TakenStep = attrs.field(repr=False)
    """The step that breaks it."""


def candidates(scene: Scene, world: World, given: bool, whole: bool) -> Iterator[Path]:
    """Paths that may reach the scene's jobs.

    given: only sessions inside the tiling claim's hypothesis; whole: only prompts that are a
    positive multiple of the tile.
    """
    for listed in _listings(scene):
        path = tuple(Session(0, prompt, output) for prompt, output in listed)
        fits = not given or all(world.tiled(session.prompt, scene.deployment) for session in path)
        if path and fits and (not whole or all(prompt > 0 for prompt, _ in listed)):
            yield path


def _listings(scene: Scene) -> Iterator[list[tuple[int, int]]]:
    """The (prompt, output) pairs of each candidate, all arriving at time 0."""
    tile, jobs = scene.deployment.b_lcm, scene.state.jobs
    residents, waiting = [], []
    for job in jobs:
        session = scene.path[job.session]
        output = max(1, session.output)
        if job.phase is DECODE:
            residents.append((0, output - job.done))
            waiting.append((tile, output + len(jobs)))
        else:
            residents.append((session.prompt - job.done, output))
            waiting.append((session.prompt, output))
    yield residents
    yield waiting
    yield [(tile, 3 * len(jobs) + 1)] * (len(jobs) + 1)
    if not jobs:
        coming = (scene.path[session] for session in scene.state.pending)
        yield [(session.prompt, session.output) for session in coming]


def find(
    scene: Scene, world: World, watch: tuple[str, ...], scheduler: str | None
) -> Reached | None:
    """The first candidate path on which a watched law breaks."""
    given = not TILED.isdisjoint(watch)
    for path in candidates(scene, world, given, whole="decodes_fit" in watch):
        for taken in islice(_steps(path, scene.deployment, world), STEPS):
            laws = broken_laws(taken, watch)
            if laws:
                file = _file(path, taken, laws[0], watch, world, scheduler)
                return Reached(laws[0], taken.before.now, file, taken)
    return None


def _steps(path: Path, node: Deployment, world: World) -> Iterator[TakenStep]:
    """The steps of the path from time 0, to its end or to the first refused batch."""

    def advance(state: State, *_: object) -> tuple[State, TakenStep]:
        taken = take_step(Scene(state, path, node), world)
        return taken.after or state, taken

    for _, taken, _ in states(path, node, world.scheduler, advance):
        yield taken
        if taken.after is None:
            return


def _file(
    path: Path,
    taken: TakenStep,
    law: str,
    watch: tuple[str, ...],
    world: World,
    scheduler: str | None,
) -> PathFile:
    node = taken.scene.deployment
    return PathFile(
        path,
        deployment=node,
        scheduler=scheduler,
        note=f"reaches a counterexample to induction at t = {taken.before.now}: {law}",
        breaks=Breaks("scheduler", taken.kind)
        if taken.refused
        else _claim(path, node, watch, world),
    )


def _claim(path: Path, node: Deployment, watch: tuple[str, ...], world: World) -> Breaks | None:
    """The watched claim that fails on this path, for `radproof replay` to find again."""
    claims = {
        "token_rate": world.rate,
        "optimal_tiling": world.tiling,
        "decodes_fit": claim_named("decode_bound"),
    }
    for law in watch:
        if law in claims:
            try:
                result = run(path, node, world.scheduler, limit=STEPS)
            except SchedulerError as error:
                return Breaks("scheduler", error.kind)
            verdict = check(result, claims[law])
            if verdict.result is Result.FAILS:
                given = law != "optimal_tiling" or world.tiling.given is not None
                return Breaks("claim", claims[law].name, verdict.first, given)
    return None
