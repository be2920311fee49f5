"""Every obligation as an SMT-LIB file, and cvc5's proof of it beside it (CPC)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath

from radproof.files.text import write_text
from radproof.lemmas.obligations import Lemma, World
from radproof.proof import cvc5
from radproof.proof.fingerprint import rules_hash
from radproof.proof.questions import header, question


def file_stem(lemma: Lemma) -> str:
    """A file name for the lemma, without its ending."""
    return lemma.name.replace("[", "-").replace("]", "")


def write_archive(folder: FilePath, world: World, lemmas: Iterable[Lemma], proofs: bool) -> int:
    """Write ``<lemma>.smt2`` for each lemma, with `proofs` also ``<lemma>.cpc``; count the files.

    Raises BadInput where the folder cannot be written, RadproofError where cvc5 is missing.
    """
    rules = rules_hash(world)
    written = 0
    for lemma in lemmas:
        asked = question(lemma, world)
        stem = file_stem(lemma)
        write_text(folder / f"{stem}.smt2", header(lemma, rules) + asked.text)
        written += 1
        proof = cvc5.ask(lemma.name, asked.text, proof=True).proof if proofs else None
        if proof is not None:
            write_text(folder / f"{stem}.cpc", proof + "\n")
            written += 1
    return written
