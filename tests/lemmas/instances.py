"""Every composition at what happens in a run: its variables' values, and what comes afterwards."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from lemmas.real_runs import Fill, Move, Run, Turn

from radproof.model import DECODE, PREFILL, Job, Session
from radproof.number import ceil_div

Values = dict[str, Any]


@attrs.frozen
class Instance:
    """A composition at values of its variables."""

    composition: str
    values: Values
    later: Mapping[str, Sequence[Values]] = attrs.field(factory=dict)
    """By invariant that it shows: the values of its variables after the event, for each time."""


def instances(run: Run, draw: random.Random) -> Iterator[Instance]:
    """A run's events, each as the compositions that are about it."""
    yield from _start(run, draw)
    idle = waste = 0
    for move in run.moves:
        if move.record is not None:
            yield from _iteration(run, move, idle, waste)
            yield from _fill(run, move, draw)
            yield from _list(run, move, draw)
            b_col = run.node.b_col
            waste += b_col * ceil_div(move.record.tokens, b_col) - move.record.tokens
        elif not move.before.jobs:
            # where a job is resident, the theorem `run` says that no batch is empty
            yield from _idle(run, move, idle, waste)
            idle += move.after.now - move.before.now
        yield from _arrivals(run, move, draw)
    for stretch in run.stretches:
        yield from _stretch(run, stretch, draw)


# values


def node_of(run: Run) -> Values:
    d = run.node
    return {
        "b_col": d.b_col,
        "tiles": d.b_lcm // d.b_col,
        "slack": d.chunk - d.b_lcm,
        "t_lin": d.t_lin,
        "t_nl": d.t_nl,
    }


def job_of(run: Run, job: Job) -> Values:
    session = run.path[job.session]
    left = run.world.rules.left(session.prompt, job.done)
    return {
        "decoding": job.phase is DECODE,
        "prompt": session.prompt,
        "output": session.output,
        "done": job.done,
        "k": 0 if job.phase is DECODE else left // run.node.b_lcm,
    }


def fields(which: str, job: Job) -> Values:
    return {
        f"{which}_session": job.session,
        f"{which}_arrive": job.arrive,
        f"{which}_prompt": job.prompt,
        f"{which}_done": job.done,
    }


def list_of(fill: Fill) -> Values:
    return {
        "mode": fill.mode,
        "decodes": fill.decodes,
        "residents": fill.residents,
        "limit": fill.limit,
    }


def served_of(turn: Turn) -> Values:
    names = ("served", "asked", "wanted", "offer", "share")
    return {name: getattr(turn, name) for name in names}


def clock_of(move: Move) -> Values:
    return {"now": move.before.now, "served_before": move.before.served}


def then_of(move: Move) -> Values:
    return {"now": move.after.now, "served_before": move.after.served}


def record_of(move: Move) -> Values:
    record = move.record
    assert record is not None
    return {
        "tokens": record.tokens,
        "decoders": record.decoders,
        "demand": record.demand,
        "end": record.end,
        "served_later": move.after.served,
    }


def some(draw: random.Random, things: Sequence[Any], most: int = 2) -> Sequence[Any]:
    return draw.sample(things, min(most, len(things)))


# at time 0


def _start(run: Run, draw: random.Random) -> Iterator[Instance]:
    if not run.moves:
        return
    first = run.moves[0].before
    assert not first.jobs
    now: Values = {"now": first.now, "served_before": first.served}
    unknown = {"now": draw.randrange(1, 99), "served_before": draw.randrange(1, 99)}
    node, some_list = node_of(run), {"mode": True, "decodes": 3, "residents": 4, "limit": 2}
    yield Instance("run.begins", unknown, {"clock": [now]})
    yield Instance("token_rate.begins", node | unknown, {"rate": [now]})
    yield Instance(
        "clock.begins",
        node | unknown | {"idle": 2, "waste": 3},
        {"clocked": [now | {"idle": 0, "waste": 0}]},
    )
    pending = run.path[first.pending[0]]
    yield Instance(
        "arrival_order.begins",
        node
        | some_list
        | unknown
        | {"next_session": first.pending[0], "next_arrive": pending.arrive},
        {"queue": [now | {"residents": len(first.jobs)}]},
    )
    yield Instance(
        "decodes_fit.begins",
        node | some_list | {"flight": 3, "decodes_after": 1, "flight_after": 1},
        {"decodes fit": [{"decodes": len(first.jobs), "flight": len(first.jobs)}]},
    )


# an idle time


