"""An error in a file is named with its place, in any format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import attrs
import pytest

from radproof import BadInput, Deployment, Session
from radproof.files.json import as_row, content, loads, schema_of, structure, unstructure
from radproof.model import Phase, whole


@as_row
@attrs.frozen
class Share:
    session: int
    phase: Phase
    tokens: int = attrs.field(validator=whole(1))


@attrs.frozen
class Batch:
    end: int
    shares: tuple[Share, ...]


@attrs.frozen
class File:
    name: str
    kind: Literal["one", "other"] = "one"
    count: int | None = None
    sure: bool = True
    seconds: float = 0.0
    results: Mapping[str, str] = attrs.field(factory=dict)
    waiting: tuple[int, ...] = attrs.field(default=())
    sessions: tuple[Session, ...] = ()
    deployment: Deployment | None = None
    batch: Batch | None = None

    @waiting.validator
    def _in_path(self, attribute: Any, value: tuple[int, ...]) -> None:
        if any(session >= 9 for session in value):
            raise BadInput('waiting names a session that "sessions" does not have')


WHOLE = File(
    "it",
    "other",
    7,
    False,
    0.5,
    {"a": "holds"},
    (1, 2),
    (Session(0, 1, 2),),
    Deployment(b_col=3),
    Batch(9, (Share(0, Phase.DECODE, 1),)),
)


def test_what_is_unstructured_is_structured_again() -> None:
    data = unstructure(WHOLE)
    assert data["sessions"] == [[0, 1, 2]]
    assert data["batch"] == {"end": 9, "shares": [[0, "decode", 1]]}
    assert "b_lcm" not in data["deployment"]
    assert structure(File, data) == WHOLE
    assert structure(File, {"name": "n", "count": None}) == File("n")


NATURAL = "it must be a natural number (0, 1, 2, ...)"
KNOWN = "name, kind, count, sure, seconds, results, waiting, sessions, deployment, batch"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, 'field "name" is missing.'),
        ({"nam": "n"}, "the file has an unknown field 'nam'. Did you mean 'name'?"),
        ({"name": "n", "xyz": 1}, f"the file has an unknown field 'xyz'. Known: {KNOWN}."),
        ({"name": 7}, 'field "name" is 7; it must be text.'),
        ({"name": None}, 'field "name" is None; it must be text.'),
        ({"name": "a\ud800"},
            "field \"name\" is 'a\\ud800'; it contains an unpaired surrogate."),
        ({"name": "n", "kind": "x"}, "field \"kind\" is 'x'; it must be one or other."),
        ({"name": "n", "kind": []}, 'field "kind" is []; it must be one or other.'),
        ({"name": "n", "count": True}, f'field "count" is True; {NATURAL}.'),
        ({"name": "n", "count": "7"}, f"field \"count\" is '7'; {NATURAL}."),
        ({"name": "n", "count": -1}, f'field "count" is -1; {NATURAL}.'),
        ({"name": "n", "sure": 1}, 'field "sure" is 1; it must be true or false.'),
        ({"name": "n", "sure": None}, 'field "sure" is None; it must be true or false.'),
        ({"name": "n", "seconds": True}, 'field "seconds" is True; it must be a number.'),
        ({"name": "n", "seconds": float("nan")}, 'field "seconds" is nan; it must be a number.'),
        ({"name": "n", "results": [1]}, 'field "results" is [1]; it must be an object.'),
        ({"name": "n", "results": {"a": 1}}, 'field "results": a is 1; it must be text.'),
        ({"name": "n", "waiting": {}}, 'field "waiting" is missing or not a list.'),
        ({"name": "n", "waiting": [0, 0.0]}, 'field "waiting": item 1 is 0.0, a float; it must be'),
        ({"name": "n", "waiting": [9]}, 'field "waiting" names a session that "sessions" does'),
        ({"name": "n", "sessions": 7},
            'field "sessions" is missing or not a list; it holds [arrive, prompt, output].'),
        ({"name": "n", "sessions": [[0, 1, 1], [0, -1, 1]]},
            f"session 1: prompt is -1; {NATURAL}."),
        ({"name": "n", "sessions": [[0, 1]]},
            "session 0 is [0, 1]; it must be three numbers: arrive, prompt, output."),
        ({"name": "n", "deployment": {"b_col": "1"}},
            "field \"deployment\": b_col is '1'; it must be a whole number >= 1."),
        ({"name": "n", "batch": {"end": 1}},
            'field "batch": shares is missing or not a list; it holds [session, phase, tokens].'),
        ({"name": "n", "batch": {"end": 1, "shares": [[0, "decode", 0]]}},
            'field "batch": share 0: tokens is 0; it must be a whole number >= 1.'),
        ({"name": "n", "batch": {"end": 1, "shares": [[0, "both", 1]]}},
            "field \"batch\": share 0: phase is 'both'; it must be prefill or decode."),
        ({"name": "n", "batch": {"end": 1, "shares": [[0, "decode"]]}},
            "field \"batch\": share 0 is [0, 'decode']; it must be three values: session, phase, "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(data: Any, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        structure(File, data)
    assert str(raised.value).startswith(message)


def test_the_schema_is_checked_before_the_fields() -> None:
    assert content({"schema": "a/2", "x": 1}, "a/2", "a/1") == {"x": 1}
    with pytest.raises(BadInput, match=r"'b'; this radproof reads 'a/2' and 'a/1'\. Do it\."):
        content({"schema": "b"}, "a/2", "a/1", remedy="Do it.")
    with pytest.raises(BadInput, match=r"the file is \[1\], not an object with a schema; this"):
        content([1], "a/1")


def test_the_schema_of_a_text() -> None:
    assert schema_of(' {"schema": "a/1"}') == "a/1"
    for text in ("{}", "[]", "", "{", '{"a": ' * 100_000, "arrive,prompt,output"):
        assert schema_of(text) is None


def test_one_line_says_what_is_wrong_with_the_text() -> None:
    with pytest.raises(BadInput, match="line 1 column 4: more than one JSON value"):
        loads("{} {}")
    with pytest.raises(BadInput, match="the JSON ends in the middle; the file is truncated"):
        loads('{"a": "b')
