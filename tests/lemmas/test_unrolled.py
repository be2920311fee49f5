"""The unrolled list against the machine: the same batch, the same jobs afterwards."""

from __future__ import annotations

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st
from proof.changed_rules import CHANGED

from radproof.errors import SchedulerError
from radproof.lemmas import unrolled
from radproof.lemmas.obligations import WORLD
from radproof.machine import step
from radproof.model import DECODE, PREFILL, Deployment, Job, Session, State
from radproof.readers.terms import Names
from radproof.schedulers import RuleScheduler

WORLDS = [WORLD] + [
    world
    for name, (world, _) in CHANGED.items()
    if name.split(":")[0] in ("decode_mode", "serves", "budget", "want", "take")
]


@st.composite
def lists(draw):
    node = Deployment(
        b_col=draw(st.integers(1, 5)),
        b_row=draw(st.sampled_from([1, 2, 3])),
    )
    jobs, path = [], []
    for number in range(draw(st.integers(1, 7))):
        decoding = draw(st.booleans())
        total = draw(st.integers(1, 9))
        done = draw(st.integers(0, total - 1))
        prompt, output = (draw(st.integers(0, 5)), total) if decoding else (total, 2)
        path.append(Session(0, prompt, output))
        jobs.append(Job(number, DECODE if decoding else PREFILL, 0, prompt, done))
    return node, tuple(path), tuple(jobs)


def read(path, jobs, world, node):
    values = {"residents": len(jobs)}
    for i, job in enumerate(jobs):
        session = path[job.session]
        values |= {
            f"decoding_{i}": job.phase is DECODE,
            f"prompt_{i}": session.prompt,
            f"output_{i}": session.output,
            f"done_{i}": job.done,
        }
    row = unrolled.places(Names(values), len(jobs))
    return unrolled.iteration(row, len(jobs), world, node)


@settings(max_examples=600, deadline=None, derandomize=True, database=None)
@given(lists(), st.sampled_from(WORLDS))
def test_the_unrolled_list_does_what_the_machine_does(drawn, world):
    node, path, jobs = drawn
    read_off = read(path, jobs, world, node)
    scheduler = RuleScheduler(world.rules)
    state = State(0, jobs, ())
    refused, after, record = None, None, None
    try:
        after, record = step(state, path, node, scheduler)
    except SchedulerError as error:
        refused = error.kind
    if refused is not None:
        # too many tokens for a job, or none for anybody
        pairs = zip(read_off.places, read_off.shares, strict=True)
        wrong = [s > p.left(world) or (p.decoding and s > 1) for p, s in pairs]
        assert any(wrong) or (refused == "stuck" and read_off.tokens == 0)
        return
    shares = {entry.session: entry.tokens for entry in record.batch}
    assert list(read_off.shares) == [shares.get(job.session, 0) for job in jobs]
    for name in ("tokens", "prefilled", "decoders", "decoding", "residents"):
        assert getattr(read_off.record, name) == getattr(record, name), name
    done = {job.session: job for job in after.jobs}
    for job, then, place in zip(jobs, read_off.after, read_off.places, strict=True):
        later = done.get(job.session)
        if later is not None and later.phase is job.phase:
            assert later.done == then
        else:
            assert world.rules.left(place.total, then) <= 0


def test_an_absent_place_takes_nothing():
    node = Deployment(b_col=3)
    read_off = read(
        (Session(0, 3, 1),) * 2, (Job(0, PREFILL, 0, 3), Job(1, PREFILL, 0, 3)), WORLD, node
    )
    shorter = unrolled.iteration(
        tuple(attrs.evolve(place, present=i < 1) for i, place in enumerate(read_off.places)),
        1,
        WORLD,
        node,
    )
    assert (read_off.shares, shorter.shares) == ((3, 0), (3, 0))
    assert (read_off.residents, shorter.residents) == (2, 1)