def _new(run: Run, move: Move) -> Values:
    """How many of those that arrive decode at once, and the prompt of one that arrives."""
    known = {job.session for job in move.before.jobs}
    new = [job for job in move.after.jobs if job.session not in known]
    decodes = [job for job in new if job.phase is DECODE]
    chosen = (decodes or new or [None])[0]
    prompt = run.path[chosen.session].prompt if chosen else 1
    return {"arriving": len(decodes), "arriving_prompt": prompt}


def _decodes_fit(move: Move) -> Values:
    jobs = move.after.jobs
    return {
        "decodes": sum(job.phase is DECODE for job in jobs),
        "flight": sum(job.phase is PREFILL and job.done > 0 for job in jobs),
    }


def _idle(run: Run, move: Move, idle: int, waste: int) -> Iterator[Instance]:
    node, wait = node_of(run), move.after.now - move.before.now
    values = node | clock_of(move) | {"wait": wait, "served_later": move.after.served}
    then = then_of(move)
    yield Instance("run.idles", values, {"clock": [then]})
    yield Instance("token_rate.idles", values, {"rate": [then]})
    elapsed = {"idle": idle, "waste": waste}
    yield Instance(
        "clock.idles",
        values | elapsed,
        {"clocked": [then | {"idle": idle + wait, "waste": waste}]},
    )
    empty = {"mode": True, "decodes": 0, "residents": 0, "limit": 0}
    counts = {"flight": 0, "decodes_after": 0, "flight_after": 0}
    yield Instance(
        "decodes_fit.idles",
        node | empty | counts | _new(run, move),
        {"decodes fit": [_decodes_fit(move)]},
    )


# an iteration


def _iteration(run: Run, move: Move, idle: int, waste: int) -> Iterator[Instance]:
    fill = move.fill
    assert fill is not None
    node, then = node_of(run), then_of(move)
    the_list, over = list_of(fill), fill.point(len(fill.turns))
    clock, record = clock_of(move), record_of(move)
    assert (record["tokens"], record["decoders"]) == (over["tokens"], over["decoders"])
    yield Instance("run.clock", node | the_list | clock | record, {"clock": [then]})
    yield Instance("token_rate.iteration", node | the_list | clock | record, {"rate": [then]})
    yield Instance(
        "run.batch",
        node | the_list | over,
        {"batch": [{"tokens": record["tokens"], "limit": fill.limit}]},
    )
    yield Instance("optimal_tiling.iteration", node | the_list | over | clock | record)
    b_col = run.node.b_col
    wasted = waste + b_col * ceil_div(record["tokens"], b_col) - record["tokens"]
    yield Instance(
        "clock.iteration",
        node | the_list | clock | record | {"idle": idle, "waste": waste},
        {"clocked": [then | {"idle": idle, "waste": wasted}]},
    )
    yield Instance(
        "decodes_fit.iteration",
        node | the_list | over | _new(run, move),
        {"decodes fit": [_decodes_fit(move)]},
    )


# a fill


def _fill(run: Run, move: Move, draw: random.Random) -> Iterator[Instance]:
    fill = move.fill
    assert fill is not None
    node, the_list, start = node_of(run), list_of(fill), fill.point(0)
    unknown = fill.point(len(fill.turns))
    former = {"unfinished": True, "former_passed": True, "former_prompt": 3, "former_after": 1}
    before = {"unfinished": False, "former_passed": False}
    full = start | the_list
    yield Instance("run.fill.begins", node | the_list | unknown, {"fill": [full]})
    yield Instance(
        "optimal_tiling.fill.begins",
        node | the_list | unknown,
        {"first of whole tiles": [full]},
    )
    yield Instance(
        "one_part_filled.fill.begins",
        node | the_list | unknown | former,
        {"unfinished": [full | before]},
    )
    yield Instance("decodes_fit.fill.begins", node | the_list | unknown, {"applied": [full]})
    for place, turn in some(draw, list(fill), 3):
        yield from _turn(run, move, fill, place, turn, draw)


