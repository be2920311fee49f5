"""The laws: what any engine, and what RAD, must keep beside the two claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from radproof.claims import CLAIMS, Claim
from radproof.errors import BadInput, did_you_mean
from radproof.laws import batch, faults, path
from radproof.laws.law import GROUPS, Law
from radproof.model import Deployment
from radproof.schedulers.loading import load_object
from radproof.schedulers.protocol import Scheduler

LAWS: dict[str, Law] = {
    law.name: law
    for group in GROUPS
    for module in (faults, batch, path)
    for law in vars(module).values()
    if isinstance(law, Law) and law.group == group
}
"""Every law by name, the engine's first."""


def laws_of(groups: Iterable[str]) -> list[Law]:
    """The laws of these groups. Raises BadInput for an unknown group."""
    wanted = list(groups)
    for group in wanted:
        if group not in GROUPS:
            hint = did_you_mean(group, GROUPS)
            raise BadInput(f"unknown laws {group!r}.{hint} There are: {', '.join(GROUPS)}.")
    return [law for law in LAWS.values() if law.group in wanted]


def asked_of(
    groups: Iterable[str], scheduler: Scheduler, deployment: Deployment
) -> tuple[dict[str, Claim], dict[str, str]]:
    """The laws of these groups that can be asked of a scheduler, and why others cannot, by name.

    Raises BadInput for an unknown group, and where the scheduler's ``limits`` gives no `Limits`.
    """
    why = {law: law.unless(scheduler, deployment) for law in laws_of(groups)}
    asked = {law.name: law.claim for law, reason in why.items() if not reason}
    return asked, {law.name: reason for law, reason in why.items() if reason}


def broken_by(kind: str) -> str:
    """The law that a `SchedulerError` of this kind breaks."""
    return _BREAKS.get(kind, faults.well_formed.name)


_BREAKS = {kind: law.name for law in LAWS.values() for kind in law.faults}


def checks() -> dict[str, Claim]:
    """The two claims and every law, by name: what a scheduler can be judged by."""
    return CLAIMS | {name: law.claim for name, law in LAWS.items()}


def claim_named(name: str, known: Mapping[str, Claim] | None = None) -> Claim:
    """The claim or law of this name (of `known`, `checks` unless given), or ``module:name``.

    Raises BadInput for an unknown name, and where a module's name is not a Claim.
    """
    known = checks() if known is None else known
    if name in known:
        return known[name]
    found = load_object(name, what="claim", known=sorted(known))
    if not isinstance(found, Claim):
        raise BadInput(f"claim {name!r} is {type(found).__name__}, not a radproof.Claim.")
    return found


__all__ = ["GROUPS", "LAWS", "Law", "asked_of", "broken_by", "checks", "claim_named", "laws_of"]
