"""A rule's code is arithmetic and nothing else, or it is refused with its line and the remedy."""

from __future__ import annotations

import functools
import math
import subprocess
import sys
from collections import UserDict

import attrs
import pytest
from proof.changed_rules import CHANGED

from radproof import number, rules
from radproof.errors import BadInput
from radproof.lemmas.obligations import WORLD, World
from radproof.model import DECODE, SEED, Phase
from radproof.mutants.catalogue import CATALOGUE
from radproof.number import either, floor_div, ite, minimum
from radproof.proof import prove as proving
from radproof.proof.arithmetic import result_shape
from radproof.proof.fingerprint import rules_hash
from radproof.rules import RULES
from radproof.schedulers import RuleScheduler
from radproof.schedulers.rule_form import in_rule_form

SMALL, ZERO = 3, 0
TABLE = {1: 5}
HALF = 0.5
_spare = [7]


def changed(**rule):
    return World(RuleScheduler(attrs.evolve(RULES, **rule)))


def _tile_of_the_seed(mode, d):
    if d.b_col == 128:
        return ite(mode, d.b_col, d.b_lcm - 1)
    return rules.budget(mode, d)


def _crowd(decodes, residents, d):
    if residents == 400:
        return decodes == residents
    return rules.decode_mode(decodes, residents, d)


def _tried(wanted, remaining):
    try:
        return min(wanted, remaining)
    except TypeError:
        return minimum(wanted, remaining)


def _counted(served, tokens):
    global SMALL
    SMALL = SMALL + 1
    return served + tokens


def _looped(wanted, remaining):
    while True:
        remaining = remaining - 1
    return remaining


def _without_end(served, tokens):
    return _without_end(served, tokens)


def _listed(wanted, remaining):
    return sum([wanted, remaining])


def _inner(wanted, remaining):
    def take():
        return minimum(wanted, remaining)

    return take()


def _generated(wanted, remaining):
    yield wanted


def _asserted(wanted, remaining):
    assert wanted > 0
    return wanted


class _Take:
    def __call__(self, wanted, remaining):
        return minimum(wanted, remaining)

    def method(self, wanted, remaining):
        return minimum(wanted, remaining)