def _turn(
    run: Run, move: Move, fill: Fill, place: int, turn: Turn, draw: random.Random
) -> Iterator[Instance]:
    at, then = fill.point(place), fill.point(place + 1)
    values = node_of(run) | list_of(fill) | at | job_of(run, turn.job) | served_of(turn)
    later = values | then
    yield Instance("run.fill", values, {"fill": [later], "entry": [later]})
    yield Instance(
        "optimal_tiling.fill",
        values | clock_of(move) | {k: v for k, v in record_of(move).items() if k in _RECORDED},
        {"first of whole tiles": [later], "share of a whole tile": [later]},
    )
    applied = {"total": turn.total, "after": turn.done, "remains": turn.stays}
    yield Instance("decodes_fit.fill", values | applied, {"applied": [later]})
    prompts = [one for _, one in fill if not one.decoding]
    for former in some(draw, prompts, 2) or [None]:
        yield _behind(fill, place, turn, values, later, former)
    gaining = [one for _, one in fill if one.served]
    for former in some(draw, gaining, 2) or [None]:
        yield _after_full_want(fill, place, turn, values, later, former)
    if not turn.decoding:
        for former in some(draw, [one for one in prompts if one is not turn], 2):
            yield from _two_prompts(run, fill, place, turn, values, former)


_RECORDED = ("end", "demand")


def _behind(
    fill: Fill, place: int, turn: Turn, values: Values, later: Values, former: Turn | None
) -> Instance:
    where = len(fill.turns) if former is None else fill.place[former.job.session]
    known = {
        "former_prompt": 0 if former is None else former.session.prompt,
        "former_after": 0 if former is None else former.done,
    }
    return Instance(
        "one_part_filled.fill",
        values
        | known
        | {"former_passed": where < place, "is_former": where == place, "after": turn.done},
        {"unfinished": [later | known | {"former_passed": where <= place}]},
    )


def _after_full_want(
    fill: Fill, place: int, turn: Turn, values: Values, later: Values, former: Turn | None
) -> Instance:
    where = len(fill.turns) if former is None else fill.place[former.job.session]
    known = {
        "former_share": 0 if former is None else former.share,
        "former_want": 0 if former is None else former.wanted,
    }
    passed = {"former_passed": where < place}
    return Instance(
        "leap.full_want",
        values | known | passed | {"is_former": where == place},
        {
            "full want": [later | known | {"former_passed": where <= place}],
            "in want": [values | known | passed],
        },
    )


def _two_prompts(
    run: Run, fill: Fill, place: int, turn: Turn, values: Values, other: Turn
) -> Iterator[Instance]:
    """This turn's prompt and another of the list, as the former and the latter of it."""
    known = [job.session for job in fill.listed]
    behind = known.index(other.job.session) < known.index(turn.job.session)
    former, latter = (other, turn) if behind else (turn, other)
    pair = fields("former", former.job) | fields("latter", latter.job)
    where = fill.place[other.job.session]
    if behind:
        yield Instance(
            "one_part_filled.turn",
            values
            | pair
            | {
                "former_after": former.done,
                "former_first": fill.place[former.job.session] < fill.place[latter.job.session],
                "former_passed": where < place,
                "latter_share": latter.share,
            },
            {
                "in turn": [
                    values | pair | {"former_after": former.done, "latter_share": turn.share}
                ]
            },
        )
    if where < place:
        yield Instance(
            "one_part_filled.begun", values | pair | {"behind": behind}, {"not begun": [values]}
        )


# the list afterwards


def _rank(run: Run, session: int) -> int:
    return run.queue.index(session)


def _list(run: Run, move: Move, draw: random.Random) -> Iterator[Instance]:
    fill = move.fill
    assert fill is not None
    admitted = len(run.path) - len(move.before.pending)
    for _, turn in fill:
        rank = _rank(run, turn.job.session)
        owned = {"rank": rank, "admitted": admitted, "admits": len(move.admitted)}
        then = {"rank": rank, "admitted": len(run.path) - len(move.after.pending)}
        values = job_of(run, turn.job) | owned
        if turn.after is None:
            continue
        work = {"work": [job_of(run, turn.after)], "owner": [then]}
        if turn.rejoins:
            yield Instance("run.rejoins", values, work)
            yield Instance(
                "optimal_tiling.rejoins",
                node_of(run) | job_of(run, turn.job),
                {"whole tiles": [job_of(run, turn.after)]},
            )
            continue
        share = {"share": turn.share, "after": turn.done, "total": turn.total}
        assert turn.after.done == turn.done
        yield Instance("run.stays", values | share, work)
        yield Instance(
            "optimal_tiling.stays",
            node_of(run) | job_of(run, turn.job) | share,
            {"whole tiles": [job_of(run, turn.after)]},
        )
    listed = [fill.turns[fill.place[job.session]] for job in fill.listed]
    prompts = [turn for turn in listed if turn.stays and not turn.decoding]
    pairs = list(itertools.combinations(prompts, 2))
    for former, latter in some(draw, pairs, 3):
        yield Instance(
            "one_part_filled.stays",
            node_of(run)
            | fields("former", former.job)
            | fields("latter", latter.job)
            | {
                "former_share": former.share,
                "former_after": former.done,
                "latter_share": latter.share,
                "latter_end": latter.done,
            },
            {"prompts in order": [fields("former", former.after) | fields("latter", latter.after)]},
        )


