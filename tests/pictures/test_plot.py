from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from pictures.stories import crowd, story

from radproof import BadInput, Claim
from radproof.files.text import write_bytes
from radproof.mutants import CATALOGUE
from radproof.pictures.plot import drawn


def pixels(file: Path) -> Any:
    from matplotlib.image import imread

    return imread(file)[:, :, :3]


def share(picture: Any, colour: str) -> float:
    """The share of the pixels that have this colour."""
    wanted = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    return float((abs(picture - wanted).max(axis=2) < 0.02).mean())


PREFILL, DECODE, SLACK = "#0072b2", "#e69f00", "#00694b"
STALLED = "#f6dfae"


def test_what_a_session_does_is_seen_in_its_colour(tmp_path: Path) -> None:
    (tmp_path / "prefill.png").write_bytes(drawn(story([(0, 1280, 0)])))
    (tmp_path / "decode.png").write_bytes(drawn(story([(0, 0, 10)])))
    prefill, decode = pixels(tmp_path / "prefill.png"), pixels(tmp_path / "decode.png")
    assert prefill.shape[0] > 800
    assert prefill.shape[1] > 1200
    assert share(prefill, PREFILL) > 0.1 > share(decode, PREFILL)
    assert share(decode, DECODE) > 0.02 > share(prefill, DECODE)
    assert share(decode, SLACK) > 0.0005


def test_the_mark_is_drawn_where_something_fails_and_only_there(tmp_path: Path) -> None:
    path = [(0, 128, 0), (50_000, 128, 0)]
    (tmp_path / "fails.png").write_bytes(drawn(story(path, CATALOGUE["chunk_127"].scheduler, "m")))
    (tmp_path / "holds.png").write_bytes(drawn(story(path)))
    tint = "#eed7e4"  # the mark's colour, laid thinly on white
    assert share(pixels(tmp_path / "fails.png"), tint) > 0.02
    assert share(pixels(tmp_path / "holds.png"), tint) == 0


def test_500_sessions_and_a_mark_far_on_are_drawn_around_the_mark(tmp_path: Path) -> None:
    told = story(crowd(300), CATALOGUE["threshold_127"].scheduler, "m")
    assert told.mark is not None
    assert told.run.iterations > 400
    (tmp_path / "far.png").write_bytes(drawn(told))
    assert share(pixels(tmp_path / "far.png"), DECODE) > 0.02


@pytest.mark.parametrize(
    "path", [[], [(0, 0, 0)], [(10**18, 10**15, 9**15)], [(10**20, 128, 9**25)]]
)
def test_an_empty_path_and_large_numbers_are_drawn(path: Any, tmp_path: Path) -> None:
    (tmp_path / "it.png").write_bytes(drawn(story(path)))
    assert (tmp_path / "it.png").read_bytes().startswith(b"\x89PNG")


def test_names_are_no_formulas(tmp_path: Path) -> None:
    claim = Claim("c $x_1^$", "every iteration", lambda i, d: i.start < 0)
    (tmp_path / "it.png").write_bytes(
        drawn(story([(0, 128, 1)], name="hos$x^$y:it", claims=[claim]))
    )
    assert (tmp_path / "it.png").exists()


def test_a_decode_that_a_batch_leaves_out_has_its_own_colour(tmp_path: Path) -> None:
    told = story([(0, 0, 1), (0, 256, 0)], claims=[])
    [one, other] = told.lives
    assert [told.serves(place, one) for place in range(2)] == [False, True]
    assert not told.serves(0, other)
    (tmp_path / "it.png").write_bytes(drawn(told))
    picture = pixels(tmp_path / "it.png")
    assert share(picture, STALLED) > 0.01
    assert share(picture, STALLED) > 2 * share(picture, DECODE)


def test_the_same_bytes_for_the_same_story(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(drawn(story(crowd(30))))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_numbers_beyond_a_float_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="too large for a PNG's axis"):
        (tmp_path / "it.png").write_bytes(drawn(story([(10**400, 1, 1)])))
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput, match=r"pip install 'radproof\[plot\]'"):
        (tmp_path / "it.png").write_bytes(drawn(story([(0, 1, 1)])))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_bytes(tmp_path / "file" / "it.png", drawn(story([(0, 1, 1)])))
