"""The smallest paths, all of them: one to three sessions with the numbers that matter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache

from radproof.strategies.numbers import corners

from radproof.model import Deployment, Path, Session
from radproof.rules import RULES

_Lengths = tuple[int, int]


@lru_cache(maxsize=256)
def small_paths(deployment: Deployment) -> tuple[Path, ...]:
    """Every path of up to three sessions with corner numbers, the smallest first.

    One or two sessions at time 0 have any corner lengths. Three, or two of which one arrives
    later, have prompts of nothing, a token or a tile, and outputs of up to two tokens; three of
    which one arrives later, outputs of up to one. Later is at 1, at the end of an iteration of one
    token, or 1 us after it.

    A path is small that has few sessions, of those few tokens, of those early arrivals, and of
    those sessions that ask for the same.
    Sessions stand in order of arrival, and the first arrives at 0: any other order is another
    numbering of one of these paths, and any other beginning the same path later. A session without
    work ends as it arrives, and stands in none of three.

    A draw may find a large path that breaks a claim, and that no single removal mends, although a
    path of one session breaks it too; these are tried before anything is drawn.
    """
    return tuple(sorted(_small_paths(deployment), key=_size))


def _small_paths(deployment: Deployment) -> Iterator[Path]:
    tile, one = deployment.b_lcm, RULES.duration(1, deployment)
    prompts = sorted({0, 1, *corners(deployment), 2 * tile})
    lengths = list(itertools.product(prompts, (0, 1, 2)))
    for count in (1, 2):
        yield from _paths(lengths, (0,) * count)
    few, fewer = (
        [pair for pair in itertools.product(sorted({0, 1, tile}), outputs) if any(pair)]
        for outputs in ((0, 1, 2), (0, 1))
    )
    yield from _paths(few, (0, 0, 0))
    later = sorted({1, one, one + 1})
    for arrive in later:
        yield from _paths(few, (0, arrive))
        for between in (0, *later):
            if between <= arrive:
                yield from _paths(fewer, (0, between, arrive))


def _paths(lengths: list[_Lengths], arrives: tuple[int, ...]) -> Iterator[Path]:
    """The paths with these arrivals, and any of these lengths for each."""
    at = [[Session(arrive, *pair) for pair in lengths] for arrive in arrives]
    return itertools.product(*at)


def _size(path: Path) -> tuple[int, int, int, int]:
    tokens = sum(session.prompt + session.output for session in path)
    different = len({(session.prompt, session.output) for session in path})
    return len(path), tokens, sum(session.arrive for session in path), different
