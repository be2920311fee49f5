"""The proofs under other rules: the file that is written, and what a Lean's answers mean."""

import json
import stat
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from radproof import RULES
from radproof.cli.lean import lean
from radproof.errors import BadInput
from radproof.lean.changed import judge, obligations
from radproof.lean.definitions import lemmas, rule_fields
from radproof.lean.errors import NoLean, NotInLean
from radproof.lean.proofs import in_order, statements
from radproof.lean.verify import find_lean
from radproof.mutants import CATALOGUE
from radproof.number import ceil_div
from radproof.schedulers import RuleScheduler

ROOT = Path(__file__).parents[2] / "lean_mirror"
FOUND = in_order(ROOT)
RAD = RuleScheduler()
EARLY = CATALOGUE["threshold_127"].scheduler
TEXT = obligations(EARLY, "radproof.mutants:threshold_127", FOUND)


def test_the_rules_stand_in_the_place_of_rad_s_and_nothing_else_changes():
    own, rad = rule_fields(EARLY), rule_fields(RAD)
    told = (
        "/-- `rad` has the rules of radproof.mutants:threshold_127 here: which of the proofs still"
    )
    assert TEXT.count(told) == 1
    assert own["decodeMode"] in TEXT
    assert rad["decodeMode"] not in TEXT
    back = TEXT.replace(own["decodeMode"], rad["decodeMode"])
    back = "\n".join(line for line in back.split("\n") if not line.startswith(told))
    assert back.startswith(lemmas().strip())
    assert (
        obligations(RAD, "rad", FOUND).split("\n")[-len(statements()) :]
        == back.split("\n")[-len(statements()) :]
    )


def test_every_proof_is_in_it_and_it_imports_nothing():
    assert "\nimport " not in f"\n{TEXT}"
    for proof in FOUND:
        body = proof.text[proof.text.index("namespace Radproof.Proved") :].strip()
        assert TEXT.count(body) == 1, proof.file
    for name in statements():
        asked = f"theorem AsStated.{name} : Radproof.{name} := Radproof.Proved.{name}\n"
        assert TEXT.count(asked) == 1


def test_a_hostile_name_is_a_comment():
    text = obligations(EARLY, "x -/ #eval 1 /- y", FOUND)
    assert "-/ #eval" not in text
    assert text.count("-/") == TEXT.count("-/")


def test_a_rule_that_lean_has_no_words_for_is_refused():
    plain = RuleScheduler(attrs.evolve(RULES, want=lambda decoding, left, d: min(left, 1)))
    with pytest.raises(NotInLean, match="rule want"):
        obligations(plain, "mine", FOUND)


def test_a_proof_that_assumes_something_is_refused_before_a_lean_runs():
    faulty = [attrs.evolve(FOUND[0], text=FOUND[0].text + "\naxiom bad : False\n"), *FOUND[1:]]
    with pytest.raises(BadInput, match="axiom"):
        obligations(EARLY, "mine", faulty)


# What a Lean says.


