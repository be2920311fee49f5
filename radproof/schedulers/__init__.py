"""The schedulers that come with radproof, each in its own file."""

from radproof.schedulers.rad import rad
from radproof.schedulers.rule_form import RuleScheduler

__all__ = ["RuleScheduler", "rad"]
