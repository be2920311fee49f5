"""The page as text: whole, offline, escaped, and its numbers those of the run."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from helpers import every, quick
from hypothesis import given
from hypothesis import strategies as st
from pictures.stories import crowd, few, story

from radproof import Claim, rad
from radproof.mutants import CATALOGUE
from radproof.pictures import Story, page
from radproof.pictures.page import Words
from radproof.schedulers import VLLM, Orca, Sarathi

WORDS = Words(
    text="what happened", command="radproof replay it.json", lean="theorem t\n", no_lean=""
)


class Reader(HTMLParser):
    """What a page refers to, and whether its elements are closed in order."""

    VOID = ("meta", "link", "br")

    def __init__(self) -> None:
        super().__init__()
        self.refers: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.refers += [v for k in ("href", "src", "action", "data") if (v := named.get(k))]
        if (name := named.get("id")) is not None:
            self.ids.append(name)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def numbers(text: str) -> dict[str, Any]:
    [found] = re.findall(r'<script type="application/json" id="story">\n?(.*?)</script>', text)
    loaded: dict[str, Any] = json.loads(found)
    return loaded


def fails() -> Story:
    return story([(0, 128, 0)], CATALOGUE["chunk_127"].scheduler, "radproof.mutants:chunk_127")


def test_the_page_is_whole_and_refers_to_nothing_outside_itself() -> None:
    for told in (fails(), story(crowd(30)), story([])):
        text = page.page(told, WORDS)
        reader = Reader()
        reader.feed(text)
        reader.close()
        assert reader.open == []
        assert reader.refers == ["data:,"]
        assert len(reader.ids) == len(set(reader.ids))
        assert "$" not in re.sub(r"<script>.*</script>", "", text, flags=re.S)
        assert "default-src 'none'" in text
        assert not re.search(r"url\(|@import|https?:", text)


def test_it_has_the_records_the_words_the_command_and_the_lean_term() -> None:
    text = page.page(fails(), WORDS)
    assert "<title>optimal_tiling fails at 0, in iteration 0 (counted from 0)</title>" in text
    marked = re.findall(r'<tr data-index="(\d+)" tabindex="0" class="marked"', text)
    assert marked == ["0"]
    assert text.count("<tr data-index=") == 2
    assert '<code id="command">radproof replay it.json</code>' in text
    assert "1 line of Lean" in text
    assert "theorem t" in text
    assert "what happened" in text
    assert "tokens % b_col = 0</code>: 127 = 0 is" in text
    none = page.page(fails(), Words("", "x", "", "plain Python code has no Lean"))
    assert "No Lean term: plain Python code has no Lean" in none
    assert "In words" not in none


def test_whatever_a_user_names_is_text() -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    claim = Claim(evil, "every iteration", lambda i, d: i.start < 0, statement=evil)
    told = story([(0, 128, 0)], name=evil, claims=[claim])
    words = Words(text=evil, command=evil, lean=evil, no_lean="", notes=(evil,))
    text = page.page(told, words)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert numbers(text)["mark"]["text"] == f"iteration 0: {evil} fails at 0"


def test_the_table_is_of_the_records_around_the_mark() -> None:
    told = story(crowd(60), claims=[every(lambda i, d: i.start < 2_000_000)])
    assert told.mark is not None
    middle = told.mark.index
    shown = [int(n) for n in re.findall(r'<tr data-index="(\d+)"', page.page(told, WORDS))]
    assert shown == list(range(middle - page.AROUND, middle + page.AROUND + 1))
    rows = re.findall(r'<tr data-index="\d+".*?</tr>', page.page(told, WORDS))
    truths = ["✗ false" in row for row in rows]
    assert truths == [n >= middle for n in shown]
    record = next(told.records(middle, middle + 1))[1]
    assert f'<td class="number">{record.served:,}</td>' in rows[page.AROUND]


@quick(50)
@given(path=few, scheduler=st.sampled_from([rad, VLLM(budget=256), Sarathi(300), Orca(active=2)]))
def test_the_browser_s_numbers_are_the_run_s(path: Any, scheduler: Any) -> None:
    told = story(path, scheduler, claims=[])
    data, cut = page.picture(told)
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
    whole, _ = page.picture(told)
    monkeypatch.setattr(page, "MOST_STRETCHES", 40)
    part, cut = page.picture(told)
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
    monkeypatch.setattr(page, "MOST_CHOSEN", 5 * 128)
    data, [said] = page.picture(told)
    places = [place for place, _ in data["chosen"]]
    assert len(places) == 5
    assert places == list(range(middle - 2, middle + 3))
    assert "near the mark" in said
    monkeypatch.setattr(page, "MOST_STRETCHES", 4)
    data, _ = page.picture(told)
    low = told.place(data["first"])
    assert low > 0
    assert [place + low for place, _ in data["chosen"]] == list(range(low, low + 4))
    assert all(tuple(names) == told.chosen(place + low) for place, names in data["chosen"])


@pytest.mark.parametrize("digits", [9, 17, 40, 400])
def test_numbers_of_any_size_are_whole_and_exact_in_a_browser(digits: int) -> None:
    told = story([(10**digits, 128, 10**digits), (10**digits, 128, 1)])
    data, _ = page.picture(told)
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
    page.page(told, WORDS)


def test_the_same_bytes_for_the_same_story() -> None:
    assert page.page(story(crowd(20)), WORDS) == page.page(story(crowd(20)), WORDS)
