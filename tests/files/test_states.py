"""State files: both kinds of counterexample to induction, and what is wrong with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from radproof import BadInput, Deployment, Entry, Phase, Session
from radproof.files.states import JobRow, Running, StateFile, dump, is_state, parse, read, write

SOURCES = sorted((Path(__file__).parents[2] / "lean_mirror" / "sources" / "cti").glob("*.json"))

STEP = StateFile(
    lemma="rad_start[2]",
    deployment=Deployment(b_col=2, t_lin=40),
    sessions=(Session(0, 2, 1), Session(30, 2, 1)),
    now=5,
    served=0,
    jobs=(JobRow(0, Phase.PREFILL, 0),),
    pending=(1,),
    watch=("optimal_tiling", "R5"),
    scheduler="m:x",
    given=False,
    reached=(Session(0, 2, 2),),
)
LAST = dict.fromkeys(
    ("start", "end", "served", "tokens", "prefilled", "decoders", "decoding", "residents"), 1
)
EVENT = attrs.evolve(
    STEP,
    watch=(),
    given=True,
    reached=(),
    assumes="R",
    breaks="token_rate",
    running=Running(95, (Entry(0, Phase.PREFILL, 2),)),
    last=LAST | {"demand": 2},
    ended=(1,),
    note="why",
)


@pytest.mark.parametrize("found", [STEP, EVENT], ids=["step", "event"])
def test_a_state_is_read_as_it_was_written(found: StateFile, tmp_path: Path) -> None:
    write(tmp_path / "it.json", found)
    assert read(tmp_path / "it.json") == found
    text = (tmp_path / "it.json").read_text()
    assert is_state(text)
    assert dump(parse(text)) == text
    assert len(text.splitlines()) == len(json.loads(text)) + 2


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_the_sources_of_the_mirror_are_in_the_format_that_is_written(source: Path) -> None:
    text = source.read_text("utf-8")
    assert dump(parse(text)) == text
    assert parse(text).title == json.loads(text)["note"]


def test_what_the_prover_saved_before_is_still_read() -> None:
    former = {
        "schema": "radproof.state/1",
        "note": "counterexample to induction of lemma rad_start[2]",
        "lemma": "rad_start[2]",
        "watch": ["optimal_tiling", "R5"],
        "given": False,
        "scheduler": "m:x",
        "deployment": {"b_col": 2, "b_row": 1, "b_red": 1, "t_lin": 40, "t_nl": 5, "chunk": 2},
        "sessions": [[0, 2, 1], [30, 2, 1]],
        "now": 5,
        "served": 0,
        "jobs": [[0, "prefill", 0]],
        "pending": [1],
        "reached": [[0, 2, 2]],
    }
    assert parse(json.dumps(former)) == attrs.evolve(STEP, note=former["note"])
    nobody = parse(json.dumps(former | {"scheduler": None, "reached": []}))
    assert (nobody.scheduler, nobody.reached) == (None, ())


def test_the_replaced_format_says_what_to_do() -> None:
    text = json.dumps({"schema": "radproof.cti/1", "lemma": "x", "state": {}})
    assert is_state(text)
    with pytest.raises(BadInput) as raised:
        parse(text)
    assert str(raised.value) == (
        "field \"schema\" is 'radproof.cti/1', which this radproof no longer reads. Write the "
        "state as 'radproof.state/2': docs/lean.md says how, under State files."
    )


NATURAL = "it must be a natural number (0, 1, 2, ...)"
ONE_KIND = 'field "breaks" belongs with "assumes" and excludes "watch": '
STEPS = 'field "watch" excludes "running", "last" and "ended": '


@pytest.mark.parametrize(
    ("found", "fields", "message"),
    [
        (STEP, {"schema": "radproof.state/9"}, "field \"schema\" is 'radproof.state/9'; this rad"),
        (STEP, {"new": 1}, "the file has an unknown field 'new'. Did you mean 'now'?"),
        (STEP, {"lemma": 1}, 'field "lemma" is 1; it must be text.'),
        (STEP, {"lemma": None}, 'field "lemma" is None; it must be text.'),
        (STEP, {"given": "no"}, "field \"given\" is 'no'; it must be true or false."),
        (STEP, {"now": 5.0}, f'field "now" is 5.0, a float; {NATURAL}'),
        (STEP, {"served": True}, f'field "served" is True; {NATURAL}.'),
        (STEP, {"deployment": {"b_cal": 2}}, "field \"deployment\" has an unknown field 'b_cal'."),
        (STEP, {"sessions": [[0, 2, -1], [30, 2, 1]]}, f"session 0: output is -1; {NATURAL}."),
        (STEP, {"reached": [[0, 2]]}, 'field "reached": item 0 is [0, 2]; it must be three'),
        (STEP, {"watch": "R5"}, 'field "watch" is missing or not a list.'),
        (STEP, {"jobs": {}}, 'field "jobs" is missing or not a list; it holds [session, phase,'),
        (STEP, {"jobs": [[7, "prefill", 0]]},
            'field "jobs" names session 7, which "sessions" does not have.'),
        (STEP, {"jobs": [[0, "decoding", 0]]},
            "job 0: phase is 'decoding'; it must be prefill or decode."),
        (STEP, {"jobs": [[0, "decode", 0.5]]}, f"job 0: done is 0.5, a float; {NATURAL}"),
        (STEP, {"jobs": [[0, "decode"]]}, "job 0 is [0, 'decode']; it must be three values: ses"),
        (STEP, {"pending": [2]}, 'field "pending" names session 2, which "sessions" does'),
        (STEP, {"pending": [-1]}, f'field "pending": item 0 is -1; {NATURAL}.'),
        (STEP, {"assumes": "R"}, ONE_KIND),
        (STEP, {"breaks": "R"}, ONE_KIND),
        (STEP, {"assumes": "R", "breaks": "R"}, ONE_KIND),
        (STEP, {"running": {"end": 9, "entries": []}}, STEPS),
        (STEP, {"ended": [0]}, STEPS),
        (EVENT, {"running": {"end": 9}},
            'field "running": entries is missing or not a list; it holds [session, phase, '
            'tokens].'),
        (EVENT, {"running": {"end": 9, "entries": [[2, "decode", 1]]}},
            'field "running" names session 2, which "sessions" does not have.'),
        (EVENT, {"ended": [3]}, 'field "ended" names session 3, which "sessions" does not have.'),
        (EVENT, {"last": LAST}, 'field "last" must have exactly: start, end, served, tokens, pref'),
        (EVENT, {"last": LAST | {"demand": "2"}}, f"field \"last\": demand is '2'; {NATURAL}."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_field(
    found: StateFile, fields: dict[str, Any], message: str, tmp_path: Path
) -> None:
    data = json.loads(dump(found))
    file = tmp_path / "it.json"
    file.write_text(json.dumps(data | fields))
    with pytest.raises(BadInput) as raised:
        read(file)
    assert str(raised.value).startswith(f"{file}: {message}")


@pytest.mark.parametrize(
    "field", ["lemma", "deployment", "sessions", "now", "served", "jobs", "pending"]
)
def test_a_field_that_is_missing_is_named(field: str) -> None:
    data = json.loads(dump(STEP))
    del data[field]
    with pytest.raises(BadInput, match=rf'^field "{field}" is missing'):
        parse(json.dumps(data))


def test_other_files_are_no_states() -> None:
    for text in ("", "[]", "{", "arrive,prompt,output", '{"schema": "radproof.path/1"}'):
        assert not is_state(text)