# arrivals


def _arrivals(run: Run, move: Move, draw: random.Random) -> Iterator[Instance]:
    known = [job.session for job in move.before.jobs]
    jobs = {job.session: job for job in move.after.jobs}
    before = len(run.path) - len(move.before.pending)
    for place, session in enumerate(move.admitted):
        owned = {"admitted": before + place, "new": _rank(run, session)}
        residents = [*known, *(one for one in move.admitted[:place] if one in jobs)]
        for other in some(draw, residents, 2):
            yield Instance("run.one_job", owned | {"rank": _rank(run, other)})
        if session not in jobs:
            continue
        job = jobs[session]
        values = job_of(run, job)
        later = owned | {"rank": owned["new"], "admitted": before + place + 1}
        yield Instance(
            "run.arrives",
            values | {"done": 9, "rank": 0} | owned,
            {"work": [values], "owner": [later]},
        )
        yield Instance(
            "optimal_tiling.arrives",
            node_of(run) | values | {"done": 9, "k": 7, "arrive": job.arrive},
            {"whole tiles": [values]},
        )
    yield from _queue(run, move, draw)


def _queue(run: Run, move: Move, draw: random.Random) -> Iterator[Instance]:
    """The queue's first session and another; beyond its end, sessions that nobody sends."""
    if move.record is None and move.before.jobs:
        return
    end = move.after.now
    count = len(run.path)
    latest = max(end, *(session.arrive for session in run.path))
    nobody = [(count + i, Session(latest + 1 + i, 1, 1)) for i in range(2)]
    queue = [(one, run.path[one]) for one in move.before.pending] + nobody
    first, one = queue[0]
    for second, other in some(draw, queue[1:], 2):
        pending = {
            "latter_session": first,
            "latter_arrive": one.arrive,
            "latter_prompt": one.prompt,
            "latter_done": _done_when_new(move, first),
            "next_session": second,
            "next_arrive": other.arrive,
        }
        both_new = {
            "now": end,
            "former_session": first,
            "former_arrive": one.arrive,
            "latter_session": second,
            "latter_arrive": other.arrive,
            "latter_done": _done_when_new(move, second),
        }
        if move.record is None:
            values = node_of(run) | {"mode": True, "decodes": 0, "residents": 0, "limit": 0}
            dummy = Job(0, PREFILL, 0, 1)
            yield Instance(
                "arrival_order.idles",
                values | fields("former", dummy) | pending | clock_of(move) | {"end": end},
                {
                    "here": [both_new],
                    "prompts in order": [both_new],
                    "queue": [{"now": end, "next_arrive": other.arrive}],
                },
            )
            continue
        assert move.fill is not None
        for former in some(draw, move.before.jobs, 2):
            values = node_of(run) | list_of(move.fill) | fields("former", former) | pending
            yield Instance(
                "arrival_order",
                values | clock_of(move) | record_of(move),
                {
                    "here": [{"now": end}, both_new],
                    "prompts in order": [values, both_new],
                    "queue": [{"now": end, "next_arrive": other.arrive}],
                },
            )


def _done_when_new(move: Move, session: int) -> int:
    """What a session has done as it arrives; before, nothing."""
    return next((job.done for job in move.after.jobs if job.session == session), 0)


# a stretch


def _stretch(run: Run, stretch: tuple[Move, ...], draw: random.Random) -> Iterator[Instance]:
    first = stretch[0]
    assert first.fill is not None
    assert first.record is not None
    node, clock = node_of(run), clock_of(first)
    span = {
        "first_now": first.before.now,
        "first_served": first.before.served,
        "tokens": first.record.tokens,
        "lasts": first.record.end - first.record.start,
    }
    [someone] = some(draw, first.fill.turns, 1)
    yield Instance(
        "leap.begins",
        node
        | span
        | {"now": 7, "served_before": 5, "index": 3}
        | {"first_done": someone.job.done, "share": someone.share, "first": True}
        | job_of(run, someone.job)
        | {"done": 9},
        {
            "affine": [clock | span | {"index": 0}],
            "work of a stretch": [{"index": 0, "done": someone.job.done}],
            "order of a stretch": [{"first_again": True, "first": True}],
        },
    )
    for index, move in some(draw, list(enumerate(stretch)), 4):
        fill = move.fill
        assert fill is not None
        last = draw.randrange(index, len(stretch))
        at = node | span | clock_of(move) | {"index": index}
        yield Instance("leap.between", at | {"last": last})
        yield _called_again(run, first.fill, fill)
        for turn in some(draw, first.fill.turns, 2):
            yield _share_again(run, first.fill, fill, turn, index)
            yield _repeated(run, move, first.fill, turn, at)
        nexts = stretch[index + 1].fill if index + 1 < len(stretch) else None
        if nexts is not None:
            yield from _pairs_again(run, first.fill, fill, nexts, draw)


