"""Export, then read: the same facts; and a file in which something was changed is refused."""

import re

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lean.drawn import IN_LEAN, PAIR, PATHS, SCHEDULERS, SMALL, run_or_reject, subject

from radproof import CLAIMS, RULES, Claim, RuleScheduler, Session, check
from radproof.lean import twin
from radproof.lean.errors import NotTheSame
from radproof.lean.export import conformance, counterexample, own_claims
from radproof.lean.roundtrip import compare_with_run, read_back
from radproof.mutants import MUTANTS, chunk_127


@settings(max_examples=60, deadline=None)
@given(PATHS, SMALL, SCHEDULERS)
def test_a_run_says_the_same_when_read_back(path, deployment, scheduler):
    fresh = run_or_reject(path, deployment, scheduler)
    about = subject(path, deployment, scheduler)
    reading = compare_with_run(conformance(about).text(), "it", about, {})
    assert reading.path == path
    assert list(reading.states) == list(twin.event_states(about.config, path))
    for name, claim in CLAIMS.items():
        said = [truth for t, truth in reading.truths.items() if re.fullmatch(rf"{name}_\d+", t)]
        found = check(fresh, claim, given=False)
        assert said.count(False) == found.failures
        assert len(said) == found.checked


@settings(max_examples=60, deadline=None)
@given(PATHS, SMALL, st.sampled_from(sorted(IN_LEAN)))
def test_a_counterexample_says_the_same_when_read_back(path, deployment, mutant):
    about = subject(path, deployment, MUTANTS[mutant])
    fresh = run_or_reject(path, deployment, MUTANTS[mutant])
    verdicts = {name: check(fresh, claim, given=False) for name, claim in CLAIMS.items()}
    broken = {name: found for name, found in verdicts.items() if found.failures}
    assume(broken)
    for name, found in broken.items():
        reading = compare_with_run(
            counterexample(about, CLAIMS[name], given=False).text(), "it", about, {}
        )
        assert reading.truths["breaks"] is False
        records = [state.last for state in reading.states if state.last is not None]
        assert found.first in [record.start for record in records]


def digits(text):
    """The places of the digits of the literal states and records."""
    start = text.index("def i0")
    hidden = [range(*m.span()) for m in re.compile(r"\b[istuv]_?\d+\b|\w*_\d+\b").finditer(text)]
    return [
        place
        for place in range(start, len(text))
        if text[place].isdigit() and not any(place in span for span in hidden)
    ]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_one_digit_changed_is_found(data):
    text = conformance(subject()).text()
    place = data.draw(st.sampled_from(digits(text)))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != text[place]]))
    with pytest.raises(NotTheSame):
        read_back(text[:place] + other + text[place + 1 :], "it")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("served := 128,\n    last", "served := 129,\n    last", "theorem t_0 is false.*served"),
        ("theorem t_1 : step config s0 = s1 := rfl\n", "", "no theorem says how s1"),
        ("= s1 := rfl", "= s1 := sorry", "not closed by rfl"),
        ("theorem t_1 : step", "axiom t_1 : step", "'axiom' begins neither a definition"),
        (
            "def minimum (a b : Nat) : Nat := cond (Nat.ble a b) a b",
            "",
            "its mirror is not this version's",
        ),
        ("def s1 : State", "def s0 : State", "s0 is defined twice"),
        ("step config s0", "step config s9", "the name s9 is used before it is defined"),
        ("bLcm := 128, tLin", "bLcm := 64, tLin", "bLcm is 64, but the tiles give 128"),
        ("theorem token_rate_0 : token_rate node i0 = true", "theorem x : size path = 2", "size"),
    ],
)
def test_what_is_not_as_written_is_named(before, after, message):
    text = conformance(subject()).text()
    assert text.count(before) == 1 or "served" in before
    with pytest.raises(NotTheSame, match=message):
        read_back(text.replace(before, after, 1), "it")


@pytest.fixture
def text():
    return conformance(subject()).text()


def with_fact(text, fact):
    """The text with one more command, and the line of that command."""
    before, end = text.removesuffix("end Radproof\n"), "end Radproof\n"
    return f"{before}{fact}\n\n{end}", before.count("\n") + 1


