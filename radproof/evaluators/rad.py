"""RAD's own leap: O(log n) per event.

All decodes of a batch advance together, so one count of decode iterations serves all of them: a
decode that joins the batch at count c with v tokens to go ends at count c + v, and a heap finds
the first to end. A prefill runs its whole chunks at once. The batches of decodes are not built
here: `Columns` derives them from the order of joining and the completions when they are read.

The loop is the product's hot path. Tests compare its results with `machine.step`; it calls a rule
once for each (decodes, residents) or each batch size, and keeps the result.
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
_MOST_MODES = 131_072  # remembered; an overloaded day has ever more residents


def leap_rad(path: Path, deployment: Deployment, scheduler: Scheduler, horizon: int | None) -> Run:
    """RAD's run of a path, at a deployment whose chunk is b_lcm.

    The heap's first entry says how long Decode Mode lasts, the head prompt's whole chunks how long
    Prefill Mode lasts; the next arrival and the horizon end either.
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
    arrivals.append(_NEVER)  # a sentinel: the last arrival needs no test of its own
    arrived = 0
    next_arrival = arrivals[0]
    prefills: deque[int] = deque()
    wanted = 0  # tokens that the prefills would take without a budget
    # Decode iterations so far. A batch of decodes gives each of its jobs one token, so a decode
    # that enters `batch` at `count` with v tokens to go ends when the count is count + v: neither
    # other jobs nor prefills in between change that, and no job is ever updated.
    count = 0
    # The first b_col decodes of the job list, as a heap of (count at which it ends, session). The
    # pair is packed into one int, count * size + session: ints compare several times faster than
    # tuples, and the collector does not track them. Decodes that end together leave by session.
    batch: list[int] = []
    # The decodes behind them in the list. It is empty unless the batch is full: RAD serves in list
    # order, so a decode enters the batch at once, or when a place becomes free, oldest first.
    waiting: deque[int] = deque()
    # The prefills that the previous stretch finished. They join the list as decodes behind the
    # arrivals during that stretch, so they wait until those have been admitted.
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
            # no iteration starts before the next arrival, and none after the horizon counts
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
            # the batch repeats until the first of its decodes ends
            repetitions = batch[0] // size - count
        else:
            tokens, body = chunk, prefills[0]
            rest = left[body]
            # the head prompt takes the whole budget until less than a chunk of it is left
            repetitions = rest // chunk
            if not repetitions:  # a ragged tail shares its batch with the next prefills
                repetitions, shares = 1, _fill(prefills, left, chunk)
                tokens, body = sum(share for _, share in shares), columns.shared(shares)
        try:
            each = lasts[tokens]
        except KeyError:
            each = lasts[tokens] = RULES.duration(tokens, deployment)
        end = now + repetitions * each
        # An arrival may change the mode, so the stretch ends with the iteration in which it falls.
        # An arrival at the end of an iteration precedes that end, as in `machine`, and does not
        # lengthen the stretch: the quotient is rounded up.
        if end > next_arrival:
            repetitions = -((now - next_arrival) // each)
            end = now + repetitions * each
        # An iteration that starts at the horizon counts: the quotient rounded down, plus one. The
        # events at the end of this stretch are after the horizon, so the loop ends here.
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
                # without a budget it took a chunk so far, and now takes what is left
                wanted += rest - chunk
                if not rest:
                    finished = (prefills.popleft(),)
        else:
            for session, share in shares:
                rest = left[session] - share
                wanted -= min(left[session], chunk) - min(rest, chunk)
                left[session] = rest
            finished = [prefills.popleft() for session, _ in shares if not left[session]]
    # A session without tokens ends at its arrival, whatever runs then. The loop admits arrivals at
    # the end of an iteration, and the last one ends after the horizon: the arrivals during it are
    # handled here.
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
    """The batch durations and the modes of a deployment that have been computed so far."""
    return {}, {}
