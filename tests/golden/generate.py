"""Write `golden.jsonl`: paths, and what serQ's interpreter makes of RAD on each of them.

    python tests/golden/generate.py            # write the file
    python tests/golden/generate.py --check    # exit 1 if it is not what serQ says today

The paths are our own and the same on every machine: each family draws from its own seeded
generator, and only through `random()`, the one method Python promises to keep. The answers come
from `tests/oracles/serq.py` (`pip install 'radproof[serq]'`), never from radproof's own step. One
line is one path:

    name, deployment {b_col, t_lin, t_nl, chunk}, path [[arrive, prompt, output], ...], horizon
    (null: until everything ended), iterations, completion (one a session, null where it had not
    ended), claims {name: {checked, failures, first}} with `given` dropped, and, where the path is
    short, schedule [[start, [[session, "p" or "d", tokens], ...]], ...]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
from oracles.serq import SerqMissing, run_serq

GOLDEN = Path(__file__).with_name("golden.jsonl")

SHORT_PATH = 9
"""A schedule is kept for paths of at most so many sessions ..."""

SHORT_RUN = 40
"""... and so many iterations."""

Triple = tuple[int, int, int]


@attrs.frozen
class Deployment:
    """The card and the chunk; the seed's numbers unless said."""

    b_col: int = 128
    t_lin: int = 4000
    t_nl: int = 5
    chunk: int = 128


SEED = Deployment()


def small(b_col: int, chunk: int | None = None, *, t_lin: int = 10, t_nl: int = 1) -> Deployment:
    return Deployment(b_col, t_lin, t_nl, b_col if chunk is None else chunk)


@attrs.frozen
class Case:
    """One line of the file, before serQ has answered."""

    name: str
    path: list[Triple]
    horizon: int | None = None
    deployment: Deployment = SEED


class Draw:
    """Whole numbers drawn the same way under every Python."""

    def __init__(self, family: str) -> None:
        self._random = random.Random(family).random

    def upto(self, most: int) -> int:
        """A whole number from 0 to `most`, both included."""
        return int(self._random() * (most + 1))

    def one(self, choices: list[int]) -> int:
        return choices[self.upto(len(choices) - 1)]


def worked() -> Iterator[Case]:
    """The examples that the semantics works out by hand."""
    yield Case("worked: arrival at an iteration's end", [(0, 128, 1), (4640, 128, 1)])
    yield Case("worked: arrival one after it", [(0, 128, 1), (4641, 128, 1)])
    yield Case("worked: ragged prompts share a batch", [(0, 200, 1), (0, 300, 1)])
    yield Case("worked: thirteen prompts of ten tokens", [(0, 10, 1)] * 13)
    yield Case("worked: one token over a tile", [(0, 129, 1)])


def edges() -> Iterator[Case]:
    """A second session one before, at and one after each end of the first one's iterations."""
    for end, which in ((4640, "prefill"), (8645, "decode"), (12650, "last decode")):
        for off, side in ((-1, "one before"), (0, "at"), (1, "one after")):
            yield Case(
                f"edge: arrival {side} the {which}'s end", [(0, 128, 2), (end + off, 128, 1)]
            )
    for off in (-1, 0, 1):
        yield Case(
            f"edge: empty prompt {off:+d} from a prefill's end", [(0, 128, 2), (4640 + off, 0, 2)]
        )
    d = small(2)
    for off in (-1, 0, 1):  # which decode is first in the list decides who waits
        path = [(0, 2, 3), (0, 0, 3), (12 + off, 0, 1), (24 + off, 0, 1)]
        yield Case(f"edge: empty prompts {off:+d} from ends, full tile", path, deployment=d)


def ties() -> Iterator[Case]:
    yield Case("tie: three at 0", [(0, 256, 1), (0, 128, 2), (0, 384, 1)])
    yield Case(
        "tie: three later, with one before", [(0, 128, 5), (5, 256, 1), (5, 128, 2), (5, 60, 1)]
    )
    yield Case("tie: two groups, unsorted", [(9, 128, 1), (3, 256, 1), (9, 256, 2), (3, 128, 2)])
    yield Case(
        "tie: all at an iteration's end", [(0, 128, 1), (4640, 70, 1), (4640, 0, 2), (4640, 70, 1)]
    )
    yield Case(
        "tie: empty prompts among prefills",
        [(0, 4, 2), (0, 0, 3), (0, 4, 1), (0, 0, 1)],
        deployment=small(2),
    )
    yield Case("tie: equal sessions", [(1, 3, 2)] * 6, deployment=small(2))


def unsorted() -> Iterator[Case]:
    yield Case("unsorted: last first", [(20000, 128, 2), (10000, 256, 1), (0, 128, 3)])
    draw = Draw("unsorted")
    for i in range(3):
        path = [(draw.upto(60), draw.upto(9), draw.upto(4)) for _ in range(7)]
        yield Case(f"unsorted: drawn {i}", path, deployment=small(3))


