"""RAD itself, with no limit on the prefills of a cycle (arXiv 2508.01002; serQ's BariRad)."""

from radproof.schedulers.rule_form import RuleScheduler

rad = RuleScheduler()
