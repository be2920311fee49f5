"""Runs that the tests of the pictures draw."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from radproof import CLAIMS, SEED, Claim, Deployment, Scheduler, check, rad
from radproof.errors import SchedulerError
from radproof.evaluators.evaluate import evaluate
from radproof.model import as_path
from radproof.pictures import Story, tell
from radproof.pictures.story import tell_fault
from radproof.runs import Engine
from radproof.schedulers.loading import Loaded


def story(
    path: Any,
    scheduler: Scheduler = rad,
    name: str = "rad",
    claims: list[Claim] | None = None,
    deployment: Deployment = SEED,
    horizon: int | None = None,
    engine: Engine = "leap",
) -> Story:
    """A path's story, as `radproof explain` tells it."""
    sessions = as_path(path)
    try:
        run = evaluate(sessions, deployment, scheduler, horizon, engine)
    except SchedulerError as error:
        return tell_fault(error, Loaded.of(scheduler, name))
    chosen = [*CLAIMS.values()] if claims is None else claims
    return tell(run, [check(run, claim) for claim in chosen], Loaded.of(scheduler, name))


def crowd(sessions: int = 500, seed: int = 5) -> list[tuple[int, int, int]]:
    """Sessions at 20 a second, prompts of whole tiles: prefill, decode, waiting, full batches."""
    rng = random.Random(seed)
    time, path = 0, []
    for _ in range(sessions):
        time += int(rng.expovariate(1 / 50_000))
        path.append((time, 128 * rng.randint(1, 24), rng.randint(1, 400)))
    return path


few = st.lists(
    st.tuples(st.integers(0, 30_000), st.integers(0, 400), st.integers(0, 4)), max_size=4
)
"""Paths of up to four sessions: small enough to look at every record."""