EVIL = (
    "def object : Nat := true.__class__.__base__.__base__",
    "def kinds : Nat := true.__class__.__class__.__subclasses__ object",
    "def wrap : Nat := kinds.__getitem__ 140",
    "def globals : Nat := wrap.__init__.__globals__",
)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (EVIL[0], "object is of no type that radproof defines"),
        (EVIL[0].replace("Nat", "Rules"), "may not use true.__class__.__base__.__base__"),
        (EVIL[2].replace("Nat", "State"), "may not use kinds.__getitem__"),
        ("def r : Rules := { rad with want := fun a b d => d.__class__ }", None),
        ("theorem x : step.__call__ config s0 = s1 := rfl", "no theorem of radproof's is about"),
        ("theorem x : step config rad.__class__ = s1 := rfl", "names a field that its value does"),
        ("theorem x : size path = 2 := rfl", "no theorem of radproof's is about size"),
        ("theorem x : 1 = 1 := rfl", "no theorem of radproof's is about this"),
        ("theorem x : token_rate node 1 = true := rfl", "names a field that its value does not"),
        ("theorem x : lcmOfTiles node = 1 + true := rfl", "what is no natural number"),
        ("def s9 : State := step config s0", "s9 may not use step, or not yet"),
        ("theorem step : lcmOfTiles node = node.bLcm := rfl", "step is defined twice"),
        ("theorem s0 : lcmOfTiles node = node.bLcm := rfl", "s0 is defined twice"),
        ("def step : Rules := rad", "step is defined twice"),
        ("def cond : Rules := rad", "cond is defined twice"),
        ("def r : Rules := { rad with step := fun a => a }", "step are not all fields of what"),
        ("def n : Nat := 1", "n is of no type that radproof defines"),
        ("def p : List Session := alike 99999999999 (Session.mk 0 0 1)", "too deeply"),
        (f"def p : List Session := [Session.mk 0 0 {'9' * 1001}]", "more than 1000 digits"),
        (f"def p : List Session := {'(' * 5000}[]{')' * 5000}", "within one another"),
        (
            "def p : State := jobsFrom 0 99999999999 (Session.mk 0 0 1) true 0",
            "recurses too deeply",
        ),
        ("def p : State := [1]", "p: it is not a State"),
        ("def p : List Session := [1]", "p: it is not a List Session"),
        ("structure S where\n  a : Nat", "S is no definition that radproof writes"),
        ("def f : Nat → Nat\n  | 0 => 1\n  | k + 1 => f k", "f is no definition that radproof"),
        ("def f (d : Deployment) : Bool := true", "f is of no type that radproof defines"),
        ("def f (d : Deployment) (i : Record) : Nat := 1", "f is of no type that radproof defines"),
        ("axiom bad : False", "'axiom' begins neither"),
        ("#eval 1", "unexpected character '#'"),
        ("theorem x : 1 = 2 := by sorry", "theorem x is not closed by rfl"),
        ("instance : Inhabited Nat := 1", "'instance' begins neither"),
        ("set_option maxRecDepth 1", "'set_option' begins neither"),
        ("open Nat", "'open' begins neither"),
    ],
)
def test_what_radproof_does_not_write_is_refused_with_its_line(text, fact, said):
    changed, line = with_fact(text, fact)
    if said is None:
        assert read_back(changed, "it").theorems, "a field is looked up where the rule is used"
        changed, line = with_fact(changed, "def c : Config := { deployment := node, rules := r }")
        changed, line = with_fact(changed, "theorem x : start c path = s0 := rfl")
        said = "d.__class__ names a field"
    with pytest.raises(NotTheSame, match=rf"^it, line {line}: .*{said}"):
        read_back(changed, "it")


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_is_changed_there_is_a_reading_or_one_message(data):
    """No change of a few words makes anything else of a file: no other error, no other run."""
    text = conformance(subject(imports=True)).text()
    words = re.findall(r"[\w'.]+|\s+|.", text)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place : place + data.draw(st.integers(0, 1))] = data.draw(
            st.lists(st.sampled_from([*words, "rfl", "#eval", "by", "9" * 2000]), max_size=1)
        )
    changed = "".join(words)
    try:
        reading = read_back(changed, "it")
    except NotTheSame:
        return
    assert reading.path == PAIR


def test_a_true_theorem_more_is_read(text):
    changed, _ = with_fact(text, "theorem x : onLast token_rate config s0 = true := rfl")
    assert read_back(changed, "it").theorems == read_back(text, "it").theorems + 1


def test_a_number_is_no_truth(text):
    """In Python 1 = True; Lean takes no such theorem."""
    changed, line = with_fact(text, "theorem x : onLast token_rate config s0 = 1 := rfl")
    with pytest.raises(NotTheSame, match=f"line {line}: x: it is not a Nat"):
        read_back(changed, "it")


