"""State files: a counterexample to induction that a step of the machine confirms.

JSON with a schema of its own, beside path files: the state, the path and deployment it belongs
to, the scheduler, and the laws that the step from there breaks. Imports no Z3.
"""

from __future__ import annotations

import json
import os
from typing import Any

import attrs

from radproof.errors import BadInput
from radproof.files.text import read_text, write_text
from radproof.model import Deployment, Job, Path, Phase, Session, State
from radproof.proof.audit import LAWS, Step, broken, take
from radproof.proof.obligations import WORLD, World
from radproof.proof.scenes import Scene
from radproof.schedulers.loading import load
from radproof.schedulers.protocol import rules_of

SCHEMA = "radproof.state/1"


@attrs.frozen
class StateFile:
    """A scene and what is said of it: the lemma it refutes, the laws to watch, the scheduler.

    given: whether the tiling claim's hypothesis was demanded; reached: a path from time 0 on which
    a watched law breaks too, empty where none was found.
    """

    scene: Scene
    lemma: str
    watch: tuple[str, ...]
    scheduler: str | None = None
    given: bool = True
    reached: Path = ()


def dump(found: StateFile) -> str:
    """The text of a state file, the same for the same content."""
    state, d = found.scene.state, found.scene.deployment
    init = [a.name for a in attrs.fields(Deployment) if a.init]
    data = {
        "schema": SCHEMA,
        "note": f"counterexample to induction of lemma {found.lemma}",
        "lemma": found.lemma,
        "watch": list(found.watch),
        "given": found.given,
        "scheduler": found.scheduler,
        "deployment": {name: getattr(d, name) for name in init},
        "sessions": [attrs.astuple(session) for session in found.scene.path],
        "now": state.now,
        "served": state.served,
        "jobs": [[job.session, job.phase.value, job.done] for job in state.jobs],
        "pending": list(state.pending),
        "reached": [attrs.astuple(session) for session in found.reached],
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write(file: str | os.PathLike[str], found: StateFile) -> None:
    """Write a state file, whole or not at all."""
    write_text(file, dump(found))


def is_state_file(file: str | os.PathLike[str]) -> bool:
    """Whether this file says that it is a state file. Raises BadInput where it cannot be read."""
    return f'"{SCHEMA}"' in read_text(file)[:200]


def read(file: str | os.PathLike[str]) -> StateFile:
    """Read a state file. Raises BadInput with the file and the field that is wrong."""
    text = read_text(file)
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise BadInput(f'field "schema" must be {SCHEMA!r}.')
        path = tuple(Session(*triple) for triple in data["sessions"])
        jobs = tuple(_job(row, path) for row in data["jobs"])
        pending = tuple(int(session) for session in data["pending"])
        if any(not 0 <= session < len(path) for session in pending):
            raise BadInput('field "pending" names a session that "sessions" does not have.')
        unknown = [name for name in data["watch"] if name not in LAWS]
        if unknown:
            raise BadInput(f'field "watch" names {unknown[0]!r}; known: {", ".join(LAWS)}.')
        state = State(int(data["now"]), jobs, pending, int(data["served"]))
        scene = Scene(state, path, Deployment(**data["deployment"]))
        return StateFile(
            scene,
            str(data["lemma"]),
            tuple(data["watch"]),
            data.get("scheduler"),
            bool(data.get("given", True)),
            tuple(Session(*triple) for triple in data.get("reached", ())),
        )
    except KeyError as error:
        raise BadInput(f"{os.fspath(file)}: field {error} is missing.") from None
    except (BadInput, TypeError, ValueError) as error:
        raise BadInput(f"{os.fspath(file)}: {error}") from None


def _job(row: Any, path: tuple[Session, ...]) -> Job:
    session, phase, done = row
    if type(session) is not int or not 0 <= session < len(path):
        raise BadInput(f'field "jobs" names session {session!r}, which "sessions" does not have.')
    if type(done) is not int or done < 0:
        raise BadInput(f'field "jobs": session {session} has done {done!r} tokens.')
    return Job(session, Phase(phase), path[session].arrive, path[session].prompt, done)


def replay(found: StateFile, world: World = WORLD) -> tuple[Step, tuple[str, ...]]:
    """The step from the state under `world`'s rules, and the watched laws that it breaks."""
    if not found.given:
        world = attrs.evolve(world, tiling=attrs.evolve(world.tiling, given=None))
    taken = take(found.scene, world)
    return taken, broken(taken, found.watch)


def report(file: str | os.PathLike[str], scheduler: str | None = None) -> tuple[str, bool]:
    """Replay a state file: what to print, and whether it is reproduced. For ``radproof replay``.

    `scheduler` takes the place of the file's. Raises BadInput where the file or the scheduler is
    not what it must be.
    """
    found = read(file)
    name = scheduler or found.scheduler or "rad"
    world = World(rules=rules_of(load(name)))
    _, laws = replay(found, world)
    state = found.scene.state
    lines = [
        f"{found.lemma} under {name}: one step from t = {state.now} with {len(state.jobs)} jobs",
        *(f"  breaks: {law}" for law in laws),
        "reproduced."
        if laws
        else "not reproduced: the step from this state breaks no watched law.",
    ]
    return "\n".join(lines), bool(laws)
