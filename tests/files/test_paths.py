from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st

from radproof import BadInput, Deployment, Session
from radproof.files.paths import (
    Breaks,
    PathFile,
    canonical,
    dump,
    parse,
    read,
    sha256,
)

NATURAL = "it must be a natural number (0, 1, 2, ...)"
FLOAT = f", a float; {NATURAL}: times are whole microseconds, lengths whole tokens. Round it yours"

natural = st.one_of(st.integers(0, 300), st.integers(0, 2**70))
sessions = st.lists(st.builds(Session, natural, natural, natural), max_size=5).map(tuple)
text = st.text(st.characters(codec="utf-8"), max_size=12)
files = st.builds(
    PathFile,
    sessions,
    st.none() | st.builds(Deployment, b_col=st.integers(1, 9), chunk=st.integers(1, 20)),
    st.none() | text,
    st.none() | natural,
    st.none() | text,
    st.none()
    | st.builds(
        Breaks,
        st.sampled_from(["claim", "scheduler"]),
        text,
        st.none() | natural,
        st.booleans(),
        st.booleans(),
    ),
)


@given(files)
@quick(150)
def test_a_file_is_read_back_as_it_was_written(found: PathFile) -> None:
    assert parse(dump(found)) == found
    assert dump(parse(dump(found))) == dump(found)


def test_the_text_of_a_file_is_one_session_a_line_and_names_its_path() -> None:
    found = PathFile((Session(0, 128, 1), Session(4640, 128, 1)), scheduler="rad", note="n")
    lines = dump(found).splitlines()
    assert lines[0] == "{"
    assert lines[-5:] == [' "sessions": [', "  [0, 128, 1],", "  [4640, 128, 1]", " ]", "}"]
    data = json.loads(dump(found))
    assert data["schema"] == "radproof.path/1"
    assert data["path_sha256"] == sha256(found.sessions)
    assert list(data)[:3] == ["schema", "note", "scheduler"]


def test_the_canonical_text_is_compact_and_names_the_path_alone() -> None:
    path = (Session(0, 128, 1), Session(4640, 128, 1))
    assert canonical(path) == "[[0,128,1],[4640,128,1]]"
    assert sha256(path) == "8b2aa600c7d8b0e913403d44027fde36e79c7e931b8f5839f94b5c3c3d49515e"
    assert canonical(()) == "[]"
    assert sha256(path) != sha256(path[::-1])


def test_every_format_gives_the_same_path(tmp_path: Path) -> None:
    expected = (Session(0, 128, 1), Session(4640, 0, 7))
    for content in (
        '{"schema": "radproof.path/1", "sessions": [[0, 128, 1], [4640, 0, 7]]}',
        "[[0, 128, 1], [4640, 0, 7]]",
        "\n  [[0,128,1],\n [4640,0,7]]\n",
        "arrive,prompt,output\n0,128,1\n4640,0,7\n",
        "arrive,prompt,output\r\n0,128,1\r\n4640,0,7",
        "arrive, prompt, output\n 0, 128, 1\n\n4640,0,+7\n",
        "\ufeffarrive,prompt,output\n0,128,1\n4640,0,7\n",
        "\ufeff[[0, 128, 1], [4640, 0, 7]]",
    ):
        file = tmp_path / "path"
        file.write_text(content, encoding="utf-8", newline="")
        assert read(file) == PathFile(expected)


def test_an_empty_path_is_a_path() -> None:
    assert parse("[]") == PathFile(())
    assert parse(dump(PathFile(()))) == PathFile(())
    assert parse("arrive,prompt,output\n") == PathFile(())


def refused(content: str) -> str:
    with pytest.raises(BadInput) as raised:
        parse(content)
    message = str(raised.value)
    assert "\n" not in message
    return message


def json_of(**fields: Any) -> str:
    return json.dumps({"schema": "radproof.path/1", "sessions": []} | fields)


def rows(*rows: Any) -> str:
    return json.dumps(rows)


