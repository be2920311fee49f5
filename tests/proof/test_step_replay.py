"""One step from the state of a file, and what is printed of it."""

from __future__ import annotations

import pytest

from radproof.errors import BadInput
from radproof.files.states import StateFile
from radproof.files.states import read as read_state
from radproof.lemmas.catalogue import LEMMAS
from radproof.lemmas.obligations import WORLD, world_of
from radproof.model import Deployment
from radproof.proof.prove import prove
from radproof.proof.step_replay import replay, step_report
from radproof.schedulers.loading import load


def test_a_state_file_names_its_scheduler(tmp_path):
    (one,) = (one for one in LEMMAS if one.name == "clock_identity")
    name = "radproof.mutants:one_too_small"
    world = world_of(load(name))
    certificate = prove(world, [one], scheduler=name)
    saved = read_state(certificate.rows[0].cti.save(tmp_path, world, certificate.rules))
    assert saved.scheduler == name
    text, reproduced = step_report(saved, world, name)
    assert reproduced
    assert text.startswith(f"clock_identity under {name}: one step from t = ")
    assert "breaks: the clock identity of one step" in text


def test_an_unknown_law_is_named():
    found = StateFile(
        "made", Deployment(), (), now=0, served=0, jobs=(), pending=(), watch=("wrok",)
    )
    with pytest.raises(
        BadInput, match="field \"watch\" names the unknown law 'wrok'; known: token_rate, "
    ):
        replay(found, WORLD)
