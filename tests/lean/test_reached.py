"""The names of a run, and the theorems about its states that terms prove."""

from radproof.lean.reached import FILLS, RIGHT, RUN, leapt, reached


def test_the_names_of_a_second_run_have_its_prefix():
    assert [RIGHT.state(0), RIGHT.record(1), RIGHT.theorem(2), RIGHT.config] == [
        *("right_s0", "right_i1", "right_t_2", "right_config"),
    ]
    assert [RUN.state(0), RUN.config] == ["s0", "config"]


def test_a_state_is_reached_from_the_one_before_it():
    first, one, many = reached(0, 0), reached(1, 1), reached(2, 40)
    assert first.proof == "Eq.subst (motive := Reach config path) t_0 Reach.start"
    assert one.proof.endswith("t_1 (Reach.step s0 reach_0)")
    assert many.proof.endswith("t_2 (Proved.reached_on config path s1 40 reach_1)")
    assert many.statement == "Reach config path s2"


def test_a_leap_rests_on_its_tests_and_on_the_state_before():
    found = leapt(3, 4640, 99)
    assert (found.name, found.statement) == ("t_3", "steps config 99 s2 = s3")
    assert found.words[-4:] == ["rfl", "rfl", ")", "rfl"]
    assert "leap_along config s2 4640 98 fills" in found.proof
    assert "(Proved.reached_once config path s2 reach_2)" in found.proof


def test_the_rules_are_rad_s_field_by_field():
    assert FILLS.words[:4] == ["fills", ":", "FillsAsRad", "config"]
    assert FILLS.words.count("rfl") == 6
