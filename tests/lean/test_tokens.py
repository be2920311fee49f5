"""The tokens of the fragment, and what may not be in a file at all."""

import pytest

from radproof.lean.budget import MOST_DIGITS
from radproof.lean.tokens import Unreadable, check_characters, tokens


def texts(text):
    return [found for _, found, _ in tokens(text)[:-1]]


def test_a_name_holds_its_fields_and_a_sign_is_read_whole():
    assert texts("Nat.ble a.b' 12 || [] => :=") == [
        *("Nat.ble", "a.b'", "12", "||", "[", "]", "=>", ":="),
    ]


def test_a_comment_is_left_out_and_its_lines_count():
    assert tokens("/-! one\ntwo -/\n/-- three -/ x", line=5)[0] == ("word", "x", 7)
    assert texts("0 10 04") == ["0", "10", "0", "4"], "no number begins with 0"
    assert tokens("x")[-1] == ("end of file", "the end of the file", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n? b", r"line 2: unexpected character '\?'"),
        ("a\t", "unexpected character '.t'"),
        ("#eval", "unexpected character '#'"),
        ("@[simp]", "unexpected character '@'"),
        ("٣", "unexpected character '٣'"),
    ],
)
def test_what_the_fragment_does_not_have(text, said):
    with pytest.raises(Unreadable, match=said):
        tokens(text)


def test_digits_are_bounded():
    assert texts("9" * MOST_DIGITS) == ["9" * MOST_DIGITS]
    with pytest.raises(Unreadable, match=rf"line 3: a number has more than {MOST_DIGITS} digits"):
        tokens("\n\n" + "9" * (MOST_DIGITS + 1))


@pytest.mark.parametrize(
    "c", ["\r", "\x00", "\x1b", "\u202e", "\u200b", "\u2028", "\xa0", "\ufeff"]
)
def test_a_character_that_does_not_show_is_refused_with_its_line(c):
    check_characters("a é → µ ≤\nb")
    with pytest.raises(Unreadable, match=rf"line 2: the character U\+{ord(c):04X} does not show"):
        check_characters(f"a\nb{c}c")
