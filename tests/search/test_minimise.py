"""1-minimality, checked by brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import attrs
import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import SEED, Session, check, leap
from radproof.model import Path
from radproof.search.minimise import Minimised, OutOfBudget, minimise

small = st.integers(0, 9)
paths = st.lists(st.builds(Session, small, small, small), min_size=1, max_size=6).map(tuple)

# Each predicate needs something of every kind: sessions, order, arrivals, lengths, sums.
PREDICATES: dict[str, Callable[[Path, int], bool]] = {
    "sessions": lambda path, k: len(path) > k % 4,
    "a long prompt": lambda path, k: any(s.prompt > k % 6 for s in path),
    "the sum of the outputs": lambda path, k: sum(s.output for s in path) > k,
    "a pair": lambda path, k: sum(s.prompt > 2 and s.output > 1 for s in path) > 1,
    "an even prompt": lambda path, k: any(s.prompt > k % 7 and s.prompt % 2 == 0 for s in path),
    "a gap": lambda path, k: any(b.arrive - a.arrive > k % 5 for a, b in pairwise(path)),
    "a tie": lambda path, k: len({s.arrive for s in path}) < len(path),
    "sums that are equal": lambda path, k: (
        sum(s.prompt for s in path) == sum(s.output for s in path) > k % 4
    ),
}


def lowered(path: Path) -> Iterator[Path]:
    """Every path with one session less, or one number lowered by all of it, half ... or one."""
    for place, session in enumerate(path):
        yield path[:place] + path[place + 1 :]
        for field in ("arrive", "prompt", "output"):
            value = getattr(session, field)
            for half in range(value.bit_length()):
                changed = attrs.evolve(session, **{field: value - (value >> half)})
                yield path[:place] + (changed,) + path[place + 1 :]


@pytest.mark.parametrize("name", PREDICATES)
def test_what_comes_out_fails_and_nothing_can_be_taken_from_it(name: str) -> None:
    @given(paths, small, st.sampled_from((1, 4)))
    @quick(80)
    def property_(path: Path, k: int, tile: int) -> None:
        def fails(candidate: Path) -> bool:
            return PREDICATES[name](candidate, k)

        if not fails(path):
            return
        found = minimise(path, fails, tile=tile)
        assert found.minimal
        assert fails(found.path)
        assert [smaller for smaller in lowered(found.path) if fails(smaller)] == []

    property_()


def test_removing_goes_by_halves_and_not_one_by_one() -> None:
    path = (Session(0, 0, 0),) * 500
    found = minimise(path, lambda p: len(p) >= 129)
    assert (len(found.path), found.minimal) == (129, True)
    assert found.evaluations < 1000


def test_a_number_is_lowered_by_halves() -> None:
    path = (Session(10**30, 10**30, 10**30),)
    found = minimise(path, lambda p: any(s.output >= 10**12 + 7 for s in p))
    assert found.path == (Session(0, 0, 10**12 + 7),)
    assert found.evaluations < 10_000


def test_a_prompt_is_lowered_in_tiles_where_a_claim_is_about_whole_ones() -> None:
    path = (Session(0, 128 * 77, 3),)
    found = minimise(
        path, lambda p: any(s.prompt % 128 == 0 and s.prompt >= 384 for s in p), tile=128
    )
    assert (found.path, found.minimal) == ((Session(0, 384, 0),), True)


def test_numbers_that_must_stay_equal_are_lowered_together() -> None:
    path = (Session(700, 900, 800),) * 40

    def fails(p: Path) -> bool:
        return len(p) >= 30 and len(set(p)) == 1 and p[0].prompt >= 5 and p[0].output >= 3

    assert minimise(path, fails).path == (Session(0, 5, 3),) * 30


def test_the_arrivals_come_out_in_order() -> None:
    found = minimise((Session(9, 3, 0), Session(2, 4, 0)), lambda p: sum(s.prompt for s in p) > 6)
    assert [s.arrive for s in found.path] == [0, 0]
    found = minimise(
        (Session(9, 3, 0), Session(2, 3, 0)), lambda p: {s.arrive for s in p} >= {2, 9}
    )
    assert [s.arrive for s in found.path] == [2, 9]


def test_a_failing_path_that_is_minimal_stays() -> None:
    path = (Session(0, 1, 0),)
    found = minimise(path, lambda p: any(s.prompt for s in p))
    assert found.path == path
    assert found.minimal


def test_every_path_is_evaluated_once() -> None:
    seen: list[Path] = []

    def fails(path: Path) -> bool:
        seen.append(path)
        return sum(s.prompt for s in path) >= 9

    found = minimise((Session(0, 50, 9),) * 5, fails)
    assert found.evaluations == len(seen)


@pytest.mark.parametrize("budget", [0, 1, 5, 20])
def test_a_budget_that_runs_out_is_said_and_keeps_what_was_found(budget: int) -> None:
    def fails(path: Path) -> bool:
        return sum(s.prompt for s in path) >= 77

    found = minimise((Session(3, 1000, 9),) * 50, fails, budget=budget)
    assert (found.minimal, found.evaluations) == (False, budget)
    assert fails(found.path)


def test_there_is_no_cap_at_500_successes() -> None:
    # each session needs its own three steps: more than 500 in all
    path = tuple(Session(0, 2 * i + 2, 1) for i in range(300))
    found = minimise(path, lambda p: [s.prompt % 2 for s in p] == [0] * 300)
    assert found == Minimised((Session(0, 0, 0),) * 300, True, found.evaluations)


def test_the_smallest_path_with_more_than_b_col_decodes_is_129_sessions() -> None:
    from radproof import Claim

    crowded = Claim("crowded", "some iteration", lambda i, d: i.decoding > d.b_col)

    def fails(path: Path) -> bool:
        return check(leap(path, SEED), crowded).result == "witnessed"

    start = tuple(Session(3 * i, 5, 700 + i) for i in range(400))
    assert fails(start)
    found = minimise(start, fails, tile=128)
    assert found.path == (Session(0, 0, 1),) * 129
    assert found.minimal


def test_all_later_arrivals_are_lowered_together() -> None:
    """Gaps that must stay: no arrival but the first can be lowered alone."""

    def fails(p: Path) -> bool:
        return [b.arrive - a.arrive for a, b in pairwise(p)] == [7, 43]

    path = (Session(100, 2, 1), Session(107, 0, 0), Session(150, 3, 0))
    assert minimise(path, fails).path == (Session(0, 0, 0), Session(7, 0, 0), Session(50, 0, 0))


def tried(*path: tuple[int, int, int], tile: int = 1) -> list[list[tuple[int, int, int]]]:
    """The paths that are run, in order, where none of them fails."""
    seen: list[Path] = []

    def fails(candidate: Path) -> bool:
        seen.append(candidate)
        return False

    minimise(tuple(Session(*numbers) for numbers in path), fails, tile)
    return [[(s.arrive, s.prompt, s.output) for s in candidate] for candidate in seen]


def test_a_number_is_lowered_by_all_of_it_then_half_and_a_prompt_in_tiles_before() -> None:
    assert tried((0, 9, 3), tile=4) == [
        [],
        *([(0, prompt, 3)] for prompt in (1, 5, 0, 7, 8)),
        *([(0, 9, output)] for output in (0, 2)),
    ]
    assert tried((0, 0, 9), tile=4) == [[], *([(0, 0, output)] for output in (0, 5, 7, 8))]


def test_what_occurs_twice_is_lowered_in_both_and_then_in_each() -> None:
    one = (5, 1, 0)
    assert tried(one, one) == [
        [one],
        *([(arrive, 1, 0)] * 2 for arrive in (0, 3, 4)),
        [(5, 0, 0)] * 2,
        *([(arrive, 1, 0), one] for arrive in (0, 3, 4)),
        *([one, (arrive, 1, 0)] for arrive in (0, 3, 4)),
        [(5, 0, 0), one],
        [one, (5, 0, 0)],
    ]


def test_arrivals_are_sorted_first_and_lowered_from_an_instant_on() -> None:
    assert tried((3, 0, 0), (1, 0, 0)) == [
        [(1, 0, 0), (3, 0, 0)],
        [(1, 0, 0)],
        [(3, 0, 0)],
        [(0, 0, 0), (1, 0, 0)],
        [(2, 0, 0), (1, 0, 0)],
        [(2, 0, 0), (0, 0, 0)],
        [(3, 0, 0), (0, 0, 0)],
    ]


def test_sessions_are_removed_in_runs_of_half_of_them_and_then_one_by_one() -> None:
    outputs = [[s[2] for s in path] for path in tried(*((0, 0, n) for n in range(1, 6)))]
    removed = [path for path in outputs if len(path) < 5]
    assert removed == [
        *([3, 4, 5], [1, 2, 5], [1, 2, 3, 4]),
        *([2, 3, 4, 5], [1, 3, 4, 5], [1, 2, 4, 5], [1, 2, 3, 5]),
    ]


@pytest.mark.parametrize(("least", "evaluations"), [(129, 23), (1, 7), (499, 21)])
def test_removing_costs_as_much_as_it_did(least: int, evaluations: int) -> None:
    found = minimise((Session(0, 0, 0),) * 500, lambda p: len(p) >= least)
    assert (len(found.path), found.evaluations) == (least, evaluations)


def test_a_budget_of_the_caller_s_ends_it_as_well() -> None:
    looked: list[Path] = []

    def fails(path: Path) -> bool:
        looked.append(path)
        if len(looked) > 3:
            raise OutOfBudget
        return len(path) > 1

    found = minimise((Session(5, 5, 5),) * 8, fails)
    assert not found.minimal
    assert len(found.path) > 1
    assert found.evaluations == 4


def test_what_a_removal_makes_removable_is_removed_before_any_number_is_lowered() -> None:
    seen: list[list[int]] = []

    def fails(p: Path) -> bool:
        seen.append([s.output for s in p])
        return seen[-1] in ([1, 2], [2])

    minimise(tuple(Session(0, 0, output) for output in (1, 2, 3)), fails)
    assert seen[:5] == [[2, 3], [1, 3], [1, 2], [2], []]


def test_a_prompt_is_lowered_in_tokens_where_no_tile_is_given() -> None:
    seen: list[int] = []

    def fails(p: Path) -> bool:
        seen.extend(s.prompt for s in p)
        return False

    minimise((Session(0, 9, 0),), fails)
    assert seen == [0, 5, 7, 8]


def test_once_an_instant_is_lowered_the_next_pass_goes_on_from_there() -> None:
    seen: list[tuple[int, ...]] = []

    def fails(p: Path) -> bool:
        seen.append(tuple(s.arrive for s in p))
        return seen[-1] == (0, 6)

    minimise((Session(4, 0, 0), Session(10, 0, 0)), fails)
    together = [(4, 0), (4, 5), (4, 8), (4, 9), (0, 6)]
    assert seen == [(10,), (4,), *together, (0, 0), (0, 3), (0, 5), (6,), (0,)]


def test_a_number_is_lowered_as_far_as_it_goes_before_the_next() -> None:
    seen: list[list[int]] = []

    def fails(p: Path) -> bool:
        seen.append([s.output for s in p])
        return seen[-1] == [5, 9]

    minimise((Session(0, 0, 9),) * 2, fails)
    assert seen == [
        *([9], [0, 0], [5, 5], [7, 7], [8, 8]),
        *([0, 9], [5, 9], [0, 9], [3, 9], [4, 9]),
        *([5, 0], [5, 5], [5, 7], [5, 8], [9], [5]),
    ]


def test_a_larger_length_is_not_lowered_with_a_smaller_one() -> None:
    outputs = [[s[2] for s in path] for path in tried((0, 0, 2), (0, 0, 5))]
    assert [o for o in outputs if len(o) == 2] == [
        *([2, 0], [2, 3], [2, 4]),  # the larger first: half of 5 is 2
        *([0, 5], [1, 5]),
    ]
