"""The formats of logs, by the names that the command line has for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path as FilePath

from radproof.errors import BadInput
from radproof.logs import radproof_trace, requests, sglang, vllm_iterations, vllm_steps
from radproof.logs.log import Log, Step

FORMATS: dict[str, Callable[[Log], Iterator[Step]]] = {
    "vllm-iterations": vllm_iterations.read,
    "vllm-steps": vllm_steps.read,
    "sglang": sglang.read,
    "requests": requests.read,
    "radproof": radproof_trace.read,
}
"""The reader of each format."""


def open_log(file: FilePath, format: str) -> Log:
    """The log of a file, which is read as its steps are. Raises BadInput for an unknown format."""
    if format not in FORMATS:
        raise BadInput(f"unknown format {format!r}. There are: {', '.join(FORMATS)}.")
    return Log(file, format, FORMATS[format])
