"""Strategies for paths: groups, short free lists, and directed families."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import attrs
from hypothesis import strategies as st
from radproof.strategies.numbers import PAST_INT64, Numbers, numbers_of

from radproof.claims import Family
from radproof.model import SEED, Deployment, Path, Session
from radproof.runs import run

RunLength: TypeAlias = tuple[int, int, int, int]
"""A group, (count, gap, prompt, output): `count` equal sessions, each `gap` after the last."""


@attrs.frozen
class Aim:
    """What a family draws for."""

    deployment: Deployment
    numbers: Numbers
    most: int
    """The most sessions of a path."""

    @property
    def over(self) -> int:
        """One more session than a batch has decodes, or the most that the path may have."""
        return min(self.deployment.b_col + 1, self.most)

    def counts(self, most: int) -> st.SearchStrategy[int]:
        """How many sessions a group has: up to `most`, or a batch's slots, or one beside those."""
        slots = sorted({max(1, self.over - less) for less in (2, 1, 0)})
        return st.one_of(st.integers(1, most), st.sampled_from(slots))


def expand(groups: list[RunLength], most: int) -> Path:
    """The sessions of the groups, one after the other, the first `most` of them."""
    sessions: list[Session] = []
    now = 0
    for count, gap, prompt, output in groups:
        for _ in range(min(count, most - len(sessions))):
            now += gap
            sessions.append(Session(now, prompt, output))
    return tuple(sessions)


def _grouped(groups: st.SearchStrategy[list[RunLength]], aim: Aim) -> st.SearchStrategy[Path]:
    return groups.map(lambda drawn: expand(drawn, aim.most))


def any_groups(aim: Aim) -> st.SearchStrategy[Path]:
    """Up to six groups of any numbers."""
    n = aim.numbers
    count = st.one_of(st.integers(1, min(8, aim.most)), aim.counts(aim.most))
    group = st.tuples(count, n.gaps, n.prompts, n.outputs)
    return _grouped(st.lists(group, min_size=1, max_size=6), aim)


