"""Counterexamples to induction: a model, believed only once the machine confirms it.

Two replays on ints: the lemma's own builder (do these values satisfy the hypotheses and break the
goal?), and one step of the machine from the state that the values speak of.
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
from radproof.model import DECODE, PREFILL, State
from radproof.number import both
from radproof.proof import audit, reach
from radproof.proof.step_replay import state_file
from radproof.readers.terms import Names


@attrs.frozen
class Cti:
    """A model of a refuted lemma, and what the replays made of it.

    parts: the parts of the goal that it breaks; real: whether the builder on ints agrees; scene
    and step: of the machine, where the model speaks of a state; laws: the watched laws that the
    step breaks; reached: a path on which one breaks too.
    """

    lemma: Lemma
    model: dict[str, Any]
    parts: tuple[str, ...]
    real: bool
    scene: Scene | None = None
    step: audit.TakenStep | None = None
    laws: tuple[str, ...] = ()
    reached: reach.Reached | None = None
    scheduler: str | None = None

    @property
    def replays(self) -> bool:
        """Whether `machine.step` from the model's state breaks a law that the lemma watches."""
        return bool(self.laws)

    def save(self, folder: FilePath, world: World, rules: str) -> FilePath | None:
        """Write the path on which a claim fails, or else the state; say where. None: no state.

        A law that is no claim is replayed from the state; the path that reaches it stands in it.
        The file is named after the lemma and the hash of the rules.
        """
        name = f"{self.lemma.name.replace('[', '-').replace(']', '')}-{rules[:8]}"
        if self.reached is not None and self.reached.file.breaks is not None:
            file = folder / f"{name}.path.json"
            write_path(file, self.reached.file)
            return file
        if self.scene is None or not self.laws:
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
    taken = audit.take_step(scene, world)
    laws = audit.broken_laws(taken, lemma.watch)
    reached = reach.find(scene, world, lemma.watch, scheduler) if laws else None
    return attrs.evolve(found, scene=scene, step=taken, laws=laws, reached=reached)


SHOWN_JOBS = 12
"""Jobs of a list that are shown; the rest is counted."""


def describe(found: Cti) -> list[str]:
    """The counterexample as text: what broke, the job list before, the batch, the list after."""
    out = [f"{found.lemma.name}: counterexample to induction ({found.lemma.statement})"]
    out += [f"  breaks: {part}" for part in found.parts]
    if not found.real:
        out.append("  the rules on ints do not confirm the model: report this to radproof")
    if found.scene is None or found.step is None:
        values = ", ".join(f"{name} = {value}" for name, value in found.model.items())
        return [*out, f"  values: {values}", "  it speaks of numbers alone, of no machine state"]
    d = found.scene.deployment
    out.append(
        f"  deployment: b_col {d.b_col}, b_lcm {d.b_lcm}, chunk {d.chunk}, "
        f"t_lin {d.t_lin}, t_nl {d.t_nl}"
    )
    before = found.scene.state
    out.append(f"  at t = {before.now}, after {before.served} tokens served")
    out += _table(found.scene, before, found.step)
    if found.step.refused:
        out.append(f"  {found.step.refused}")
    if found.laws:
        out.append(f"  the machine's step confirms it: {'; '.join(found.laws)}")
    else:
        out.append("  the machine's step from there breaks no watched law")
    if found.reached:
        sessions = ", ".join(
            str(attrs.astuple(s)) for s in found.reached.file.sessions[:SHOWN_JOBS]
        )
        more = len(found.reached.file.sessions) - SHOWN_JOBS
        out.append(
            f"  reached at t = {found.reached.at} by the path {sessions}"
            + (f" and {more} more" if more > 0 else "")
        )
    elif found.laws:
        out.append("  no path that reaches it was found; the state alone is saved")
    return out


def _table(scene: Scene, before: State, taken: audit.TakenStep) -> list[str]:
    """One row a job: session, phase, left before, its share, left after."""
    shares = taken.shares()
    after = {job.session: job for job in taken.after.jobs} if taken.after else {}
    rows = [("session", "phase", "left", "batch", "after")]
    for job in before.jobs[:SHOWN_JOBS]:
        session = scene.path[job.session]
        total = session.prompt if job.phase is PREFILL else session.output
        now = after.get(job.session)
        then = "?" if taken.after is None else "ended"
        if now is not None:
            then = (
                f"{now.phase.value} {taken.left(now)}"
                if now.phase is DECODE
                else str(taken.left(now))
            )
        rows.append(
            (
                str(job.session),
                job.phase.value,
                str(total - job.done),
                str(shares.get(job.session, "-")),
                then,
            )
        )
    wide = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    out = [
        "    " + "  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip()
        for row in rows
    ]
    if len(before.jobs) > SHOWN_JOBS:
        out.append(f"    and {len(before.jobs) - SHOWN_JOBS} jobs more")
    return out if before.jobs else ["    (no job in the list)"]


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
