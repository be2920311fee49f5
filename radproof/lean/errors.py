"""What the Lean bridge says when it cannot go on."""

from __future__ import annotations

from radproof.errors import BadInput, RadproofError, Undecided


class NotInLean(BadInput):
    """A scheduler, a rule or a claim that the mirror has no words for."""


class TooLarge(BadInput):
    """A run beyond the stated budget of events and residents; the message says how to shrink."""


class NotTheSame(RadproofError):
    """A file does not say what a fresh run says, or cannot be read as an emitted file."""

    exit_code = 1


class NoLean(Undecided):
    """No Lean was found, so nothing was verified."""
