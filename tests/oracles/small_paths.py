"""Brute force over small deployments: what is true of changed rules on every short path.

It shares no code with the proofs, the leap or the laws: a machine of its own calls the changed
rules on ints (`Loop`), an evaluator of its own reads what each theorem of `radproof prove` says
(`PROPERTIES`), and a search tries every path of the space below and stops, for each property, at
the first that breaks it. Only `model.Job`, which an order reads, and `model.Deployment` are
radproof's.

What is exhausted, for every deployment of `DEPLOYMENTS`:

* every path of one or two sessions whose prompts are 0, 1, b_lcm - 1, b_lcm, b_lcm + 1 or 2 b_lcm
  and whose outputs are 0 to 2 (not both 0); of three sessions, each (0, 1), (0, 2), (1, 1),
  (b_lcm, 0), (b_lcm, 1), (b_lcm, 2) or (2 b_lcm, 1) as (prompt, output); of four sessions, each
  (0, 2), (1, 1), (b_lcm, 1) or (2 b_lcm, 1);
* with arrivals at 0 or at 1, at the end of any iteration, and 1 us into any idle time. An arrival
  during an iteration is admitted at its end, so no other instant makes another run, except to an
  order that reads the instant: with it, on paths of up to three sessions, also 1 us after the start
  of any iteration.

The deployments are b_col 1 to 4 and b_lcm once or twice that, at t_lin = 3, t_nl = 1 and a chunk of
b_lcm, with paths of up to four sessions where b_lcm <= 4 and up to three where it is 6 or 8. Where
b_col <= 2, paths of up to three sessions also run with a chunk of b_lcm + 1, and those of up to two
with one of the speeds, or both, 0.

Paths with a common start share its run, and two runs that stand in the same state, by all that the
future can read, are continued once: of two that differ in the clock alone, the one that has less
time to its tokens (the smaller slack of token_rate). Sessions are numbered in order of arrival. To
an order that reads instants, two runs are the same when one is the other an even time later. A run
is given up after `MOST_STEPS` iterations; `Truth.cut` counts them.
"""

from __future__ import annotations

import functools
import gc
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from radproof.model import DECODE, PREFILL, Deployment, Job

Arrival: TypeAlias = tuple[int, int, int]
"""(arrive, prompt, output): microseconds and tokens."""

PROPERTIES = {
    "token_rate": "served x (t_lin + t_nl b_col) <= b_col x start, of every iteration",
    "optimal_tiling": "a batch fills its tile or every resident decodes, inside Assumption 3",
    "tiled_progress": "no batch is empty or refused while a job is resident, inside Assumption 3",
    "progress": "no batch is empty or refused while a job is resident",
    "decodes_fit": "decodes and prompts in flight are at most b_col, for positive multiples",
    "arrival_order": "prompts stand, start and finish in order of arrival",
    "one_part_filled": "at most one prompt is part-filled",
    "clock": "b_col t = b_col idle + (t_lin + t_nl b_col) S + t_lin waste, where t_lin + t_nl >= 1",
    "leap": "a batch repeats while nobody comes and each share is covered twice",
}
"""What is asked of every run, by name."""

MOST_STEPS = 80

SPEEDS = ((3, 1), (0, 1), (2, 0), (0, 0))


def _deployments() -> Iterator[tuple[Deployment, int]]:
    for (t_lin, t_nl), slack in (*((speed, 0) for speed in SPEEDS), (SPEEDS[0], 1)):
        for tiles, b_col in itertools.product((1, 2), (1, 2, 3, 4)):
            usual = (t_lin, t_nl, slack) == (*SPEEDS[0], 0)
            if usual or b_col <= 2:
                tile = tiles * b_col
                d = Deployment(b_col=b_col, b_row=tile, t_lin=t_lin, t_nl=t_nl, chunk=tile + slack)
                yield d, 4 if usual and tile <= 4 else 3 if usual or slack else 2


DEPLOYMENTS = tuple(_deployments())
"""Each deployment, with the most sessions of a path."""


