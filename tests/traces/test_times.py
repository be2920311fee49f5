import pytest

from radproof import BadInput
from radproof.traces.times import microseconds

EXACT = {
    "100s": 100_000_000,
    "250ms": 250_000,
    "4640us": 4640,
    "5min": 300_000_000,
    "1h": 3_600_000_000,
    "0s": 0,
    "1.5s": 1_500_000,
    "0.000001s": 1,
    " 2 s ": 2_000_000,
    "99999999999999999999.000001s": 99999999999999999999000001,
}


@pytest.mark.parametrize(("text", "time"), EXACT.items())
def test_a_time_is_whole_microseconds(text: str, time: int) -> None:
    assert microseconds(text) == time


@pytest.mark.parametrize(
    "text", ["100", "", "s", "-1s", "1e3s", "1.s", ".5s", "1 s s", "nan", "1m", "1S", "1,5s"]
)
def test_what_is_no_time_says_how_to_write_one(text: str) -> None:
    with pytest.raises(BadInput) as raised:
        microseconds(text)
    assert str(raised.value) == (
        f"{text!r} is not a time; write a number and its unit: 100s, 250ms, 4640us, 5min, 1h."
    )


@pytest.mark.parametrize("text", ["0.5us", "0.0000001s", "1.00055ms"])
def test_a_time_finer_than_a_microsecond_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as raised:
        microseconds(text)
    assert str(raised.value) == f"{text!r} is finer than a microsecond, the unit of time here."


def test_a_time_of_more_digits_than_python_reads_is_refused() -> None:
    with pytest.raises(BadInput):
        microseconds("9" * 5000 + "s")
