"""Files on disk: path files, saved counterexamples, CTIs, and what cannot be exported."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from radproof import Session
from radproof.cli.lean import lean
from radproof.errors import BadInput
from radproof.files.paths import Breaks, PathFile, write
from radproof.lean import export_file, write_term_beside

SOURCES = Path(__file__).parents[2] / "lean_mirror" / "sources"
CHUNK_127 = SOURCES / "counterexamples" / "chunk_127.json"
CTIS = sorted((SOURCES / "cti").glob("*.json"))


@pytest.fixture
def file(tmp_path):
    def make(**content):
        write(tmp_path / "it.json", PathFile(**{"sessions": (Session(0, 128, 0),), **content}))
        return tmp_path / "it.json"

    return make


def test_a_counterexample_breaks_and_the_right_rules_do_not():
    found = export_file(CHUNK_127)
    assert found.reading.truths["breaks"] is False
    right = [t for n, t in found.reading.truths.items() if n.startswith("right_optimal_tiling")]
    assert right
    assert all(right)
    assert "make it again: radproof lean export chunk_127.json" in found.text


def test_a_file_that_imports_the_mirror_says_how_it_is_made_again():
    found = export_file(CHUNK_127, imports=True)
    assert "make it again: radproof lean export --import chunk_127.json" in found.text


@pytest.mark.parametrize("source", CTIS, ids=lambda source: source.stem)
def test_a_cti_breaks_and_the_right_rules_do_not(source):
    truths = export_file(source).reading.truths
    assert truths["before"] is True
    assert truths["after"] is False
    assert truths.get("right_after", True) is True


def test_a_cti_that_breaks_nothing_is_refused(tmp_path):
    data = json.loads((SOURCES / "cti" / "tiled-rate.json").read_text(encoding="utf-8"))
    (tmp_path / "it.json").write_text(json.dumps({**data, "scheduler": "rad"}))
    with pytest.raises(BadInput, match=r"it\.json: .*not a counterexample to induction"):
        export_file(tmp_path / "it.json")
    (tmp_path / "it.json").write_text(json.dumps({**data, "assumes": "Q"}))
    with pytest.raises(BadInput, match=r"it\.json: 'Q' is neither an invariant \(R, RateInv, "):
        export_file(tmp_path / "it.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"breaks": Breaks("scheduler", "stuck", 0)}, "a batch that the machine refuses"),
        ({"breaks": Breaks("claim", "token_rat", 0)}, "Did you mean 'token_rate'"),
        ({"breaks": Breaks("claim", "token_rate", 0)}, "holds in every iteration"),
        ({"breaks": Breaks("claim", "mode", 0)}, "claim mode holds in every iteration"),
        ({"breaks": Breaks("claim", "clock", 0)}, "claim clock is of the kind 'whole run'"),
        ({"sessions": (Session(0, 1, 10**20),)}, "more than 300000 residents.*Shrink the path"),
        ({"sessions": (Session(0, 0, 1),) * 501}, "more than 500 residents"),
        (
            {"scheduler": "radproof.mutants:runs_backwards"},
            "end is -.* the mirror has only natural",
        ),
    ],
)
def test_what_cannot_be_exported_is_said_with_the_file(file, content, message):
    source = file(**content)
    with pytest.raises(BadInput, match=rf"(?s)it\.json: .*{message}"):
        export_file(source)
    assert write_term_beside(source).startswith("no Lean file: ")
    ran = CliRunner().invoke(lean, ["export", str(source)])
    assert ran.exit_code == 2
    assert "Traceback" not in ran.output


def test_the_term_stands_beside_a_saved_counterexample(file):
    source = file(scheduler="radproof.mutants:chunk_127", breaks=Breaks("claim", "optimal_tiling"))
    said = write_term_beside(source)
    assert said.startswith(f"{source.with_suffix('.lean')} (")
    assert "theorem breaks" in source.with_suffix(".lean").read_text(encoding="utf-8")


def test_export_writes_and_read_reads(tmp_path):
    out = tmp_path / "Broken.lean"
    ran = CliRunner().invoke(lean, ["export", str(CHUNK_127), "-o", str(out), "--json"])
    assert ran.exit_code == 0
    assert json.loads(ran.output)["bytes"] == len(out.read_bytes())
    assert "all true" in CliRunner().invoke(lean, ["read", str(out)]).output
    text = out.read_text(encoding="utf-8")
    out.write_text(re.sub("served := 127,\n    last", "served := 126,\n    last", text))
    ran = CliRunner().invoke(lean, ["read", str(out)])
    assert ran.exit_code == 1
    assert "theorem t_0 is false: served: the mirror gives 127, the file says 126" in ran.output


def test_a_state_file_of_the_prover(tmp_path):
    data = {
        "schema": "radproof.state/1",
        "lemma": "rad_start",
        "watch": [],
        "scheduler": "radproof.mutants:chunk_127",
        "deployment": {"b_col": 2, "t_lin": 40, "t_nl": 5},
        "sessions": [[0, 2, 1], [30, 2, 1]],
        "now": 5,
        "served": 0,
        "jobs": [[0, "prefill", 0]],
        "pending": [1],
    }
    source = tmp_path / "it.state.json"
    source.write_text(json.dumps(data))
    truths = export_file(source).reading.truths
    assert truths["R_before"] is True
    assert truths["R_s2"] is False
    assert truths["optimal_tiling_s0"] is False
    source.write_text(json.dumps({**data, "jobs": [[7, "prefill", 0]]}))
    with pytest.raises(BadInput, match=r'it\.state\.json: field "jobs" names session 7, which'):
        export_file(source)
    source.write_text(json.dumps({k: v for k, v in data.items() if k != "now"}))
    with pytest.raises(BadInput, match='field "now" is missing'):
        export_file(source)