def kinds(b_lcm: int) -> dict[tuple[int, int], int]:
    """Each (prompt, output), with the most sessions of a path that may have one of this kind."""
    prompts = dict.fromkeys((0, 1, b_lcm - 1, b_lcm, b_lcm + 1, 2 * b_lcm))
    found = dict.fromkeys(itertools.product(prompts, range(3)), 2)
    found |= dict.fromkeys(((0, 1), (b_lcm, 0), (b_lcm, 2)), 3)
    found |= dict.fromkeys(((0, 2), (1, 1), (b_lcm, 1), (2 * b_lcm, 1)), 4)
    del found[0, 0]
    return found


class Resident(NamedTuple):
    """A job: `done` counts the tokens of its present phase."""

    decoding: bool
    prompt: int
    output: int
    done: int
    session: int
    arrive: int

    @property
    def total(self) -> int:
        """The tokens of its present phase."""
        return self.output if self.decoding else self.prompt


class Machine(Protocol):
    """The machine under a scheduler, at one deployment."""

    def batch(self, jobs: tuple[Resident, ...]) -> Sequence[tuple[int, int]]:
        """(place in the list, tokens) of each entry."""

    def idle(self, jobs: tuple[Resident, ...], new: tuple[Resident, ...]) -> tuple[Resident, ...]:
        """The list after an idle time that ends when `new` arrive."""

    def end(
        self, jobs: tuple[Resident, ...], shares: dict[int, int], new: tuple[Resident, ...]
    ) -> tuple[Resident, ...]:
        """The list after an iteration that gives the job at a place its share, `new` arriving."""

    def duration(self, tokens: int) -> int:
        """Microseconds."""

    def served_after(self, served: int, tokens: int) -> int:
        """The tokens served after an iteration, or an idle time (0 tokens)."""


class Loop:
    """The machine, written apart: it calls the rules on ints."""

    def __init__(self, rules: Any, order: Callable[[Job], Any] | None, d: Deployment) -> None:
        self.order = order
        self.mode = functools.cache(lambda k, r: rules.decode_mode(k, r, d))
        self.budget = functools.cache(lambda mode: rules.budget(mode, d))
        self.serves = functools.cache(rules.serves)
        self.want = functools.cache(lambda decoding, left: rules.want(decoding, left, d))
        self.take = functools.cache(rules.take)
        self.left = functools.cache(rules.left)
        self.done_after = functools.cache(rules.done_after)
        self.duration = functools.cache(lambda tokens: rules.duration(tokens, d))
        self.served_after = rules.served_after

    def batch(self, jobs: tuple[Resident, ...]) -> Sequence[tuple[int, int]]:
        """See `Machine`."""
        order = self.order
        places: Any = range(len(jobs))
        if order is not None:
            keys = [
                order(Job(job.session, DECODE if job[0] else PREFILL, job.arrive, job[1], job[3]))
                for job in jobs
            ]
            places = sorted(places, key=keys.__getitem__)
        mode = self.mode(sum(job[0] for job in jobs), len(jobs))
        room = self.budget(mode)
        found = []
        for place in places:
            decoding, prompt, _, done, _, _ = jobs[place]
            if not self.serves(mode, decoding):
                continue
            tokens = self.take(
                self.want(decoding, self.left(prompt, prompt if decoding else done)), room
            )
            if tokens <= 0:
                break
            found.append((place, tokens))
            room -= tokens
        return found

    def idle(self, jobs: tuple[Resident, ...], new: tuple[Resident, ...]) -> tuple[Resident, ...]:
        """See `Machine`."""
        return jobs + new

    def end(
        self, jobs: tuple[Resident, ...], shares: dict[int, int], new: tuple[Resident, ...]
    ) -> tuple[Resident, ...]:
        """See `Machine`."""
        stay, rejoin = [], []
        for place, job in enumerate(jobs):
            share = shares.get(place)
            if share is None:
                stay.append(job)
                continue
            decoding, prompt, output, done, session, arrive = job
            done = self.done_after(done, share)
            if self.left(output if decoding else prompt, done) > 0:
                stay.append(Resident(decoding, prompt, output, done, session, arrive))
            elif output > 0 and not decoding:
                rejoin.append(Resident(True, prompt, output, 0, session, arrive))
        return (*stay, *new, *rejoin)


