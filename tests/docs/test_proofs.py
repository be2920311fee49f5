"""The page of the proofs, and that it is not stale."""

from __future__ import annotations

from docs.generate import proofs
from radproof.lemmas.catalogue import LEMMAS
from radproof.proof.trusted import TRUSTED


def test_the_page_has_every_lemma_and_what_is_trusted():
    page = proofs.page()
    for one in LEMMAS:
        assert f"`{one.name.split('[')[0]}" in page
    for name, _ in TRUSTED:
        assert f"**{name}**" in page
