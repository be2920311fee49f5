"""Counterexamples to induction: a model, believed only once the machine confirms it.

The model is replayed twice on ints: by the lemma's own builder (do these values satisfy the
hypotheses and break the goal?), and by one step of the machine from the state that they describe.
"""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

import attrs

from radproof.files import states
from radproof.files.paths import PathFile
from radproof.files.paths import write as write_path
from radproof.lemmas.obligations import Lemma, World
from radproof.lemmas.scenes import Scene
from radproof.model import DECODE, Job
from radproof.number import both
from radproof.proof import audit, reach
from radproof.proof.step_replay import state_file
from radproof.readers.terms import Names


@attrs.frozen
class Cti:
    """A counterexample to induction: a model of a refuted lemma, and what its replays gave."""

    lemma: Lemma
    model: dict[str, Any]
    """The values of the lemma's variables."""
    parts: tuple[str, ...]
    """The parts of the goal that it breaks."""
    real: bool
    """Whether the builder, called with ints, confirms the model."""
    scene: Scene | None = None
    """The state that the model describes; None: it is about numbers alone."""
    step: audit.TakenStep | None = None
    """The machine's step from there."""
    laws: tuple[str, ...] = ()
    """The watched laws that the step breaks."""
    reached: reach.Reached | None = None
    """A path on which one of them breaks too."""
    scheduler: str | None = None
    """The scheduler's name."""

    @property
    def replays(self) -> bool:
        """Whether `machine.step` from the model's state breaks a law that the lemma watches."""
        return bool(self.laws)

    def save(self, folder: FilePath, world: World, rules: str) -> FilePath | None:
        """Write the path on which a claim fails, or else the state; the file. None: no state.

        A law that is not a claim is replayed from the state, whose file has the path to it. The
        file is named after the lemma and the hash of the rules.
        """
        name = f"{self.lemma.name.replace('[', '-').replace(']', '')}-{rules[:8]}"
        if self.reached is not None and self.reached.file.breaks is not None:
            file = folder / f"{name}.path.json"
            write_path(file, self.reached.file)
            return file
        if self.scene is None or self.scene.world is not None or not self.laws:
            return None
        file = folder / f"{name}.state.json"
        found = attrs.evolve(
            state_file(self.scene, self.lemma.name, self.lemma.watch),
            scheduler=self.scheduler,
            given=world.tiling.given is not None,
            reached=self.reached.file.sessions if self.reached else (),
        )
        states.write(file, found)
        return file


def confirm(lemma: Lemma, world: World, model: dict[str, Any], scheduler: str | None = None) -> Cti:
    """Replay a model of the refuted lemma, on ints and through the machine."""
    values = Names(model)
    sequent = lemma.build(values, world)
    parts = tuple(part.text for part in sequent.goal if not part.truth)
    real = bool(both(*sequent.given)) and bool(parts)
    found = Cti(lemma, model, parts, real, scheduler=scheduler)
    scene = lemma.scene(values, world) if lemma.scene and real else None
    if scene is None:
        return found
    taken = audit.take_step(scene, scene.world or world)
    laws = audit.broken_laws(taken, lemma.watch)
    reached = reach.find(scene, world, lemma.watch, scheduler) if laws else None
    if scene.world is not None and reached is not None:
        # the model's rules are any rules: better the step of the scheduler itself
        scene, taken = reached.taken.scene, reached.taken
    return attrs.evolve(found, scene=scene, step=taken, laws=laws, reached=reached)


SHOWN_JOBS = 12
"""The most jobs of a list, or sessions of a path, that are shown; the rest are counted."""


def describe(found: Cti) -> list[str]:
    """The lines that show it: what broke, the job list before, the batch, the list after."""
    out = [f"{found.lemma.name}: counterexample to induction ({found.lemma.statement})"]
    out += [f"  breaks: {part}" for part in found.parts]
    if not found.real:
        out.append(
            "  the rules, called with ints, do not confirm the model: report this to radproof"
        )
    if found.scene is None or found.step is None:
        values = ", ".join(f"{name} = {value}" for name, value in found.model.items())
        return [*out, f"  values: {values}", "  they are numbers alone, not a state of the machine"]
    d = found.scene.deployment
    out.append(
        f"  deployment: b_col {d.b_col}, b_lcm {d.b_lcm}, chunk {d.chunk}, "
        f"t_lin {d.t_lin}, t_nl {d.t_nl}"
        if found.scene.world is None
        else f"  under any rules that say {_rules(found.model)}"
    )
    before = found.scene.state
    out.append(f"  at t = {before.now}, after {before.served} tokens served")
    out += _table(found.step)
    if found.step.refused:
        out.append(f"  {found.step.refused}")
    if found.laws:
        out.append(f"  the machine's step confirms it: {'; '.join(found.laws)}")
    else:
        out.append("  the machine's step from there breaks no watched law")
    if found.reached:
        out.append(_reached(found.reached))
    elif found.scene.world is not None:
        out.append("  no path was found on which the scheduler's own rules show it")
    elif found.laws:
        out.append("  no path that reaches it was found; only the state is saved")
    return out


def _rules(model: dict[str, Any]) -> str:
    """What the rules of a model give, where it leaves the rules open."""
    said = []
    for name, values in model.items():
        if isinstance(values, dict):
            said += [f"{name}({', '.join(map(str, row[:-1]))}) = {row[-1]}" for row in values["at"]]
            said.append(f"{name} = {values['otherwise']}" + (" otherwise" if values["at"] else ""))
    return ", ".join(said)


def _reached(reached: reach.Reached) -> str:
    sessions = ", ".join(str(attrs.astuple(s)) for s in reached.file.sessions[:SHOWN_JOBS])
    more = len(reached.file.sessions) - SHOWN_JOBS
    path = sessions + (f" and {more} more" if more > 0 else "")
    return f"  reached at t = {reached.at} by the path {path}"


def _table(taken: audit.TakenStep) -> list[str]:
    """One row per job: session, phase, left before, its share, left after."""
    jobs, shares = taken.before.jobs, taken.shares()
    rows = [("session", "phase", "left", "batch", "after")]
    for job in jobs[:SHOWN_JOBS]:
        left, share = taken.total(job) - job.done, shares.get(job.session, "-")
        rows.append(
            (str(job.session), job.phase.value, str(left), str(share), _afterwards(job, taken))
        )
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out = [
        "    " + "  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip()
        for row in rows
    ]
    if len(jobs) > SHOWN_JOBS:
        out.append(f"    and {len(jobs) - SHOWN_JOBS} more jobs")
    return out if jobs else ["    (no job in the list)"]


def _afterwards(job: Job, taken: audit.TakenStep) -> str:
    """What is left of a job's session after the step."""
    if taken.after is None:
        return "?"
    for now in taken.after.jobs:
        if now.session == job.session:
            left = str(taken.left(now))
            return f"{now.phase.value} {left}" if now.phase is DECODE else left
    return "ended"


def as_json(found: Cti, file: FilePath | None) -> dict[str, Any]:
    """The counterexample for a machine."""
    path: PathFile | None = found.reached.file if found.reached else None
    return {
        "lemma": found.lemma.name,
        "model": found.model,
        "parts": list(found.parts),
        "replays": found.replays,
        "laws": list(found.laws),
        "reached": None if path is None else [list(attrs.astuple(s)) for s in path.sessions],
        "file": None if file is None else str(file),
    }
