"""Test terms against serQ's own package."""

import ast
import re
from pathlib import Path

import pytest
from lean.serq_signatures import PACKAGE, signatures

from radproof import SEED, Deployment, Session, run
from radproof.errors import BadInput
from radproof.files.paths import PathFile, write
from radproof.lean import twin
from radproof.lean.definitions import mirror, template
from radproof.lean.errors import NoLean, NotInLean, TooLarge
from radproof.lean.serq import against_stub, export_serq, is_serq
from radproof.lean.verify import find_lean, verify_files

VERSION = "5de1f0db"
SOURCES = Path(__file__).parents[2] / "lean_mirror" / "sources"
CORE = """open def abbrev theorem fun by decide rfl kernel with Nat Bool List Type Prop true false
none some map length isSome RadproofTerm end SerqLang Claims BariRad"""
"""What a term uses of Lean itself, and the namespaces."""
ONLY = "the serQ target supports only RAD at the default deployment; only `chunk` may differ"


@pytest.fixture
def file(tmp_path):
    def make(**content):
        write(tmp_path / "it.json", PathFile(**{"sessions": (Session(0, 128, 0),), **content}))
        return tmp_path / "it.json"

    return make


def rows(text):
    """The facts of a term: time, running, numbers, token_rate, optimal_tiling, jobs."""
    told = text.split("started =\n", 1)[1].split(" := by decide", 1)[0]
    return ast.literal_eval(told.replace("true", "True").replace("false", "False"))


def test_each_event_is_stated_by_its_numbers(file):
    path = (Session(0, 128, 1), Session(4640, 200, 1), Session(5000, 0, 0))
    term = export_serq(file(sessions=path), VERSION)
    states = list(twin.event_states(twin.Config(SEED), path))
    assert term.events == len(states) - 1
    assert f"theorem events : factsOf {term.events} started =\n" in term.text
    found = rows(term.text)
    assert [(now, runs, jobs) for now, runs, *_, jobs in found] == [
        (
            state.now,
            state.iter_end is not None,
            [(job.number, job.total - job.done) for job in state.jobs],
        )
        for state in states
    ]


@pytest.mark.parametrize("chunk", [128, 64, 200])
def test_the_records_and_the_responses_are_those_of_the_machine(file, chunk):
    path = (Session(0, 200, 2), Session(0, 256, 1), Session(4640, 128, 0), Session(9000, 0, 0))
    deployment = Deployment(chunk=chunk)
    whole = run(path, deployment)
    text = export_serq(file(sessions=path, deployment=deployment), VERSION).text
    latest = [row[2:5] for row in rows(text) if row[1]]
    assert list(dict.fromkeys(latest)) == [
        (
            (i.start, i.served, i.tokens, i.decoders, i.residents),
            128 * i.start >= 4640 * i.served,
            i.tokens == 128 or i.decoders == i.residents,
        )
        for i in whole.records
    ]
    ends = [end - s.arrive for s, end in zip(path, whole.completions, strict=True)]
    assert f"\n  ({list(enumerate(ends))}, 0) := by decide +kernel" in text
    assert f"def finished : Machine := runW d {whole.end} w prog\n" in text


def test_before_the_first_iteration_the_record_is_zeros(file):
    first = rows(export_serq(file(sessions=(Session(7, 128, 0),)), VERSION).text)[0]
    assert first == (0, False, (0, 0, 0, 0, 0), True, True, [])


@pytest.mark.parametrize(
    ("prompts", "chunk", "family", "at"),
    [
        ((128, 256), 128, None, None),
        ((128, 256), 64, "family_optimal_tiling", 2),
        ((256, 200), 128, "family_token_rate", 3),
        ((200, 256), 200, "family_token_rate", 3),
    ],
)
def test_a_claim_that_fails_is_refuted_for_its_family(file, prompts, chunk, family, at):
    path = tuple(Session(0, prompt, 1) for prompt in prompts)
    term = export_serq(file(sessions=path, deployment=Deployment(chunk=chunk)), VERSION)
    names = re.findall(r"^theorem (\w+)", term.text, re.MULTILINE)
    assert term.theorems == len(names)
    if family is None:
        assert names == ["events", "responses"]
        assert all(row[4] for row in rows(term.text))
        return
    assert names[2:] == ["in_family", "reached", "broken", "not_optimal_tiling"]
    assert f"¬ EveryIteration d {family} prog OptimalTiling :=" in term.text
    assert f"theorem in_family : {family} w :=" in term.text
    assert f"¬ OptimalTiling (after {at} started).last" in term.text
    kept = [row[4] for row in rows(term.text)]
    assert kept.index(False) == at


