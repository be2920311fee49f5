"""The documents show what happens, and a wrong document is caught."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from documents import ROOT, Wrong, bless, blocks, check

from radproof.proof.trusted import TRUSTED

DOCUMENTS = sorted(
    [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/README.md")]
)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_document_is_right(file: Path, tmp_path: Path) -> None:
    try:
        check(file.read_text("utf-8"), tmp_path)
    except Wrong as wrong:
        pytest.fail(f"{file.relative_to(ROOT)}, {wrong}", pytrace=False)


def test_the_documents_are_found_and_run_a_lot() -> None:
    assert len(DOCUMENTS) > 25
    text = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    assert sum(block.language == "console" for block in blocks(text)) >= 10


def test_the_gate_s_page_gives_the_action_what_it_takes() -> None:
    page = blocks((ROOT / "docs" / "how-to" / "gate-in-ci.md").read_text("utf-8"))
    workflow, hooks = (yaml.safe_load(b.text) for b in page if b.language == "yaml")
    [given] = [
        step["with"]
        for step in workflow["jobs"]["scheduler"]["steps"]
        if "radproof" in step.get("uses", "")
    ]
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert given.keys() <= action["inputs"].keys()
    [hook] = hooks["repos"][0]["hooks"]
    [offered] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["id"] == offered["id"]


def test_the_explanation_names_everything_that_is_trusted() -> None:
    text = (ROOT / "docs" / "explanation.md").read_text("utf-8")
    assert [name for name, _ in TRUSTED if f"**{name}**" not in text] == []


def document(*parts: str) -> str:
    return "\n".join(parts) + "\n"


def fenced(language: str, *lines: str) -> str:
    return "\n".join([f"```{language}", *lines, "```"])


RIGHT = {
    "a file, and a command that reads it": (
        document(
            "<!-- file: in/it.py -->", fenced("python", "print('read')"),
            fenced("console", "$ python in/it.py", "read"),
        ),
        1,
    ),
    "a file that is written again": (
        document(
            "<!-- file: it.py -->", fenced("python", "n = 1"),
            fenced("console", "$ python -c 'import it; print(it.n)'", "1"),
            "<!-- file: it.py -->", fenced("python", "n = 2"),
            fenced("console", "$ python -c 'import it; print(it.n)'", "2"),
        ),
        2,
    ),
    "an exit code, and what goes to stderr": (
        document("<!-- exit: 2 -->", fenced("console", "$ echo a >&2; exit 2", "a")),
        1,
    ),
    "several commands, of which some print": (
        document(fenced("console", "$ true", "$ echo a \\", "  b", "a b", "$ echo c", "c")),
        3,
    ),
    "lines left out": (document(fenced("console", "$ seq 9", "1", "...", "9")), 1),
    "times that vary": (
        document("<!-- times vary -->", fenced("console", "$ echo 'took  0.25 s'", "took 13.5 s")),
        1,
    ),
    "two markers above one block": (
        document("<!-- exit: 1 -->", "<!-- times vary -->", fenced("sh", "echo 0.1", "exit 1")),
        1,
    ),
    "what a command prints": (
        document("<!-- shown by: echo '{\"a\": 1}' -->", fenced("json", '{"a": 1}')),
        1,
    ),
    "a session whose names last": (
        document(
            "<!-- doctest -->", fenced("python", ">>> a = 2"),
            "<!-- doctest -->", fenced("python", ">>> a + a", "4"),
        ),
        0,
    ),
    "commands that are not run": (
        document(
            "<!-- not run: it needs the network -->",
            fenced("sh", 'radproof run "$(radproof fetch azure-2023-conv)"', "make bench"),
        ),
        0,
    ),
    "a folder of the repository": (
        document("<!-- copy: examples/tiny_engine to te -->", fenced("sh", "test -f te/README.md")),
        1,
    ),
    "a workflow": (
        document(fenced("yaml", "steps:", "  - run: radproof check --laws engine")),
        0,
    ),
    "what is only read": (document("Text.", fenced("text", "anything"), fenced("lean", "def")), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_document_passes(name: str, tmp_path: Path) -> None:
    text, commands = RIGHT[name]
    assert check(text, tmp_path) == commands


WRONG = {
    "another output": (fenced("console", "$ echo a", "b"), "prints something else"),
    "a line too few": (fenced("console", "$ printf 'a\\nb\\n'", "a"), "prints something else"),
    "nothing printed where something is shown": (
        fenced("console", "$ true", "a"),
        "prints something else",
    ),
    "something printed where nothing is, beside a command that shows": (
        fenced("console", "$ echo a", "$ echo b", "b"),
        "prints something else",
    ),
    "the lines that were left out are the wrong ones": (
        fenced("console", "$ seq 9", "2", "...", "9"),
        "prints something else",
    ),
    "a figure that varies and may not": (
        fenced("console", "$ echo 0.25", "0.26"),
        "prints something else",
    ),
    "more than the times varies": (
        "<!-- times vary -->\n" + fenced("console", "$ echo '2 in 0.25'", "3 in 0.25"),
        "prints something else",
    ),
    "a command that fails": (fenced("console", "$ exit 1"), "ends with 1, not 0"),
    "a command of a script that fails": (fenced("sh", "false", "true"), "ends with 1, not 0"),
    "a command that should fail and does not": (
        "<!-- exit: 1 -->\n" + fenced("console", "$ true"),
        "ends with 0, not 1",
    ),
    "a first command that fails, where the last may": (
        "<!-- exit: 1 -->\n" + fenced("console", "$ exit 1", "$ exit 1"),
        "ends with 1, not 0",
    ),
    "a script that fails": (fenced("sh", "radproof run"), "ends with 2, not 0"),
    "console without a command": (fenced("console", "a"), "begins with"),
    "a doctest that errs": (
        "<!-- doctest -->\n" + fenced("python", ">>> 1 + 1", "3"),
        "Expected:\n    3\nGot:\n    2",
    ),
    "a doctest without an example": (
        "<!-- doctest -->\n" + fenced("python", "1 + 1"),
        "without an example",
    ),
    "Python that nothing handles": (
        fenced("python", "1 + 1"),
        "without a marker that says what to do",
    ),
    "a language that nothing handles": (
        fenced("bash", "true"),
        "without a marker that says what to do",
    ),
    "no language": (fenced("", "radproof run"), "without a marker that says what to do"),
    "a marker that is misspelt": (
        "<!-- doctset -->\n" + fenced("python", ">>> 1"),
        "without a marker that says what to do",
    ),
    "not run without a reason": (
        "<!-- not run -->\n" + fenced("sh", "curl example.org"),
        "lacks one",
    ),
    "a marker above no block": ("<!-- exit: 1 -->\nText.\n\n" + fenced("sh", "true"), "no block"),
    "code that is indented": ("Text:\n\n    radproof run\n", "indented"),
    "an unknown option": (
        "<!-- not run: x -->\n" + fenced("sh", "radproof check --claims a"),
        "No such option",
    ),
    "an unknown option, in a command within a command": (
        "<!-- not run: x -->\n" + fenced("sh", 'radproof run "$(radproof fetch --form a)"'),
        "No such option",
    ),
    "an unknown option, behind a pipe": (
        "<!-- not run: x -->\n" + fenced("sh", "cat it | radproof \\", "  lean verify --leen a"),
        "No such option",
    ),
    "an unknown option, in a workflow": (
        fenced("yaml", "steps:", "  - run: |", "      true", "      radproof check --lows engine"),
        "No such option",
    ),
    "an unknown value": (
        "<!-- not run: x -->\n" + fenced("sh", "radproof prove --solver z4"),
        "'z4' is not one of",
    ),
    "an unknown command": (
        "<!-- not run: x -->\n" + fenced("sh", "radproof lean export-all"),
        "no command 'export-all'",
    ),
    "an argument that is missing": (
        "<!-- not run: x -->\n" + fenced("sh", "radproof lean export -o it.lean"),
        "Missing argument",
    ),
    "an unknown target": (
        "<!-- not run: x -->\n" + fenced("sh", "make claims", "make cake"),
        "no target cake",
    ),
    "invalid YAML": (fenced("yaml", "a: [1"), "invalid yaml"),
    "invalid TOML": (fenced("toml", "a ="), "invalid toml"),
    "invalid JSON": (fenced("json", "{'a': 1}"), "invalid json"),
    "JSON that a command does not print": (
        "<!-- shown by: echo '{}' -->\n" + fenced("json", '{"a": 1}'),
        "prints something else",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_document_is_caught(name: str, tmp_path: Path) -> None:
    text, message = WRONG[name]
    with pytest.raises(Wrong) as raised:
        check(f"# A document\n\n{text}\n", tmp_path)
    assert str(raised.value).startswith("line ")
    assert message in str(raised.value)


def test_bless_writes_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "it.md"
    shown = "<!-- shown by: echo c -->\n" + fenced("text", "?")
    file.write_text(document(fenced("console", "$ echo a", "?", "$ echo b", "b"), shown))
    bless(file)
    assert file.read_text() == document(
        fenced("console", "$ echo a", "a", "$ echo b", "b"), shown.replace("?", "c")
    )
