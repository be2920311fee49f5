"""How much to look: the profiles of the property run."""

from __future__ import annotations

import attrs

from radproof.errors import BadInput


@attrs.frozen
class Profile:
    """examples: paths drawn for each claim; seed: None draws a new one each time, and prints it."""

    name: str
    examples: int
    seed: int | None


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("dev", examples=200, seed=None),
        Profile("ci", examples=1_000, seed=0),
        Profile("nightly", examples=20_000, seed=None),
    )
}
DEFAULT_PROFILE = "ci"


def profile(name: str) -> Profile:
    """The profile of this name. Raises BadInput where there is none."""
    if name not in PROFILES:
        raise BadInput(f"unknown profile {name!r}; it must be one of: {', '.join(PROFILES)}.")
    return PROFILES[name]
