"""Runs a document as a session: writes its files and runs its commands, from top to bottom.

The language of a fenced block decides what happens to it:

- ``console``: commands after ``$``, and what they print; a block without output is only run;
- ``sh``: a script, run as it is;
- ``python``: a file, a doctest, or what a command prints;
- ``yaml``, ``toml``, ``json``: parsed;
- ``text``, ``lean``, ``csv``, ``jsonl``: to be read.

Comments directly above a block, one or several, add to that:

- ``<!-- file: NAME -->``: write the block to this file;
- ``<!-- exit: N -->``: its last command ends with N, not with 0;
- ``<!-- doctest -->``: the block is a Python session, run as a doctest. The next one keeps its
  names;
- ``<!-- shown by: COMMAND -->``: the block is what the command prints;
- ``<!-- times vary -->``: do not compare numbers with decimals, and the spaces beside them;
- ``<!-- not run: REASON -->``: it cannot run here. Its commands must still exist.

``<!-- copy: FOLDER to FOLDER -->``, anywhere, copies a folder of the repository into the session's.
A line ``...`` of the output matches any lines. Run or not, click must know each ``radproof``
command with its options, and the Makefile the target of each ``make``.

``python tests/documents.py FILE ...`` writes what the commands print into the documents; where a
block changed, in place of its ``...`` too.
"""

from __future__ import annotations

import difflib
import doctest
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import click
import yaml
from markdown_it import MarkdownIt

from radproof.cli.main import main

ROOT = Path(__file__).parent.parent
MARKERS = ("file", "exit", "doctest", "shown by", "times vary", "not run")
WITHOUT_VALUE = ("doctest", "times vary")
READ_ONLY = ("text", "lean", "csv", "jsonl")
PARSERS: dict[str, Callable[[str], Any]] = {
    "yaml": yaml.safe_load,
    "toml": tomllib.loads,
    "json": json.loads,
}


class Wrong(AssertionError):
    """A document is wrong."""


@attrs.frozen
class Block:
    """A fenced block: its language, its text, the line it begins on, the markers above it."""

    language: str
    text: str
    line: int
    markers: dict[str, str]


@attrs.frozen
class Ran:
    """A command of a block, the output that the block shows (None: none), and the real one."""

    command: str
    said: str | None
    printed: str
    block: Block

    @property
    def as_said(self) -> bool:
        """Whether it printed what is shown."""
        if self.said is None:
            return True
        masked = _timeless if "times vary" in self.block.markers else str
        parts = re.split(r"^\.\.\.\n", masked(self.said), flags=re.MULTILINE)
        pattern = r"(?:.*\n)*?".join(re.escape(part) for part in parts)
        return re.fullmatch(pattern, masked(self.printed)) is not None


def _timeless(text: str) -> str:
    return re.sub(r"\s?\d+\.\d+\s?", "#", re.sub(r"[ ─]+", " ", text))


def check(text: str, folder: Path) -> int:
    """Run a document in an empty folder; returns how many commands it ran.

    Raises Wrong, with the line, at the first block that differs from what the document shows.
    """
    count = 0
    for ran in through(text, folder):
        count += 1
        if not ran.as_said:
            assert ran.said is not None
            lines = ran.said.splitlines(True), ran.printed.splitlines(True)
            diff = "".join(difflib.unified_diff(*lines, "shown", "printed"))
            raise Wrong(f"line {ran.block.line}: {ran.command} prints something else\n{diff}")
    return count