def test_serqs_claim_is_about_five_hundred_sessions(file):
    empty = (Session(0, 0, 0),)
    assert export_serq(file(sessions=(Session(0, 200, 0), *empty * 499)), VERSION).theorems == 6
    with pytest.raises(TooLarge, match=r"501 sessions.* about at most 500\. .* before t = 4640"):
        export_serq(file(sessions=(Session(0, 200, 0), *empty * 500)), VERSION)
    assert export_serq(file(sessions=(Session(0, 128, 0), *empty * 500)), VERSION).theorems == 2


def test_the_path_is_a_workload(file):
    text = export_serq(file(sessions=(Session(0, 128, 1), Session(7, 0, 2))), VERSION).text
    assert "[(10, 128), (11, 1), (12, 0)],\n    [(10, 0), (11, 2), (12, 7)]" in text
    assert f"radproof lean export it.json --target serq --serq-version {VERSION}" in text
    assert not re.search("--[A-Z]+--", text)


def test_the_chunk_alone_may_differ(file):
    text = export_serq(file(deployment=Deployment(chunk=64)), VERSION).text
    assert "def d : Deployment := { deployment with chunk := 64 }" in text
    assert "def d : Deployment := deployment\n" in (
        export_serq(file(deployment=SEED), VERSION).text
    )


def test_a_horizon_ends_the_run(file):
    path = (Session(0, 128, 1), Session(4640, 128, 1))
    whole = export_serq(file(sessions=path), VERSION)
    cut = export_serq(file(sessions=path, horizon=4640), VERSION)
    assert cut.events < whole.events
    assert "def finished : Machine := runW d 4640 w prog\n" in cut.text
    assert "  ([], 0) := by decide" in cut.text


def test_a_mark_in_the_note_stays_in_the_note(file):
    text = export_serq(file(note="--THEOREMS-- of --PATH--"), VERSION).text
    assert text.count("--THEOREMS-- of --PATH--") == 1
    assert text.count("theorem events") == 1


def test_the_stub_stands_in_for_the_package(file):
    text = export_serq(file(), VERSION).text
    assert is_serq(text)
    alone = against_stub(text)
    assert not is_serq(alone)
    assert alone.startswith(mirror().strip())
    assert "decide +kernel" not in alone


def test_it_refuses_what_it_has_no_words_for(file):
    with pytest.raises(BadInput, match=f"is '0000'; .*: {VERSION}"):
        export_serq(file(), "0000")
    mutant = SOURCES / "counterexamples" / "chunk_127.json"
    for source in (mutant, file(deployment=Deployment(b_col=64))):
        with pytest.raises(NotInLean, match=rf"json: {ONLY}\. Export changed rules to the mirror"):
            export_serq(source, VERSION)


def test_an_order_at_time_zero_that_is_not_serqs_is_refused(file):
    mixed = (Session(0, 0, 1), Session(0, 128, 1))
    with pytest.raises(BadInput, match=r"session 1 has a prompt.* the other way round"):
        export_serq(file(sessions=mixed), VERSION)
    assert export_serq(file(sessions=mixed[::-1]), VERSION).events
    assert export_serq(file(sessions=(mixed[0], Session(1, 128, 1))), VERSION).events


