"""What is proved is what is run: rules that ints and terms read differently are refused."""

from __future__ import annotations

import attrs
import pytest

from radproof import rules
from radproof.errors import BadInput
from radproof.lemmas.obligations import WORLD, World, world_of
from radproof.model import DECODE
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


ORDERS = {
    "none": None,
    "by arrival": lambda job: job.arrive,
    "by what is done": lambda job: job.done,
    "by the prompt": lambda job: job.prompt,
    "by what is left": lambda job: job.prompt - job.done,
    "by number": lambda job: job.session,
    "by the tokens of the output": lambda job: job.generated,
    "decodes by number": lambda job: job.session if job.phase is DECODE else 0,
    "decodes from the last": lambda job: -job.session if job.phase is DECODE else 0,
    "decodes first": lambda job: 0 if job.phase is DECODE else 1,
    "prompts first": lambda job: 1 if job.phase is DECODE else 0,
    "by number in each phase": lambda job: (job.session, 0 if job.phase is DECODE else 1),
    "all alike": lambda job: 0,
}


def test_two_orders_have_two_hashes():
    # they may differ on prompts, on decodes alone, or between the phases
    hashes = {name: rules_hash(World(RuleScheduler(order=key))) for name, key in ORDERS.items()}
    assert len(set(hashes.values())) == len(hashes), hashes


def test_what_the_tiling_claim_demands_of_outputs_and_arrivals_is_in_the_hash():
    def demands(given):
        return rules_hash(attrs.evolve(WORLD, tiling=attrs.evolve(WORLD.tiling, given=given)))

    givens = [
        lambda session, d: session.output >= 1,
        lambda session, d: session.output >= 2,
        lambda session, d: session.arrive >= 1,
        lambda session, d: session.arrive >= 2,
    ]
    assert len({demands(given) for given in givens}) == len(givens)


def test_an_order_that_is_not_arithmetic_is_refused():
    by_text = RuleScheduler(order=lambda job: str(job.arrive))
    with pytest.raises(BadInput, match=r"^order"):
        prove(world_of(Loaded.of(by_text, "mine")))