def through(text: str, folder: Path) -> Iterator[Ran]:
    """Handle every block of a document in turn. Raises Wrong for a block that cannot be handled."""
    for place, to in re.findall(r"<!-- copy: (\S+) to (\S+) -->", text):
        left_out = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(ROOT / place, folder / to, dirs_exist_ok=True, ignore=left_out)
    names: dict[str, Any] = {}
    for block in blocks(text):
        try:
            yield from _handle(block, folder, names)
        except Wrong as wrong:
            raise Wrong(f"line {block.line}: {wrong}") from None


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a document. Raises Wrong for code that is indented only."""
    markers: dict[str, str] = {}
    for token in MarkdownIt().parse(text):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "html_block":
            markers |= _markers(token.content, line)
        elif token.type == "code_block":
            raise Wrong(f"line {line}: indented code: fence it, and name its language")
        elif token.type == "fence":
            yield Block(token.info, token.content, line, markers)
            markers = {}
        elif markers:
            raise Wrong(f"line {line}: above no block: {', '.join(markers)}")


def _markers(text: str, line: int) -> dict[str, str]:
    found = {}
    for comment in re.findall(r"<!-- (.*?) -->", text, re.DOTALL):
        name, colon, value = comment.partition(": ")
        if name in MARKERS:
            if bool(colon) is (name in WITHOUT_VALUE):
                raise Wrong(f"line {line}: {comment!r} has an unexpected value, or lacks one")
            found[name] = value
    return found


def _handle(block: Block, folder: Path, names: dict[str, Any]) -> Iterator[Ran]:
    markers = block.markers
    if "file" in markers:
        file = folder / markers["file"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
    if block.language in PARSERS:
        _parse(block)
    if "doctest" in markers:
        _try(block.text, names)
    elif block.language in ("console", "sh") or "shown by" in markers:
        pairs = list(_commands(block))
        for command, _ in pairs:
            known(command)
        for number, (command, said) in enumerate(pairs, 1):
            if "not run" not in markers:
                status = int(markers.get("exit", 0)) if number == len(pairs) else 0
                yield Ran(command, said, _run(command, folder, status), block)
    elif block.language not in (*READ_ONLY, *PARSERS) and not markers.keys() & {"file", "not run"}:
        raise Wrong(
            f"a block of {block.language or 'no'} language without a marker that says what to do"
        )


def _commands(block: Block) -> Iterator[tuple[str, str | None]]:
    """Each command of a block, and the output that the block shows."""
    if "shown by" in block.markers:
        yield block.markers["shown by"], block.text
    elif block.language == "sh":
        yield block.text, None
    else:
        found = re.findall(
            r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, flags=re.MULTILINE
        )
        if not block.text.startswith("$ "):
            raise Wrong("a console block begins with `$ ` and a command")
        shown = any(said for _, said in found)
        yield from ((command, said if shown else None) for command, said in found)


def _run(command: str, folder: Path, status: int) -> str:
    """What a command prints, as in a terminal. Raises Wrong if it ends with another status."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        # no CI variables, a home of its own, and no bytecode: a file written twice within a second
        # would keep the first one's
        env={
            "PATH": programs,
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode != status:
        raise Wrong(f"{command} ends with {done.returncode}, not {status}\n{done.stdout}")
    return done.stdout


def _try(session: str, names: dict[str, Any]) -> None:
    """Raises Wrong if a Python session differs from the one shown; `names` keeps its names."""
    test = doctest.DocTestParser().get_doctest(session, names, "session", None, 0)
    if not test.examples:
        raise Wrong("a doctest without an example")
    reports: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=reports.append, clear_globs=False)
    names |= test.globs
    if reports:
        raise Wrong("".join(reports))


def _parse(block: Block) -> None:
    try:
        data = PARSERS[block.language](block.text)
    except (ValueError, yaml.YAMLError) as error:
        raise Wrong(f"invalid {block.language}: {error}") from None
    for script in _scripts(data):
        known(script)


def _scripts(data: Any) -> Iterator[str]:
    """The shell scripts in a CI workflow or a hook: the values of `run` and `entry`."""
    if isinstance(data, list):
        for value in data:
            yield from _scripts(value)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key in ("run", "entry") and isinstance(value, str):
                yield value
            else:
                yield from _scripts(value)


def known(script: str) -> None:
    """Raises Wrong if a shell script calls an unknown radproof command or make target."""
    for line in script.replace("\\\n", " ").splitlines():
        for inner in re.findall(r"\$\(([^()]*)\)", line):
            known(inner)
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        for between, group in itertools.groupby(words, lambda word: set(word) <= set("();<>|&")):
            command = list(group)
            if command[0] == "radproof":
                _is_known(main, command)
            elif command[0] == "make" and not between:
                targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
                if missing := set(command[1:]) - set(targets):
                    raise Wrong(f"the Makefile has no target {', '.join(missing)}")


def _is_known(command: click.Command, words: list[str]) -> None:
    """Raises Wrong if click rejects these words; their files need not exist."""
    name, *arguments = words
    try:
        while isinstance(command, click.Group) and arguments and arguments[0][0] != "-":
            name, *arguments = arguments
            found = command.get_command(click.Context(command), name)
            if found is None:
                raise Wrong(f"radproof has no command {name!r}")
            command = found
        command.make_context(name, arguments)
    except click.exceptions.Exit:  # --help and --version
        return
    except click.UsageError as error:
        file = isinstance(error, click.BadParameter) and isinstance(
            getattr(error.param, "type", None), click.Path
        )
        if not file or isinstance(error, click.MissingParameter):
            raise Wrong(f"{shlex.join(words)}: {error.format_message()}") from None


def bless(file: Path) -> None:
    """Write into a document what its commands print."""
    text = file.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for ran in list(through(text, Path(folder))):
            if not ran.as_said:
                shown = "shown by" in ran.block.markers
                above = f"```{ran.block.language}\n" if shown else f"$ {ran.command}\n"
                text = text.replace(f"{above}{ran.said}", f"{above}{ran.printed}", 1)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        bless(Path(name))
