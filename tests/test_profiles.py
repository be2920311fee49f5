import pytest

from radproof import BadInput
from radproof.profiles import DEFAULT_PROFILE, PROFILES, profile


def test_the_ci_profile_has_a_fixed_seed_and_the_examples_of_the_issue() -> None:
    assert DEFAULT_PROFILE == "ci"
    assert profile("ci").seed is not None
    assert profile("ci").examples >= 3_000
    assert profile("dev").examples < profile("ci").examples < profile("nightly").examples
    assert [profile(name).name for name in PROFILES] == ["dev", "ci", "nightly"]


def test_an_unknown_profile_lists_those_there_are() -> None:
    with pytest.raises(BadInput) as raised:
        profile("CI")
    assert str(raised.value) == "unknown profile 'CI'; it must be one of: dev, ci, nightly."
