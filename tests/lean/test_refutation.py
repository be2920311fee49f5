"""A counterexample's refutation: what is written, and that nothing else is read or proved."""

import re
import subprocess

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lean.drawn import subject
from lean.test_roundtrip import with_fact

from radproof import CLAIMS, Claim, Session
from radproof.lean.errors import NoLean, NotTheSame
from radproof.lean.export import conformance, counterexample
from radproof.lean.refutation import EVERY_PATH, refutation
from radproof.lean.roundtrip import read_back
from radproof.lean.verify import find_lean, verify_files
from radproof.lean.written import theorems_of
from radproof.mutants import chunk_127, floor_for_ceil, mixed

TILING, RATE = CLAIMS["optimal_tiling"], CLAIMS["token_rate"]
SHORT = Claim(name="short", kind="every iteration", holds=lambda i, d: i.tokens <= d.b_col - 1)
EARLY = attrs.evolve(SHORT, name="early", given=lambda session, d: session.arrive <= 0)
MIXED = subject((Session(0, 0, 1), Session(0, 128, 0)), scheduler=mixed)
"""Two states up to the failure, and a state after it."""

TEXT = counterexample(MIXED, TILING).text()

FORMS = {
    "its given": (MIXED, TILING, True, "(Tiled node) optimal_tiling"),
    "without its given": (
        *(subject((Session(0, 129, 1),)), TILING, False),
        "(fun _ => True) optimal_tiling",
    ),
    "a path in the given, which is dropped": (
        *(subject((Session(0, 256, 1),), scheduler=chunk_127), TILING, False),
        "(fun _ => True) optimal_tiling",
    ),
    "no given": (
        subject((Session(0, 0, 2),), scheduler=floor_for_ceil),
        *(RATE, True, "(fun _ => True) token_rate"),
    ),
    "a user's claim": (subject(), SHORT, True, "(fun _ => True) claim_short"),
    "a user's claim, with a given": (
        *(subject((Session(0, 128, 1),)), EARLY, True),
        "(fun path => List.all path (given_claim_early node) = true) claim_early",
    ),
    "a user's claim of a mirror's name": (
        *(subject((Session(0, 128, 1),)), attrs.evolve(EARLY, name="optimal_tiling"), True),
        "(fun path => List.all path (given_claim_optimal_tiling node) = true) claim_optimal_tiling",
    ),
}


def written(form):
    about, claim, its_given, _ = FORMS[form]
    return counterexample(about, claim, its_given).text()


@pytest.mark.parametrize("form", FORMS)
def test_the_family_is_the_claim_s(form):
    text = written(form)
    assert f"theorem refuted : ¬ EveryIteration config {FORMS[form][-1]} :=" in text
    assert read_back(text, "it").theorems == len(re.findall("^theorem ", text, re.MULTILINE))
    assert "Radproof.refuted" in theorems_of(text)


@pytest.mark.parametrize("form", FORMS)
def test_it_names_the_last_state_and_the_record_that_breaks(form):
    text = written(form)
    last = len(read_back(text, "it").states) - 1
    (record,) = re.findall(r"^theorem breaks : \w+ node (i\d+) = false", text, re.MULTILINE)
    (state,) = re.findall(rf"^def s{last} : State :=\n.*?ended", text, re.MULTILINE | re.DOTALL)
    assert f"last := some {record}," in state
    assert re.search(rf"\(h path s{last} \S+ reach_{last}\)\)\n", text)
    assert re.findall(r"^theorem (reach_\d+)", text, re.MULTILINE) == [
        f"reach_{place}" for place in range(last + 1)
    ]


