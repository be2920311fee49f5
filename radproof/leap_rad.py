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
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any

from radproof.columns import Columns
from radproof.model import Deployment, Path
from radproof.rules import budget, decode_mode, duration
from radproof.runs import Run
from radproof.scheduler import Scheduler

_NEVER: Any = float("inf")  # compares exactly with ints of any size
_MOST_MODES = 1 << 17  # remembered; an overloaded day has ever more residents


def leap_rad(path: Path, deployment: Deployment, scheduler: Scheduler, horizon: int | None) -> Run:
    """RAD's run of a path, at a deployment whose chunk is b_lcm.

    The heap's first entry says how long Decode Mode goes on, the head prompt's whole chunks how
    long Prefill Mode does; the next arrival and the horizon cut either.
    """
    size = len(path)
    arrive = [session.arrive for session in path]
    left = [session.prompt for session in path]
    output = [session.output for session in path]
    b_col, chunk = deployment.b_col, budget(False, deployment)
    lasts, modes = _remembered(deployment)
    last_start = _NEVER if horizon is None else horizon

    completions: list[int | None] = [None] * size
    columns = Columns(completions, b_col, lasts)
    record, joined, joined_at = columns.rows.extend, columns.joined, columns.joined_at
    order = sorted(range(size), key=arrive.__getitem__)
    order.reverse()  # the next one last, to be popped
    next_arrival = arrive[order[-1]] if order else _NEVER
    prefills: deque[int] = deque()
    wanted = 0  # what the prefills would take with no budget
    batch: list[int] = []  # heap of the first b_col decodes: ends at this count * size + session
    waiting: deque[int] = deque()  # the decodes behind them, in order
    finished: list[int] = []  # prefills that the batch before has finished, in order
    count = 0  # decode iterations so far
    decodes = residents = 0
    iterations = now = 0

    while True:
        while next_arrival <= now:
            session = order.pop()
            if left[session]:
                prefills.append(session)
                wanted += left[session] if left[session] < chunk else chunk
            elif output[session]:
                waiting.append(session)
                joined.append(session)
                joined_at.append(next_arrival)
            elif next_arrival <= last_start:
                completions[session] = next_arrival
            next_arrival = arrive[order[-1]] if order else _NEVER
        if finished:
            for session in finished:
                if output[session]:
                    waiting.append(session)
                    joined.append(session)
                    joined_at.append(now)
                elif now <= last_start:
                    completions[session] = now
            finished.clear()
        while waiting and len(batch) < b_col:
            session = waiting.popleft()
            heappush(batch, (count + output[session]) * size + session)

        decodes = len(batch) + len(waiting)
        residents = decodes + len(prefills)
        if now > last_start:
            break
        if not residents:
            if not order:
                break
            now = next_arrival
            continue
        mode = modes.get((decodes, residents))
        if mode is None:
            if len(modes) > _MOST_MODES:
                modes.clear()
            mode = modes[decodes, residents] = decode_mode(decodes, residents, deployment)
        if mode:
            tokens, body = len(batch), -1
            repetitions = batch[0] // size - count
        else:
            tokens, body = chunk, prefills[0]
            repetitions = left[body] // chunk
            if not repetitions:  # a ragged tail shares its batch with the next prefills
                repetitions, shares = 1, _fill(prefills, left, chunk)
                tokens, body = sum(share for _, share in shares), columns.shared(shares)
        each = lasts.get(tokens)
        if each is None:
            each = lasts[tokens] = duration(tokens, deployment)
        end = now + repetitions * each
        if end > next_arrival:
            repetitions = -((now - next_arrival) // each)
            end = now + repetitions * each
        if end - each > last_start:
            repetitions = (last_start - now) // each + 1
            end = now + repetitions * each
        record((now, repetitions, tokens, decodes, residents, decodes + wanted, body))
        iterations += repetitions
        now = end

        if mode:
            count += repetitions
            until = (count + 1) * size
            while batch and batch[0] < until:
                session = heappop(batch) % size
                if now <= last_start:
                    completions[session] = now
        elif body >= 0:
            left[body] -= repetitions * chunk
            if left[body] < chunk:
                wanted += left[body] - chunk
                if not left[body]:
                    finished.append(prefills.popleft())
        else:
            for session, share in shares:
                after = left[session] - share
                wanted -= min(left[session], chunk) - min(after, chunk)
                left[session] = after
                if not after:
                    finished.append(prefills.popleft())
    return Run(
        path=path,
        deployment=deployment,
        scheduler=scheduler,
        horizon=horizon,
        engine="leap",
        iterations=iterations,
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
