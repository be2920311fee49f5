"""A Lean file in the making."""

import attrs

from radproof import CLAIMS, RULES, SEED, RuleScheduler, Session
from radproof.lean import twin
from radproof.lean.definitions import MODULE, mirror
from radproof.lean.document import Document, write_claim, write_run, write_setting
from radproof.lean.literals import LINE_LENGTH
from radproof.lean.reached import RUN, Proved
from radproof.lean.stretches import every_event

PATH = (Session(0, 128, 1), Session(4640, 128, 1))


def facts(document):
    """The text between the beginning of the namespace and its end."""
    return document.text().rpartition("namespace Radproof\n\n")[2].rpartition("\n\nend ")[0]


def test_a_file_says_what_it_is_and_has_the_mirror_in_it():
    text = Document("A title.", ["A note."]).text()
    assert text.startswith("/-\nA title.\nA note.\nMade by: radproof ")
    assert mirror().strip() in text
    assert text.endswith("\n\nend Radproof\n")


def test_a_file_that_imports_the_mirror_begins_with_that():
    text = Document("A title.", base="mirror").text()
    assert text.startswith(f"import {MODULE}\n\n/-\n")
    assert mirror().strip() not in text


def test_a_definition_too_long_for_a_line_begins_on_the_next():
    document = Document("A title.")
    room = LINE_LENGTH - len("def n : Nat := ")
    document.define("n", "Nat", "1" * room)
    document.define("m", "Nat", "1" * (room + 1))
    short, long = facts(document).split("\n\n")
    assert short == f"def n : Nat := {'1' * room}"
    assert long == f"def m : Nat :=\n  {'1' * (room + 1)}"


def test_theorems_are_counted():
    document = Document("A title.")
    document.state_that("one", "a", "b")
    document.say("A heading.")
    document.state_that("two", "c", "d")
    assert document.theorems == 2
    assert facts(document) == (
        "theorem one : a = b := rfl\n\n/-! A heading. -/\n\ntheorem two : c = d := rfl"
    )


def test_a_theorem_may_be_proved_by_a_term():
    document = Document("A title.")
    document.prove(Proved("three", "p", "fun h => h"))
    assert document.theorems == 1
    assert facts(document) == "theorem three : p :=\n  fun h => h"


def test_only_changed_rules_are_written_out():
    same, other = Document("Same."), Document("Other.")
    write_setting(same, SEED, RuleScheduler(), PATH)
    changed = RuleScheduler(attrs.evolve(RULES, serves=lambda mode, decoding: True))
    write_setting(other, SEED, changed, None)
    assert "def config : Config := { deployment := node, rules := rad }" in facts(same)
    assert "def path : List Session := [" in facts(same)
    assert "rules := changed }" in facts(other)
    assert "def path" not in facts(other)


def test_a_run_has_a_theorem_for_every_event_and_each_record_once():
    document = Document("A run.")
    states = list(twin.event_states(twin.Config(SEED), PATH))
    write_run(document, every_event(states, "it"), RUN)
    assert document.events == len(states) - 1
    assert document.theorems == len(states)
    assert facts(document).count(" : Record :=") == len(twin.records(states))
    assert "theorem t_0 : start config path = s0 := rfl" in facts(document)
    assert "theorem t_1 : step config s0 = s1 := rfl" in facts(document)


def test_a_run_without_a_path_begins_with_a_state_that_no_theorem_gives():
    document = Document("A run.")
    states = twin.event_states(twin.Config(SEED), PATH)
    write_run(document, every_event(states, "it"), RUN, from_path=False)
    assert document.theorems == document.events
    assert "t_0" not in facts(document)


def test_a_claim_is_stated_of_each_record():
    document = Document("A run.")
    records = twin.records(list(twin.event_states(twin.Config(SEED), PATH)))
    write_claim(document, CLAIMS["token_rate"], "token_rate", records, RUN, SEED)
    assert facts(document).splitlines()[0] == (
        "theorem token_rate_0 : token_rate node i0 = true := rfl"
    )
    assert document.theorems == len(records)
