"""Strings that a note, a name or a file's name may hold, and what Lean takes for code."""

import hypothesis.strategies as st

PIECES = (
    *("-/", "/-", "/-!", "/--", "-", "/", "--", "\n", "\r", "\r\n", "\t", "\\", '"', "'", " ", "é"),
    *(
        "--FACTS--",
        "--TITLE--",
        "--RULES--",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u2028",
        "\x00",
        "\x1b",
    ),
    *("\ufeff", "\ud800", "\xa0", "#eval 1", "axiom bad : False", "end Radproof", "import Evil"),
    *("theorem boom : 1 = 2 := rfl", "by decide +kernel", "set_option maxRecDepth 100000"),
)
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=2), min_size=1, max_size=8).map(
    "".join
)


def code(text: str) -> str:
    """The text without its comments: block comments nest, a line comment ends with its line."""
    kept, place, depth = "", 0, 0
    while place < len(text):
        two = text[place : place + 2]
        if two == "/-":
            depth, place = depth + 1, place + 2
        elif two == "-/" and depth:
            depth, place = depth - 1, place + 2
        elif two == "--" and not depth:
            place = text.index("\n", place)
        else:
            kept += "" if depth else text[place]
            place += 1
    assert depth == 0
    return kept