THREE = "it must be three numbers: arrive, prompt, output."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty. A path file is JSON ("),
        (" \n\t\n", "the file is empty. A path file is JSON ("),
        ('{"sessions": []}', "field \"schema\" is None; this radproof reads 'radproof.path/1'."),
        (json_of(schema="radproof.path/2"), "field \"schema\" is 'radproof.path/2'; this radproof"),
        (json_of(schema=[1]), 'field "schema" is [1]; this radproof reads'),
        ('{"schema": "radproof.path/1"}', 'field "sessions" is missing or not a list; it holds ['),
        (json_of(sessions={}), 'field "sessions" is missing or not a list; it holds [arrive, '),
        (json_of(sesions=[]), "the file has an unknown field 'sesions'. Did you mean 'sessions'?"),
        (json_of(zzz=1), "the file has an unknown field 'zzz'."),
        (json_of(note=7), 'field "note" is 7; it must be text.'),
        (json_of(scheduler=["rad"]), "field \"scheduler\" is ['rad']; it must be text."),
        (json_of(horizon=-1), f'field "horizon" is -1; {NATURAL}, in microseconds.'),
        (json_of(horizon=1.5), f'field "horizon" is 1.5{FLOAT}'),
        (json_of(horizon=True), f'field "horizon" is True; {NATURAL}, in microseconds.'),
        (json_of(horizon="100s"), f"field \"horizon\" is '100s'; {NATURAL}, in microseconds."),
        (json_of(deployment=[128]), 'field "deployment" is [128]; it must be an object.'),
        (json_of(deployment={"b_cool": 1}),
            "field \"deployment\" has an unknown field 'b_cool'. Did you mean 'b_col'?"),
        (json_of(deployment={"b_lcm": 128}), "field \"deployment\" has an unknown field 'b_lcm'."),
        (json_of(deployment={"b_col": 0}),
            'field "deployment": b_col is 0; it must be a whole number >= 1'),
        (json_of(deployment={"t_lin": -4}), f'field "deployment": t_lin is -4; {NATURAL}'),
        (json_of(deployment={"t_nl": 0.5}), f'field "deployment": t_nl is 0.5{FLOAT}'),
        (json_of(deployment={"chunk": 0}),
            'field "deployment": chunk is 0; it must be a whole number >= 1'),
        (json_of(breaks={"kind": "claim"}), 'field "breaks": '),
        (json_of(breaks={"kind": "claim", "nam": "x"}), "field \"breaks\" has an unknown field "
            "'nam'. Did you mean 'name'?"),
        (rows([0, 1, 1], [0, 1.0, 1]), f"session 1: prompt is 1.0{FLOAT}"),
        (rows([0, 1, 1], [0, -1, 1]), f"session 1: prompt is -1; {NATURAL}."),
        (rows([0, 1, 1], [0, 1, True]), f"session 1: output is True; {NATURAL}."),
        (rows([0, 1, 1], [None, 1, 1]), f"session 1: arrive is None; {NATURAL}."),
        (rows([0, 1, 1], [0, "1", 1]), f"session 1: prompt is '1'; {NATURAL}."),
        (rows([0, 1, 1], [0, 1]), f"session 1 is [0, 1]; {THREE}"),
        (rows([0, 1, 1], [0, 1, 1, 1]), f"session 1 is [0, 1, 1, 1]; {THREE}"),
        (rows([0, 1, 1], 7), f"session 1 is 7; {THREE}"),
        (rows([0, 1, 1], "abc"), f"session 1 is 'abc'; {THREE}"),
        (rows([0, 1, 1], {"arrive": 0}), f"session 1 is {{'arrive': 0}}; {THREE}"),
        ("[[0, 1, NaN]]", f"session 0: output is nan{FLOAT}"),
        ("[[0, 1, Infinity]]", f"session 0: output is inf{FLOAT}"),
        ("[[0, 1, 1e3]]", f"session 0: output is 1000.0{FLOAT}"),
        (json_of(sessions=[[0, 1, 1], [0, -1, 1]]), f"session 1: prompt is -1; {NATURAL}."),
        ("arrive,prompt\n0,1\n", "line 1 is 'arrive,prompt'; a CSV path starts with the header "),
        ("0,128,1\n", "line 1 is '0,128,1'; a CSV path starts with the header arrive,prompt,outp"),
        ("prompt,arrive,output\n0,1,1\n", "line 1 is 'prompt,arrive,output'; a CSV path starts w"),
        ("hello", "line 1 is 'hello'; a CSV path starts with the header arrive,prompt,output, an"),
        ("arrive,prompt,output\n0,1,1\n0,1\n", "line 3 has 2 fields, not 3 (arrive,prompt,outp"),
        ("arrive,prompt,output\n0,1,1,1\n", "line 2 has 4 fields, not 3 (arrive,prompt,output)."),
        ("arrive,prompt,output\n0,1,1\n0,1.5,1\n", f"line 3: prompt is 1.5{FLOAT}"),
        ("arrive,prompt,output\n0,1,-1\n", f"line 2: output is -1; {NATURAL}."),
        ("arrive,prompt,output\n0,,1\n", f"line 2: prompt is ''; {NATURAL}."),
        ("arrive,prompt,output\nx,1,1\n", f"line 2: arrive is 'x'; {NATURAL}."),
        ("arrive,prompt,output\n\n0,1,true\n", f"line 3: output is 'true'; {NATURAL}."),
        ("arrive,prompt,output\n-,1,1\n", f"line 2: arrive is '-'; {NATURAL}."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_row_and_field(content: str, message: str) -> None:
    assert refused(content).startswith(message)


COMPLETE = dump(
    PathFile(
        (Session(0, 128, 1), Session(4640, 128, 12)),
        deployment=Deployment(b_col=4),
        note="a \u00fc note",
        breaks=Breaks("claim", "token_rate"),
    )
)


@pytest.mark.parametrize("size", range(1, len(COMPLETE.rstrip())))
def test_no_beginning_of_a_file_is_read_as_a_file(size: int) -> None:
    assert refused(COMPLETE[:size])


@pytest.mark.parametrize("content", ["[[0, 1, 1], [0, 1", "[[0, 1, 1],", '{"schema": "radpr', "["])
def test_a_truncated_file_is_said_to_be_truncated(content: str) -> None:
    said = refused(content)
    assert "the JSON ends in the middle; the file is truncated. Write the file again " in said


def test_json_that_is_wrong_in_the_middle_is_not_said_to_be_truncated() -> None:
    assert refused("[[0, 1, 1],\n [0, 1 1]]").startswith("line 2 column 8: Expecting ',' delim")
    assert refused("[[0, 1, 1]] x").startswith("line 1 column 13: more than one JSON value")


def test_json_nested_too_deeply_is_refused() -> None:
    assert refused("[" * 100_000).startswith("the JSON cannot be read: ")


DIGITS = "9" * 4301


@pytest.mark.parametrize(
    "content", [f"[[0, {DIGITS}, 1]]", f"arrive,prompt,output\n0,{DIGITS},1\n"], ids=["json", "csv"]
)
def test_a_number_of_more_digits_than_python_reads_is_refused_as_that(content: str) -> None:
    assert "4300 digits" in refused(content)


@pytest.mark.parametrize("digits", [400, 4000, 4001, 4300])
def test_a_number_of_as_many_digits_as_python_reads_is_exact_in_every_format(digits: int) -> None:
    number = "7" * digits
    expected = (Session(0, int(number), 1),)
    assert parse(f"[[0, {number}, 1]]").sessions == expected
    assert parse(f"arrive,prompt,output\n0,{number},1\n").sessions == expected
    assert parse(dump(PathFile(expected))).sessions == expected


def test_a_field_longer_than_csv_reads_is_refused() -> None:
    assert refused(f"arrive,prompt,output\n0,{'9' * 200_000},1\n")


def cannot_read(file: Path) -> str:
    with pytest.raises(BadInput) as raised:
        read(file)
    return str(raised.value)


def test_what_is_wrong_in_a_file_is_named_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[[0, -1, 1]]")
    assert cannot_read(tmp_path / "x.json") == (
        f"{tmp_path}/x.json: session 0: prompt is -1; {NATURAL}."
    )


# Writing.

FOUND = PathFile((Session(0, 128, 1),), scheduler="rad")


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        ('{"kind": "claim", "name": null}', 'field "breaks": name is None; it must be text.'),
        (
            '{"kind": "foo", "name": "x"}',
            "field \"breaks\": kind is 'foo'; it must be claim or sch",
        ),
    ],
)
def test_what_is_broken_is_named_by_text_of_a_known_kind(breaks: str, message: str) -> None:
    said = refused(f'{{"schema": "radproof.path/1", "sessions": [], "breaks": {breaks}}}')
    assert said.startswith(message)


def test_an_unpaired_surrogate_is_refused_with_its_field() -> None:
    said = refused('{"schema": "radproof.path/1", "sessions": [], "note": "a\\ud800b"}')
    assert said.startswith('field "note" is ')
    assert "an unpaired surrogate" in said