@pytest.fixture
def program(tmp_path):
    """A program in a Lean's place: it says these lines, and of the others that they are free."""

    def make(errors=(), broken=(), silent=()):
        of = {name: f"'AsStated.{name}' does not depend on any axioms" for name in statements()}
        of |= {name: f"'AsStated.{name}' depends on axioms: [sorryAx]" for name in broken}
        lines = [*errors, *(line for name, line in of.items() if name not in silent)]
        (tmp_path / "said").write_text("\n".join(lines) + "\n", encoding="utf-8")
        file = tmp_path / "lean"
        version = '[ "$1" = --version ] && { echo "Lean (version 4.0.0, Release)"; exit 0; }'
        file.write_text(f"#!/bin/sh\n{version}\n/bin/cat {tmp_path}/said\n", encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    return make


def error_in(theorem, more=1):
    """An error line some lines into a theorem of the proofs."""
    before, _, _ = TEXT.partition(f"\ntheorem {theorem} ")
    return f"Asked.lean:{before.count(chr(10)) + 2 + more}:2: error: it does not"


def test_a_statement_is_proved_where_its_theorem_rests_on_nothing(program):
    rows, seconds = judge(program(), TEXT)
    assert [row.statement for row in rows] == statements()
    assert all(row.proved for row in rows)
    assert seconds > 0


def test_a_broken_proof_is_named_at_the_lowest_theorem_that_breaks(program):
    """What stands on it breaks too, since it is not there: that is not said again."""
    errors = [error_in("decode_mode"), error_in("rad_batch"), error_in("BariRad_optimal_tiling")]
    broken = ("rad_batch", "BariRad_optimal_tiling", "nonempty_batch")
    rows, _ = judge(program(errors, broken), TEXT)
    assert {row.statement: row.broken_at for row in rows if not row.proved} == dict.fromkeys(
        broken, ("decode_mode",)
    )


def test_two_that_break_apart_are_both_named(program):
    errors = [error_in("decode_mode"), error_in("prefill_mode"), error_in("tiled_rate")]
    rows, _ = judge(program(errors, ("rad_batch", "rad_priced")), TEXT)
    at = {row.statement: row.broken_at for row in rows}
    assert at["rad_batch"] == ("decode_mode", "prefill_mode")
    assert at["rad_priced"] == ("tiled_rate",)
    assert at["tiled_rate"] == ()  # the Lean said that it rests on nothing


def test_an_answer_that_is_missing_or_unexplained_is_no_verdict(program):
    with pytest.raises(NoLean, match="it says nothing of rad_batch"):
        judge(program(silent=("rad_batch",)), TEXT)
    with pytest.raises(NoLean, match="rad_batch rests on sorryAx, unexplained"):
        judge(program(broken=("rad_batch",)), TEXT)


def test_a_lean_that_takes_too_long_is_no_verdict(tmp_path):
    slow = tmp_path / "lean"
    slow.write_text("#!/bin/sh\nexec sleep 9\n")
    slow.chmod(0o755)
    with pytest.raises(NoLean, match=r"takes more than 0.2 s .* --seconds"):
        judge(str(slow), TEXT, 0.2)


# The command.


def ran(*arguments):
    named = ("prove", "--scheduler", "radproof.mutants:threshold_127", "--root", str(ROOT))
    return CliRunner().invoke(lean, [*named, *arguments])


def test_the_command_says_what_breaks_and_ends_with_1(program, tmp_path):
    said = program([error_in("decode_mode")], ("rad_batch",))
    out = tmp_path / "new" / "Early.lean"
    found = ran("--lean", said, "-o", str(out))
    assert found.exit_code == 1
    assert out.read_text(encoding="utf-8") == TEXT
    assert " rad_batch                breaks   decode_mode\n" in found.output
    assert f"{len(statements()) - 1} of {len(statements())} proved in " in found.output
    data = json.loads(ran("--lean", said, "-o", str(out), "--json").output)
    [broken] = [row for row in data["statements"] if not row["proved"]]
    assert broken == {"statement": "rad_batch", "broken_at": ["decode_mode"], "proved": False}


def test_without_a_lean_the_file_is_written_and_nothing_is_verified(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = ran("--lean", "nowhere/lean")
    assert isinstance(found.exception, SystemExit)
    assert found.exit_code == 3
    assert "not verified: --lean names nowhere/lean" in found.output
    [file] = Path(".radproof/lean").glob("Proofs*.lean")
    assert file.read_text(encoding="utf-8") == TEXT


def test_the_rules_of_mutants_with_the_lean_that_is_here():
    try:
        program = find_lean()
    except NoLean as error:
        pytest.skip(f"NOT VERIFIED WITH LEAN: {error}")
    rows, _ = judge(program, TEXT)
    at = {row.statement: row.broken_at for row in rows}
    assert "decode_mode" in at["BariRad_optimal_tiling"]
    assert at["BariRad_token_rate"] == at["clock_identity"] == ()
    dear = attrs.evolve(
        RULES,
        duration=lambda tokens, d: (d.t_lin + 1) * ceil_div(tokens, d.b_col) + d.t_nl * tokens,
    )
    rows, _ = judge(program, obligations(RuleScheduler(dear), "dear", FOUND))
    at = {row.statement: row.broken_at for row in rows}
    assert at["served_rate"] == at["BariRad_optimal_tiling"] == ()
    assert at["clock_identity"] == ("clock_identity",)