def test_the_stub_has_the_signatures_of_the_package():
    found = signatures(template("serq_stub.lean"))
    assert {name: found.get(name) for name in PACKAGE} == PACKAGE


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        # what the stub once invented, and the term with it
        (
            "Exec.start",
            "def start (D : Deployment) (n : Nat) (init : Nat → Nat → Nat) (prog : Prog)\n"
            "    (wl : Workload := ⟨[], [], none, 0, none, none⟩) : Machine :=",
            "def start (d : Deployment) (w : Workload) (_ : Prog) : Machine :=",
        ),
        ("Exec.start", "(n : Nat) (init : Nat → Nat → Nat)", "(init : Nat → Nat → Nat) (n : Nat)"),
        ("Exec.start", "(wl : Workload := ⟨[], [], none, 0, none, none⟩)", "(wl : Workload)"),
        ("Exec.runW", "(horizon : Nat) (w : Workload)", "(w : Workload) (horizon : Nat)"),
        ("Exec.runW", "def runW (D : Deployment)", "def runW {D : Deployment}"),
        ("Exec.step", "def step (D : Deployment) (m : Machine)", "def step (m : Machine)"),
        ("Exec.observed", "(m : Machine) (name : Nat)", "(name : Nat) (m : Machine)"),
        ("Exec.Workload.attr", "(i slot : Nat)", "(slot i : Nat)"),
        (
            "Exec.Workload",
            "  turnSlot : Option Nat := none\n  moreSlot : Nat := 0",
            "  moreSlot : Nat := 0\n  turnSlot : Option Nat := none",
        ),
        ("Exec.Workload", "  arriveSlot : Option Nat := none\n", ""),
        ("Exec.Deployment", "cost : IterStats → Nat", "cost : Nat → Nat"),
        ("Exec.Deployment", "  chunkAt : Option (ChunkEnv → Nat)\n", ""),
        ("Exec.Machine", "iterEnd : Option (Nat", "iterEnd : List (Nat"),
        ("Exec.IterRec", "residents : Nat := 0", "residents : Nat"),
        ("Exec.Job", "  left : Nat\n", "  left : Nat := 0\n"),
        ("Exec.Reach", "step {m : Machine}", "step (m : Machine)"),
        (
            "Exec.Reach",
            "(w : Workload) (P : Prog) : Machine",
            "(P : Prog) (w : Workload) : Machine",
        ),
        (
            "Exec.EveryIteration",
            "(P : Prog) (q : IterRec → Prop)",
            "(q : IterRec → Prop) (P : Prog)",
        ),
        ("Exec.EveryIteration", "m.iterEnd.isSome = true → q m.last", "q m.last"),
        ("Claims.BariRad.family_token_rate", "w.init.length ≤ 500 ∧ w.turns", "w.turns"),
        ("Claims.BariRad.family_optimal_tiling", "(w.attr i 10 / 128)", "(w.attr i 11 / 128)"),
    ],
)
def test_another_signature_in_the_stub_is_seen(name, old, new):
    stub = template("serq_stub.lean")
    assert old in stub
    assert signatures(stub.replace(old, new))[name] != PACKAGE[name]


def test_a_term_uses_no_name_beyond_the_signatures(file):
    text = export_serq(file(sessions=(Session(0, 200, 0),)), VERSION).text
    code = re.sub(r"/-.*?-/", "", text, flags=re.DOTALL).split("open SerqLang.Exec\n")[1]
    own = set(re.findall(r"^(?:def|abbrev|theorem) (\w+)", code, re.MULTILINE))
    bound = {"w", "d", "m", "r", "k", "j", "there", "every", "_"}
    core = set(re.findall(r"\w+", CORE))
    used = set(re.findall(r"[A-Za-z_]\w*", code)) - own - bound - core
    fields = {
        field
        for found in PACKAGE.values()
        for field in re.findall(r"(?:^|; )(\w+)(?= :| \{)", found)
    }
    names = {name.rsplit(".", 1)[-1] for name in PACKAGE}
    assert used <= names | fields
    # what it cannot do without
    assert {"start", "step", "runW", "observed", "attr", "Reach", "EveryIteration"} <= used


def test_a_lean_refuses_a_term_with_a_wrong_number(file, tmp_path):
    try:
        lean = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    text = export_serq(file(sessions=(Session(0, 200, 0),)), VERSION).text
    changes = {
        "Right": (text, text),
        "Record": ("(4640, 128, 72, 0, 1)", "(4640, 128, 73, 0, 1)"),
        "Verdict": ("true, false, [(0, 72)]", "true, true, [(0, 72)]"),
        "Response": ("([(0, 9000)], 0)", "([(0, 9001)], 0)"),
        "Broken": ("after 1 started", "after 0 started"),
        "Family": (
            "family_token_rate w :=\n  ⟨by decide +kernel, rfl",
            "family_optimal_tiling w :=\n  ⟨rfl",
        ),
    }
    for name, (old, new) in changes.items():
        assert old in text
        (tmp_path / f"{name}.lean").write_text(text.replace(old, new), encoding="utf-8")
    found = verify_files(lean, sorted(tmp_path.glob("*.lean")), jobs=1)
    assert {row.file.stem: row.verdict for row in found} == {
        name: "checked" if name == "Right" else "fails" for name in changes
    }
