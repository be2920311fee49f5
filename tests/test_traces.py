from __future__ import annotations

import pytest

from radproof import BadInput, Deployment, Session
from radproof.pathfile import parse
from radproof.traces import AZURE_HEADER, Padding, is_azure, pad, read_azure

ROWS = [
    "2023-11-16 18:15:46.6805900,374,44",
    "2023-11-16 18:15:50.9951690,396,109",
    "2023-11-16 18:15:51.2224670,879,55",
]
EXPECTED = (Session(0, 374, 44), Session(4_314_579, 396, 109), Session(4_541_877, 879, 55))


def trace(*rows: str, end: str = "\r\n", last: bool = True) -> str:
    return end.join([AZURE_HEADER, *rows]) + (end if last else "")


@pytest.mark.parametrize("end", ["\r\n", "\n"], ids=["crlf", "lf"])
@pytest.mark.parametrize("last", [True, False], ids=["newline at end", "none"])
def test_a_trace_is_read_whatever_its_line_ends(end: str, last: bool) -> None:
    assert read_azure(trace(*ROWS, end=end, last=last)) == EXPECTED
    assert parse(trace(*ROWS, end=end, last=last)).sessions == EXPECTED


def test_seven_digits_are_exact() -> None:
    """A float of the seconds since 1970 would have lost the last ones."""
    rows = [f"2023-11-16 18:15:46.{us:06}0,1,1" for us in (0, 1, 999_999, 123_457)]
    assert [s.arrive for s in read_azure(trace(*rows))] == [0, 1, 999_999, 123_457]


def test_the_earliest_row_arrives_at_0_wherever_it_stands() -> None:
    path = read_azure(trace(ROWS[2], ROWS[0], ROWS[1]))
    assert path == (EXPECTED[2], EXPECTED[0], EXPECTED[1])


def test_stamps_over_midnight_and_without_a_fraction() -> None:
    rows = ["2023-12-31 23:59:59,1,2", "2024-01-01T00:00:00.5,3,4", "2024-03-01 00:00:00,5,6"]
    arrivals = [s.arrive for s in read_azure(trace(*rows))]
    assert arrivals == [0, 1_500_000, (60 * 86_400 + 1) * 1_000_000]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            "2023-11-16 18:15:46.6805901,1,1",
            "line 3: TIMESTAMP is '2023-11-16 18:15:46.6805901', finer than a microsecond; times "
            "are whole microseconds, and rounding is for you to choose.",
        ),
        ("2023-11-16 18:15:46.680590001,1,1", "line 3: TIMESTAMP is '2023-11-16 18:15:46.6805900"),
        ("yesterday,1,1", "line 3: TIMESTAMP is 'yesterday'; it must read like 2023-11-16 18:15:"),
        ("2023-02-30 00:00:00,1,1", "line 3: TIMESTAMP is '2023-02-30 00:00:00': day is out of "),
        ("2023-11-16 18:15:46+01:00,1,1", "line 3: TIMESTAMP is '2023-11-16 18:15:46+01:00'; it "),
        ("2023-11-16 18:15:46,1", f"line 3 has 2 fields, not 3 ({AZURE_HEADER})."),
        ("2023-11-16 18:15:46,-1,1", "line 3: ContextTokens is '-1'; it must be a natural number."),
        ("2023-11-16 18:15:46,1,2.0", "line 3: GeneratedTokens is '2.0'; it must be a natural num"),
        ("2023-11-16 18:15:46,1,", "line 3: GeneratedTokens is ''; it must be a natural number."),
        (f"2023-11-16 18:15:46,1,{'9' * 4301}", "line 3: GeneratedTokens "),
    ],
    ids=range(10),
)
def test_what_is_wrong_is_named_with_its_line(row: str, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_azure(trace(ROWS[0], row))
    assert str(raised.value).startswith(message)


def test_a_trace_without_rows_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^the trace has a header and no rows\.$"):
        read_azure(trace())


def test_only_the_header_of_azure_is_azure_s() -> None:
    assert is_azure("TIMESTAMP,ContextTokens,GeneratedTokens")
    assert not is_azure("arrive,prompt,output")


def test_padding_rounds_prompts_up_to_the_tile_and_says_what_that_cost() -> None:
    path = (Session(5, 374, 44), Session(6, 384, 1), Session(7, 0, 3), Session(8, 1, 0))
    padded, cost = pad(path, Deployment(b_col=128))
    assert [s.prompt for s in padded] == [384, 384, 0, 128]
    assert [(s.arrive, s.output) for s in padded] == [(5, 44), (6, 1), (7, 3), (8, 0)]
    assert cost == Padding(sessions=2, before=759, after=896)
    assert str(cost) == "2 prompts rounded up to the tile: 137 tokens more than 759, 18.05 %"


def test_padding_goes_to_b_lcm() -> None:
    padded, _ = pad((Session(0, 7, 0),), Deployment(b_col=4, b_row=6))
    assert padded[0].prompt == 12


def test_padding_nothing_costs_nothing() -> None:
    path = (Session(0, 128, 1), Session(0, 0, 1))
    assert pad(path, Deployment()) == (path, Padding(0, 128, 128))
    assert str(pad((), Deployment())[1]) == (
        "0 prompts rounded up to the tile: 0 tokens more than 0, 0.00 %"
    )
