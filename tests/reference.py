"""serQ's event machine (Exec.lean) restated: a second definition, to hold `machine.step` against.

One event at a time, ordered by (time, event number), where `step` takes a whole iteration. Shares
nothing with radproof. `record(start, served, batch, decoders, residents, demand)` is read when an
iteration starts.
"""

from __future__ import annotations

from collections import deque
from typing import Any


def exec_lean(
    path: Any, b_col: int, b_lcm: int, chunk: int, t_lin: int, t_nl: int, horizon: int | None
) -> tuple[list[dict[str, Any]], list[int | None]]:
    """The records and the completion times of a path."""
    counter = 0
    now = served = 0
    program = [0] * len(path)  # 0: to arrive, 1: to prefill, 2: to decode, 3: over
    jobs: list[list[Any]] = []  # [session, decodes, left]
    ready = deque(range(len(path)))
    delays: list[tuple[int, int, int]] = []  # (end, number, session)
    iteration: list[tuple[int, int]] = []
    iteration_end: tuple[int, int] | None = None
    ended: list[int | None] = [None] * len(path)
    records: list[dict[str, Any]] = []

    def settle() -> None:
        nonlocal counter
        while ready:
            session = ready.popleft()
            stage = program[session]
            if stage == 3:
                ended[session] = now
                continue
            work = path[session][stage]
            program[session] += 1
            if work == 0:
                ready.append(session)
            elif stage == 0:
                delays.append((now + work, counter, session))
                counter += 1
            else:
                jobs.append([session, stage == 2, work])

    def start() -> None:
        nonlocal counter, served, iteration, iteration_end
        iteration = []
        decodes, residents = sum(j[1] for j in jobs), len(jobs)
        mode = decodes >= b_col or decodes == residents
        left = b_col if mode else b_lcm
        for session, decoding, todo in jobs:
            if decoding == mode and left:
                tokens = min(1 if decoding else min(todo, chunk), left)
                iteration.append((session, tokens))
                left -= tokens
        if not iteration:
            return
        tokens = sum(t for _, t in iteration)
        phase = {j[0]: j[1] for j in jobs}
        records.append(
            {
                "start": now,
                "served": served,
                "batch": [[s, "d" if phase[s] else "p", t] for s, t in iteration],
                "tokens": tokens,
                "decoders": sum(phase[s] for s, _ in iteration),
                "decoding": decodes,
                "residents": residents,
                "demand": sum(1 if j[1] else min(j[2], chunk) for j in jobs),
            }
        )
        served += tokens
        lasts = max(1, t_lin * ((tokens + b_col - 1) // b_col) + t_nl * tokens)
        iteration_end = (now + lasts, counter)
        counter += 1

    def after_event() -> None:
        settle()
        if iteration_end is None and not any(end <= now for end, _, _ in delays):
            start()

    after_event()
    while True:
        events = [(end, number) for end, number, _ in delays]
        if iteration_end is not None:
            events.append(iteration_end)
        if not events or (horizon is not None and min(events)[0] > horizon):
            return records, ended
        event = min(events)
        now = event[0]
        if event == iteration_end:
            iteration_end = None
            for session, tokens in iteration:
                next(j for j in jobs if j[0] == session)[2] -= tokens
            ready.extend(j[0] for j in jobs if j[2] == 0)
            jobs[:] = [j for j in jobs if j[2]]
        else:
            arrived = next(d for d in delays if d[:2] == event)
            delays.remove(arrived)
            ready.append(arrived[2])
        after_event()