def _again(first: Fill, fill: Fill, session: int) -> Values:
    place = fill.place[session]
    turn, at = fill.turns[place], fill.point(place)
    return {
        "filling_again": at["filling"],
        "served_again": turn.served,
        "mode_again": fill.mode,
        "remaining_again": at["remaining"],
        "tokens_again": at["tokens"],
        "limit_again": fill.limit,
        "asked_again": turn.asked,
        "wanted_again": turn.wanted,
        "offer_again": turn.offer,
        "share_again": turn.share,
    }


def _passed_again(fill: Fill, passed: int) -> Values:
    at = fill.point(passed)
    return {f"{name}_again": at[name] for name in ("filling", "remaining", "tokens")}


def _called_again(run: Run, first: Fill, fill: Fill) -> Instance:
    unknown = first.point(len(first.turns))
    again = _again(first, fill, fill.turns[-1].job.session)
    later = first.point(0) | list_of(first) | again | _passed_again(fill, 0)
    nobody = {"former_passed": False, "former_share": 0, "former_want": 0}
    return Instance(
        "leap.fill.begins",
        node_of(run) | list_of(first) | unknown | again,
        {"fill again": [later], "full want": [later | nobody]},
    )


def _share_again(run: Run, first: Fill, fill: Fill, turn: Turn, index: int) -> Instance:
    session = turn.job.session
    place, place_again = first.place[session], fill.place[session]
    now = fill.turns[place_again].job
    again = _again(first, fill, session)
    values = node_of(run) | list_of(first) | first.point(place) | job_of(run, now) | served_of(turn)
    later = first.point(place + 1) | _passed_again(fill, place_again + 1)
    return Instance(
        "leap.fill",
        values | again | {"index": index, "first_done": turn.job.done},
        {"share again": [values | again], "fill again": [later]},
    )


def _repeated(run: Run, move: Move, first: Fill, turn: Turn, at: Values) -> Instance:
    fill = move.fill
    assert fill is not None
    session = turn.job.session
    turn_again = fill.turns[fill.place[session]]
    over, index = first.point(len(first.turns)), at["index"]
    worked = {"first_done": turn.job.done, "share": turn.share}
    values = (
        at
        | worked
        | job_of(run, turn_again.job)
        | _again(first, fill, session)
        | _passed_again(fill, len(fill.turns))
        | {name: over[name] for name in ("filling", "remaining")}
        | {"wanted": turn.wanted, "after": turn_again.done, "total": turn.total}
        | {name: record_of(move)[name] for name in ("end", "served_later")}
    )
    return Instance(
        "leap.repetition",
        values,
        {
            "affine": [at | then_of(move) | {"index": index + 1}],
            "work of a stretch": [worked | {"done": turn_again.done, "index": index + 1}],
        },
    )


def _pairs_again(
    run: Run, first: Fill, fill: Fill, later: Fill, draw: random.Random
) -> Iterator[Instance]:
    pairs = [
        (one.session, other.session)
        for one, other in itertools.combinations(first.listed, 2)
        if one.phase is other.phase
    ]

    def is_first(of: Fill, one: int, other: int) -> bool:
        return of.place[one] < of.place[other]

    for sessions in some(draw, pairs, 2):
        turns = [fill.turns[fill.place[session]] for session in sessions]
        values = node_of(run) | {
            "mode": fill.mode,
            "first": is_first(first, *sessions),
            "first_again": is_first(fill, *sessions),
        }
        for which, turn in zip(("one", "other"), turns, strict=True):
            values |= fields(which, turn.job) | {
                f"{which}_output": turn.session.output,
                f"{which}_share": turn.share,
                f"{which}_want": turn.wanted,
                f"{which}_after": turn.done,
            }
        yield Instance(
            "leap.decodes" if turns[0].decoding else "leap.prompts",
            values,
            {
                "order of a stretch": [
                    {"first": values["first"], "first_again": is_first(later, *sessions)}
                ]
            },
        )
