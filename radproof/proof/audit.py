"""The laws of a single step: which of them a step of the machine keeps, and which it breaks.

A counterexample to induction is believed once `machine.step`, run from its state, breaks one of the
laws that its lemma watches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from radproof.errors import SchedulerError
from radproof.invariants import clock_identity, few_decodes, whole_share
from radproof.lemmas.as_foreseen import batch_as_foreseen, step_as_foreseen
from radproof.lemmas.foreseen import Asked, Before, foresee
from radproof.lemmas.obligations import World
from radproof.lemmas.scenes import Scene
from radproof.machine import step
from radproof.model import DECODE, PREFILL, Iteration, Job, State
from radproof.number import ceil_div


@attrs.frozen
class TakenStep:
    """A step of the machine, or the fault for which it refused the batch."""

    scene: Scene
    world: World
    """The world by whose rules it was taken."""
    after: State | None
    """The state after it; None: refused."""
    record: Iteration | None
    """Its iteration's record; None: refused, or no job is resident."""
    refused: str = ""
    """The machine's message."""
    kind: str = ""
    """The kind of fault (`SchedulerError.kind`)."""

    @property
    def before(self) -> State:
        """The state it starts from."""
        return self.scene.state

    def total(self, job: Job) -> int:
        """The tokens of a job's phase."""
        session = self.scene.path[job.session]
        return session.prompt if job.phase is PREFILL else session.output

    def left(self, job: Job) -> int:
        """The tokens left of a job's phase, by the world's rules."""
        return int(self.world.rules.left(self.total(job), job.done))

    def shares(self) -> dict[int, int]:
        """The tokens of the batch, by session."""
        batch = self.record.batch if self.record else ()
        return {entry.session: entry.tokens for entry in batch}


def take_step(scene: Scene, world: World) -> TakenStep:
    """Take the step. A batch that the machine refuses is a result too."""
    try:
        after, record = step(scene.state, scene.path, scene.deployment, world.scheduler)
    except SchedulerError as error:
        return TakenStep(scene, world, None, None, str(error), error.kind)
    except Exception as error:  # a fault of the machine's own code, which `loop` is about
        said = f"the machine raises {type(error).__name__}: {error}"
        return TakenStep(scene, world, None, None, said, "raised")
    return TakenStep(scene, world, after, record)


def _rate(s: TakenStep) -> bool:
    d = s.scene.deployment
    kept = s.world.keeps_rate
    if not kept(s.before.served, s.before.now, d):
        # at time 0 nothing is served, so the claim itself is wrong
        return not (s.before.now == 0 == s.before.served)
    if s.record is not None and not s.world.rate.holds(s.record, d):
        return False
    return s.after is None or bool(kept(s.after.served, s.after.now, d))


def _tiling(s: TakenStep) -> bool:
    return s.record is None or bool(s.world.tiling.holds(s.record, s.scene.deployment))


def _entries(s: TakenStep) -> bool:
    d = s.scene.deployment
    batch = s.record.batch if s.record else ()
    return all(entry.tokens == whole_share(entry.phase is DECODE, d) for entry in batch)


def _unmixed(s: TakenStep) -> bool:
    batch = s.record.batch if s.record else ()
    if len({entry.phase for entry in batch}) > 1:
        return False
    decoding = sum(job.phase is DECODE for job in s.before.jobs)
    mode = s.world.rules.decode_mode(decoding, len(s.before.jobs), s.scene.deployment)
    return all((entry.phase is DECODE) == mode for entry in batch)


def _jobs_ok(s: TakenStep) -> bool:
    d = s.scene.deployment
    jobs = s.after.jobs if s.after else ()
    return all(s.world.job_ok(s.left(job), job.phase is DECODE, d) for job in jobs)


def _work(s: TakenStep) -> bool:
    if s.after is None:
        return True
    shares = s.shares()
    stays = {(job.session, job.phase): job for job in s.after.jobs}
    for job in s.before.jobs:
        share = shares.get(job.session, 0)
        now = stays.get((job.session, job.phase))
        if (0 if now is None else s.left(now)) != s.left(job) - share:
            return False
    return all(job.done + s.left(job) == s.total(job) for job in (*s.before.jobs, *s.after.jobs))


def _progress(s: TakenStep) -> bool:
    return not s.before.jobs or (s.record is not None and s.record.tokens >= 1)


def _fit(s: TakenStep) -> bool:
    jobs = s.after.jobs if s.after else ()
    decodes = sum(job.phase is DECODE for job in jobs)
    flight = sum(job.phase is PREFILL and job.done > 0 for job in jobs)
    return bool(few_decodes(decodes + flight, s.scene.deployment))


def _one_part_filled(s: TakenStep) -> bool:
    shares = s.shares()
    unfinished = False
    for job in s.before.jobs:
        if job.phase is PREFILL:
            share = shares.get(job.session, 0)
            if share and unfinished:
                return False
            unfinished = unfinished or s.left(job) > share
    return True