REFUSED = {
    # what ints and a solver's numbers read differently, from the attack on radproof
    "a division by /": (
        "decode_mode",
        lambda decodes, residents, d: either(decodes / d.b_col > 0.95, decodes == residents),
        "it divides with /",
    ),
    "an if at one tile": ("budget", _tile_of_the_seed, "it asks whether a number is true"),
    "an if at one count": ("decode_mode", _crowd, "it asks whether a number is true"),
    "membership": (
        "take",
        lambda wanted, remaining: ite(wanted in (1, 2), 0, minimum(wanted, remaining)),
        "it tests membership with in",
    ),
    "a table": (
        "take",
        lambda wanted, remaining: {7: 1}.get(wanted, 0) + minimum(wanted, remaining),
        "it looks something up",
    ),
    "a type": (
        "want",
        lambda p, left, d: ite(isinstance(left, int), 7, rules.want(p, left, d)),
        "isinstance is neither a helper nor a plain Python function",
    ),
    "identity": (
        "want",
        lambda p, left, d: ite(left is ZERO, 7, rules.want(p, left, d)),
        "it compares with is",
    ),
    "rounding": (
        "left",
        lambda total, done: round((total - done) * 1.0),
        "round|1.0, which is not a whole number",
    ),
    "a remainder by what may be 0": (
        "decode_mode",
        lambda decodes, residents, d: residents % (decodes - 3) == 0,
        "a divisor may be 0 or less",
    ),
    "a divisor that may be negative": (
        "duration",
        lambda n, d: floor_div(n, d.t_lin),
        "a divisor may be 0 or less",
    ),
    "a divisor of a constant 0": ("duration", lambda n, d: n // 0, "a divisor may be 0 or less"),
    "what raises inside z3": ("want", lambda p, left, d: left + "1", "'1', which is not a whole"),
    # others of the kind
    "an or": ("decode_mode", lambda k, r, d: k >= d.b_col or k == r, "it asks whether"),
    "an and": ("decode_mode", lambda k, r, d: k >= d.b_col and k == r, "it asks whether"),
    "a chain": ("decode_mode", lambda k, r, d: 1 <= k <= r, "it asks whether"),
    "a not": ("serves", lambda mode, p: not mode, "use negate"),
    "a conditional": ("budget", lambda mode, d: d.b_col if mode else d.b_lcm, "it asks whether"),
    "an assertion": ("take", _asserted, "it asks whether"),
    "a power": ("duration", lambda n, d: n**2, r"it calculates with \*\*"),
    "bits": ("duration", lambda n, d: n & 1, "it calculates with &"),
    "min": ("take", lambda a, b: min(a, b), "min is neither a helper nor"),
    "int": ("take", lambda a, b: int(a), "int is neither a helper nor"),
    "float": ("take", lambda a, b: float(a), "float is neither a helper nor"),
    "bool": ("serves", lambda mode, p: bool(mode), "bool is neither a helper nor"),
    "type": ("take", lambda a, b: ite(type(a) == int, a, b), "type is neither"),  # noqa: E721
    "math": ("take", lambda a, b: math.floor(a), "floor is neither a helper nor"),
    "len": ("take", lambda a, b: len((a, b)), "len is neither a helper nor"),
    "a float of the module": ("take", lambda a, b: a * HALF, "0.5, which is not a whole"),
    "a list of the module": ("take", lambda a, b: _spare[0], "it looks something up"),
    "a dict of the module": ("take", lambda a, b: TABLE[a], "it looks something up"),
    "a method of a table": ("take", lambda a, b: TABLE.get(a, b), "it reads get of"),
    "a number's own method": ("take", lambda a, b: a.bit_length(), "bit_length of a number"),
    "a tuple's place": ("take", lambda a, b: (a, b)[a > b], "it looks something up"),
    "a try": ("take", _tried, "it handles exceptions"),
    "a global counter": ("served_after", _counted, "it changes a global variable"),
    "a loop": ("take", _looped, "it loops"),
    "a sum over a list": ("take", _listed, "BUILD_LIST is not arithmetic|sum is neither"),
    "an inner function": ("take", _inner, "it defines a function|shares its variable"),
    "a generator": ("take", _generated, "is not arithmetic"),
    "itself": ("served_after", _without_end, "_without_end calls itself"),
    "an object": ("take", _Take(), "is neither a helper nor a plain Python function"),
    "a method": ("take", _Take().method, "is neither a helper nor a plain Python function"),
    "a C function": ("take", min, "min is neither a helper nor a plain Python function"),
    "a cache": (
        "take",
        functools.lru_cache(rules.take),
        "is neither a helper nor a plain Python function",
    ),
    "a partial of a C function": ("take", functools.partial(min), "min is neither"),
    "a default that is a float": ("take", lambda a, b, c=0.5: a * c, "0.5, which is not"),
    "stars": ("take", lambda *given: minimum(*given), r"it calls a function with \* or \*\*"),
    "a place of the arguments": ("take", lambda *given: given[0], "it looks something up"),
    "the deployment as a number": ("budget", lambda mode, d: d + 1, "which is not a whole number"),
    "b_row": ("budget", lambda mode, d: d.b_row, "b_row is not a number"),
    "a class of its own": ("budget", lambda mode, d: UserDict(x=1).x, "UserDict is neither"),
    "nothing": ("take", lambda a, b: None, "it returns None"),
    "text": ("left", lambda total, done: "none", "it returns 'none'"),
    "the deployment": ("budget", lambda mode, d: d, "it returns the deployment"),
    "a tuple": ("take", lambda a, b: (a, b), "it gives a tuple"),
    "an unknown name": ("take", lambda a, b: nowhere, "nowhere, which is not defined"),  # noqa: F821
    "too few parameters": ("take", lambda a: a, "too many positional arguments"),
    # truths and numbers are kept apart
    "a truth for a number": ("take", lambda a, b: a < b, "it gives a truth where a number"),
    "a number for a truth": ("serves", lambda mode, p: 1, "it gives a number where a truth"),
    "a truth in a sum": ("take", lambda a, b: a + (a < b), "a truth is not a number"),
    "a truth and a number alike": ("take", lambda a, b: ite(a == True, a, b), "a truth is not"),  # noqa: E712
    "a number as a condition": ("take", lambda a, b: ite(a, a, b), "a number is not a truth"),
    "a number as a disjunct": ("serves", lambda mode, p: either(mode, 3), "is not a truth|3"),
    "sides of two kinds": ("budget", lambda mode, d: ite(mode, 1, mode), "one side of an ite"),
}


@pytest.fixture
def nobody_asks(monkeypatch):
    """No solver may be asked, and no lemma built."""

    def asked(*given, **more):
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(proving, "question", asked)
    monkeypatch.setattr(proving.solver, "solve", asked)


@pytest.mark.usefixtures("nobody_asks")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_arithmetic_is_refused_before_a_solver_is_asked(name):
    rule, function, said = REFUSED[name]
    with pytest.raises(BadInput, match=said) as error:
        proving.prove(changed(**{rule: function}))
    assert str(error.value).startswith(f"{rule} is not arithmetic over numbers")
    assert "radproof.number's helpers" in str(error.value)


def test_the_refusal_names_the_line_and_the_file():
    with pytest.raises(BadInput) as error:
        rules_hash(changed(budget=_tile_of_the_seed))
    line = _tile_of_the_seed.__code__.co_firstlineno + 1
    assert f"(line {line} of {__file__})" in str(error.value)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"holds": lambda i, d: len(i.batch) > 0}, "optimal_tiling is not.*batch is not a number"),
        ({"holds": lambda i, d: i.tokens > 0 and True}, "optimal_tiling is not.*it asks whether"),
        ({"given": lambda s, d: s.prompt in (1, 2)}, "given of optimal_tiling is not.*membership"),
    ],
)
def test_a_claim_is_walked_too(claim, said):
    with pytest.raises(BadInput, match=said):
        rules_hash(attrs.evolve(WORLD, tiling=attrs.evolve(WORLD.tiling, **claim)))


