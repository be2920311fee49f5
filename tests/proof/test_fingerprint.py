"""What is proved is what is run: rules that ints and terms read differently are refused."""

from __future__ import annotations

import attrs
import pytest

from radproof import rules
from radproof.errors import BadInput
from radproof.lemmas.obligations import WORLD, World, world_of
from radproof.proof.fingerprint import rules_hash
from radproof.proof.prove import prove
from radproof.rules import RULES, SIGNATURES
from radproof.schedulers import RuleScheduler
from radproof.schedulers.loading import Loaded

ZERO = 0


def changed(**rule):
    return World(RuleScheduler(attrs.evolve(RULES, **rule)))


@pytest.mark.parametrize(
    ("name", "rule", "said"),
    [
        ("duration", lambda n, d: n / 2, "it divides with /"),
        (
            "want",
            lambda p, left, d: 7 if isinstance(left, int) else rules.want(p, left, d),
            "isinstance is neither a helper nor a plain Python function",
        ),
        ("take", lambda want, rest: min(want, rest), "not arithmetic over numbers"),
        ("decode_mode", lambda k, r, d: k >= d.b_col or k == r, "not arithmetic over numbers"),
        ("duration", lambda n, d: n // d.t_lin, "not arithmetic over numbers"),
        ("budget", lambda mode, d: d.b_row, "b_row is not a number"),
        ("left", lambda total, done: "none", "neither a whole number nor a truth"),
        ("duration", lambda n, d: 1 // ZERO, "ZeroDivisionError"),
    ],
)
def test_a_rule_that_cannot_be_read_alike_is_refused(name, rule, said):
    with pytest.raises(BadInput, match=said) as error:
        rules_hash(changed(**{name: rule}))
    assert name in str(error.value)


def test_the_hash_is_the_rules_own():
    assert rules_hash(WORLD) == rules_hash(WORLD)
    same = changed(take=lambda want, rest: rules.minimum(want, rest))
    assert rules_hash(same) == rules_hash(WORLD)
    for name in ("take", "left", "done_after", "served_after"):
        assert rules_hash(changed(**{name: lambda a, b: a + b + 1})) != rules_hash(WORLD)


@pytest.mark.parametrize("name", SIGNATURES)
def test_no_rule_is_left_out_of_the_hash(name):
    constant = SIGNATURES[name].result(7)
    assert rules_hash(changed(**{name: lambda *given: constant})) != rules_hash(WORLD)


def test_an_order_that_is_not_arithmetic_is_refused():
    by_text = RuleScheduler(order=lambda job: str(job.arrive))
    with pytest.raises(BadInput, match=r"^order"):
        prove(world_of(Loaded.of(by_text, "mine")))
