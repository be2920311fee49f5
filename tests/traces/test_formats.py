"""Samples of our own in each format, with each format's traps."""

from __future__ import annotations

import json

import pytest
from helpers import SHARED

from radproof import CLAIMS, BadInput, Result, Session, check, leap
from radproof.files.paths import parse, read
from radproof.traces import Shape, read_trace, shape
from radproof.traces.formats import Trace

VIDUR = "arrived_at,num_prefill_tokens,num_decode_tokens"
MOONCAKE = "timestamp,input_length,output_length"
BURST = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type"


def found(*lines: str, end: str = "\n") -> Trace:
    trace = read_trace(end.join(lines))
    assert trace is not None
    assert parse(end.join(lines)).sessions == trace.sessions
    return trace


def refused(*lines: str) -> str:
    with pytest.raises(BadInput) as raised:
        read_trace("\n".join(lines))
    return str(raised.value)


def test_vidur_s_seconds_are_exact_and_a_float_s_noise_is_taken_off() -> None:
    trace = found(VIDUR, "0.1,5,1", "0.052,3,2", "199.96150599999999,7,3", "1e-05,1,1", "9,1,1")
    assert trace.format == "vidur"
    assert trace.sessions == (
        Session(99_990, 5, 1),
        Session(51_990, 3, 2),
        Session(199_961_496, 7, 3),
        Session(0, 1, 1),
        Session(8_999_990, 1, 1),
    )
    assert trace.notes == ()


def test_seconds_whose_float_would_be_off_are_exact() -> None:
    """At 2**33 s a float's neighbours are 2 us apart."""
    trace = found(VIDUR, "8589934592.000001,1,1", "8589934592.000002,1,1", "8589934592.000004,1,1")
    assert [s.arrive for s in trace.sessions] == [0, 1, 3]


def test_a_stamp_finer_than_a_microsecond_is_rounded_with_a_note() -> None:
    trace = found(VIDUR, "0.0,1,1", "0.0000014,1,1", "0.0000016,1,1")
    assert [s.arrive for s in trace.sessions] == [0, 1, 2]
    assert trace.notes == (
        "2 of 3 sessions have a stamp finer than a microsecond, rounded to the nearest one",
    )


def test_mooncake_s_milliseconds_keep_the_order_inside_a_tie() -> None:
    trace = found(MOONCAKE, "3000,1,9", "0,2,9", "3000,3,9", "5999,4,9", end="\r\n")
    assert trace.format == "mooncake"
    assert [(s.arrive, s.prompt) for s in trace.sessions] == [
        (3_000_000, 1), (0, 2), (3_000_000, 3), (5_999_000, 4)
    ]  # fmt: skip
    assert trace.notes == (
        "1 of 4 sessions arrive with an earlier one; the order inside such a tie is the file's",
    )


def line(stamp: object, prompt: object = 6758, output: object = 500, **more: object) -> str:
    row = {"timestamp": stamp, "input_length": prompt, "output_length": output}
    return json.dumps(row | {"hash_ids": [0, 1]} | more)


@pytest.mark.parametrize("last", ["", "\n", "\n\n"])
def test_mooncake_s_lines(last: str) -> None:
    trace = read_trace("\n".join([line(27_482), line(30_535, 1, 2), line(30_535.5, 3, 0)]) + last)
    assert trace is not None
    assert trace.sessions == (
        Session(0, 6758, 500), Session(3_053_000, 1, 2), Session(3_053_500, 3, 0)
    )  # fmt: skip


def test_one_line_of_mooncake_is_not_a_path_file() -> None:
    assert parse(line(5)).sessions == (Session(0, 6758, 500),)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (line(1)[:-9], "line 2 is not a JSON object ("),
        ("[1, 2]", "line 2 is '[1, 2]'; it must be a JSON object."),
        (line(-1), "line 2: timestamp is '-1'; it must be a number of milliseconds, >= 0."),
        (line(None), "line 2: timestamp is None; it must be a natural number."),
        (line(1, 1.5), "line 2: input_length is '1.5'; it must be a natural number."),
        ('{"timestamp": 1, "input_length": 2}', "line 2: output_length is missing; it must be a "),
        (line(1, True), "line 2: input_length is True; it must be a natural number."),
        (line(float("nan")), "line 2: timestamp is nan; it must be a natural number."),
    ],
)
def test_a_bad_line_of_mooncake_is_named(bad: str, message: str) -> None:
    assert refused(line(0), bad).startswith(message)


def test_burstgpt_s_seconds_ties_and_rows_of_zero() -> None:
    rows = ("5,ChatGPT,472,18,490,log", "45,GPT-4,0,0,0,log", "45,GPT-4,7,0,7,log", "45,x,0,3,3,l")
    trace = found(BURST, *rows)
    assert trace.format == "burstgpt"
    assert trace.sessions == (
        Session(0, 472, 18),
        Session(40_000_000, 0, 0),
        Session(40_000_000, 7, 0),
        Session(40_000_000, 0, 3),
    )
    assert trace.notes == (
        "2 of 4 sessions arrive with an earlier one; the order inside such a tie is the file's",
        "1 of 4 sessions ask for no tokens, and end on arrival",
        "1 of 4 sessions ask for no output, and end with their prefill",
    )
    assert leap(trace.sessions).ended == 4