def reads(order: Callable[[Any], Any] | None) -> set[str]:
    """What an order reads of a job: all that it could, where it cannot be seen."""
    if order is None:
        return set()
    found: set[str] = set()

    class Seen:
        def __init__(self, phase: object) -> None:
            self.phase = phase

        def __getattr__(self, name: str) -> int:
            found.add(name)
            return 1

    try:
        for phase in (PREFILL, DECODE):
            order(Seen(phase))
    except Exception:  # an order may be any Python
        return {"session", "arrive"}
    return found


class Break(NamedTuple):
    """A run that breaks a property."""

    path: tuple[Arrival, ...]
    deployment: Deployment


class Truth(NamedTuple):
    """What the search found: the first break of each property that has one."""

    broken: dict[str, Break]
    cut: int
    """Runs given up after `MOST_STEPS` iterations."""
    states: int


class _State(NamedTuple):
    """A machine between two iterations, with the path that led here."""

    jobs: tuple[Resident, ...]
    path: tuple[Arrival, ...]
    most: int
    """The most sessions that a path of these kinds may have."""
    family: int
    """0: some prompt is no multiple of b_lcm; 1: every prompt is; 2: a positive one."""
    now: int
    seen: int
    """The latest instant up to which arrivals are admitted; before `now` runs backwards, `now`."""
    served: int
    debt: int
    """By how much the clock's identity is off."""
    steps: int


def truth(
    make: Callable[[Deployment], Machine],
    *,
    reads: Iterable[str] = ("session", "arrive"),
    counts: bool = True,
    properties: Iterable[str] = tuple(PROPERTIES),
    deployments: Sequence[tuple[Deployment, int]] = DEPLOYMENTS,
) -> Truth:
    """Which properties break on a path of the space.

    reads: what the scheduler's order reads of a job (`reads`). counts: what is served is not RAD's
    count, so that runs which differ in it are never taken for one.
    """
    broken: dict[str, Break] = {}
    cut = states = 0
    asked = set(properties)
    for d, most in deployments:
        search = _Search(make(d), d, most, set(reads), counts, asked - set(broken))
        search.run()
        broken |= search.broken
        cut += search.cut
        states += search.states
        if asked <= set(broken):
            break
    return Truth(broken, cut, states)


NEW = 100
"""The number of the first newcomer, where numbers are not read: above every rank."""

FAMILY = {"optimal_tiling": 1, "decodes_fit": 2}
"""The least `_State.family` of the paths that a property is about."""


class _Move(NamedTuple):
    """What comes of a list of jobs, whatever the clock and the counts."""

    batch: tuple[tuple[int, int], ...]
    tokens: int
    refused: bool
    """The machine refuses the batch."""
    wrong: tuple[str, ...]
    """The properties that its batch breaks, each where its paths are asked for it."""
    repeats: bool
    """A second batch like it is due, and comes."""
    covered: bool
    """A second batch like it is due."""


