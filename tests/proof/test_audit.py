"""The laws that the audit watches are laws of RAD: every step of every drawn path keeps them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from proof.changed_rules import CHANGED

from radproof.lemmas.obligations import WORLD
from radproof.lemmas.scenes import Scene
from radproof.machine import initial, step
from radproof.model import Deployment, Session
from radproof.proof.audit import REFUSED, STEP_LAWS, broken_laws, take_step
from radproof.runs import Stretch, run
from radproof.schedulers import rad


@st.composite
def whole_tiles(draw):
    """A deployment and a path whose prompts are positive multiples of its tile."""
    node = Deployment(
        b_col=draw(st.integers(1, 4)),
        b_row=draw(st.sampled_from([1, 2])),
        t_lin=draw(st.integers(0, 9)),
        t_nl=draw(st.integers(1, 3)),
    )
    session = st.builds(
        Session,
        st.integers(0, 60),
        st.integers(1, 3).map(lambda k: k * node.b_lcm),
        st.integers(0, 5),
    )
    return node, tuple(draw(st.lists(session, min_size=1, max_size=9)))


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(whole_tiles())
def test_rad_keeps_every_law(drawn):
    node, path = drawn
    state = initial(path)
    while not state.over:
        taken = take_step(Scene(state, path, node), WORLD)
        assert broken_laws(taken, tuple(STEP_LAWS)) == ()
        state = step(state, path, node, rad)[0]
        assert state == taken.after


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(whole_tiles())
def test_the_same_batch_again_is_one_stretch(drawn):
    # leap_affine and leap_share, on the machine itself
    node, path = drawn
    records = list(run(path, node).records)
    for first, second in pairwise(records):
        alike = (first.batch, first.decoding, first.residents, first.demand)
        if alike == (second.batch, second.decoding, second.residents, second.demand):
            again = Stretch(first, 2).record(1)
            assert again.served == second.served
            assert again.end - again.start == second.end - second.start


def test_a_refused_batch_breaks_every_watched_law():
    world, _ = CHANGED["want: two for a decode"]
    path = (Session(0, 0, 5),)
    state = step(initial(path), path, Deployment(b_col=4), rad)[0]
    taken = take_step(Scene(state, path, Deployment(b_col=4)), world)
    assert broken_laws(taken, ("clock",)) == (REFUSED,)
    assert taken.kind == "decode"
    assert "a decode takes one" in taken.refused


def test_only_watched_laws_are_reported():
    world, _ = CHANGED["served_after: twice"]
    path = (Session(0, 4, 1),)
    state = step(initial(path), path, Deployment(b_col=4), rad)[0]
    taken = take_step(Scene(state, path, Deployment(b_col=4)), world)
    assert broken_laws(taken, ("optimal_tiling", "work")) == ()
    assert broken_laws(taken, ("work", "clock")) == (STEP_LAWS["clock"][0],)