def test_burstgpt_s_newer_columns_and_a_session_that_comes_again() -> None:
    header = "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens"
    trace = found(header, "0,a,1.5,m,10,1,11", "1.5,a,2.5,m,20,2,22")
    assert trace.sessions == (Session(0, 10, 1), Session(1_500_000, 20, 2))


@pytest.mark.parametrize("column", ["id", "request_id"])
def test_one_id_twice_is_refused_with_both_rows(column: str) -> None:
    header = f"{column},{MOONCAKE}"
    message = "line 4 duplicates the request 'a' of line 2; remove one."
    assert refused(header, "a,0,1,1", "b,0,1,1", "a,1,1,1") == message
    lines = [line(0, **{column: "a"}), line(0), line(0), line(1, **{column: "a"})]
    assert refused(*lines) == message.replace("line 2", "line 1")
    assert len(found(header, "a,0,1,1", ",0,1,1", ",1,1,1").sessions) == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((VIDUR, "-0.5,1,1"), "line 2: arrived_at is '-0.5'; it must be a number of seconds, >= "),
        ((VIDUR, "nan,1,1"), "line 2: arrived_at is 'nan'; it must be a number of seconds, >= 0."),
        ((VIDUR, "1e999,1,1"), "line 2: arrived_at is '1e999'; it must be a number of seconds"),
        ((VIDUR, "1_0,1,1"), "line 2: arrived_at is '1_0'; it must be a number of seconds, >= 0."),
        ((VIDUR, "1,2"), f"line 2 has 2 fields, not 3 ({VIDUR})."),
        ((VIDUR, "1,2.0,3"), "line 2: num_prefill_tokens is '2.0'; it must be a natural number."),
        ((BURST, "1,m,-1,3,2,l"), "line 2: Request tokens is '-1'; it must be a natural number."),
        ((MOONCAKE,), "the trace has a header and no rows."),
    ],
    ids=range(8),
)
def test_what_is_wrong_is_named_with_its_line(lines: tuple[str, ...], message: str) -> None:
    assert refused(*lines).startswith(message)


def test_columns_in_another_order_and_a_byte_order_mark() -> None:
    trace = read_trace("\ufeffoutput_length,timestamp,input_length\n7,0,8\n")
    assert trace is not None
    assert trace.sessions == (Session(0, 8, 7),)


@pytest.mark.parametrize(
    "text", ["arrive,prompt,output\n0,1,1", "[[0, 1, 1]]", '{"schema": "radproof.path/1"}', "", "{"]
)
def test_other_files_are_left_to_other_readers(text: str) -> None:
    assert read_trace(text) is None


TRACES = SHARED / "data" / "traces"

needs_traces = pytest.mark.skipif(
    not TRACES.exists(),
    reason=f"{TRACES} is not there: the readers are NOT held against the published traces",
)


@needs_traces
@pytest.mark.parametrize(
    ("file", "format", "sessions", "last", "iterations"),
    [
        ("azure_2023_code.csv", "azure 2023", 8_819, 3_435_948_056, 206_844),
        ("azure_2023_conv.csv", "azure 2023", 19_366, 3_501_721_937, 831_633),
        ("azure_2024_code_head5.csv", "azure 2024", 5, 73_960, 131),
        ("azure_2024_conv_head5.csv", "azure 2024", 5, 247_116, 149),
        ("mooncake_conversation.csv", "mooncake", 12_031, 3_536_999_000, 1_170_264),
        ("mooncake_conversation_head200.jsonl", "mooncake", 200, 72_000_000, 23_087),
        ("mooncake_synthetic.csv", "mooncake", 3_993, 1_022_025_000, 485_317),
        ("vidur_splitwise_code.csv", "vidur", 8_819, 3_435_948_056, 206_844),
        ("burstgpt_1_head3.csv", "burstgpt", 3, 113_000_000, 541),
    ],
)
def test_every_published_trace_is_read_and_holds_padded(
    file: str, format: str, sessions: int, last: int, iterations: int
) -> None:
    text = (TRACES / file).read_text()
    trace = read_trace(text)
    assert trace is not None
    assert (trace.format, len(trace.sessions)) == (format, sessions)
    assert trace.sessions[-1].arrive == last
    path, _ = shape(trace.sessions, Shape(tile="pad"))
    result = leap(path)
    assert (result.ended, result.iterations) == (sessions, iterations)
    assert all(check(result, claim).result is Result.HOLDS for claim in CLAIMS.values())
    kept = check(leap(trace.sessions[:9]), CLAIMS["optimal_tiling"])
    assert kept.result is Result.OUT_OF_SCOPE


@needs_traces
def test_vidur_s_floats_are_azure_s_stamps() -> None:
    """Two files of the same hour, one with seven digits, one with floats: not a microsecond off."""
    azure = read(TRACES / "azure_2023_code.csv").sessions
    assert read(TRACES / "vidur_splitwise_code.csv").sessions == azure


@needs_traces
def test_mooncake_s_two_forms_agree() -> None:
    lines = read(TRACES / "mooncake_conversation_head200.jsonl").sessions
    assert read(TRACES / "mooncake_conversation.csv").sessions[:200] == lines