HELD = "(h path s1 given_optimal_tiling_path reach_1)"
WRONG = {
    "another state": (HELD, "(h path s0 given_optimal_tiling_path reach_0)"),
    "a state that is not the one reached": (HELD, HELD.replace("s1", "s0")),
    "another state's proof": (HELD, HELD.replace("reach_1", "reach_0")),
    "a state of the right run": (HELD, HELD.replace("s1", "right_s1")),
    "another path's proof": (HELD, HELD.replace("given_optimal_tiling_path", "True.intro")),
    "a record that satisfies the claim": ("node i1 = false", "node i0 = false"),
    "the same, said to be so": ("node i1 = false", "node i0 = true"),
    "another claim": (") optimal_tiling :=", ") token_rate :="),
    "another claim breaks": ("breaks : optimal_tiling node", "breaks : token_rate node"),
    "another family": ("(Tiled node) optimal", "(fun _ => True) optimal"),
    "no path at all": ("(Tiled node) optimal", "(fun _ => False) optimal"),
    "other rules": ("¬ EveryIteration config", "¬ EveryIteration right_config"),
    "the claim itself": ("¬ EveryIteration", "EveryIteration"),
    "an assumption": ("fun h => Bool", "fun h => sorry --"),
    "another equation": ("t_1 (Reach.step s0", "t_0 (Reach.step s0"),
    "another step": ("(Reach.step s0 reach_0)", "(Reach.step s1 reach_0)"),
    "no step": ("(Reach.step s0 reach_0)", "reach_0"),
    "another state reached": ("reach_1 : Reach config path s1", "reach_1 : Reach config path s0"),
    "another path": ("reach_1 : Reach config path", "reach_1 : Reach config []"),
    "another event": ("t_1 : step config s0", "t_1 : step config s1"),
    "a record that the state does not have": ("last := some i1,", "last := some i0,"),
}
"""What is neither radproof's text nor true."""

OTHER = """def other : Deployment :=
  { bCol := 128, bRow := 1, bRed := 1, bLcm := 128, tLin := 4000, tNl := 5, chunk := 128 }

"""
NOT_ITS_OWN = {
    "the family spelled out": (
        *(
            "(Tiled node) optimal",
            "(fun p => List.all p (given_optimal_tiling node) = true) optimal",
        ),
        "expected 'Tiled', found 'fun'",
    ),
    "a proof by computation": (
        *("t_1 (Reach.step s0 reach_0)", "rfl (Reach.step s0 reach_0)"),
        "expected 't_1', found 'rfl'",
    ),
    "a deployment by another name": (
        *(
            "def config : Config := { deployment := node,",
            f"{OTHER}def config : Config := {{ deployment := other,",
        ),
        "breaks is not about|no proof that radproof writes here",
    ),
    "a claim of a deployment by another name": (
        *("theorem breaks : optimal_tiling node", f"{OTHER}theorem breaks : optimal_tiling other"),
        "breaks is not about|no proof that radproof writes here",
    ),
    "a further theorem": (
        *(
            "theorem refuted",
            "theorem more : ¬ Reach config [] s1 := fun h => h\n\ntheorem refuted",
        ),
        "line .* more: expected 'refuted', found 'more'",
    ),
    "a word more": (f"breaks) {HELD})", f"breaks) {HELD}) h", "expected 'nothing more', found 'h'"),
    "a word less": (f"breaks) {HELD})", f"breaks) {HELD}", r"expected '\)', found 'nothing more'"),
    "a name of Lean's core": (
        *("theorem t_0 :", "theorem Eq : lcmOfTiles node = node.bLcm := rfl\n\ntheorem t_0 :"),
        "Eq is a name of Lean's core",
    ),
}
"""What a Lean may take, and radproof does not write."""


def changed(before, after):
    assert TEXT.count(before) == 1
    return TEXT.replace(before, after)


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_refused(what):
    with pytest.raises(NotTheSame, match=r"^it, line \d+: "):
        read_back(changed(*WRONG[what]), "it")
    with pytest.raises(NotTheSame):
        theorems_of(changed(*WRONG[what]))


@pytest.mark.parametrize("what", NOT_ITS_OWN)
def test_what_radproof_does_not_write_is_refused(what):
    before, after, said = NOT_ITS_OWN[what]
    with pytest.raises(NotTheSame, match=said):
        read_back(changed(before, after), "it")


THEOREM = r"^theorem {} : .*?\n\n"