def _arrival_order(s: TakenStep) -> bool:
    if s.after is None:
        return True
    order = [job.arrive for job in s.after.jobs if job.phase is PREFILL]
    waits = [s.scene.path[session].arrive for session in s.after.pending]
    return order == sorted(order) and all(arrive > s.after.now for arrive in waits)


def _clock(s: TakenStep) -> bool:
    if s.after is None or s.record is None:
        return True
    d, tokens = s.scene.deployment, s.record.tokens
    served = s.after.served - s.before.served
    waste = d.b_col * ceil_div(tokens, d.b_col) - tokens
    return bool(clock_identity(s.after.now - s.before.now, 0, served, waste, d))


def _lasts(s: TakenStep) -> bool:
    return s.record is None or s.record.end > s.record.start


def _fill(s: TakenStep) -> bool:
    """In list order, each prompt takes min(want, the remaining budget)."""
    shares, d, rules = s.shares(), s.scene.deployment, s.world.rules
    if s.record is None or s.record.decoders:
        return True
    budget = rules.budget(False, d)
    for job in s.before.jobs:
        if job.phase is PREFILL:
            wanted = rules.want(False, s.left(job), d)
            if shares.get(job.session, 0) != min(wanted, budget):
                return False
            budget -= min(wanted, budget)
    return True


def _repeats(s: TakenStep) -> bool:
    """Where every job stays, and its work left covers its share, the next batch is the same."""
    if s.after is None or s.record is None:
        return True
    shares = s.shares()
    stays = {job.session: job for job in s.after.jobs}
    who = [(job.session, job.phase) for job in s.before.jobs]
    if [(job.session, job.phase) for job in s.after.jobs] != who:
        return True
    if any(s.left(stays[session]) < share for session, share in shares.items()):
        return True
    again = take_step(attrs.evolve(s.scene, state=s.after), s.world)
    return again.shares() == shares


def _fits(s: TakenStep) -> bool:
    return s.record is None or s.record.tokens <= s.scene.deployment.b_lcm


def _natural(s: TakenStep) -> bool:
    return s.after is None or (s.after.now >= 0 and s.after.served >= 0)


def _idle(s: TakenStep) -> bool:
    return s.after is None or s.record is not None or s.after.served == s.before.served


def _done(s: TakenStep) -> bool:
    return s.after is None or all(0 <= job.done <= s.total(job) for job in s.after.jobs)


def _foreseen(s: TakenStep) -> bool:
    state, path = s.before, s.scene.path

    def asked(session: int) -> Asked:
        return Asked(path[session].arrive, path[session].prompt, path[session].output)

    before = Before(
        state.now,
        state.served,
        tuple((job, asked(job.session)) for job in state.jobs),
        tuple((session, asked(session)) for session in state.pending),
    )
    d = s.scene.deployment
    told = partial(foresee, before, s.world, d)
    compared = (
        compare(told, state, path, d, s.world.scheduler)
        for compare in (batch_as_foreseen, step_as_foreseen)
    )
    return all(truth for parts in compared for truth in parts.values())


STEP_LAWS: dict[str, tuple[str, Callable[[TakenStep], Any]]] = {
    "token_rate": ("token_rate, at the start and at the end", _rate),
    "optimal_tiling": ("optimal_tiling", _tiling),
    "R5": ("every entry is b_lcm tokens, or decodes", _entries),
    "unmixed": ("the mode decides which jobs are in the batch", _unmixed),
    "batch": ("the machine accepts the batch", lambda taken: True),
    "R1": ("every job has something left, a prefill a multiple of b_lcm", _jobs_ok),
    "work": ("a job's work left shrinks by its share", _work),
    "progress": ("an iteration has a token or more", _progress),
    "decodes_fit": ("D + in flight <= b_col", _fit),
    "one part-filled": (
        "a prompt gets tokens only where every earlier one is finished",
        _one_part_filled,
    ),
    "arrival order": (
        "prompts are in arrival order, and every session that arrived is admitted",
        _arrival_order,
    ),
    "clock": ("the clock identity of one step", _clock),
    "lasts": ("an iteration lasts 1 us or more", _lasts),
    "repeats": ("a batch that can repeat does", _repeats),
    "fits": ("a batch has b_lcm tokens or less", _fits),
    "natural": ("the time and the tokens served are natural", _natural),
    "idle": ("an idle time serves nothing", _idle),
    "done": ("a job has done no less than nothing, and no more than its whole", _done),
    "fill": ("each prompt takes min(want, the remaining budget)", _fill),
    "loop": ("the machine's step is the one that the lemmas foresee", _foreseen),
}
"""The laws by their short names: each one's statement, and whether a step keeps it."""

REFUSED = "the machine refuses the batch"


def broken_laws(taken: TakenStep, watch: tuple[str, ...]) -> tuple[str, ...]:
    """The watched laws that the step breaks, in words.

    A refused batch breaks every one, but the loop where the lemmas foresee the refusal.
    """
    if taken.refused and "loop" not in watch:
        return (REFUSED,)
    return tuple(STEP_LAWS[name][0] for name in watch if not STEP_LAWS[name][1](taken))