class _Search:
    """All paths of one deployment, those of fewer sessions first."""

    def __init__(
        self,
        machine: Machine,
        d: Deployment,
        most: int,
        reads: set[str],
        counts: bool,
        asked: set[str],
    ) -> None:
        self.machine, self.d, self.most = machine, d, most
        self.by_session, self.by_arrival = "session" in reads, "arrive" in reads
        self.counts = counts
        self.asked = asked - ({"clock"} if d.t_lin + d.t_nl == 0 else set())
        self.rate = d.t_lin + d.t_nl * d.b_col
        self.kinds = [(*kind, min(most, at)) for kind, at in kinds(d.b_lcm).items()]
        self.broken: dict[str, Break] = {}
        self.cut = self.states = 0
        self.visited: dict[Any, int] = {}
        self.queues: list[deque[_State]] = [deque() for _ in range(most + 1)]
        self.sequences = functools.cache(self._sequences)
        self.newcomers = functools.cache(self._newcomers)
        self.move = functools.cache(self._move)
        self.after = functools.cache(self._after)

    def run(self) -> None:
        """Fill `broken`."""
        start = _State((), (), self.most, 2, 0, -1, 0, 0, 0)
        self._arrivals(start, (0,))
        collects = gc.isenabled()
        gc.disable()  # states have no cycles, and to look for some takes a third of the time
        try:
            for queue in self.queues:
                while queue and self.asked:
                    self._step(queue.popleft())
        finally:
            if collects:
                gc.enable()

    def _sequences(
        self, count: int, most: int, family: int
    ) -> list[tuple[tuple[tuple[int, int], ...], int, int]]:
        """What may arrive at one instant, after `count` sessions: kinds, `most`, `family`."""
        found: list[Any] = []
        last: list[Any] = [((), most, family)]
        while last:
            longer = []
            for chosen, up_to, kind_family in last:
                for prompt, output, at in self.kinds:
                    limit = min(up_to, at)
                    if count + len(chosen) + 1 > limit:
                        continue
                    tiled = prompt % self.d.b_lcm == 0
                    new_family = min(kind_family, (1 if prompt == 0 else 2) if tiled else 0)
                    longer.append(((*chosen, (prompt, output)), limit, new_family))
            found += longer
            last = longer
        return found

    def _arrivals(self, state: _State, instants: Sequence[int]) -> None:
        """Queue what follows with every arrival at these instants; `state` has the list before."""
        first = len(state.path)
        for chosen, most, family in self.sequences(first, state.most, state.family):
            count = first + len(chosen)
            at_once = instants if self.by_arrival and count <= 3 else instants[-1:]
            for times in itertools.combinations_with_replacement(at_once, len(chosen)):
                new = self.newcomers(
                    chosen,
                    first if self.by_session or self.by_arrival else NEW,
                    times if self.by_arrival else None,
                )
                jobs = self.after(state.jobs, new)
                if self._new(jobs, count, most, family, state):
                    path = tuple((at, *kind) for at, kind in zip(times, chosen, strict=True))
                    self.queues[count].append(
                        _State(jobs, state.path + path, most, family, *state[4:])
                    )

    def _newcomers(
        self, chosen: Sequence[tuple[int, int]], first: int, times: Sequence[int] | None
    ) -> tuple[Resident, ...]:
        """The jobs of sessions that arrive together; without `times`, nobody reads when."""
        return tuple(
            Resident(prompt == 0, prompt, output, 0, number, at)
            for number, ((prompt, output), at) in enumerate(
                zip(chosen, times or [0] * len(chosen), strict=True), first
            )
        )

    def _after(self, jobs: tuple[Resident, ...], new: tuple[Resident, ...]) -> tuple[Resident, ...]:
        """The list after the next batch, or after an idle time, with those who arrive by then.

        Where nobody reads the sessions' numbers, a prompt has its rank and a decode none.
        """
        batch = self.move(jobs).batch if jobs else ()
        machine = self.machine
        found = machine.end(jobs, dict(batch), new) if batch else machine.idle(jobs, new)
        if self.by_session or self.by_arrival:
            return found
        ranks = sorted(job.session for job in found if not job.decoding)
        return tuple(
            [Resident(*job[:4], -1 if job[0] else ranks.index(job[4]), 0) for job in found]
        )

    def _new(
        self, jobs: tuple[Resident, ...], count: int, most: int, family: int, at: _State
    ) -> bool:
        """Whether no run stood like this before, at the clock and the counts of `at`."""
        now, seen, served, debt, steps = at[4:]
        if steps > MOST_STEPS:
            self.cut += 1
            return False
        key: Any = jobs
        if self.by_arrival:
            key = (tuple(job._replace(arrive=job.arrive - now) for job in jobs), now % 2)
        key = (key, count, most, family, seen - now, debt)
        if self.counts:
            key = (key, now, served)
        slack = self.d.b_col * now - served * self.rate if "token_rate" in self.asked else 0
        known = self.visited.get(key)
        if known is not None and known <= slack:
            return False
        self.visited[key] = slack
        return True

    def _break(self, name: str, state: _State) -> None:
        if name in self.asked:
            self.asked.discard(name)
            self.broken[name] = Break(state.path, self.d)

    def _step(self, state: _State) -> None:
        d, machine, jobs = self.d, self.machine, state.jobs
        self.states += 1
        move = self.move(jobs) if jobs else None
        if move is None or not move.batch:
            if jobs:
                self._stuck(state)
            # idle until an arrival, 1 us on
            end = max(state.now, state.seen + 1)
            served = machine.served_after(state.served, 0)
            idle = 0 if jobs else end - state.now
            debt = d.b_col * (end - state.now - idle) - self.rate * (served - state.served)
            later = state._replace(
                now=end, seen=end, served=served, debt=state.debt + debt, steps=state.steps + 1
            )
            self._arrivals(later, (state.seen + 1,))
            return
        if d.b_col * state.now < state.served * self.rate:
            self._break("token_rate", state)
        if state.debt:
            self._break("clock", state)
        for name in move.wrong:
            if state.family >= FAMILY.get(name, 0):
                self._break(name, state)
        if move.refused:
            self._stuck(state)  # the run ends here
            return
        tokens = move.tokens
        lasts = machine.duration(tokens)
        end, seen = state.now + lasts, state.seen
        served = machine.served_after(state.served, tokens)
        if move.covered and (not move.repeats or served != state.served + tokens):
            self._break("leap", state)
        waste = -tokens % d.b_col
        debt = d.b_col * lasts - self.rate * (served - state.served) - d.t_lin * waste
        later = _State(
            jobs,
            state.path,
            state.most,
            state.family,
            end,
            max(seen, end),
            served,
            state.debt + debt,
            state.steps + 1,
        )
        after, count = self.after(jobs, ()), len(state.path)
        if self._new(after, count, state.most, state.family, later):
            self.queues[count].append(later._replace(jobs=after))
        if end > seen:
            self._arrivals(later, (end,) if seen + 1 == end else (seen + 1, end))

    def _stuck(self, state: _State) -> None:
        self._break("progress", state)
        if state.family:
            self._break("tiled_progress", state)

    def _move(self, jobs: tuple[Resident, ...]) -> _Move:
        d = self.d
        batch = tuple(self.machine.batch(jobs))
        tokens = sum(share for _, share in batch)
        if not batch:
            return _Move(batch, 0, False, (), False, False)
        refused = any(
            share != 1 if jobs[place].decoding else share > jobs[place].prompt - jobs[place].done
            for place, share in batch
        )
        wrong = []
        decodes = sum(job.decoding for job in jobs)
        decoders = sum(jobs[place].decoding for place, _ in batch)
        fills = tokens % d.b_col == 0 and d.b_col <= tokens <= d.b_lcm
        if not fills and decoders != len(jobs):
            wrong.append("optimal_tiling")
        waiting = [job for job in jobs if not job.decoding]
        if decodes + sum(job.done > 0 for job in waiting) > d.b_col:
            wrong.append("decodes_fit")
        in_order = sorted(waiting, key=lambda job: job.session)
        if waiting != in_order:
            wrong.append("arrival_order")
        if refused:
            return _Move(batch, tokens, refused, tuple(wrong), False, False)
        after = self.machine.end(jobs, dict(batch), ())
        still = {job.session: job for job in after if not job.decoding}
        shares = {jobs[place].session: share for place, share in batch if not jobs[place].decoding}
        begun = [job.done > 0 or job.session in shares for job in in_order]
        finished = [job.session not in still for job in in_order]
        if sum(one and not other for one, other in zip(begun, finished, strict=True)) > 1:
            wrong.append("one_part_filled")
        if begun != sorted(begun, reverse=True) or finished != sorted(finished, reverse=True):
            wrong.append("arrival_order")
        covered = all(jobs[place].total - jobs[place].done >= 2 * share for place, share in batch)
        repeats = covered and self._repeats(jobs, batch, after)
        return _Move(batch, tokens, False, tuple(wrong), repeats, covered)

    def _repeats(self, jobs: tuple[Resident, ...], batch: Any, after: tuple[Resident, ...]) -> bool:
        """Whether nobody has gone, each has done its share more, and the same batch comes again."""
        given = dict(batch)
        moved = tuple(
            job._replace(done=job.done + given.get(place, 0)) for place, job in enumerate(jobs)
        )
        return after == moved and tuple(self.machine.batch(after)) == batch
