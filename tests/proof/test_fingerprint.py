"""What is proved is what is run: rules that ints and terms read differently are refused."""

from __future__ import annotations

import attrs
import pytest

from radproof import rules
from radproof.errors import BadInput
from radproof.proof.answers import Answer
from radproof.proof.catalogue import THEOREMS, lemma
from radproof.proof.fingerprint import rules_hash
from radproof.proof.obligations import WORLD, world_of
from radproof.proof.prove import prove
from radproof.rules import RULES
from radproof.schedulers import RuleScheduler, rad


def changed(**rule):
    return attrs.evolve(WORLD, rules=attrs.evolve(RULES, **rule))


@pytest.mark.parametrize(
    ("name", "rule", "said"),
    [
        ("duration", lambda n, d: n / 2, "no whole number"),
        (
            "want",
            lambda p, left, d: 7 if isinstance(left, int) else rules.want(p, left, d),
            "what would be proved is not what is run",
        ),
        ("take", lambda want, rest: min(want, rest), "not arithmetic over numbers"),
        ("decode_mode", lambda k, r, d: k >= d.b_col or k == r, "not arithmetic over numbers"),
        ("duration", lambda n, d: n // d.b_col, "not arithmetic over numbers"),
        ("budget", lambda mode, d: d.b_row, "b_row is not a number"),
        ("left", lambda total, done: "none", "no whole number"),
        ("duration", lambda n, d: 1 // 0, "ZeroDivisionError"),
    ],
)
def test_a_rule_that_cannot_be_read_alike_is_refused(name, rule, said):
    with pytest.raises(BadInput, match=said) as error:
        prove(changed(**{name: rule}), [])
    assert name in str(error.value)


def test_the_hash_is_the_rules_own():
    assert rules_hash(WORLD) == rules_hash(WORLD)
    same = changed(take=lambda want, rest: rules.minimum(want, rest))
    assert rules_hash(same) == rules_hash(WORLD)
    for name in ("take", "left", "done_after", "served_after"):
        assert rules_hash(changed(**{name: lambda a, b: a + b + 1})) != rules_hash(WORLD)


def test_only_rule_form_is_proved():
    assert world_of(rad, "rad") == WORLD

    def plain(view):
        return (), None

    with pytest.raises(BadInput, match="can only be tested, not proved"):
        world_of(plain, "my_module:plain")

    class Own(RuleScheduler):
        def __call__(self, view):
            return (), None

    with pytest.raises(BadInput, match="plain Python code"):
        world_of(Own(), "mine")


def test_an_order_is_proved_as_it_is_run():
    shortest = RuleScheduler(order=lambda job: job.prompt - job.prefilled)
    certificate = prove(world_of(shortest, "mine"), scheduler="mine")
    refuted = {row.lemma.name for row in certificate.rows if row.outcome.verdict is Answer.REFUTED}
    assert refuted == {"serves_in_order"}
    [cti] = [row.cti for row in certificate.rows if row.cti is not None]
    assert cti.laws == ("a prompt gets tokens only where every earlier one is finished",)
    said = {theorem.name: certificate.theorem(theorem) for theorem in THEOREMS}
    assert said["token_rate"] == said["optimal_tiling"] == "follows"
    assert said["beyond Lean"] != "follows"


@pytest.mark.parametrize(
    "order",
    [
        lambda job: job.arrive,
        lambda job: (job.arrive, job.session),
        lambda job: -job.prefilled,
        lambda job: 0,
    ],
)
def test_an_order_that_keeps_arrivals_in_order_is_proved(order):
    [row] = prove(world_of(RuleScheduler(order=order), "mine"), lemma("serves_in_order")).rows
    assert row.outcome.verdict is Answer.PROVED


def test_last_come_first_served_is_refuted():
    backwards = RuleScheduler(order=lambda job: (-job.arrive, -job.session))
    [row] = prove(world_of(backwards, "mine"), lemma("serves_in_order")).rows
    assert row.outcome.verdict is Answer.REFUTED
    assert row.cti.laws


def test_an_order_that_is_no_arithmetic_is_refused():
    by_text = RuleScheduler(order=lambda job: str(job.arrive))
    with pytest.raises(BadInput, match=r"^order"):
        prove(world_of(by_text, "mine"))
