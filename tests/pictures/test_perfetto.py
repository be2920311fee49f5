from __future__ import annotations

import itertools
import json
from collections import defaultdict
from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from hypothesis import strategies as st
from pictures.stories import crowd, few, story

from radproof import BadInput, rad
from radproof.mutants import CATALOGUE
from radproof.pictures import perfetto
from radproof.pictures.perfetto import NODE, SESSIONS, events
from radproof.schedulers import VLLM, Orca, Sarathi


def loaded(told: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(events(told))["traceEvents"]
    return found


def slices(found: list[dict[str, Any]], process: int) -> list[dict[str, Any]]:
    return [e for e in found if e["ph"] == "X" and e["pid"] == process]


def test_every_event_has_what_its_phase_needs() -> None:
    needed = {
        "X": {"name", "pid", "tid", "ts", "dur"},
        "C": {"name", "pid", "ts", "args"},
        "M": {"name", "pid", "tid", "args"},
        "i": {"name", "pid", "tid", "ts", "s"},
    }
    found = loaded(story(crowd(60), CATALOGUE["chunk_127"].scheduler, "m"))
    assert {event["ph"] for event in found} == set(needed)
    for event in found:
        assert needed[event["ph"]] <= event.keys()
        for name in ("ts", "dur", "pid", "tid"):
            assert type(event.get(name, 0)) is int
            assert event.get(name, 0) >= 0
        if event["ph"] == "C":
            assert all(type(value) is int for value in event["args"].values())
        if event["ph"] == "M":
            assert event["args"]["name"]


@quick(40)
@given(
    path=few,
    scheduler=st.sampled_from([rad, VLLM(budget=256), Sarathi(budget=256), Orca(active=2)]),
)
def test_slices_nest_on_every_track_and_batches_are_the_records(path: Any, scheduler: Any) -> None:
    told = story(path, scheduler, claims=[])
    found = loaded(told)
    tracks = defaultdict(list)
    for event in found:
        if event["ph"] == "X":
            tracks[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for times in tracks.values():
        # an importer takes them in order of time, the longest first
        open_: list[int] = []
        for start, stop in sorted(times, key=lambda t: (t[0], -t[1])):
            while open_ and open_[-1] <= start:
                open_.pop()
            assert not open_ or stop <= open_[-1]
            open_.append(stop)
    batches = [(e["ts"], e["ts"] + e["dur"], e["args"]["tokens"]) for e in slices(found, NODE)]
    assert batches == [(r.start, r.end, r.tokens) for r in told.run.records]
    for life in told.lives:
        mine = [e for e in slices(found, SESSIONS) if e["tid"] == SESSIONS + 1 + life.number]
        phases = [e for e in mine if not e["name"].startswith("chunk")]
        spent = sum(e["dur"] for e in phases)
        assert spent == (life.ended or told.end) - life.session.arrive
        begins = {e["name"]: e["ts"] for e in phases}
        assert begins.get("prefill") == life.first
        if life.session.output:
            assert begins.get("decode") == life.joined
        for one, other in itertools.pairwise(phases):
            assert one["ts"] + one["dur"] == other["ts"]


def test_a_track_number_stands_for_one_track() -> None:
    # Perfetto identifies a track by its number, in any process
    found = loaded(story([(0, 128, 1)] * 5))
    names = [(e["tid"], e["name"]) for e in found if e["ph"] == "M"]
    assert len(names) == len(set(names))
    owners = defaultdict(set)
    for event in found:
        if "tid" in event:
            owners[event["tid"]].add(event["pid"])
    assert all(len(processes) == 1 for processes in owners.values())


def test_the_mark_is_an_instant_seen_on_every_track() -> None:
    told = story([(0, 128, 0)], CATALOGUE["chunk_127"].scheduler, "m")
    [mark] = [e for e in loaded(told) if e["ph"] == "i"]
    assert (mark["ts"], mark["s"]) == (0, "g")
    assert mark["name"] == "iteration 0: optimal_tiling fails at 0"


def test_a_long_run_has_an_event_a_stretch_and_every_iteration_around_the_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = story([(0, 128, 900), (10**7, 256, 1)], CATALOGUE["chunk_127"].scheduler, "m")
    each = slices(loaded(told), NODE)
    monkeypatch.setattr(perfetto, "EACH", 100)
    fewer = slices(loaded(told), NODE)
    assert len(each) == told.run.iterations
    assert len(fewer) == len(told.stretches)
    assert sum(e["args"]["iterations"] for e in fewer) == told.run.iterations
    assert sum(e["dur"] for e in fewer) == sum(e["dur"] for e in each)


@pytest.mark.parametrize("each", [True, False])
def test_the_slack_counter_says_what_the_slices_say(
    each: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = story([(0, 256, 3), (10**6, 640, 2)], claims=[])
    monkeypatch.setattr(perfetto, "EACH", 10**6 if each else 0)
    found = loaded(told)
    counted = {e["ts"]: e["args"]["of token_rate"] for e in found if e.get("name") == "slack"}
    said = {e["ts"]: int(e["args"]["slack"]) for e in slices(found, NODE)}
    assert said.items() <= counted.items()
    spare = {record.start: told.spare(record) for record in told.run.records}
    assert counted.items() <= spare.items()
    assert (counted == spare) == each


def test_idle_time_has_no_decodes_and_no_batch() -> None:
    found = loaded(story([(0, 0, 1), (10**6, 0, 1)], claims=[]))
    values = [
        (e["ts"], *e["args"].values()) for e in found if e["ph"] == "C" and e["name"] == "|D|"
    ]
    assert values == [(0, 1), (4005, 0), (10**6, 1), (10**6 + 4005, 0)]


@pytest.mark.parametrize("digits", [16, 400])
def test_a_time_beyond_perfetto_s_clock_is_refused(digits: int) -> None:
    with pytest.raises(BadInput, match="Perfetto's clock"):
        events(story([(10**digits, 1, 1)], claims=[]))


def test_the_same_bytes_for_the_same_story() -> None:
    assert events(story(crowd(20))) == events(story(crowd(20)))
