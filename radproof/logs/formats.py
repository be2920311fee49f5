"""The formats of logs, by the names that the command line has for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path as FilePath

from radproof.errors import BadInput
from radproof.logs.log import Log, Step
from radproof.logs.radproof_trace import RadproofTrace
from radproof.logs.requests import read_requests
from radproof.logs.sglang import SGLang
from radproof.logs.vllm_iterations import VLLMIterations
from radproof.logs.vllm_steps import VLLMSteps

LOG_FORMATS: dict[str, Callable[[Log], Iterable[Step]]] = {
    "vllm-iterations": VLLMIterations,
    "vllm-steps": VLLMSteps,
    "sglang": SGLang,
    "requests": read_requests,
    "radproof": RadproofTrace,
}
"""The reader of each format: called with the log, it gives the steps once."""


def open_log(file: FilePath, format: str) -> Log:
    """The log of a file, which is read as its steps are. Raises BadInput for an unknown format."""
    if format not in LOG_FORMATS:
        raise BadInput(f"unknown format {format!r}. There are: {', '.join(LOG_FORMATS)}.")
    return Log(file, format, LOG_FORMATS[format])