@pytest.mark.parametrize("name", ["reach_0", "reach_1", "refuted", "breaks", "t_1"])
def test_a_theorem_of_it_that_is_missing_is_found(name):
    text = re.sub(THEOREM.format(name), "", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert text != TEXT
    with pytest.raises(NotTheSame, match=r"^it, line \d+: "):
        read_back(text, "it")


def test_without_its_end_it_is_missed_by_name():
    text = re.sub(THEOREM.format("refuted"), "", TEXT, flags=re.MULTILINE | re.DOTALL)
    with pytest.raises(NotTheSame, match="breaks is there, and refuted, which follows, is not"):
        read_back(text, "it")


def test_a_run_that_goes_on_is_not_refuted_by_an_earlier_state():
    """Its last state has the same record; all of it is true, and a Lean would take it."""
    whole = conformance(MIXED).text()
    (after,) = re.findall(r"^def s2 : State.*?\nthe.*? := rfl$", whole, re.MULTILINE | re.DOTALL)
    assert "last := some i1" in after
    text = TEXT.replace("/-! So optimal", f"{after}\n\n/-! So optimal")
    with pytest.raises(NotTheSame, match="refuted: expected 'reach_2', found 'refuted'"):
        read_back(text, "it")
    text, _ = with_fact(TEXT, after)
    with pytest.raises(NotTheSame, match="breaks is there, and refuted, which follows, is not"):
        read_back(text, "it")


def test_a_run_that_breaks_nothing_refutes_nothing():
    text = conformance(subject()).text()
    for fact in (
        "theorem reach_0 : Reach config path s0 :=\n"
        "  Eq.subst (motive := Reach config path) t_0 Reach.start",
        "theorem refuted : ¬ EveryIteration config (Tiled node) optimal_tiling := sorry",
    ):
        more, line = with_fact(text, fact)
        with pytest.raises(NotTheSame, match=rf"line {line}: \w+ is no proof that radproof"):
            read_back(more, "it")


def refuting(text, claim, family, events):
    """The text with the theorems that refute a claim, whatever is true."""
    for theorem in refutation(events, claim, family):
        proof = f"theorem {theorem.name} : {theorem.statement} := {theorem.proof}"
        text, _ = with_fact(text, proof)
    return text


def claimed_broken():
    """A claim that holds at the end of a run, and a refutation of it."""
    text = conformance(subject((Session(0, 128, 0),))).text()
    breaks = "theorem breaks : token_rate node i0 = true := rfl"
    events = [0, *[1] * (len(read_back(text, "it").states) - 1)]
    return refuting(with_fact(text, breaks)[0], "token_rate", EVERY_PATH, events)


def outside():
    """A path that is not tiled, and a refutation for the tiled ones."""
    text = written("without its given")
    text = text.replace("(fun _ => True)", "(Tiled node)")
    return text.replace("True.intro", "given_optimal_tiling_path")


UNTRUE = {"a claim that holds": claimed_broken, "a path outside the given": outside}


@pytest.mark.parametrize("what", UNTRUE)
def test_what_is_not_so_is_not_refuted(what):
    with pytest.raises(NotTheSame, match=r"no proof that radproof writes|found 'Tiled'"):
        read_back(UNTRUE[what](), "it")


BLOCK = slice(TEXT.index("theorem reach_0"), TEXT.index("/-! The right rules'"))
WORDS = re.findall(r"[\w.]+|\s+|:=|=>|.", TEXT[BLOCK])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_word_changed_is_found(data):
    place = data.draw(st.sampled_from([k for k, word in enumerate(WORDS) if word.strip()]))
    word = data.draw(st.sampled_from(sorted({*WORDS, "sorry", "by", "rfl"})))
    assume(word.split() != WORDS[place].split())
    block = "".join([*WORDS[:place], word, *WORDS[place + 1 :]])
    with pytest.raises(NotTheSame):
        read_back(TEXT[: BLOCK.start] + block + TEXT[BLOCK.stop :], "it")


# With a Lean.


@pytest.fixture(scope="module")
def program():
    try:
        return find_lean()
    except NoLean as error:
        return pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")


def test_each_form_with_the_lean_that_is_here(program, tmp_path):
    files = []
    for number, form in enumerate(FORMS):
        files.append(tmp_path / f"Form{number}.lean")
        files[-1].write_text(written(form), encoding="utf-8")
    rows = list(verify_files(program, files))
    assert [(row.verdict, row.axioms, row.message) for row in rows] == [("checked", (), "")] * len(
        FORMS
    )


@pytest.mark.parametrize("what", [*WRONG, *UNTRUE])
def test_what_is_wrong_is_refused_by_the_lean_that_is_here(program, tmp_path, what):
    file = tmp_path / "Wrong.lean"
    text = UNTRUE[what]() if what in UNTRUE else changed(*WRONG[what])
    file.write_text(text, encoding="utf-8")
    ran = subprocess.run([program, str(file)], capture_output=True, text=True, timeout=60)
    assert ran.returncode != 0 or "sorry" in ran.stdout
