import inspect

import attrs
import pytest

from radproof import RULES, SEED, Deployment, RuleScheduler, rules
from radproof.evaluators.general import leapable
from radproof.model import Node

TILED = Deployment(b_col=4, b_row=8, b_red=3)  # b_lcm 24


@pytest.mark.parametrize(
    ("decodes", "residents", "mode"),
    [(0, 0, True), (0, 1, False), (1, 1, True), (1, 2, False), (127, 128, False)]
    + [(128, 129, True), (128, 128, True), (129, 500, True), (127, 127, True)],
)
def test_decode_mode_iff_b_col_decode_or_all_do(decodes: int, residents: int, mode: bool) -> None:
    assert rules.decode_mode(decodes, residents, SEED) is mode


@pytest.mark.parametrize(
    ("tokens", "lasts"),
    [(1, 4005), (10, 4050), (127, 4635), (128, 4640), (129, 8645), (256, 9280), (0, 1)],
)
def test_a_batch_lasts_a_tile_for_each_part_of_b_col_and_a_bit_for_each_token(
    tokens: int, lasts: int
) -> None:
    assert rules.duration(tokens, SEED) == lasts


def test_no_batch_takes_no_time() -> None:
    assert rules.duration(3, Deployment(t_lin=0, t_nl=0)) == 1


def test_a_batch_of_decodes_has_b_col_tokens_and_one_of_prefills_b_lcm() -> None:
    assert rules.budget(True, TILED) == 4
    assert rules.budget(False, TILED) == 24
    assert rules.duration(24, TILED) == 6 * 4000 + 24 * 5


@pytest.mark.parametrize(
    ("decoding", "left", "wants"), [(True, 500, 1), (False, 500, 7), (False, 7, 7), (False, 6, 6)]
)
def test_a_decode_wants_a_token_and_a_prefill_its_chunk(
    decoding: bool, left: int, wants: int
) -> None:
    assert rules.want(decoding, left, Deployment(chunk=7)) == wants


def test_the_rest_of_the_arithmetic() -> None:
    assert [rules.take(3, 5), rules.take(5, 3), rules.take(5, 0)] == [3, 3, 0]
    assert rules.served_after(10, 3) == 13
    assert rules.done_after(10, 3) == 13
    assert [rules.left(10, 3), rules.left(10, 10), rules.left(10, 12)] == [7, 0, 0]
    assert [rules.serves(m, x) for m in (True, False) for x in (True, False)] == [
        *(True, False),
        *(False, True),
    ]


def test_the_bundle_holds_every_rule_of_the_module_under_its_name() -> None:
    for field in attrs.fields(type(RULES)):
        assert getattr(RULES, field.name) is getattr(rules, field.name)


def test_every_function_of_the_module_is_in_the_bundle() -> None:
    functions = inspect.getmembers(rules, inspect.isfunction)
    own = {name for name, function in functions if function.__module__ == rules.__name__}
    assert {name for name in own if not name.startswith("_")} == {*rules.SIGNATURES}


def test_a_signature_has_the_kinds_in_the_order_of_the_parameters() -> None:
    found = rules.SIGNATURES["want"]
    assert [*found.parameters.items()] == [("decoding", bool), ("left", int), ("d", Node)]
    assert found.result is int
    assert rules.SIGNATURES["decode_mode"].result is bool


def test_a_rule_without_the_kinds_of_its_parameters_is_refused() -> None:
    def take(wanted, remaining: rules.Num) -> int:
        return 0

    with pytest.raises(TypeError, match="rule take: annotate wanted as Num, Truth, Node"):
        rules._signature(take)


def test_the_rules_that_count_are_those_a_leap_may_not_have_changed() -> None:
    assert RULES.accounting == (rules.served_after, rules.done_after, rules.left)
    assert attrs.evolve(RULES, take=min, duration=max).accounting == RULES.accounting
    for name in ("served_after", "done_after", "left"):
        changed = attrs.evolve(RULES, **{name: lambda a, b: a})
        assert changed.accounting != RULES.accounting
        assert not leapable(RuleScheduler(changed))
    assert leapable(RuleScheduler(attrs.evolve(RULES, take=min)))