def crowds(aim: Aim) -> st.SearchStrategy[Path]:
    """Half of `max_sessions` or more, in at most four groups that follow closely."""
    n = aim.numbers
    count = st.integers(max(1, aim.most // 2), aim.most)
    first = st.tuples(count, n.short_gaps, n.prompts, n.outputs)
    more = st.tuples(st.integers(1, aim.most), n.short_gaps, n.prompts, n.outputs)
    groups = st.tuples(first, st.lists(more, max_size=3))
    return _grouped(groups.map(lambda drawn: [drawn[0], *drawn[1]]), aim)


def free(aim: Aim) -> st.SearchStrategy[Path]:
    """A short list in which every session is its own, in any order of arrival."""
    n = aim.numbers
    arrive = st.integers(0, 8).flatmap(
        lambda k: n.short_gaps.map(lambda gap: k * gap) if k else st.just(0)
    )
    session = st.builds(Session, arrive, n.prompts, n.outputs)
    return st.lists(session, min_size=1, max_size=min(12, aim.most)).map(tuple)


def bursts(aim: Aim) -> st.SearchStrategy[Path]:
    """Several bursts, each at one instant, with or without time to finish them in between."""
    n = aim.numbers
    burst = st.tuples(aim.counts(max(1, aim.most // 3)), n.gaps, n.prompts, n.outputs)

    def build(drawn: list[RunLength]) -> Path:
        groups: list[RunLength] = []
        for count, gap, prompt, output in drawn:
            groups += [(1, gap, prompt, output), (count - 1, 0, prompt, output)]
        return expand(groups, aim.most)

    return st.lists(burst, min_size=1, max_size=4).map(build)


def saturation(aim: Aim) -> st.SearchStrategy[Path]:
    """More than b_col decodes at once: prompts are empty, or so short that many share a batch."""
    n = aim.numbers
    count = st.integers(aim.over, min(aim.most, aim.over + aim.deployment.b_col))
    prompt = st.one_of(n.empty_prompts, n.short_prompts)
    group = st.tuples(count, st.just(0), prompt, st.integers(1, 40))
    after = st.tuples(aim.counts(aim.most), n.short_gaps, n.short_prompts, n.short_outputs)
    groups = st.tuples(group, st.lists(after, max_size=2))
    return _grouped(groups.map(lambda drawn: [drawn[0], *drawn[1]]), aim)


def full_batches(aim: Aim) -> st.SearchStrategy[Path]:
    """b_col prompts of a tile or more, so that exactly b_col decode while others wait.

    What comes after them may be short or empty.
    """
    n, tile = aim.numbers, aim.deployment.b_lcm
    count = st.integers(max(1, aim.over - 2), aim.most)
    prompt = st.integers(1, 2).map(lambda k: k * tile)
    group = st.tuples(count, st.just(0), prompt, n.outputs.map(lambda v: v + 1))
    after = st.tuples(
        aim.counts(aim.most),
        n.short_gaps,
        st.one_of(n.empty_prompts, n.short_prompts, prompt),
        n.short_outputs,
    )
    groups = st.tuples(group, st.lists(after, max_size=2))
    return _grouped(groups.map(lambda drawn: [drawn[0], *drawn[1]]), aim)


def at_an_end(aim: Aim) -> st.SearchStrategy[Path]:
    """One more session exactly at, one before or one after an iteration's end.

    Running the path under RAD shows where its iterations end.
    """
    n = aim.numbers
    # short and small enough to be run by the definition
    session = st.builds(Session, st.one_of(st.just(0), n.short_gaps), n.prompts, st.integers(0, 6))
    base = st.lists(session, min_size=1, max_size=6)
    late = st.tuples(st.sampled_from((0, -1, 1)), n.prompts, st.integers(0, 6))

    def build(drawn: tuple[list[Session], int, list[tuple[int, int, int]]]) -> Path:
        path = tuple(drawn[0])
        ends = [record.end for record in run(path, aim.deployment, limit=60).records]
        end = ends[drawn[1] % len(ends)] if ends else 0
        path += tuple(Session(max(0, end + by), prompt, output) for by, prompt, output in drawn[2])
        return path[: aim.most]

    late_ones = st.lists(late, min_size=1, max_size=4)
    return st.tuples(base, st.integers(0, 59), late_ones).map(build)


def ties(aim: Aim) -> st.SearchStrategy[Path]:
    """Different sessions at few instants, so that the order within an instant matters."""
    n = aim.numbers
    session = st.tuples(st.integers(0, 2), n.prompts, n.outputs)

    def build(drawn: tuple[int, list[tuple[int, int, int]]]) -> Path:
        gap, sessions = drawn
        return tuple(Session(k * gap, prompt, output) for k, prompt, output in sessions)

    most = min(24, aim.most)
    return st.tuples(n.short_gaps, st.lists(session, min_size=1, max_size=most)).map(build)


def idle_gaps(aim: Aim) -> st.SearchStrategy[Path]:
    """Groups so far apart that the engine idles between them."""
    n = aim.numbers
    group = st.tuples(st.integers(1, 3), n.idle, n.prompts, n.short_outputs)
    return _grouped(st.lists(group, min_size=2, max_size=6), aim)


def huge_first(aim: Aim) -> st.SearchStrategy[Path]:
    """One huge prompt or output, then small ones that arrive while it runs."""
    n = aim.numbers
    huge = st.one_of(
        st.tuples(st.just(1), st.just(0), n.huge_prompts, st.integers(0, 4)),
        st.tuples(st.just(1), st.just(0), n.prompts, st.integers(10**9, 2 * PAST_INT64)),
    )
    prompt = st.one_of(n.empty_prompts, n.short_prompts)
    after = st.tuples(st.integers(1, aim.most), n.short_gaps, prompt, st.integers(0, 4))
    groups = st.tuples(huge, st.lists(after, min_size=1, max_size=3))
    return _grouped(groups.map(lambda drawn: [drawn[0], *drawn[1]]), aim)


def beyond_machine_integers(aim: Aim) -> st.SearchStrategy[Path]:
    """Arrivals past 2^63 microseconds."""
    late = st.integers(PAST_INT64 - 2, 4 * PAST_INT64)

    def shift(drawn: tuple[int, Path]) -> Path:
        by, path = drawn
        return tuple(Session(s.arrive + by, s.prompt, s.output) for s in path)

    return st.tuples(late, free(aim)).map(shift)


DIRECTED: dict[str, Callable[[Aim], st.SearchStrategy[Path]]] = {
    "any_groups": any_groups,
    "free": free,
    "crowds": crowds,
    "saturation": saturation,
    "full_batches": full_batches,
    "bursts": bursts,
    "at_an_end": at_an_end,
    "ties": ties,
    "idle_gaps": idle_gaps,
    "huge_first": huge_first,
    "beyond_machine_integers": beyond_machine_integers,
}
"""Every way a path is drawn, by name, the simplest first."""

# Little else reaches saturation and arrivals at an iteration's end, so these are drawn more often
# than the rest; every group may be a crowd.
_AGAIN = {"saturation": 2, "at_an_end": 1}


@lru_cache(maxsize=4096)
def paths(
    family: Family = "natural",
    deployment: Deployment = SEED,
    max_sessions: int = 500,
    only: str | None = None,
) -> st.SearchStrategy[Path]:
    """Paths of 1 to `max_sessions` sessions; `only` names one of `DIRECTED`.

    family: "natural" (any numbers, as token_rate is quantified in Lean), "assumption3" (prompts
    that are multiples of b_lcm, 0 included, as optimal_tiling is) or "positive" (without 0).
    """
    aim = Aim(deployment, numbers_of(family, deployment), max_sessions)
    if only is not None:
        return DIRECTED[only](aim)
    names = [name for name in DIRECTED for _ in range(1 + _AGAIN.get(name, 0))]
    return st.one_of(*(_single(DIRECTED[name](aim)) for name in names))


def _single(family: st.SearchStrategy[Path]) -> st.SearchStrategy[Path]:
    # one_of flattens nested one_ofs, which would favour the families made of many; a map keeps
    # each family a single branch
    return family.map(lambda path: path)
