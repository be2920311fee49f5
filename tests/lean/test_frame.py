"""What stands around a file's facts, from its first byte to its last."""

import pytest

from radproof.lean.definitions import mirror
from radproof.lean.frame import facts_of, framed
from radproof.lean.tokens import Unreadable


@pytest.mark.parametrize("base", ["written out", "mirror", "proofs"])
def test_the_facts_are_what_was_framed(base):
    text = framed(["A title.", "A note."], "def n : Nat := 1", base)
    found = facts_of(text)
    assert (found.text, found.base) == ("def n : Nat := 1", base)
    assert text.split("\n")[found.line - 1] == "def n : Nat := 1"
    assert (mirror().strip() in text) is (base == "written out")


OPTION = "set_option maxRecDepth 100000\n"
FRAME = "expected the option and the namespace before the facts"
HEAD = "expected the comment that begins a file, or `import RadproofMirror`"
END = "expected `end Radproof` and the end of the file"


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("/-\nTitle\n", "import Evil\n/-\nTitle\n", 1, HEAD),
        ("/-\nTitle\n", "#eval 1\n/-\nTitle\n", 1, HEAD),
        ("/-\nTitle\n", "\n/-\nTitle\n", 1, HEAD),
        ("/-\nTitle\n", "/-\nTitle -/ #eval 1 /-\n", 1, HEAD),
        ("/-\nTitle\n-/\n", "/-\nTitle\n-/\n#eval 1\n", 4, "its mirror is not this version's"),
        ("/-\nTitle\n-/\n", "/-\nTitle\n-/\n/-\nTwo\n-/\n", 4, "its mirror is not this version's"),
        ("served := 0,", "served := 1,", None, "its mirror is not this version's"),
        (OPTION, f"#eval 1\n\n{OPTION}", None, FRAME),
        (OPTION, f"{OPTION}import Evil\n", None, FRAME),
        (OPTION, "", None, FRAME),
        ("end Radproof\n", "end Radproof", None, None),
    ],
)
def test_nothing_else_stands_in_a_file(before, after, line, said):
    text = framed(["Title"], "def n : Nat := 1", "written out")
    assert before in text
    if said is None:
        text, said = text[:-1], END
    else:
        text = text.replace(before, after, 1)
    with pytest.raises(Unreadable, match=said) as raised:
        facts_of(text)
    assert line is None or raised.value.line == line


@pytest.mark.parametrize("more", ["#eval 1\n", "\n", " ", "axiom bad : False\n"])
def test_nothing_comes_after_the_end(more):
    with pytest.raises(Unreadable, match=END):
        facts_of(framed(["Title"], "def n : Nat := 1", "written out") + more)


def test_another_import_is_none_of_the_mirror():
    text = framed(["Title"], "def n : Nat := 1", "mirror")
    for other in (
        "import Evil",
        "import RadproofMirror Evil",
        "import RadproofMirror\nimport Evil",
    ):
        with pytest.raises(Unreadable):
            facts_of(text.replace("import RadproofMirror", other))
    assert facts_of(text).base == "mirror"
