"""Test terms against serQ's own package."""

import re
from pathlib import Path

import pytest

from radproof import SEED, Deployment, Session
from radproof.errors import BadInput
from radproof.files.paths import PathFile, write
from radproof.lean import twin
from radproof.lean.definitions import mirror
from radproof.lean.errors import NotInLean
from radproof.lean.serq import against_stub, export_serq, is_serq

VERSION = "5de1f0db"
SOURCES = Path(__file__).parents[2] / "lean_mirror" / "sources"
ONLY = "the serQ target supports only RAD at the default deployment; only `chunk` may differ"


@pytest.fixture
def file(tmp_path):
    def make(**content):
        write(tmp_path / "it.json", PathFile(**{"sessions": (Session(0, 128, 0),), **content}))
        return tmp_path / "it.json"

    return make


def test_each_state_is_stated_by_its_numbers(file):
    path = (Session(0, 128, 1), Session(4640, 128, 1))
    term = export_serq(file(sessions=path), VERSION)
    states = list(twin.event_states(twin.Config(SEED), path))
    assert term.events == len(states) - 1
    facts = re.findall(r"^theorem (\w+) : (.*) := by decide \+kernel$", term.text, re.MULTILINE)
    assert term.theorems == len(facts) == 4 * len(states)
    for place, state in enumerate(states):
        said = dict(facts)
        assert said[f"now_{place}"] == f"(after {place}).now = {state.now}"
        left = ", ".join(f"({job.number}, {job.total - job.done})" for job in state.jobs)
        assert said[f"jobs_{place}"] == f"jobs (after {place}) = [{left}]"


def test_the_path_is_a_workload(file):
    text = export_serq(file(sessions=(Session(0, 128, 1), Session(7, 0, 2))), VERSION).text
    assert "[(10, 128), (11, 1), (12, 0)],\n    [(10, 0), (11, 2), (12, 7)]" in text
    assert f"radproof lean export it.json --target serq --serq-version {VERSION}" in text
    assert not re.search("--[A-Z]+--", text)


def test_the_chunk_alone_may_differ(file):
    text = export_serq(file(deployment=Deployment(chunk=64)), VERSION).text
    assert "def d : Deployment := { SerqLang.Claims.BariRad.deployment with chunk := 64 }" in text
    assert "def d : Deployment := SerqLang.Claims.BariRad.deployment\n" in (
        export_serq(file(deployment=SEED), VERSION).text
    )


def test_a_horizon_ends_the_run(file):
    path = (Session(0, 128, 1), Session(4640, 128, 1))
    whole = export_serq(file(sessions=path), VERSION)
    assert export_serq(file(sessions=path, horizon=4640), VERSION).events < whole.events


def test_the_stub_stands_in_for_the_package(file):
    text = export_serq(file(), VERSION).text
    assert is_serq(text)
    alone = against_stub(text)
    assert not is_serq(alone)
    assert alone.startswith(mirror().strip())
    assert "decide +kernel" not in alone


def test_it_refuses_what_it_has_no_words_for(file):
    with pytest.raises(BadInput, match=f"is '0000'; .*: {VERSION}"):
        export_serq(file(), "0000")
    mutant = SOURCES / "counterexamples" / "chunk_127.json"
    for source in (mutant, file(deployment=Deployment(b_col=64))):
        with pytest.raises(NotInLean, match=rf"json: {ONLY}\. Export changed rules to the mirror"):
            export_serq(source, VERSION)


def test_an_order_at_time_zero_that_is_not_serqs_is_refused(file):
    mixed = (Session(0, 0, 1), Session(0, 128, 1))
    with pytest.raises(BadInput, match=r"session 1 has a prompt.* the other way round"):
        export_serq(file(sessions=mixed), VERSION)
    assert export_serq(file(sessions=mixed[::-1]), VERSION).events
    assert export_serq(file(sessions=(mixed[0], Session(1, 128, 1))), VERSION).events