def test_a_file_larger_than_any_export_is_refused(text):
    states = "".join(
        f"def x{k} : State := {{ now := 0, pending := [], jobs := [], iter := [], iterEnd := none, "
        "served := 0, last := none, ended := [] }\n\n"
        for k in range(300)
    )
    changed, _ = with_fact(text, states)
    with pytest.raises(NotTheSame, match="it: the file has more than 200 events"):
        read_back(changed, "it")


def test_a_file_about_another_path_is_found():
    text = conformance(subject()).text()
    with pytest.raises(NotTheSame, match="its path is not the expected one"):
        compare_with_run(text, "it", subject((Session(0, 128, 1),)), {})


def test_a_file_by_other_rules_is_found():
    text = conformance(subject(scheduler=chunk_127)).text()
    with pytest.raises(NotTheSame, match="a fresh run"):
        compare_with_run(text, "it", subject(), {})


def test_a_user_s_claim_is_written_and_read():
    mine = Claim(
        name="my-bound", kind="every iteration", holds=lambda i, d: i.tokens <= d.b_col - 1
    )
    mine = attrs.evolve(mine, statement="below the tile")
    about = subject()
    text = counterexample(about, mine).text()
    assert "def claim_my_bound (d : Deployment) (i : Record) : Bool :=" in text
    reading = compare_with_run(text, "it", about, own_claims([mine]))
    assert reading.truths["breaks"] is False
    other = text.replace("Nat.ble i.tokens (d.bCol - 1)", "Nat.ble i.tokens (d.bCol - 2)")
    with pytest.raises(NotTheSame, match="differs from the claim that it was made from"):
        compare_with_run(other, "it", about, own_claims([mine]))


def test_rules_that_lean_reads_otherwise_are_found():
    """Below 0 Python goes on and Lean stops: the file must not be written."""
    rules = attrs.evolve(
        RULES, budget=lambda mode, d: 2, take=lambda w, r: (r - 3 + w) * 0 + r - 3 + 4
    )
    about = subject((Session(0, 9, 0),), scheduler=RuleScheduler(rules))
    with pytest.raises(NotTheSame):
        compare_with_run(conformance(about).text(), "it", about, {})


LONG = conformance(subject((*(Session(0, 1280, 3),) * 5, Session(10**6, 0, 400)))).text()


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("steps config 9 s0 = s1", "steps config 8 s0 = s1", "t_1: expected '7', found '8'"),
        (" 8 fills", " 9 fills", "t_1: expected '8', found '9'"),
        ("leap_along config s0 4640", "leap_along config s0 4641", "expected '4640', found '4641'"),
        ("rfl rfl rfl rfl) rfl", "rfl rfl rfl rfl) sorry", "t_1: expected 'rfl', found 'sorry'"),
        ("import Proofs.Along", "import RadproofMirror", "expected the option and the namespace"),
        ("theorem t_1 : steps config 9 s0 = s1", "theorem t_1 : step config s0 = s1", "not closed"),
        ("Reach config path s1", "Reach config path s0", "reach_1: expected 's1', found 's0'"),
        ("reached_on config path s0 9", "reached_on config path s0 1", "expected '9', found '1'"),
    ],
)
def test_a_stretch_is_read_word_by_word(before, after, said):
    assert before in LONG
    with pytest.raises(NotTheSame, match=said):
        read_back(LONG.replace(before, after, 1), "it")


def test_a_stretch_that_is_none_is_false():
    """All words as radproof writes them, of one event more than the stretch has."""
    text = LONG
    for before, after in (
        ("steps config 9 s0", "steps config 10 s0"),
        ("s0 4640 8 fills", "s0 4640 9 fills"),
        ("config path s0 9 reach_0", "config path s0 10 reach_0"),
    ):
        assert before in text
        text = text.replace(before, after)
    with pytest.raises(NotTheSame, match="theorem t_1 is false: a job has not enough left"):
        read_back(text, "it")


def test_rules_that_fill_a_batch_in_another_way_have_no_stretch():
    changed = "def changed : Rules :=\n  { rad with take := fun wanted remaining => remaining }\n\n"
    text = LONG.replace("rules := rad }", "rules := changed }")
    text = text.replace("def config", f"{changed}def config", 1)
    with pytest.raises(NotTheSame, match="its rules do not fill a batch as RAD's do"):
        read_back(text, "it")


def test_no_other_file_has_a_stretch(text):
    more = "theorem t_9 : steps config 2 s0 = s1 := Eq.trans rfl rfl"
    changed, line = with_fact(text, more)
    with pytest.raises(NotTheSame, match=f"line {line}: theorem t_9 is not closed by rfl"):
        read_back(changed, "it")
