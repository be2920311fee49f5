"""The page of the proofs, and that it is not stale."""

from __future__ import annotations

from pathlib import Path as FilePath

from click.testing import CliRunner

from docs.generate import proofs as docs
from radproof.proof.catalogue import LEMMAS
from radproof.proof.trusted import TRUSTED


def test_the_page_is_not_stale():
    page = FilePath(__file__).parents[2] / docs.FILE
    result = CliRunner().invoke(docs.main, ["--check", "--file", str(page)])
    assert result.exit_code == 0, result.output


def test_a_stale_page_is_told_and_blessed(tmp_path):
    page = tmp_path / "proofs.md"
    assert CliRunner().invoke(docs.main, ["--bless", "--file", str(page)]).exit_code == 0
    assert CliRunner().invoke(docs.main, ["--check", "--file", str(page)]).exit_code == 0
    page.write_text(page.read_text().replace("rad_batch", "rad_botch"))
    stale = CliRunner().invoke(docs.main, ["--check", "--file", str(page)])
    assert stale.exit_code == 1
    assert "--bless" in stale.output
    assert CliRunner().invoke(docs.main, []).exit_code == 2


def test_the_page_has_every_lemma_and_what_is_trusted():
    page = docs.text()
    for one in LEMMAS:
        assert f"`{one.name.split('[')[0]}" in page
    for name, _ in TRUSTED:
        assert f"**{name}**" in page
