"""RAD's own leap: O(log n) an event.

All decodes of a batch go on together, so one count of decode iterations does for all of them: a
decode that joins the batch at count c with v tokens to go ends at count c + v, and a heap knows
the first. A prefill runs its whole chunks at once. The batches of decodes are not built here:
they are read off the order of joining and the completions where somebody asks (`Columns`).

The loop is the product's hot path. What it computes is tested to be what `machine.step` does; the
rules it asks once for each (decodes, residents) and each batch size, and remembers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from radproof.evaluators.columns import DECODES, Columns
from radproof.model import Deployment, Path
from radproof.rules import RULES
from radproof.runs import Run
from radproof.schedulers.protocol import Scheduler

_NEVER: Any = float("inf")  # compares exactly with ints of any size
_MOST_MODES = 1 << 17  # remembered; an overloaded day has ever more residents


def leap_rad(path: Path, deployment: Deployment, scheduler: Scheduler, horizon: int | None) -> Run:
    """RAD's run of a path, at a deployment whose chunk is b_lcm.

    The heap's first entry says how long Decode Mode goes on, the head prompt's whole chunks how
    long Prefill Mode does; the next arrival and the horizon cut either.
    """
    size = len(path)
    left = [session.prompt for session in path]
    output = [session.output for session in path]
    b_col, chunk = deployment.b_col, RULES.budget(False, deployment)
    lasts, modes = _remembered(deployment)
    last_start = _NEVER if horizon is None else horizon

    completions: list[int | None] = [None] * size
    columns = Columns(completions, b_col, lasts)
    record, joined, joined_at = columns.rows.extend, columns.joined, columns.joined_at
    order = sorted(range(size), key=[session.arrive for session in path].__getitem__)
    arrivals = [path[session].arrive for session in order]
    arrivals.append(_NEVER)  # so that the last arrival needs no test of its own
    arrived = 0
    next_arrival = arrivals[0]
    prefills: deque[int] = deque()
    wanted = 0  # what the prefills would take with no budget
    # Decode iterations so far. A batch of decodes gives each of its jobs one token, so a decode
    # that enters `batch` at `count` with v tokens to go ends when the count is count + v: neither
    # the other jobs nor the prefills in between can change that, and no job is ever updated.
    count = 0
    # The first b_col decodes of the job list, as a heap of (count at which it ends, session). The
    # pair is folded into one int, count * size + session: ints compare several times faster than
    # tuples, and no collector has to follow them. Decodes that end together come out by session.
    batch: list[int] = []
    # The decodes behind them in the list. It is empty unless the batch is full: RAD serves list
    # order, so a decode enters the batch at once or when a place falls free, oldest first.
    waiting: deque[int] = deque()
    # The prefills that the stretch before finished. They join the list as decodes behind those
    # that arrived while it ran, so they are kept until the arrivals have been let in.
    finished: Iterable[int] = ()
    now = 0

    while True:
        while next_arrival <= now:
            session = order[arrived]
            if left[session]:
                prefills.append(session)
                wanted += left[session] if left[session] < chunk else chunk
            elif output[session]:
                if len(batch) < b_col:
                    heappush(batch, (count + output[session]) * size + session)
                else:
                    waiting.append(session)
                joined.append(session)
                joined_at.append(next_arrival)
            else:
                completions[session] = next_arrival
            arrived += 1
            next_arrival = arrivals[arrived]
        for session in finished:
            if not output[session]:
                completions[session] = now
                continue
            if len(batch) < b_col:
                heappush(batch, (count + output[session]) * size + session)
            else:
                waiting.append(session)
            joined.append(session)
            joined_at.append(now)
        finished = ()

        decodes = len(batch)
        if waiting:
            decodes += len(waiting)
        residents = decodes + len(prefills)
        if not residents:
            # nothing starts without a session, and what starts after the horizon does not count
            if next_arrival > last_start or arrived == size:
                break
            now = next_arrival
            continue
        try:
            mode = modes[decodes, residents]
        except KeyError:
            if len(modes) > _MOST_MODES:
                modes.clear()
            mode = modes[decodes, residents] = RULES.decode_mode(decodes, residents, deployment)
        if mode:
            tokens, body = len(batch), DECODES
            # the batch stays as it is until the first of its decodes ends
            repetitions = batch[0] // size - count
        else:
            tokens, body = chunk, prefills[0]
            rest = left[body]
            # the head of the list takes the whole budget until less than a chunk is left of it
            repetitions = rest // chunk
            if not repetitions:  # a ragged tail shares its batch with the next prefills
                repetitions, shares = 1, _fill(prefills, left, chunk)
                tokens, body = sum(share for _, share in shares), columns.shared(shares)
        try:
            each = lasts[tokens]
        except KeyError:
            each = lasts[tokens] = RULES.duration(tokens, deployment)
        end = now + repetitions * each
        # An arrival may change the mode, so the stretch ends with the iteration that it falls in.
        # An arrival at the very end of an iteration precedes that end, as in `machine`, and does
        # not lengthen the stretch: the quotient is rounded up.
        if end > next_arrival:
            repetitions = -((now - next_arrival) // each)
            end = now + repetitions * each
        # An iteration that starts at the horizon counts: the quotient rounded down, and one more.
        # What happens at the end of this stretch happens after the horizon, so the loop is over.
        if end > last_start:
            repetitions = min(repetitions, (last_start - now) // each + 1)
            record((now, repetitions, tokens, decodes, residents, wanted, body))
            break
        record((now, repetitions, tokens, decodes, residents, wanted, body))
        now = end

        if mode:
            count += repetitions
            until = (count + 1) * size  # the least key of a later count
            while batch and batch[0] < until:
                completions[heappop(batch) % size] = now
            while waiting and len(batch) < b_col:
                session = waiting.popleft()
                heappush(batch, (count + output[session]) * size + session)
        elif body >= 0:
            left[body] = rest = rest - repetitions * chunk
            if rest < chunk:
                # with no budget it would have taken a chunk, and now takes what is left
                wanted += rest - chunk
                if not rest:
                    finished = (prefills.popleft(),)
        else:
            for session, share in shares:
                rest = left[session] - share
                wanted -= min(left[session], chunk) - min(rest, chunk)
                left[session] = rest
            finished = [prefills.popleft() for session, _ in shares if not left[session]]
    # A session of no tokens ends at its arrival, whatever runs then. The loop lets arrivals in at
    # the end of an iteration, and the last one ends after the horizon: those that arrived while
    # it ran are left.
    for place in range(arrived, size):
        session = order[place]
        if arrivals[place] <= last_start and not left[session] and not output[session]:
            completions[session] = arrivals[place]
    return Run(
        path=path,
        deployment=deployment,
        scheduler=scheduler,
        horizon=horizon,
        engine="leap",
        iterations=sum(columns.column("count")),
        stretches=columns,
        completions=tuple(completions),
    )


def _fill(prefills: deque[int], left: list[int], chunk: int) -> list[tuple[int, int]]:
    """(session, share) of the prefills in order, until the chunk is used."""
    shares, remaining = [], chunk
    for session in prefills:
        share = min(left[session], remaining)
        shares.append((session, share))
        remaining -= share
        if not remaining:
            break
    return shares


@lru_cache(maxsize=64)
def _remembered(
    deployment: Deployment,
) -> tuple[dict[int, int], dict[tuple[int, int], bool]]:
    """The batch times and the modes of a deployment, as far as they have been asked for."""
    return {}, {}
