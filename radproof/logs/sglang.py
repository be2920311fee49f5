"""SGLang's batch lines: every prefill batch, and one decode iteration in so many (40 unless set).

Stamps are whole seconds. "#new-token" is rounded up to whole pages for each sequence, so a page
size of 128 would make every batch look tiled: the greatest common divisor of all counts bounds
the page, and a first reading finds it. Decode lines give no tokens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from radproof.logs.lines import bad, lines
from radproof.logs.log import Log, Step, record
from radproof.readers.intervals import Unseen

_HEAD = re.compile(
    r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)((?: (?:DP|TP|EP|PP)\d+)*)\] (Prefill|Decode) batch[.,]? ",
    re.ASCII,
)
_FIELD = re.compile(r"#([a-z -]+): (\d{1,18})(?=,|$| )", re.ASCII)

SAMPLED = "of the decode iterations only one in so many is logged (40 by default)"
NO_START = "an iteration's start is not logged (the stamps are whole seconds)"
NO_TOKENS = "a decode line gives no tokens, and with speculation they are more than requests"
MIXING = "whether decodes were mixed into a prefill batch (--enable-mixed-chunk) is not logged"
NO_WAITING = "the residents at the start of a batch are only bounded by running and new requests"


def read(log: Log) -> Iterator[Step]:
    """The steps of the log; lines that are no batch are passed over.

    Raises BadInput for a batch line that is cut, stands twice, or whose stamp runs back.
    """
    page = _page(log)
    paged = f"#new-token is rounded up to pages, of up to {page} tokens for all that is logged"
    log.partial = SAMPLED
    log.untimed = "no durations are logged"
    for law in ("request_tokens", "computed_once", "admission_order", "first_token_order"):
        log.why[law] = "the lines name no request"
    log.why["request_lifecycle"] = "the lines name no request"
    log.why["one_at_a_time"] = NO_START
    if page > 1:
        log.notes.append(f"{paged}: token counts are bounds, and no proof of full tiles")
    before = ("", "")
    ranks: str | None = None
    for line, text, kind, stamp, rank, fields in _batches(log):
        if text == before[1]:
            raise bad(log.file, line, f"is line {line - 1} again, to the throughput; leave one out")
        if stamp < before[0]:
            raise bad(
                log.file, line, f"is of {stamp}, after one of {before[0]}: lines are out of order, "
                "or two logs are in one file",
            )  # fmt: skip
        if ranks is not None and rank != ranks:
            raise bad(log.file, line, f"is of rank {rank!r} after {ranks!r}; give one rank's lines")
        before, ranks = (stamp, text), rank
        running = fields["running-req"]
        new = fields.get("new-seq", 0)
        nowhen = Unseen.at_least(0, NO_START)
        common = {
            "start": nowhen,
            "end": nowhen,
            "served": Unseen.at_least(0, SAMPLED),
            "residents": Unseen.at_least(new + running, NO_WAITING),
            "decoding": Unseen.at_least(running if kind == "Decode" else 0, NO_WAITING),
        }
        if kind == "Decode":
            yield Step(
                line,
                None,
                record(
                    tokens=Unseen.at_least(running, NO_TOKENS),
                    prefilled=0,
                    decoders=running,
                    demand=Unseen.at_least(running, NO_TOKENS),
                    **common,
                ),
            )
            continue
        said = fields["new-token"]
        least = max(new, said - new * (page - 1))
        prefilled = said if page == 1 else Unseen(least, said, (paged,))
        decoders = Unseen(0, running, (MIXING,)) if running else 0
        yield Step(
            line,
            None,
            record(
                tokens=prefilled + decoders,
                prefilled=prefilled,
                decoders=decoders,
                demand=Unseen.at_least(least, NO_WAITING),
                **common,
            ),
        )


def _batches(log: Log) -> Iterator[tuple[int, str, str, str, str, dict[str, int]]]:
    for line, text in lines(log.file):
        head = _HEAD.search(text)
        if head is None:
            if "Prefill batch" in text or "Decode batch" in text:
                raise bad(log.file, line, f"is a batch without its stamp: {text[:60]!r}")
            continue
        if _HEAD.search(text, head.end()) is not None:
            raise bad(log.file, line, "holds two batches: a line end is lost")
        kind = head[3]
        fields = {name: int(value) for name, value in _FIELD.findall(text[head.end() :])}
        wanted: tuple[str, ...] = ("running-req", "queue-req")
        if kind == "Prefill":
            wanted += ("new-seq", "new-token")
        missing = [name for name in wanted if name not in fields]
        if missing:
            raise bad(log.file, line, f"has no #{missing[0]}; it is cut or damaged")
        yield line, text, kind, head[1], head[2].strip(), fields


def _page(log: Log) -> int:
    """The largest page size that the counts allow: their greatest common divisor."""
    page = 0
    for *_, fields in _batches(log):
        page = math.gcd(page, fields.get("new-token", 0))
        if page == 1:
            break
    return page or 1
