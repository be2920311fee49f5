"""How fast the leap is: against serQ's interpreter, against the definition, and as paths grow.

Every figure is a ratio of medians taken in this run (pytest-benchmark has the raw times).
"""

from __future__ import annotations

import math
import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st
from radproof.strategies import paths

from radproof import CLAIMS, SEED, Session, check, leap, run
from radproof.schedulers.loading import load
from radproof.search.drawing import draw
from radproof.search.search import Plan, search
from radproof.traces.workload import poisson

Show = Callable[[str, str, str], None]
HORIZON = 100_000_000


def _median(work: Callable[[], Any], rounds: int) -> float:
    work()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


@pytest.mark.parametrize(("rate", "wanted"), [(20, 100), (30, 350)])
def test_the_page_s_workload(benchmark: Any, show: Show, rate: int, wanted: int) -> None:
    """serQ's interpreter (its prebuilt program, its run alone) and the definition over the leap.

    The three are timed in turn, so that a slow minute of the machine meets all of them.
    """
    serq = pytest.importorskip("oracles.serq")
    path = poisson(rate, HORIZON, seed=1)
    prepared = serq.prepare([(s.arrive, s.prompt, s.output) for s in path], horizon=HORIZON)
    prepared.run()
    over_leap, steps = [], []
    for _ in range(7):
        leapt = _median(lambda: leap(path, horizon=HORIZON), rounds=9)
        over_leap.append(prepared.run().seconds / leapt)
        steps.append(_median(lambda: run(path, horizon=HORIZON), rounds=1) / leapt)
    benchmark.pedantic(leap, (path,), {"horizon": HORIZON}, rounds=21)
    show(f"serQ / leap, {rate}/s for 100 s", f"{statistics.median(over_leap):.0f}", f">= {wanted}")
    show(f"step / leap, {rate}/s for 100 s", f"{statistics.median(steps):.0f}", "")


def test_growth_with_sessions(benchmark: Any, show: Show) -> None:
    """At the page's load, time grows as n log n."""
    path = poisson(20, 600_000_000, seed=1)[:10_000]
    costs = {}
    for n in (10, 100, 1_000, 10_000):
        short = path[:n]
        costs[n] = _median(lambda short=short: leap(short), rounds=max(5, 20_000 // n // 10))
        show(f"{n:,} sessions, microseconds / (n log2 n)", f"{_share(costs[n], n):.3f}", "")
    benchmark.pedantic(leap, (path,), rounds=5)
    shares = [_share(costs[n], n) for n in (100, 1_000, 10_000)]
    show("largest / smallest of 100 to 10,000", f"{max(shares) / min(shares):.2f}", "<= 2")


def _share(seconds: float, n: int) -> float:
    return seconds * 1e6 / (n * math.log2(n))


def test_growth_with_outputs(benchmark: Any, show: Show) -> None:
    """The lengths of outputs cost nothing."""
    times = {
        length: _median(lambda n=length: leap(_alike(n)), rounds=21)
        for length in (10, 10**4, 10**8, 10**12)
    }
    benchmark.pedantic(leap, (_alike(10**12),), rounds=5)
    for length, taken in times.items():
        show(f"500 outputs of {length:.0e} / of 10", f"{taken / times[10]:.2f}", "flat")


def _alike(output: int) -> tuple[Session, ...]:
    return tuple(Session(0, 128, output + number) for number in range(500))


def test_all_at_once(benchmark: Any, show: Show) -> None:
    """A burst against the same sessions spread out."""
    spread = poisson(20, HORIZON, seed=1)
    burst = tuple(Session(0, s.prompt, s.output) for s in spread)
    benchmark.pedantic(leap, (burst,), rounds=15)
    apart = _median(lambda: leap(spread), rounds=15)
    show("all at once / spread out", f"{benchmark.stats.stats.median / apart:.2f}", "")


def test_a_property_run(benchmark: Any, show: Show) -> None:
    """Drawing the paths and checking both claims, over drawing them alone."""
    examples = 1_000

    def draws() -> None:
        for claim in CLAIMS.values():
            case = st.tuples(st.just(SEED), paths(claim.family, SEED))
            draw(case, lambda _: False, examples, seed=0)

    def searches() -> None:
        for claim in CLAIMS.values():
            search({claim.name: claim}, load("rad"), Plan(examples=examples, seed=0))

    draws()
    pairs = []
    for _ in range(5):  # in turn, so that a slow minute of the machine meets both
        pairs.append(_median(searches, 1) / _median(draws, 1))
    benchmark.pedantic(searches, rounds=1)
    show("draw and check both claims / draw alone", f"{statistics.median(pairs):.2f}", "<= 1.5")


def test_memory(benchmark: Any, show: Show) -> None:
    """Peak memory of long runs."""
    long = tuple(Session(0, 128 * 10**9, 10**12 + number) for number in range(500))
    many = poisson(20, 600_000_000, seed=1)[:10_000]
    for what, path in (("10,000 sessions", many), ("500 x 10^12 tokens", long)):
        tracemalloc.start()
        leap(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        show(f"peak memory, {what}", f"{peak / 1e6:.2f} MB", "")

    def checked() -> None:
        result = leap(long)
        assert all(check(result, claim).checked > 10**12 for claim in CLAIMS.values())

    benchmark.pedantic(checked, rounds=5, warmup_rounds=1)
    show(
        "500 x (0, 128e9, 1e12 + i), run and both claims",
        f"{benchmark.stats.stats.median * 1e3:.1f} ms",
        "milliseconds",
    )
