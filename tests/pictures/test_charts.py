from __future__ import annotations

import itertools
from typing import Any

import pytest
from helpers import every, quick
from hypothesis import given
from hypothesis import strategies as st
from pictures.stories import crowd, few, story

from radproof import rad
from radproof.pictures import charts
from radproof.pictures.page import Words, page
from radproof.schedulers import VLLM, Orca, Sarathi


@quick(50)
@given(path=few, scheduler=st.sampled_from([rad, VLLM(budget=256), Sarathi(300), Orca(active=2)]))
def test_the_browser_s_numbers_are_the_run_s(path: Any, scheduler: Any) -> None:
    told = story(path, scheduler, claims=[])
    data, cut = charts.charts(told)
    assert cut == []
    columns = data["stretches"]
    time, served, records = data["origin"], data["served"], []
    for k, count in enumerate(columns["count"]):
        time += columns["gap"][k]
        duration = columns["length"][k] // count
        for i in range(count):
            slack, last = columns["slack"][k], columns["slack_last"][k]
            spare = slack + (last - slack) * i // (count - 1) if count > 1 else slack
            records.append(
                (time, time + duration, served, columns["tokens"][k],
                 columns["prefilled"][k], columns["decoders"][k], columns["decoding"][k],
                 columns["residents"][k], spare)
            )  # fmt: skip
            time += duration
            served += columns["tokens"][k]
    assert records == [
        (r.start, r.end, r.served, r.tokens, r.prefilled, r.decoders, r.decoding, r.residents,
         told.spare(r))
        for r in told.run.records
    ]  # fmt: skip
    flat = data["prefills"]
    triples = [tuple(flat[n : n + 3]) for n in range(0, len(flat), 3)]
    assert sorted(triples) == sorted(
        (place, entry.session, entry.tokens)
        for place, stretch in enumerate(told.stretches)
        for entry in stretch.first.batch
        if entry.phase == "prefill"
    )
    for place, sessions in data["chosen"]:
        assert tuple(sessions) == told.chosen(place)
    some = [k for k, s in enumerate(told.stretches) if 0 < s.first.decoders < s.first.decoding]
    assert [place for place, _ in data["chosen"]] == some
    assert data["lives"]["ended"] == [life.ended for life in told.lives]


def test_a_page_too_large_holds_what_is_around_the_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    told = story(crowd(60), claims=[every(lambda i, d: i.start < 2_000_000)])
    assert told.mark is not None
    whole, _ = charts.charts(told)
    monkeypatch.setattr(charts, "MOST_STRETCHES", 40)
    part, cut = charts.charts(told)
    [said] = cut
    assert len(part["stretches"]["count"]) == 40
    last = part["first"] + sum(part["stretches"]["count"]) - 1
    assert part["first"] < told.mark.index < last
    assert f"hold those from iteration {part['first']:,} to {last:,}" in said
    low = told.place(part["first"])
    for name in ("length", "count", "tokens", "slack"):
        assert part["stretches"][name] == whole["stretches"][name][low : low + 40]
    assert part["served"] == told.stretches[low].first.served
    assert part["origin"] == told.stretches[low].first.start
    assert part["end"] == whole["end"]


def test_batches_too_many_to_name_are_left_out_far_from_the_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = [(0, 0, 1 + n % 40) for n in range(200)]
    told = story(path, claims=[every(lambda i, d: i.start < 60_000)])
    assert told.mark is not None
    middle = told.place(told.mark.index)
    monkeypatch.setattr(charts, "MOST_CHOSEN", 5 * 128)
    data, [said] = charts.charts(told)
    places = [place for place, _ in data["chosen"]]
    assert len(places) == 5
    assert places == list(range(middle - 2, middle + 3))
    assert "near the mark" in said
    monkeypatch.setattr(charts, "MOST_STRETCHES", 4)
    data, _ = charts.charts(told)
    low = told.place(data["first"])
    assert low > 0
    assert [place + low for place, _ in data["chosen"]] == list(range(low, low + 4))
    assert all(tuple(names) == told.chosen(place + low) for place, names in data["chosen"])


@pytest.mark.parametrize("digits", [9, 17, 40, 400])
def test_numbers_of_any_size_are_whole_and_exact_in_a_browser(digits: int) -> None:
    told = story([(10**digits, 128, 10**digits), (10**digits, 128, 1)])
    data, _ = charts.charts(told)
    flat = itertools.chain(*data["stretches"].values(), *data["lives"].values(), [data["end"]])
    times = [
        *data["stretches"]["gap"], *data["stretches"]["slack_last"], *data["stretches"]["count"],
        *data["stretches"]["length"], data["end"], data["served"],
    ]  # fmt: skip
    assert all(n is None or type(n) is int for n in flat)
    assert all(abs(n) < 2**53 for n in times)
    unit = 10 ** data["unit"]["time"]
    assert (unit == 1) == (digits == 9)
    assert data["end"] == told.end // unit
    page(told, Words("", "", "", ""))
