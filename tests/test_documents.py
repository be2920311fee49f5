"""What the documents show is what happens, block by block."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from documents import ROOT, Wrong, blocks, check

DOCUMENTS = sorted(
    [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/README.md")]
)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_block_of_a_document(file: Path, tmp_path: Path) -> None:
    try:
        check(file.read_text("utf-8"), tmp_path)
    except Wrong as wrong:
        pytest.fail(f"{file.relative_to(ROOT)}, {wrong}", pytrace=False)