def zeros() -> Iterator[Case]:
    yield Case("zero: no session", [])
    yield Case("zero: no session, a horizon", [], horizon=1000)
    yield Case("zero: nothing asked at 0", [(0, 0, 0)])
    yield Case("zero: nothing asked later", [(7, 0, 0)])
    yield Case("zero: no prompt", [(0, 0, 3)])
    yield Case("zero: no output", [(0, 128, 0)])
    yield Case("zero: no output, ragged", [(3, 200, 0), (3, 100, 0)])
    yield Case("zero: nothing asked during a run", [(0, 128, 2), (100, 0, 0), (4640, 0, 0)])
    yield Case(
        "zero: nothing asked, past the horizon",
        [(0, 128, 2), (100, 0, 0), (200, 0, 0)],
        horizon=150,
    )
    yield Case("zero: every kind at once", [(5, 0, 0), (5, 0, 2), (5, 128, 0), (5, 128, 2)])
    yield Case("zero: every kind at once, at 0", [(0, 128, 2), (0, 128, 0), (0, 0, 2), (0, 0, 0)])


def ragged() -> Iterator[Case]:
    for prompt in (1, 127, 255, 257):
        yield Case(f"ragged: a prompt of {prompt}", [(0, prompt, 1)])
    yield Case("ragged: a tail and a tile", [(0, 130, 1), (0, 128, 1)])
    yield Case("ragged: tails add to a tile", [(0, 192, 1), (0, 192, 1), (0, 128, 2)])
    draw = Draw("ragged")
    for i in range(4):
        yield Case(
            f"ragged: drawn {i}",
            [(draw.upto(30000), draw.upto(400), draw.upto(5)) for _ in range(6)],
        )


def crowds() -> Iterator[Case]:
    """More decodes than a tile holds: the first in the list are served, the rest wait."""
    yield Case("crowd: 500 empty prompts", [(0, 0, k % 3 + 1) for k in range(500)])
    yield Case(
        "crowd: 200 empty prompts, some late", [(k % 4 * 9000, 0, k % 5 + 1) for k in range(200)]
    )
    yield Case("crowd: a tile of prompts at once", [(0, 128, 2)] * 129)
    yield Case("crowd: 127 one-token prompts, then 60", [(0, 1, 3)] * 127 + [(4000, 2, 2)] * 60)
    yield Case(
        "crowd: nine decodes on a tile of 4",
        [(0, 0, k % 3 + 1) for k in range(9)],
        deployment=small(4),
    )
    yield Case(
        "crowd: a prefill waits for a full tile",
        [(0, 0, 2)] * 5 + [(0, 8, 1), (3, 4, 1)],
        deployment=small(4),
    )


def gaps() -> Iterator[Case]:
    yield Case("gap: one microsecond of idling", [(0, 128, 1), (8646, 128, 1)])
    yield Case("gap: none, the next arrives at the end", [(0, 128, 1), (8645, 128, 1)])
    yield Case("gap: late first arrival", [(123456, 128, 2)])
    yield Case("gap: two idle stretches", [(10, 128, 1), (50000, 0, 1), (90000, 200, 1)])
    yield Case("gap: a long one", [(0, 128, 1), (10**12, 256, 2)])


def horizons() -> Iterator[Case]:
    path = [(0, 128, 2), (100, 256, 1), (9000, 0, 3)]
    for horizon in (0, 99, 100, 4639, 4640, 4641, 13919, 13920, 13921, 30000):
        yield Case(f"horizon: {horizon}", path, horizon)
    yield Case("horizon: before the first arrival", [(100, 128, 1)], 99)
    yield Case("horizon: at the only arrival", [(100, 128, 1)], 100)
    yield Case("horizon: on the last end", [(0, 128, 1)], 8645)
    draw = Draw("horizons")
    for i in range(3):
        drawn = [(draw.upto(200000), draw.upto(300), draw.upto(20)) for _ in range(25)]
        yield Case(f"horizon: drawn {i}", drawn, draw.upto(250000))


def scaled() -> Iterator[Case]:
    """Small tiles, where a full one and a crowd take a handful of sessions."""
    draw = Draw("scaled")
    for b_col in range(1, 9):
        d = small(b_col, t_lin=draw.one([10, 100, 4000]), t_nl=draw.one([1, 5]))
        tiles = [(draw.upto(5 * d.t_lin), b_col * draw.upto(3), draw.upto(4)) for _ in range(6)]
        yield Case(f"scaled: tile {b_col}, whole tiles", tiles, deployment=d)
        any_ = [(draw.upto(5 * d.t_lin), draw.upto(3 * b_col), draw.upto(4)) for _ in range(7)]
        yield Case(f"scaled: tile {b_col}, any prompts", any_, deployment=d)
    path = [(0, 5, 2), (0, 3, 1), (2, 0, 2)]
    yield Case("scaled: an iteration lasts at least 1", path, deployment=small(2, t_lin=0, t_nl=0))
    yield Case("scaled: time by tokens alone", path, deployment=small(2, t_lin=0, t_nl=3))
    yield Case("scaled: time by tiles alone", path, deployment=small(2, t_lin=7, t_nl=0))


