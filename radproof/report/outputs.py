"""The files that a check is asked to write."""

from __future__ import annotations

from pathlib import Path as FilePath

import attrs


@attrs.frozen
class Outputs:
    """The files asked for, None for those that were not; annotate: print GitHub's annotations."""

    sarif: FilePath | None = None
    summary: FilePath | None = None
    baseline: FilePath | None = None
    annotate: bool = False
