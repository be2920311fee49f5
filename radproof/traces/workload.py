"""The seed page's workload, drawn with numpy: the same bytes for the same seed.

Poisson arrivals at `rate` sessions a second, the first at time 0; prompts of 1..8 tiles, uniform;
outputs min(floor(Exp(200)) + 1, 512). Every draw is an inverse transform of PCG64's uniform
doubles, since numpy keeps the bit stream of a generator stable, but not that of its distributions.
"""

from __future__ import annotations

import math

from radproof.errors import BadInput
from radproof.model import SEED, Deployment, Path, Session

MOST_SESSIONS = 10_000_000
"""The most sessions that are drawn; they fill a few gigabytes."""


def poisson(rate: float, horizon: int, seed: int, deployment: Deployment = SEED) -> Path:
    """The arrivals up to `horizon` (microseconds, inclusive).

    Raises BadInput for a rate that is not positive and finite, a negative seed, too many sessions.
    """
    import numpy as np

    if not (math.isfinite(rate) and rate > 0):
        raise BadInput(f"rate is {rate!r}; it must be a positive number of sessions a second.")
    if rate * (horizon / 1e6) > MOST_SESSIONS:
        raise BadInput(
            f"about {rate * (horizon / 1e6):.1e} sessions would be drawn, at most "
            f"{MOST_SESSIONS:,} are allowed; lower the rate or the horizon."
        )
    if seed < 0:
        raise BadInput(f"seed is {seed}; it must be a natural number.")
    uniform = np.random.Generator(np.random.PCG64(seed)).random
    sessions = []
    now = 0.0
    while now <= horizon + 1 and round(now) <= horizon:
        u_prompt, u_output, u_gap = uniform(3).tolist()
        output = min(math.floor(-200 * math.log1p(-u_output)) + 1, 512)
        prompt = (1 + math.floor(8 * u_prompt)) * deployment.b_lcm
        sessions.append(Session(round(now), prompt, output))
        now += -math.log1p(-u_gap) * 1e6 / rate
    return tuple(sessions)
