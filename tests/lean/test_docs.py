"""docs/lean.md names what the mirror has. (tests/test_documents.py runs its commands.)"""

import re
from pathlib import Path

from radproof.lean.budget import MOST_EVENTS, MOST_JOBS, MOST_RESIDENTS
from radproof.lean.definitions import mirror

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "lean.md").read_text(encoding="utf-8")


def test_the_names_of_its_table_are_the_mirrors():
    table = DOC[DOC.index("| Lean name") :]
    names = [n for row in table.splitlines()[2:] for n in re.findall("`(.*?)`", row.split("|")[1])]
    assert len(names) > 20
    for name in names:
        field = name.removeprefix("rad.")
        assert re.search(rf"\bdef {field}\b|^\s+(?:{{ )?{field} :", mirror(), re.MULTILINE), name


def test_the_budget_is_the_one_it_states():
    stated = f"{MOST_EVENTS} events and {MOST_RESIDENTS} residents, and {MOST_JOBS} jobs"
    assert stated in DOC
