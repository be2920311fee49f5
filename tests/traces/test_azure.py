from __future__ import annotations

import pytest

from radproof import BadInput, Session
from radproof.files.paths import parse
from radproof.traces import read_trace

ROWS = [
    "2023-11-16 18:15:46.6805900,374,44",
    "2023-11-16 18:15:50.9951690,396,109",
    "2023-11-16 18:15:51.2224670,879,55",
]
EXPECTED = (Session(0, 374, 44), Session(4_314_579, 396, 109), Session(4_541_877, 879, 55))


AZURE_HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens"


def read_azure(text: str) -> tuple[Session, ...]:
    """The sessions of a text that is known as an Azure trace."""
    found = read_trace(text)
    assert found is not None
    assert found.format.startswith("azure ")
    return found.sessions


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
            "are whole microseconds. Round it yourself.",
        ),
        ("2023-11-16 18:15:46.680590001,1,1", "line 3: TIMESTAMP is '2023-11-16 18:15:46.6805900"),
        ("yesterday,1,1", "line 3: TIMESTAMP is 'yesterday'; it must read like 2023-11-16 18:15:"),
        ("2023-02-30 00:00:00,1,1", "line 3: TIMESTAMP is '2023-02-30 00:00:00': day is out of "),
        (
            "2023-11-16 18:15:46+01:00,1,1",
            "line 3: TIMESTAMP is '2023-11-16 18:15:46+01:00'; it has a zone where line 2 has "
            "none, so the two cannot be put on one clock. Give all rows a zone, or none.",
        ),
        ("2023-11-16 18:15:46+24:00,1,1", "line 3: TIMESTAMP is '2023-11-16 18:15:46+24:00': "),
        ("2023-11-16 18:15:٤6,1,1", "line 3: TIMESTAMP is '2023-11-16 18:15:٤6'; it must read "),
        ("2023-11-16 18:15:46,1", f"line 3 has 2 fields, not 3 ({AZURE_HEADER})."),
        ("2023-11-16 18:15:46,-1,1", "line 3: ContextTokens is '-1'; it must be a natural number."),
        ("2023-11-16 18:15:46,1,2.0", "line 3: GeneratedTokens is '2.0'; it must be a natural num"),
        ("2023-11-16 18:15:46,1,", "line 3: GeneratedTokens is ''; it must be a natural number."),
        (f"2023-11-16 18:15:46,1,{'9' * 4301}", "line 3: GeneratedTokens "),
    ],
    ids=range(12),
)
def test_what_is_wrong_is_named_with_its_line(row: str, message: str) -> None:
    with pytest.raises(BadInput) as raised:
        read_azure(trace(ROWS[0], row))
    assert str(raised.value).startswith(message)


def test_a_trace_without_rows_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^the trace has a header and no rows\.$"):
        read_azure(trace())


def test_only_the_header_of_azure_is_azure_s() -> None:
    assert read_azure(trace(*ROWS)) == EXPECTED
    assert read_trace("arrive,prompt,output\n0,1,1\n") is None


def test_2024_has_zones_and_fractions_of_any_length() -> None:
    rows = [
        "2024-05-10 00:00:00.009930+00:00,2162,5",
        "2024-05-10 00:00:01+00:00,1,1",
        "2024-05-10 02:00:01.5+02:00,3,1",
        "2024-05-09T23:00:01.6-0100,4,1",
        "2024-05-10 00:00:01.7Z,5,1",
    ]
    found = read_trace(trace(*rows, end="\n"))
    assert found is not None
    assert found.format == "azure 2024"
    assert [s.arrive for s in found.sessions] == [0, 990_070, 1_490_070, 1_590_070, 1_690_070]


def test_a_row_without_a_zone_among_rows_with_one_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^line 3: .* it has no zone where line 2 has one, so "):
        read_azure(trace("2024-05-10 00:00:00+00:00,1,1", "2024-05-10 00:00:00,1,1"))


def test_the_first_row_tells_2023_from_2024() -> None:
    found = read_trace(trace(*ROWS))
    assert found is not None
    assert (found.format, found.sessions, found.notes) == ("azure 2023", EXPECTED, ())
