"""The lemmas on whole lists: one at each tile, over the lists that the machine can have."""

from __future__ import annotations

import attrs
import pytest

from radproof.invariants import job_ok
from radproof.lemmas import lists, unrolled
from radproof.lemmas.obligations import WORLD, World
from radproof.lemmas.symbols import fixed_node, node
from radproof.model import Deployment
from radproof.readers.terms import Names


def test_a_family_has_one_lemma_at_each_of_its_tiles():
    names = [one.name for one in lists.rad_start]
    assert names[:2] + names[-1:] == ["rad_start[1]", "rad_start[2]", "rad_start[3x2]"]
    assert len(names) == len(lists.LIST_TILES)
    assert [one.name for one in lists.leap_share_list] == [
        f"leap_share.list[{b_col}]" for b_col in range(1, 5)
    ]
    assert {one.statement for one in lists.rad_start} == {
        "a started iteration satisfies the claim; its batch keeps R"
    }
    assert lists.rad_handle_list[7].encoding == "bounded list of 4"
    assert lists.rad_start[7].sorts == unrolled.sorts(9)


def job_list(*jobs, residents=None):
    """A list of (decoding, prompt, output, done) at tiles of 4 tokens."""
    places = tuple(
        unrolled.JobPlace(residents is None or i < residents, *job) for i, job in enumerate(jobs)
    )
    count = len(jobs) if residents is None else residents
    return lists.JobList(places, count, node(Names(fixed_node(2, 2))))


@pytest.mark.parametrize(
    "job", [(False, 8, 1, 4), (False, 8, 1, 5), (False, 8, 1, 8), (True, 0, 3, 2), (True, 0, 3, 3)]
)
def test_r1_of_a_list_is_r1_of_its_jobs(job):
    decoding, prompt, output, done = job
    left = (output if decoding else prompt) - done
    kept = job_ok(left, decoding, Deployment(b_col=2, b_row=4))
    assert all(job_list(job).in_r1(WORLD)) == kept
    assert all(job_list((False, 4, 1, 0), job, residents=1).in_r1(WORLD))


def test_r1_demands_multiples_where_the_claim_does():
    ragged = job_list((False, 8, 1, 5))
    assert not all(ragged.in_r1(WORLD))
    assert all(ragged.in_r1(World(tiling=attrs.evolve(WORLD.tiling, given=None))))


def test_a_list_has_a_job_and_no_more_jobs_than_places():
    def anything(place):
        return True

    assert all(job_list((True, 0, 3, 0)).whose(anything))
    assert not all(job_list((True, 0, 3, 0), residents=0).whose(anything))
    assert not all(job_list((True, 0, 3, 4)).whose(anything))
    assert not all(job_list((True, 0, 3, 0), residents=2).whose(anything))
