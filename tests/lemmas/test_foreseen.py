"""A list whose length depends on numbers, and the step that the lemmas foresee, on ints."""

from __future__ import annotations

import random

import pytest
from proof.changed_rules import CHANGED

from radproof.lemmas.foreseen import Listed
from radproof.lemmas.obligations import WORLD
from radproof.lemmas.scenes import Scene
from radproof.model import DECODE, PREFILL, Deployment, Job, Session, State
from radproof.proof.audit import broken_laws, take_step


@pytest.mark.parametrize(
    ("found", "same"),
    [
        ([("a", 1), ("c", 3)], True),
        ([("c", 3), ("a", 1)], False),
        ([("a", 1)], False),
        ([("a", 1), ("b", 2), ("c", 3)], False),
        ([("a", 1), ("c", 4)], False),
        ([], False),
    ],
)
def test_a_list_is_who_is_in_it_in_order(found, same):
    listed = Listed([(True, ("a", 1)), (False, ("b", 2)), (True, ("c", 3))])
    assert listed.same(found) is same


def drawn(draw):
    """A scene with up to six jobs in any order of their numbers, and up to three to come."""
    size, coming = draw.randint(0, 6), draw.randint(0, 3)
    numbers = draw.sample(range(size + coming), size + coming)
    path = [None] * (size + coming)
    jobs = []
    for place, number in enumerate(numbers):
        path[number] = Session(draw.randint(0, 9), draw.randint(0, 5), draw.randint(0, 3))
        if place < size:
            phase = draw.choice([PREFILL, DECODE])
            total = path[number].prompt if phase is PREFILL else path[number].output
            done = draw.randint(0, total)
            jobs.append(Job(number, phase, path[number].arrive, path[number].prompt, done))
    state = State(draw.randint(0, 9), tuple(jobs), tuple(numbers[size:]), draw.randint(0, 9))
    return Scene(state, tuple(path), Deployment(b_col=draw.randint(1, 4), t_lin=1, t_nl=1))


@pytest.mark.parametrize("name", ["rad", *CHANGED])
def test_the_machine_does_what_is_foreseen_on_longer_lists_too(name):
    world = WORLD if name == "rad" else CHANGED[name][0]
    draw = random.Random(name)
    for _ in range(60):
        scene = drawn(draw)
        if scene.state.jobs or scene.state.pending:
            assert not broken_laws(take_step(scene, world), ("loop",)), scene
