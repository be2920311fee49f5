from __future__ import annotations

import io

from pictures.stories import crowd, story
from rich.console import Console

from radproof.mutants import CATALOGUE
from radproof.pictures import Story
from radproof.pictures.timeline import overview, print_timeline, session_rows
from radproof.schedulers import Sarathi


def printed(told: Story, width: int = 80) -> str:
    stream = io.StringIO()
    print_timeline(told, Console(file=stream, width=width, color_system=None, highlight=False))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_the_chunk_of_127() -> None:
    told = story([(0, 128, 0)], CATALOGUE["chunk_127"].scheduler, "chunk_127")
    assert (
        printed(told)
        == """\
token_rate: holds (2 iterations)
optimal_tiling: fails at 0

 iteration        ▼ 0         1
 ──────────────────────────────
 starts, us         0     4,635
 mode         prefill   prefill
 tokens           127         1
 tile fill     99.2 %     0.8 %
 |D|                0         0

 session 0      P 127       P 1

P a chunk of a prompt, D a token of output, · waits; iterations 0 to 1 of 2"""
    )


def test_neighbours_that_do_the_same_share_a_line() -> None:
    told = story([*[(0, 0, 1)] * 127, (0, 128, 0)], CATALOGUE["threshold_127"].scheduler, "m")
    records = [record for _, record in told.records(0, 9)]
    assert session_rows(told, records) == [
        ("sessions 0..126", ("D", "")),
        ("session 127", ("·", "P 128")),
    ]


def test_a_session_is_there_from_its_arrival_to_its_end() -> None:
    told = story([(0, 256, 1), (4640, 128, 0), (4641, 0, 2)], claims=[])
    records = [record for _, record in told.records(0, 9)]
    rows = dict(session_rows(told, records))
    assert rows["session 0"] == ("P 128", "P 128", "·", "D", "")
    assert rows["session 1"] == ("", "·", "P 128", "", "")
    assert rows["session 2"] == ("", "", "·", "D", "D")


def test_it_is_as_wide_as_the_terminal_and_the_mark_stays_in_it() -> None:
    told = story(crowd(40), CATALOGUE["chunk_127"].scheduler, "m")
    assert told.mark is not None
    narrow, wide = printed(told, 60), printed(told, 200)
    for text, width in ((narrow, 60), (wide, 200)):
        assert f"▼ {told.mark.index:,}" in text
        assert max(map(len, text.splitlines()[2:12])) <= width
        assert "…" not in text
    assert len(wide.splitlines()[3]) > len(narrow.splitlines()[3])


def test_a_long_run_is_seen_whole_in_one_line_with_the_mark_under_it() -> None:
    told = story(crowd(200), CATALOGUE["threshold_127"].scheduler, "m")
    assert told.mark is not None
    lines = printed(told).splitlines()
    [bars] = [n for n, line in enumerate(lines) if line.startswith("|D|, whole run  ")]
    caret = lines[bars + 1].index("▲") - len("|D|, whole run  ")
    drawn = lines[bars].removeprefix("|D|, whole run  ")
    assert caret == told.mark.start * 64 // told.end
    assert max(drawn) == "█"
    assert drawn[caret] == "█"


def test_bars_are_the_largest_in_each_part() -> None:
    told = story([(0, 0, 1), (10**6, 0, 1), (10**6, 0, 1)], claims=[])
    bars, caret = overview(told, 10)
    assert bars == "▄        █"
    assert caret is None


def test_sessions_beyond_a_screen_are_counted() -> None:
    # every other session decodes, so that no two neighbours do the same
    told = story([(0, 0, 9), (0, 2560, 1)] * 20, Sarathi(budget=30), claims=[])
    lines = printed(told).splitlines()
    assert sum(line.startswith(" session ") for line in lines) == 12
    assert any(line.startswith(" ... 28 more lines") for line in lines)
    assert "more lines" not in printed(story([(0, 128, 1)], claims=[]))


def test_a_run_without_iterations_says_so() -> None:
    assert printed(story([])).endswith("no iterations.")


def test_a_fault_is_printed_first() -> None:
    told = story([(0, 128, 1)], lambda view: ((), None), "idle")
    assert printed(told).startswith("the scheduler is at fault: the scheduler never makes progress")