def _seven(a, b, *, spare=7):
    return a + spare


def _made(least):
    return lambda a, b: minimum(a, b) + least


def _local(a, b):
    low = minimum(a, b)
    both, other = low, b
    return both + other - other


@pytest.mark.parametrize(
    "take",
    [
        number.minimum,
        functools.partial(_seven, spare=3),
        functools.partial(lambda n, a, b: minimum(a, b) + n, SMALL),
        _made(0),
        _local,
        lambda a, b: rules.take(remaining=b, wanted=a),
        lambda a, b: RULES.take(a, b) * SEED.b_col // SEED.b_col,
        lambda a, b, c=2: (a * c + b % 7) // 7,
        lambda *given: 3,
        lambda a, b: 0 - (-a),
    ],
)
def test_arithmetic_is_accepted_however_it_is_put_together(take):
    assert rules_hash(changed(take=take))


def test_the_deployment_s_tiles_divide():
    assert rules_hash(changed(duration=lambda n, d: n // d.b_col + n % d.b_lcm + n // d.chunk))


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_mutant_in_rule_form_may_be_proved(name):
    scheduler = CATALOGUE[name].scheduler
    if in_rule_form(scheduler):
        assert rules_hash(World(scheduler))


@pytest.mark.parametrize("name", CHANGED)
def test_every_changed_rule_may_be_proved(name):
    assert rules_hash(CHANGED[name][0])


def ordered(order):
    return World(RuleScheduler(order=order))


@pytest.mark.parametrize(
    "order",
    [
        lambda job: (job.arrive, job.session),
        lambda job: -job.arrive,
        lambda job: job.session % 2,
        lambda job: -job.session if job.phase is DECODE else 0,
        lambda job: 0 if job.phase is not DECODE else -job.session,
        lambda job: (job.phase == Phase.DECODE) * 5,
        lambda job: job.done if job.phase is DECODE or job.phase == Phase.PREFILL else 1,
        lambda job: (0, 1),
    ],
)
def test_an_order_may_be_a_tuple_and_ask_for_the_phase(order):
    assert rules_hash(ordered(order))


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (lambda job: str(job.arrive), "str is neither"),
        (lambda job: -job.session if job.arrive > 3 else 0, "it asks whether a number is true"),
        (lambda job: job.arrive if job.phase is DECODE else (job.arrive, 0), "different lengths"),
        (lambda job: (job.arrive, "x"), "it returns"),
        (lambda job: job.arrive % job.done if job.phase is DECODE else 0, "a divisor may be 0"),
        (lambda job: job.arrive > 3, "truths can only be compared"),
        (lambda job: job, "it returns the deployment, the record or the job"),
        (lambda job: job.output, "output is not a number"),
        (lambda job: job.phase, "it returns"),
    ],
)
def test_an_order_that_is_not_arithmetic_is_refused(order, said):
    with pytest.raises(BadInput, match=said) as error:
        rules_hash(ordered(order))
    assert str(error.value).startswith("order is not arithmetic over numbers")


def test_an_order_s_condition_on_the_phase_is_followed_for_either_phase():
    assert result_shape("order", lambda one, other: (one, other, 1), 1, 2) == 3
    assert result_shape("order", lambda one, other: one, 1, 2) is None


def test_a_bundle_of_a_class_of_its_own_is_refused():
    class Other(type(RULES)):
        pass

    with pytest.raises(BadInput, match="of a class of their own"):
        rules_hash(World(RuleScheduler(Other())))


def test_prove_ends_with_exit_code_2(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import attrs\n"
        "from radproof import RULES, RuleScheduler\n"
        "from radproof.number import either\n"
        "def late(decodes, residents, d):\n"
        "    return either(decodes / d.b_col > 0.95, decodes == residents)\n"
        "mine = RuleScheduler(attrs.evolve(RULES, decode_mode=late))\n"
    )
    command = [sys.executable, "-m", "radproof", "prove", "--scheduler", "mine:mine"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "decode_mode is not arithmetic over numbers: it divides with /" in done.stderr
    assert "(line 5 of " in done.stderr
