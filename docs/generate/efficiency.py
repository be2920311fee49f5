"""How much of the node a scheduler uses while work always waits: its share of full tiles' rate.

Full tiles serve b_col tokens in t_lin + t_nl b_col microseconds: 128 in 4,640 at the seed's
deployment. The node is kept saturated with the seed page's sessions, all there from the start;
the share is taken between 10 % and 80 % of their tokens, where nothing starts up or runs out.
"""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction
from typing import Any

import attrs

from radproof.evaluators.general import advance, leapable
from radproof.machine import Advance, step
from radproof.model import PREFILL, SEED, Deployment, Job, Path, Session, State
from radproof.schedulers.protocol import Scheduler

WINDOW = (Fraction(1, 10), Fraction(8, 10))
"""The part of all tokens over which the share is taken."""

_SEEN = 256
"""Waiting prompts that a scheduler is shown: no scheduler here begins more of them at once, and an
event costs as much as the prompts it is shown."""


def workload(sessions: int, seed: int, ragged: bool = False, deployment: Deployment = SEED) -> Path:
    """The seed page's lengths, all at time 0; `ragged`: prompts of any number of tokens instead of
    whole tiles, with the same maximum.
    """
    import numpy as np

    uniform = np.random.Generator(np.random.PCG64(seed)).random
    tile = deployment.b_lcm
    path = []
    for _ in range(sessions):
        u_prompt, u_output = uniform(2).tolist()
        output = min(math.floor(-200 * math.log1p(-u_output)) + 1, 512)
        prompt = (
            1 + math.floor(8 * tile * u_prompt) if ragged else (1 + math.floor(8 * u_prompt)) * tile
        )
        path.append(Session(0, prompt, output))
    return tuple(path)


def saturated(path: Path, scheduler: Scheduler, deployment: Deployment = SEED) -> float:
    """The share of full tiles' rate at which a scheduler serves these sessions.

    Raises SchedulerError as `machine.step` does.
    """
    on: Advance[Any] = advance if leapable(scheduler) else step
    reserve = deque(Job(n, PREFILL, 0, s.prompt) for n, s in enumerate(path))
    total = sum(session.prompt + session.output for session in path)
    low, high = (math.ceil(total * part) for part in WINDOW)
    state, began = State(now=0, jobs=(), pending=()), (0, 0)
    while state.served < high:
        waiting = sum(job.phase is PREFILL for job in state.jobs)
        fresh = [reserve.popleft() for _ in range(min(len(reserve), _SEEN - waiting))]
        state = attrs.evolve(state, jobs=state.jobs + tuple(fresh))
        state, _ = on(state, path, deployment, scheduler)
        if state.served < low:
            began = state.now, state.served
    d = deployment
    rate = Fraction(d.b_col, d.t_lin + d.t_nl * d.b_col)
    return float(Fraction(state.served - began[1], state.now - began[0]) / rate)
