"""Published traces, by name, each checked against its SHA-256 and cached.

The bytes are pinned twice: by the commit in the URL, and by the hash. Needs pooch, which the
extra ``fetch`` installs; importing this module does not import it.
"""

from __future__ import annotations

import logging
from pathlib import Path as FilePath

import attrs

from radproof.errors import BadInput

_AZURE = (
    "https://raw.githubusercontent.com/Azure/AzurePublicDataset/"
    "b469a113cedca53ddc3bdea71a143dc4b7d8700c/data/"
)
_MOONCAKE = (
    "https://raw.githubusercontent.com/kvcache-ai/Mooncake/"
    "3b5a594133958449a1feaf1c9e0fc1b553e34a28/FAST25-release/traces/"
)
_VIDUR = (
    "https://raw.githubusercontent.com/microsoft/vidur/"
    "7d47513363ec447a741ac5e47241580b47724fbf/data/processed_traces/"
)
_SPLITWISE = "CC-BY-4.0; cite Patel et al., Splitwise, ISCA 2024"
_FAST = "Apache-2.0; cite Qin et al., Mooncake, FAST 2025"


@attrs.frozen
class PublishedTrace:
    """A published trace."""

    name: str
    url: str
    """Where its bytes are; ends with the file's own name, under which it is kept."""
    sha256: str
    """Of its bytes."""
    licence: str
    """And whom to cite."""

    @property
    def file(self) -> str:
        """The file's own name."""
        return self.url.rsplit("/", 1)[1]


PUBLISHED = {
    trace.name: trace
    for trace in (
        PublishedTrace(
            "azure-2023-code",
            _AZURE + "AzureLLMInferenceTrace_code.csv",
            "54e9a6d2a4bd06ba1e060304b900abbc74cbea53de96506e60fe5bb4f2277fb6",
            _SPLITWISE,
        ),
        PublishedTrace(
            "azure-2023-conv",
            _AZURE + "AzureLLMInferenceTrace_conv.csv",
            "2f1e5b666d4e3055fdbba98598ce2ec307767b9064e03e2fa46676dbcc7d0bf8",
            _SPLITWISE,
        ),
        PublishedTrace(
            "mooncake-conversation",
            _MOONCAKE + "conversation_trace.jsonl",
            "b8cbb061a85206d729d91cdc2981f43c9e0d99209dce588d3af5f7934408b9df",
            _FAST,
        ),
        PublishedTrace(
            "mooncake-synthetic",
            _MOONCAKE + "synthetic_trace.jsonl",
            "bd070915a98fc0ed264d7cfef2ce746002eb3076a695ec31ba2674c0111ec131",
            _FAST + "; drawn, not production",
        ),
        PublishedTrace(
            "vidur-splitwise-code",
            _VIDUR + "splitwise_code.csv",
            "f266b907d109d471c61283ab69771c17ad79a18b33ff6e96aa546346f52767a6",
            "MIT; the data CC-BY-4.0, as azure-2023-code",
        ),
    )
}
"""The known traces, by name."""


def known(name: str) -> PublishedTrace:
    """The published trace of this name. Raises BadInput, listing the names, for an unknown one."""
    if name not in PUBLISHED:
        raise BadInput(f"unknown trace {name!r}. There are: {', '.join(PUBLISHED)}.")
    return PUBLISHED[name]


def fetch(
    trace: PublishedTrace,
    folder: FilePath | None = None,
    url: str | None = None,
    timeout: float = 30,
) -> FilePath:
    """The trace's file in `folder` (the user's cache unless given), downloaded if need be.

    A file with the right hash is not downloaded again. `url` is another place for the same bytes;
    `timeout` is in seconds of silence. Raises BadInput where the bytes are not those that were
    published, where they cannot be fetched, and where pooch is missing.
    """
    try:
        import pooch
    except ImportError:
        raise BadInput("radproof fetch needs pooch: pip install 'radproof[fetch]'.") from None
    target = FilePath(folder or pooch.os_cache("radproof"))
    source = url or trace.url
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel(logging.WARNING)  # its messages repeat ours
    try:
        found = pooch.retrieve(
            source,
            known_hash=f"sha256:{trace.sha256}",
            fname=trace.file,
            path=target,
            downloader=pooch.HTTPDownloader(timeout=timeout),
        )
    except ValueError as error:
        if "hash" not in str(error):
            raise BadInput(f"{source} cannot be fetched: {error}.") from None
        raise BadInput(
            f"{source} does not hold the published {trace.name}: its SHA-256 is not "
            f"{trace.sha256}. Nothing was kept; try the original, {trace.url}."
        ) from None
    except OSError as error:  # of the network and of the disk
        raise BadInput(
            f"{source} cannot be fetched into {target}: {error}. Check the network and the "
            f"folder, name another place with --mirror URL, or put {trace.file} there yourself."
        ) from None
    finally:
        logger.setLevel(level)
    return FilePath(found)
