"""Times as a user writes them: 100s, 250ms, 4640us."""

from __future__ import annotations

import re
from fractions import Fraction

from radproof.errors import BadInput

_UNITS = {"us": 1, "ms": 1_000, "s": 1_000_000, "min": 60_000_000, "h": 3_600_000_000}


def microseconds(text: str) -> int:
    """Whole microseconds of a time with its unit (us, ms, s, min, h).

    Raises BadInput for anything else, a time finer than a microsecond included.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(us|ms|s|min|h)", text.strip())
    if match is None:
        raise BadInput(
            f"{text!r} is not a time; write a number and its unit: 100s, 250ms, 4640us, 5min, 1h."
        )
    try:
        time = Fraction(match[1]) * _UNITS[match[2]]
    except ValueError as error:  # more digits than Python reads
        raise BadInput(f"a time cannot be read: {error}.") from None
    if time.denominator != 1:
        raise BadInput(f"{text!r} is finer than a microsecond, the unit of time here.")
    return int(time)
