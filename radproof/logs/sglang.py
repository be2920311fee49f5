"""SGLang's batch lines: every prefill batch, and one decode iteration in so many (40 unless set).

Stamps are whole seconds. "#new-token" is rounded up to whole pages for each sequence, so a page
size of 128 would make every batch look tiled: the greatest common divisor of all counts bounds
the page, and a first reading finds it. Decode lines give no tokens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import attrs

from radproof.logs.laws import REQUEST_LAWS
from radproof.logs.lines import bad, text_lines
from radproof.logs.log import Log, Step, record
from radproof.number import Num
from radproof.readers.intervals import Unseen

_HEAD = re.compile(
    r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)((?: (?:DP|TP|EP|PP)\d+)*)\] (Prefill|Decode) batch[.,]? ",
    re.ASCII,
)
_FIELD = re.compile(r"#([a-z -]+): (\d{1,18})(?=,|$| )", re.ASCII)
_FIELDS = {
    "Decode": ("running-req", "queue-req"),
    "Prefill": ("running-req", "queue-req", "new-seq", "new-token"),
}
"""The fields that a line of each kind must have."""

_SAMPLED = "of the decode iterations only one in so many is logged (40 by default)"
_NO_START = "an iteration's start is not logged (the stamps are whole seconds)"
_NO_TOKENS = "a decode line gives no tokens, and with speculation they are more than requests"
_MIXING = "whether decodes were mixed into a prefill batch (--enable-mixed-chunk) is not logged"
_NO_WAITING = "the residents at the start of a batch are only bounded by running and new requests"


@attrs.frozen
class _Batch:
    """One batch line."""

    line: int
    text: str
    kind: str
    stamp: str
    rank: str
    fields: dict[str, int]


@attrs.define
class SGLang:
    """Gives the steps of the log; skips lines that are not batches.

    Raises BadInput for a batch line that is cut or duplicated, or whose stamp runs back.
    """

    log: Log
    page: int = attrs.field(init=False)
    """The largest page size, in tokens, that the counts allow."""
    paged: str = attrs.field(init=False)
    before: _Batch | None = None

    def __attrs_post_init__(self) -> None:
        self.page = _page(self.log)
        self.paged = (
            f"#new-token is rounded up to pages, of up to {self.page} tokens for all that is logged"
        )

    def __iter__(self) -> Iterator[Step]:
        log = self.log
        log.partial = _SAMPLED
        log.untimed = "no durations are logged"
        log.cannot_answer("the lines name no request", *REQUEST_LAWS)
        log.cannot_answer(_NO_START, "one_at_a_time")
        if self.page > 1:
            log.notes.append(
                f"{self.paged}: token counts are bounds, and do not prove that a tile is full"
            )
        for batch in _batches(log):
            self._follow(batch)
            yield self._decode(batch) if batch.kind == "Decode" else self._prefill(batch)

    def _follow(self, batch: _Batch) -> None:
        """Raises BadInput where a batch cannot come after the one before it."""
        file, line, before = self.log.file, batch.line, self.before
        self.before = batch
        if before is None:
            return
        if batch.text == before.text:
            raise bad(file, line, f"duplicates line {before.line}; remove one")
        if batch.stamp < before.stamp:
            raise bad(
                file, line, f"is of {batch.stamp}, after one of {before.stamp}: lines are out of "
                "order, or two logs are in one file",
            )  # fmt: skip
        if batch.rank != before.rank:
            raise bad(
                file, line, f"is of rank {batch.rank!r} after {before.rank!r}; give one rank's "
                "lines",
            )  # fmt: skip

    def _decode(self, batch: _Batch) -> Step:
        running = batch.fields["running-req"]
        tokens = Unseen.at_least(running, _NO_TOKENS)
        return _step(
            batch,
            tokens=tokens,
            prefilled=0,
            decoders=running,
            decoding=Unseen.at_least(running, _NO_WAITING),
            demand=tokens,
        )

    def _prefill(self, batch: _Batch) -> Step:
        running, new = batch.fields["running-req"], batch.fields["new-seq"]
        counted = batch.fields["new-token"]
        least = max(new, counted - new * (self.page - 1))
        prefilled = counted if self.page == 1 else Unseen(least, counted, (self.paged,))
        decoders = Unseen(0, running, (_MIXING,)) if running else 0
        return _step(
            batch,
            tokens=prefilled + decoders,
            prefilled=prefilled,
            decoders=decoders,
            decoding=Unseen.at_least(0, _NO_WAITING),
            demand=Unseen.at_least(least, _NO_WAITING),
        )


def _step(batch: _Batch, **numbers: Num) -> Step:
    """The step of a batch, with these numbers and those that lines of both kinds leave open."""
    present = batch.fields.get("new-seq", 0) + batch.fields["running-req"]
    no_time = Unseen.at_least(0, _NO_START)
    known = record(
        start=no_time,
        end=no_time,
        served=Unseen.at_least(0, _SAMPLED),
        residents=Unseen.at_least(present, _NO_WAITING),
        **numbers,
    )
    return Step(batch.line, None, known)


def _batches(log: Log) -> Iterator[_Batch]:
    for line, text in text_lines(log.file):
        head = _HEAD.search(text)
        if head is None:
            if "Prefill batch" in text or "Decode batch" in text:
                raise bad(log.file, line, f"is a batch without its stamp: {text[:60]!r}")
            continue
        if _HEAD.search(text, head.end()) is not None:
            raise bad(log.file, line, "holds two batches: a line break is missing")
        fields = {name: int(value) for name, value in _FIELD.findall(text[head.end() :])}
        missing = next((name for name in _FIELDS[head[3]] if name not in fields), None)
        if missing is not None:
            raise bad(log.file, line, f"has no #{missing}; it is cut or damaged")
        yield _Batch(line, text, head[3], head[1], head[2].strip(), fields)


def _page(log: Log) -> int:
    """The largest page size that the counts allow: their greatest common divisor."""
    page = 0
    for batch in _batches(log):
        page = math.gcd(page, batch.fields.get("new-token", 0))
        if page == 1:
            break
    return page or 1
