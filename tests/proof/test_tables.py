"""The certificate on the screen."""

from __future__ import annotations

import io

import attrs
from proof.made_up import FALSE, HARD, TRUE
from rich.console import Console

from radproof.lemmas.obligations import WORLD
from radproof.proof.certificate import Certificate
from radproof.proof.prove import prove
from radproof.proof.tables import obligations, remarks, summary_line

CERTIFICATE = prove(WORLD, [TRUE, FALSE, HARD])


def printed(certificate: Certificate, **options) -> list[str]:
    console = Console(file=io.StringIO(), width=160, **options)
    console.print(obligations(certificate))
    return console.file.getvalue().splitlines()


def test_a_row_has_every_column():
    head, _, row = [line for line in printed(CERTIFICATE) if line.strip()][:3]
    assert head.split("  ")[0].strip() == "lemma"
    assert [name in head for name in ("rlimit / budget", "vacuity", "numpy")] == [True] * 3
    assert "cvc5" not in head
    assert "QF witness   proved" in row
    assert "/ 100,000" in row
    assert row.split()[-4:] == ["2", "of", "2", "-"]


def test_cvc5_has_a_column_where_it_was_asked():
    both = prove(WORLD, [TRUE], solvers="both")
    head = next(line for line in printed(both) if line.strip())
    assert "vacuity   cvc5     numpy" in head


def test_verdicts_are_coloured_on_a_terminal():
    text = "\n".join(printed(CERTIFICATE, force_terminal=True, color_system="standard"))
    assert "\x1b[32mproved" in text
    assert "\x1b[1;31mrefuted" in text
    assert "\x1b[1;33munknown" in text


def test_remarks_say_what_keeps_the_certificate_from_being_clean():
    thin = attrs.evolve(TRUE, name="thin", budget=1)
    rows = [attrs.evolve(CERTIFICATE.rows[0], lemma=thin), *CERTIFICATE.rows[1:]]
    said = list(remarks(attrs.evolve(CERTIFICATE, rows=tuple(rows))))
    assert said[0].startswith("thin: used ")
    assert said[1] == "made: unknown: out of its budget"
    assert summary_line(CERTIFICATE).startswith("3 lemmas: 1 proved, 1 refuted, 1 unknown. z3 ")