def chunks() -> Iterator[Case]:
    """A chunk that is not the tile."""
    for b_col, chunk in ((4, 8), (4, 3), (4, 1), (5, 2)):
        d = small(b_col, chunk)
        yield Case(
            f"chunk: {chunk} on a tile of {b_col}",
            [(0, 10, 2), (0, 4, 1), (15, 3, 0)],
            deployment=d,
        )
        draw = Draw(f"chunk {b_col} {chunk}")
        drawn = [(draw.upto(80), draw.upto(12), draw.upto(3)) for _ in range(7)]
        yield Case(f"chunk: {chunk} on a tile of {b_col}, drawn", drawn, deployment=d)
    path = [(0, 256, 1), (0, 200, 2), (4640, 128, 1)]
    for chunk in (64, 127, 256):
        yield Case(f"chunk: {chunk} on the seed's tile", path, deployment=Deployment(chunk=chunk))


def bursts() -> Iterator[Case]:
    draw = Draw("bursts")
    for i, (d, span) in enumerate(
        ((SEED, 200000), (SEED, 200000), (small(8), 400), (small(3), 300))
    ):
        at = [draw.upto(span) for _ in range(3)]
        tile = d.b_col
        path = [(draw.one(at), tile * draw.upto(3), draw.upto(12)) for _ in range(30)]
        yield Case(f"burst: {i}", path, deployment=d)


def drawn() -> Iterator[Case]:
    """Any sessions, and whole tiles, at loads from light to heavy."""
    for i in range(8):
        draw = Draw(f"natural {i}")
        span = draw.one([0, 1000, 50000, 1000000])
        path = [(draw.upto(span), draw.upto(500), draw.upto(40)) for _ in range(10 + 5 * i)]
        yield Case(f"drawn: natural {i}", path)
    for i in range(8):
        draw = Draw(f"tiles {i}")
        span = draw.one([0, 1000, 50000, 1000000])
        path = [(draw.upto(span), 128 * draw.upto(5), draw.upto(40)) for _ in range(10 + 5 * i)]
        yield Case(f"drawn: whole tiles {i}", path)


FAMILIES: list[Callable[[], Iterator[Case]]] = [
    worked,
    edges,
    ties,
    unsorted,
    zeros,
    ragged,
    crowds,
    gaps,
    horizons,
    scaled,
    chunks,
    bursts,
    drawn,
]


def line(case: Case) -> str:
    """Run a case in serQ and write its line."""
    deployment = attrs.asdict(case.deployment)
    run = run_serq(case.path, horizon=case.horizon, **deployment)
    short = len(case.path) <= SHORT_PATH and run.iterations <= SHORT_RUN
    if short:
        run = run_serq(case.path, horizon=case.horizon, schedule=True, **deployment)
    found: dict[str, object] = {
        "name": case.name,
        "deployment": deployment,
        "path": case.path,
        "horizon": case.horizon,
        "iterations": run.iterations,
        "completion": run.completions,
        "claims": {name: attrs.asdict(claim) for name, claim in run.claims.items()},
    }
    if short:
        found["schedule"] = run.schedule
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def generate() -> str:
    cases = [case for family in FAMILIES for case in family()]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise ValueError("two cases have one name")
    return "".join(line(case) + "\n" for case in cases)


def write(text: str) -> None:
    """Replace the file in one step: a reader sees the old one or the new one."""
    new = GOLDEN.with_name(f".{GOLDEN.name}-{os.getpid()}")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        new.replace(GOLDEN)
    finally:
        new.unlink(missing_ok=True)


def stale(text: str) -> list[str]:
    """The lines in which the file differs from `text`, by name."""
    stored = GOLDEN.read_text(encoding="utf-8").splitlines() if GOLDEN.exists() else []
    fresh = text.splitlines()
    differ = set(stored).symmetric_difference(fresh)
    names = {json.loads(found)["name"] for found in differ}
    return sorted(names) or ([] if stored == fresh else ["the order of the lines"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Write tests/golden/golden.jsonl from serQ.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing; 1 if stale")
    check = parser.parse_args().check
    try:
        text = generate()
    except SerqMissing as error:
        print(error, file=sys.stderr)
        return 2
    if not check:
        write(text)
        print(f"wrote {len(text.splitlines())} paths, {len(text.encode())} bytes")
        return 0
    for name in (names := stale(text)):
        print(f"stale: {name}", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
