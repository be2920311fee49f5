"""The claim beyond Bari.lean that a record can be asked, so that a path file can name it.

Imports no Z3: ``radproof replay`` reads it.
"""

from __future__ import annotations

from typing import Any

from radproof.claims import Claim
from radproof.number import both


def prompt_is_whole_tiles(session: Any, d: Any) -> Any:
    """The prompt is a positive multiple of b_lcm."""
    return both(session.prompt % d.b_lcm == 0, session.prompt > 0)


decodes_fit = Claim(
    name="decodes_fit",
    kind="every iteration",
    holds=lambda i, d: i.decoding <= d.b_col,
    given=prompt_is_whole_tiles,
    family="assumption3",
    statement="the job list has at most b_col decodes",
)
"""D <= b_col, where no prompt is empty. Not in Bari.lean, whose R does not bound D."""
