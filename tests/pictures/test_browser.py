"""The page in a browser, opened from a file: what its reader sees, and can do with a keyboard."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from helpers import SHARED, every, in_order, unleapt
from pictures.conftest import Browser
from pictures.stories import crowd, story

from radproof import SEED
from radproof.files.paths import read
from radproof.mutants import CATALOGUE
from radproof.pictures import Story
from radproof.pictures.page import Words, page
from radproof.schedulers import Orca
from radproof.traces import Shape, shape

HOUR = SHARED / "data/traces/azure_2023_conv.csv"
RIGHT, LEFT = "\ue014", "\ue012"
PREFILL, DECODE, STALLED = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0xF6, 0xDF, 0xAE)
SLACK, INK = (0x00, 0x69, 0x4B), (0x1A, 0x1A, 0x1A)
WAITING = (0xCF, 0xCF, 0xCF)


def chunk_127() -> Story:
    return story([(0, 128, 0)], CATALOGUE["chunk_127"].scheduler, "radproof.mutants:chunk_127")


def hour() -> Story:
    if not HOUR.exists():
        pytest.skip(f"NOT TESTED: the Azure hour is not here ({HOUR})")
    path, _ = shape(read(HOUR).sessions, Shape("pad", Fraction(1), None, None), SEED)
    return story(path)


STORIES: dict[str, Callable[[], Story]] = {
    "chunk-127": chunk_127,
    "threshold-127": lambda: story(
        [*[(0, 0, 1)] * 127, (0, 128, 0)], CATALOGUE["threshold_127"].scheduler, "threshold_127"
    ),
    "500-sessions": lambda: story(crowd()),
    "far-on": lambda: story(crowd(), claims=[every(lambda i, d: i.start < 20_000_000)]),
    "orca": lambda: story([(n * 9000, 256, 40) for n in range(40)], Orca(active=8), "orca"),
    "fault": lambda: story([(0, 256, 1)], lambda view: ((), None), "idle"),
    "empty": lambda: story([]),
    "ends-on-arrival": lambda: story([(0, 0, 0)]),
    "400-digits": lambda: story([(10**400, 128, 10**400)]),
    "azure-hour": hour,
}


def write(told: Story, folder: Path) -> Path:
    file = folder / "page.html"
    words = Words("what happened", "radproof replay it.json", "theorem t\n", "")
    file.write_text(page(told, words), encoding="utf-8")
    return file


def box(browser: Browser, element: str) -> dict[str, float]:
    found: dict[str, float] = browser.js(
        "const box = document.getElementById(arguments[0]).getBoundingClientRect();"
        "return {left: box.left, right: box.right, top: box.top, bottom: box.bottom};",
        element,
    )
    return found


def column(browser: Browser, canvas: str, share: float) -> list[tuple[int, int, int]]:
    """The pixels from top to bottom at a share, from 0 to 1, of a chart's time."""
    flat = browser.js(
        "const canvas = document.getElementById(arguments[0]), ratio = devicePixelRatio;"
        "const x = Math.round((96 + arguments[1] * (canvas.clientWidth - 110)) * ratio);"
        "return [...canvas.getContext('2d').getImageData(x, 0, 1, canvas.height).data];",
        canvas,
        share,
    )
    white = (255, 255, 255)  # where nothing is drawn
    return [
        (flat[n], flat[n + 1], flat[n + 2]) if flat[n + 3] else white
        for n in range(0, len(flat), 4)
    ]


def visible(browser: Browser, element: str) -> bool:
    """Whether the element is on the screen, with nothing opaque over it, and has a size."""
    browser.js("document.getElementById(arguments[0]).scrollIntoView({block: 'center'})", element)
    shown = browser.js(
        "const found = document.getElementById(arguments[0]);"
        "return !found.hidden && found.checkVisibility({opacityProperty: true}) && "
        "getComputedStyle(found).borderLeftStyle !== 'none'",
        element,
    )
    place = box(browser, element)
    width, height = browser.js("return [innerWidth, innerHeight]")
    return bool(
        shown
        and 0 <= place["left"] < place["right"] <= width + 1
        and place["top"] < height
        and place["bottom"] > 0
    )


