"""The errors of the Lean bridge."""

from __future__ import annotations

from radproof.errors import BadInput, RadproofError, Undecided


class NotInLean(BadInput):
    """A scheduler, a rule or a claim that the mirror cannot express."""


class TooLarge(BadInput):
    """A run beyond the budget of events and residents; the message says how to shrink it."""


class NotTheSame(RadproofError):
    """A file that differs from a fresh run, or that radproof did not write."""

    exit_code = 1


class NoLean(Undecided):
    """No Lean was found, so nothing was verified."""
