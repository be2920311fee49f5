"""The table of `radproof lean verify`."""

from pathlib import Path

from radproof.lean.table import verify_table
from radproof.lean.verify import Checked

ROOT = Path("/somewhere/lean_mirror")


def test_a_row_for_each_file_then_what_went_wrong_then_the_sum():
    good = Checked(ROOT / "RadproofMirror.lean", 0, "checked", 0.25)
    used = Checked(ROOT / "Cti" / "Tiled.lean", 12, "checked", 1.5, ("propext", "Quot.sound"))
    bad = Checked(ROOT / "Cti" / "Early.lean", 30, "fails", 2.0, (), "t_0 [rfl]: no")
    header, rule, *rows, wrong, total = verify_table([good, used, bad]).splitlines()
    assert header.split() == ["file", "theorems", "verdict", "seconds", "axioms"]
    assert set(rule.strip()) == {"─"}
    assert [row.split() for row in rows] == [
        ["RadproofMirror.lean", "0", "checked", "0.2", "none"],
        ["Cti/Tiled.lean", "12", "checked", "1.5", "propext,", "Quot.sound"],
        ["Cti/Early.lean", "30", "fails", "2.0", "none"],
    ]
    assert wrong == "Early.lean: t_0 [rfl]: no"
    assert total == "2 of 3 files checked, 12 theorems, 3.8 s in all"


def test_one_file_is_shown_by_its_name():
    table = verify_table([Checked(ROOT / "Cti" / "Early.lean", 1, "out of time", 9.0)])
    assert table.splitlines()[2].split()[0] == "Early.lean"
    assert table.endswith("0 of 1 files checked, 0 theorems, 9.0 s in all")
