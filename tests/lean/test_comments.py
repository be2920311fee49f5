"""The one place where a string enters a Lean file; and every exporter with hostile strings."""

import json
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lean.hostile import HOSTILE, code

from radproof import Session
from radproof.files import states
from radproof.files.paths import Breaks, PathFile, write
from radproof.lean import cti_terms, export
from radproof.lean.comments import docstring, escaped, head, heading, visible
from radproof.lean.errors import NoLean
from radproof.lean.roundtrip import read_back
from radproof.lean.serq import against_stub, export_serq
from radproof.lean.verify import find_lean, verify_files
from radproof.lean.written import theorems_of

CTI = Path(__file__).parents[2] / "lean_mirror" / "sources" / "cti" / "tiled-rate.json"
MOVE = {
    "schema": "radproof.state/1", "lemma": "rad_start", "watch": [], "now": 5, "served": 0,
    "scheduler": "radproof.mutants:chunk_127", "deployment": {"b_col": 2, "t_lin": 40, "t_nl": 5},
    "sessions": [[0, 2, 1]], "jobs": [[0, "prefill", 0]], "pending": [],
}  # fmt: skip
PLAIN = "plain"


@given(HOSTILE)
def test_a_comment_is_one_line_and_ends_where_it_should(text):
    assert "\n" not in escaped(text)
    assert all(map(visible, escaped(text)))
    for comment in (head([text, text]), heading(text), docstring(text)):
        assert code(f"a{comment}b") == "ab"
        assert comment.count("-/") == comment.count("/-") == 1


@given(HOSTILE, HOSTILE)
def test_no_two_texts_are_escaped_alike(one, other):
    assert one == other or escaped(one) != escaped(other)


@pytest.mark.parametrize(
    ("text", "is_"),
    [
        ("plain é µ ≤", "plain é µ ≤"),
        ("x -/ #eval 1 /- y", "x -\\/ #eval 1 /\\- y"),
        ("/-/", "/\\-\\/"),
        ("-\\/", "-\\\\/"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("a\u202eb\u200bc", "a\\u{202e}b\\u{200b}c"),
        ("\ud800", "\\u{d800}"),
    ],
)
def test_what_is_escaped_and_how(text, is_):
    assert escaped(text) == is_


def path_file(note, breaks=None, scheduler=None):
    return PathFile((Session(0, 128, 0),), note=note, breaks=breaks, scheduler=scheduler)


def as_run(text, imports):
    """The term of a run: its note, the file's name, the command."""
    return export(path_file(text), text, f"make {text}", imports).text


def as_counterexample(text, imports):
    breaks = Breaks("claim", "optimal_tiling")
    found = path_file(text, breaks, "radproof.mutants:chunk_127")
    return export(found, text, None, imports).text


def as_event(text, imports):
    found = states.parse(CTI.read_text(encoding="utf-8"))
    return cti_terms.document(attrs.evolve(found, note=text, lemma=text), text, imports).text()


def as_iteration(text, imports):
    found = states.parse(json.dumps(MOVE))
    return cti_terms.document(attrs.evolve(found, note=text, lemma=text), text, imports).text()


EXPORTERS = (as_run, as_counterexample, as_event, as_iteration)


@pytest.mark.parametrize("exporter", EXPORTERS)
@settings(max_examples=15, deadline=None)
@given(HOSTILE, st.booleans())
def test_a_hostile_string_is_no_code(exporter, text, imports):
    hostile, plain = exporter(text, imports), exporter(PLAIN, imports)
    assert code(hostile) == code(plain)
    assert hostile.count("\n") == plain.count("\n")
    assert theorems_of(hostile) == theorems_of(plain)
    assert read_back(hostile, "it") == read_back(plain, "it")


@settings(max_examples=25, deadline=None)
@given(HOSTILE)
def test_nor_in_a_term_against_serq(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("serq")
    terms = []
    for note in (text, PLAIN):
        paired = note.replace("\ud800", "")  # a path file with half a character is refused
        write(folder / "it.json", path_file(paired))
        terms.append(export_serq(folder / "it.json", "5de1f0db", f"make {note}").text)
    hostile, plain = terms
    assert code(hostile) == code(plain)
    assert code(against_stub(hostile)) == code(against_stub(plain))
    assert theorems_of(hostile) == theorems_of(plain)


def test_a_lean_takes_them_for_comments(tmp_path):
    """The note of issue 13: it used to run in Lean, and `verify` said *checked*."""
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    note = 'x -/ axiom bad : False\n#eval IO.FS.writeFile "ran" "x" /- \u202e --FACTS-- "'
    for place, exporter in enumerate(EXPORTERS):
        text = exporter(note, imports=place % 2 == 1)
        (tmp_path / f"F{place}.lean").write_text(text, encoding="utf-8")
    rows = list(verify_files(program, sorted(tmp_path.glob("*.lean"))))
    assert [row.verdict for row in rows] == ["checked"] * len(EXPORTERS)
    assert all(row.axioms == () for row in rows)
