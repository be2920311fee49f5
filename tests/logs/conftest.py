from __future__ import annotations

from pathlib import Path

import pytest
from judged import Logs

from radproof.logs import open_log
from radproof.logs.log import Log


@pytest.fixture
def log(tmp_path: Path) -> Logs:
    """Writes lines to a file and opens it as a log: log("vllm-steps", *lines)."""

    def write(format: str, *lines: str, end: str = "\n") -> Log:
        file = tmp_path / "engine.log"
        file.write_text(end.join(lines))
        return open_log(file, format)

    return write
