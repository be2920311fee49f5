from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from radproof.cli.progress import counting, working
from radproof.search.progress import no_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error from now on. (In a fixture it would be pytest's own again by the test.)"""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_nothing_is_shown_where_standard_error_is_piped(capsys: Any) -> None:
    with counting("token_rate", 10) as told, working("running"):
        assert told is no_progress
        told(3)
        told(None)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_sees_how_many_are_done_and_that_a_path_is_made_minimal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = on_a_terminal(monkeypatch)
    with counting("token_rate", 10) as told:
        told(10)
    assert "100%" in terminal.getvalue()
    assert "minimal" not in terminal.getvalue()
    with counting("token_rate", 10) as told:
        told(4)
        told(None)
    assert "token_rate: making a path minimal" in terminal.getvalue()


def test_a_terminal_sees_that_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_a_terminal(monkeypatch)
    with working("running"):
        pass
    assert "running ..." in terminal.getvalue()
