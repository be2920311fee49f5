"""The step of a state file: from its state, under a scheduler's rules and order. Imports no Z3.

`radproof.lean.cti_terms` takes the other kind of file, about one event.
"""

from __future__ import annotations

import attrs

from radproof.errors import BadInput
from radproof.files.states import JobRow, StateFile
from radproof.lemmas.obligations import World
from radproof.lemmas.scenes import Scene
from radproof.model import Job, State
from radproof.proof.audit import STEP_LAWS, TakenStep, broken_laws, take_step


def state_file(scene: Scene, lemma: str, watch: tuple[str, ...]) -> StateFile:
    """A scene as the content of a file, without what only `radproof prove` knows of it."""
    return StateFile(
        lemma=lemma,
        deployment=scene.deployment,
        sessions=scene.path,
        now=scene.state.now,
        served=scene.state.served,
        jobs=tuple(JobRow(job.session, job.phase, job.done) for job in scene.state.jobs),
        pending=scene.state.pending,
        watch=watch,
    )


def scene_of(found: StateFile) -> Scene:
    """The scene of a state between two iterations."""
    jobs = []
    for row in found.jobs:
        session = found.sessions[row.session]
        jobs.append(Job(row.session, row.phase, session.arrive, session.prompt, row.done))
    state = State(found.now, tuple(jobs), found.pending, found.served)
    return Scene(state, found.sessions, found.deployment)


def replay(found: StateFile, world: World) -> tuple[TakenStep, tuple[str, ...]]:
    """The step from the state under `world`'s rules and order, and the watched laws it breaks.

    Raises BadInput for an unknown law.
    """
    unknown = [name for name in found.watch if name not in STEP_LAWS]
    if unknown:
        raise BadInput(
            f'field "watch" names the unknown law {unknown[0]!r}; known: {", ".join(STEP_LAWS)}.'
        )
    if not found.given:
        world = attrs.evolve(world, tiling=attrs.evolve(world.tiling, given=None))
    taken = take_step(scene_of(found), world)
    return taken, broken_laws(taken, found.watch)


def step_report(found: StateFile, world: World, scheduler: str) -> tuple[str, bool]:
    """What ``radproof replay`` prints of a state under a world, and whether it is reproduced.

    Raises BadInput as `replay` does.
    """
    _, laws = replay(found, world)
    lines = [
        f"{found.lemma} under {scheduler}: one step from t = {found.now} with {len(found.jobs)} "
        "jobs",
        *(f"  breaks: {law}" for law in laws),
        "reproduced."
        if laws
        else "not reproduced: the step from this state breaks no watched law.",
    ]
    return "\n".join(lines), bool(laws)
