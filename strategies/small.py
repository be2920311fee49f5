"""The smallest paths, all of them: one or two sessions with the numbers that matter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from radproof.model import Deployment, Path, Session


def small_paths(deployment: Deployment) -> Iterator[Path]:
    """Every path of one or two sessions at time 0 with corner lengths, the simplest first.

    A draw may find a large path that breaks a claim, and that no single removal mends, although a
    path of one session breaks it too; these few hundred are tried before anything is drawn.
    """
    tile = deployment.b_lcm
    prompts = sorted({0, 1, tile - 1, tile, tile + 1, 2 * tile})
    sessions = [Session(0, prompt, output) for prompt in prompts for output in (0, 1, 2)]
    for count in (1, 2):
        yield from itertools.product(sessions, repeat=count)
