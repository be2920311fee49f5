from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from helpers import TESTS

from docs.generate.commands import HERE, on_page_markdown
from radproof.cli.main import main


def test_a_page_without_the_line_is_left_alone() -> None:
    assert on_page_markdown("# A page\n", page=None) == "# A page\n"


def commands(group: click.Group, *above: str) -> list[tuple[str, ...]]:
    found = []
    for name, command in group.commands.items():
        found.append((*above, name))
        if isinstance(command, click.Group):
            found += commands(command, *above, name)
    return found


def test_every_command_has_a_section_with_its_help() -> None:
    page = on_page_markdown(f"# Commands\n\n{HERE}\n")
    assert len(commands(main)) >= 13
    for words in commands(main):
        shown = page.split(f"## radproof {' '.join(words)}\n\n```text\n")[1].split("\n```")[0]
        asked = CliRunner().invoke(
            main, [*words, "--help"], prog_name="radproof", terminal_width=80
        )
        assert shown == asked.output.rstrip("\n")
        assert "Example" in shown


class Requests(HTMLParser):
    """What a browser asks for while it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        wanted = given.get("href") if tag == "link" else given.get("src")
        if wanted:
            self.found.append(wanted)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=TESTS.parent,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_no_page_asks_another_server_for_anything(site: Path) -> None:
    pages = list(site.glob("**/*.html"))
    assert len(pages) > 25
    for page in pages:
        requests = Requests()
        requests.feed(page.read_text("utf-8"))
        assert requests.found
        assert [r for r in requests.found if re.match(r"(https?:)?//", r)] == []


def test_no_page_has_what_differs_from_build_to_build(site: Path) -> None:
    for page in site.glob("**/*.html"):
        assert (
            re.findall(r"\bat 0x[0-9a-f]+|" + re.escape(str(TESTS.parent)), page.read_text()) == []
        )


def test_the_reference_is_generated_from_the_docstrings(site: Path) -> None:
    page = (site / "reference" / "radproof.html").read_text("utf-8")
    assert "the tile sizes of equation (7), in tokens" in page  # Deployment's docstring
    assert (
        "t_lin" in page.split('id="radproof.model.Deployment"')[1].split("</code>")[0]
    )  # its signature
    strategies = (site / "reference" / "strategies.html").read_text("utf-8")
    assert "max_sessions" in strategies
    commands_page = (site / "reference" / "commands.html").read_text("utf-8")
    assert 'id="radproof-lean-export"' in commands_page
