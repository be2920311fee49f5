"""The page as text: whole, offline, and escaped."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

from helpers import every
from pictures.stories import crowd, story

from radproof import Claim
from radproof.mutants import CATALOGUE
from radproof.pictures import Story, page
from radproof.pictures.page import Words

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


def test_names_from_a_user_are_escaped() -> None:
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


def test_the_same_bytes_for_the_same_story() -> None:
    assert page.page(story(crowd(20)), WORDS) == page.page(story(crowd(20)), WORDS)