@pytest.mark.parametrize("name", STORIES)
def test_it_opens_from_a_file_without_an_error_and_shows_the_mark(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    told = STORIES[name]()
    browser.open(write(told, tmp_path))
    assert browser.messages() == []
    assert browser.ready()
    assert browser.text("charts").strip()
    assert visible(browser, "mark") == (told.mark is not None)
    if told.mark is not None:
        assert browser.text("mark").startswith(f"iteration {told.mark.index:,}: ")
    file = browser.keep(name)
    assert file.stat().st_size > 10_000
    browser.press("0", "+", "+", RIGHT, RIGHT, LEFT, "d", "a", "m", "-", "0")
    assert browser.messages() == []


def test_an_error_in_a_page_is_seen(browser: Browser, tmp_path: Path) -> None:
    """The check above can fail: a page with a broken script, and one that asks for the network."""
    whole = write(chunk_127(), tmp_path).read_text("utf-8")
    for part, broken in (
        ("dress();\n  const narrow", "undress();\n  const narrow"),
        ("</header>", '<img src="http://127.0.0.1:9/x.png" alt=""></header>'),
    ):
        file = tmp_path / "broken.html"
        assert part in whole
        file.write_text(whole.replace(part, broken), encoding="utf-8")
        browser.open(file)
        assert browser.messages()
    assert not visible_after(browser, whole, tmp_path)


def visible_after(browser: Browser, whole: str, folder: Path) -> bool:
    file = folder / "unmarked.html"
    file.write_text(whole.replace("mark.hidden = !story.mark", "mark.hidden = true"), "utf-8")
    browser.open(file)
    return visible(browser, "mark")


def test_a_batch_is_as_high_as_it_fills_its_tile(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(chunk_127(), tmp_path))
    heights = [sum(p == PREFILL for p in column(browser, "batches", at)) for at in (0.3, 0.8)]
    assert heights[0] > 100
    assert 1 <= heights[1] <= 2  # one token of a tile of 128
    for at in (0.3, 0.8):  # they stand on the line of 0
        pixels = column(browser, "batches", at)
        lowest = max(n for n, pixel in enumerate(pixels) if pixel == PREFILL)
        assert len(pixels) - 5 <= lowest <= len(pixels) - 4
    full = story([(0, 128, 0)])
    browser.open(write(full, tmp_path))
    assert sum(p == PREFILL for p in column(browser, "batches", 0.5)) >= heights[0]


def test_a_session_waits_prefills_and_decodes_in_its_row(browser: Browser, tmp_path: Path) -> None:
    # session 0 prefills for 4640 us and waits while session 1 does; then both decode twice
    told = story([(0, 128, 2), (0, 128, 2)], claims=[])
    assert told.end == 2 * 4640 + 2 * 4010
    browser.open(write(told, tmp_path))
    rows = [
        [column(browser, "sessions", at)[row * 22 + 9] for at in (0.1, 0.4, 0.7)] for row in (0, 1)
    ]
    assert rows[0][:2] == [PREFILL, STALLED]
    assert rows[1][1] == PREFILL
    first = {column(browser, "sessions", n / 100)[22 + 9] for n in range(2, 24)}
    assert WAITING in first
    assert not first & {PREFILL, STALLED}
    for row in (0, 1):
        around = [column(browser, "sessions", 0.7 + n / 500)[row * 22 + 9] for n in range(20)]
        assert DECODE in around


def test_a_decode_that_a_batch_leaves_out_is_seen(browser: Browser, tmp_path: Path) -> None:
    told = story([(0, 0, 3), (0, 0, 3)], unleapt(in_order), "in_order", claims=[])
    assert [told.chosen(place) for place in range(4)] == [(0,), (0,), (0,), None]
    browser.open(write(told, tmp_path))
    first, second = (
        [
            {column(browser, "sessions", start + n / 100)[row * 22 + 9] for n in range(30)}
            for start in (0.1, 0.6)
        ]
        for row in (0, 1)
    )
    assert DECODE in first[0]
    assert second[0] == {STALLED}
    assert DECODE in second[1]


def test_lines_are_as_high_as_their_numbers(browser: Browser, tmp_path: Path) -> None:
    # 1, 2, 3 and 4 decodes, and the slack grows with each iteration that is not full
    told = story([(n * 5000, 0, 40) for n in range(4)], claims=[])
    browser.open(write(told, tmp_path))
    slack = [heights_of(browser, "slack", at, SLACK) for at in (0.1, 0.5, 0.95)]
    assert slack[0] < slack[1] < slack[2]
    decodes = [heights_of(browser, "decodes", 15_000 * at / told.end, INK) for at in (0.2, 0.6, 3)]
    assert decodes[0] < decodes[1] < decodes[2]


def heights_of(browser: Browser, canvas: str, at: float, colour: tuple[int, int, int]) -> int:
    """How far above the bottom a line of this colour is, at a share of a chart's time."""
    pixels = column(browser, canvas, at)
    near = [n for n, pixel in enumerate(pixels) if max(map(abs, minus(pixel, colour))) < 60]
    assert near, (canvas, at)
    return len(pixels) - min(near)


def minus(one: tuple[int, int, int], other: tuple[int, int, int]) -> list[int]:
    return [a - b for a, b in zip(one, other, strict=True)]


def test_the_keyboard_goes_everywhere(browser: Browser, tmp_path: Path) -> None:
    told = story(crowd(60), claims=[every(lambda i, d: i.start < 2_000_000)])
    assert told.mark is not None
    browser.open(write(told, tmp_path))
    index = told.mark.index
    browser.press("m")
    marked, cursor = box(browser, "mark"), box(browser, "cursor")
    assert cursor["left"] == pytest.approx(marked["left"], abs=2)
    assert cursor["right"] == pytest.approx(marked["right"], abs=4)
    browser.press(RIGHT)
    assert box(browser, "cursor")["left"] == pytest.approx(marked["right"], abs=4)
    browser.press(LEFT)
    some = [int(n) for n in re.findall(r"\d+", browser.text("rows"))]
    browser.press("0")
    assert [int(n) for n in re.findall(r"\d+", browser.text("rows"))] == [60, 60]
    assert 0 < some[0] < some[1] == 60
    browser.press("m")
    assert browser.text("readout").startswith(f"Iteration {index:,}: ")
    browser.press(RIGHT, RIGHT, LEFT)
    record = next(told.records(index + 1, index + 2))[1]
    assert browser.text("readout").startswith(f"Iteration {index + 1:,}: ")
    assert f"from {record.start:,} µs to {record.end:,} µs" in browser.text("readout")
    assert f"{record.served:,} served before" in browser.text("readout")
    chosen = browser.js(
        "return [...document.querySelectorAll('tr.chosen')].map((row) => row.dataset.index)"
    )
    assert chosen == [str(index + 1)]
    near = box(browser, "mark")["right"] - box(browser, "mark")["left"]
    browser.press("+", "+")
    closer = box(browser, "mark")["right"] - box(browser, "mark")["left"]
    assert closer > 3 * near
    browser.press("0")
    browser.press(*"d" * 3)
    browser.press("m")
    assert visible(browser, "mark")
    # every control is reached with the tabulator and says what it does
    controls = browser.js(
        "return [...document.querySelectorAll('button, [tabindex], summary')]"
        ".filter((e) => e.checkVisibility()).map("
        "(e) => [e.tabIndex, (e.getAttribute('aria-label') || e.innerText || "
        "e.getAttribute('aria-labelledby') || '').trim()])"
    )
    assert len(controls) > 10
    assert all(place >= 0 and name for place, name in controls)


def test_a_row_of_the_table_is_chosen_by_click_and_by_key(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(story([(0, 512, 3)]), tmp_path))
    browser.js("document.querySelector('tr[data-index=\"2\"]').click()")
    browser.js("document.querySelector('tr[data-index=\"2\"]').focus()")
    browser.press(RIGHT)
    assert browser.text("readout").startswith("Iteration 3: ")
    browser.press("\ue007")  # Enter, on the row that has the focus
    assert browser.text("readout").startswith("Iteration 2: ")


def test_the_mark_is_not_drawn_over_the_whole_run(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(STORIES["far-on"](), tmp_path))
    assert box(browser, "mark")["top"] >= box(browser, "overview")["bottom"] - 1


def test_a_line_is_right_inside_a_stretch_of_several_iterations(
    browser: Browser, tmp_path: Path
) -> None:
    # 2 iterations of 4005 us: the slack of the last is reached as it starts, and stays
    told = story([(0, 0, 2)], claims=[])
    browser.open(write(told, tmp_path))
    half, late = (heights_of(browser, "slack", at, SLACK) for at in (0.52, 0.95))
    assert half == pytest.approx(late, abs=2)


def test_a_narrow_window_is_scrolled_in_one_direction_only(
    browser: Browser, tmp_path: Path
) -> None:
    browser.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        for name in ("chunk-127", "far-on", "fault"):
            browser.open(write(STORIES[name](), tmp_path))
            assert browser.js("return document.documentElement.scrollWidth") <= 400, name
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_clock_that_runs_backwards_is_drawn(browser: Browser, tmp_path: Path) -> None:
    told = story([(0, 128, 3)], CATALOGUE["runs_backwards"].scheduler, "m")
    assert told.stretches[-1].first.start < 0
    browser.open(write(told, tmp_path))
    assert browser.messages() == []
    assert browser.text("rows").startswith("(1 of 1")
    browser.press(RIGHT, RIGHT)
    assert browser.messages() == []


def test_a_mark_out_of_sight_says_where_it_is(browser: Browser, tmp_path: Path) -> None:
    told = story(crowd(60), claims=[every(lambda i, d: i.start < 2_000_000)])
    assert told.mark is not None
    browser.open(write(told, tmp_path))
    browser.press("m", "+", "+", "+", "+", "+", *"d" * 8)
    assert browser.text("mark").startswith("◀")
    browser.press("m")
    assert browser.text("mark") == f"iteration {told.mark.index:,}: {told.mark.label}"
    browser.press("+", "+", "+", "+", "+")
    browser.press(*"a" * 16)
    assert browser.text("mark").endswith("▶")


def test_phases_differ_in_lightness_too(browser: Browser, tmp_path: Path) -> None:
    """For readers who cannot distinguish hues: any two differ by 1.15 to 1 in luminance."""
    browser.open(write(chunk_127(), tmp_path))
    for scheme in ("light", "dark"):
        browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        names = ("prefill", "decode", "stalled", "waiting", "paper")
        colours = browser.js(
            "const style = getComputedStyle(document.documentElement);"
            "return arguments[0].map((name) => style.getPropertyValue('--' + name).trim())",
            names,
        )
        light = sorted(map(luminance, colours))
        for darker, lighter in itertools.pairwise(light):
            assert (lighter + 0.05) / (darker + 0.05) >= 1.15, dict(
                zip(names, colours, strict=True)
            )
        contrast = browser.js(
            "const style = getComputedStyle(document.documentElement);"
            "return ['ink', 'faint', 'mark', 'good', 'paper'].map("
            "(name) => style.getPropertyValue('--' + name).trim())"
        )
        paper = luminance(contrast.pop())
        for colour in contrast:
            high, low = sorted((luminance(colour), paper), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5  # WCAG AA, for text
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def luminance(colour: str) -> float:
    """The relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_coming_closer_leaves_the_sessions_that_are_there(browser: Browser, tmp_path: Path) -> None:
    told = hour()
    browser.open(write(told, tmp_path))
    rows: Any = browser.text("rows")
    assert "19,366 of 19,366" in rows
    browser.press("+", "+", "+", "+", "+", "+", "+", "+", "+", "+")
    shown = int(browser.text("rows").split(" ")[0].strip("(").replace(",", ""))
    assert 0 < shown < 500
