"""What a check is asked to write for others to read."""

from __future__ import annotations

from pathlib import Path as FilePath

import attrs


@attrs.frozen
class Outputs:
    """The files that were asked for, and whether GitHub's annotations were."""

    sarif: FilePath | None = None
    summary: FilePath | None = None
    baseline: FilePath | None = None
    annotate: bool = False
