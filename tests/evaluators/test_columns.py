from __future__ import annotations

from typing import Any

import pytest
from helpers import quick
from hypothesis import given
from radproof.strategies import cases

from radproof import DECODE, Deployment, Entry, leap, run
from radproof.evaluators.columns import Columns
from radproof.model import SCALARS

D = Deployment(b_col=2, t_lin=10, t_nl=1)
PATH = [(0, 5, 3), (0, 3, 9), (7, 0, 4), (40, 0, 2), (500, 1, 1)]


def columns() -> Columns:
    stretches = leap(PATH, D).stretches
    assert isinstance(stretches, Columns)
    return stretches


@given(cases(max_sessions=12))
@quick(60)
def test_every_column_is_that_number_of_every_stretch(case: Any) -> None:
    deployment, path = case
    stretches = leap(path, deployment).stretches
    assert isinstance(stretches, Columns)
    read = list(stretches)
    assert len(stretches) == len(read)
    for name in SCALARS:
        assert stretches.column(name) == [getattr(s.first, name) for s in read]
    for name in ("count", "duration", "demand_step"):
        assert stretches.column(name) == [getattr(s, name) for s in read]
    assert stretches.served == [s.first.served for s in read]


def test_it_is_a_sequence() -> None:
    stretches = columns()
    listed = list(stretches)
    assert stretches[-1] == listed[-1] == stretches[len(listed) - 1]
    assert stretches[1:3] == listed[1:3]
    assert stretches[::-2] == listed[::-2]
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            stretches[index]


def test_a_name_that_is_no_column_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="middle"):
        columns().column("middle")


def test_a_batch_of_decodes_reads_as_a_tuple() -> None:
    stretch = next(s for s in columns() if s.first.decoders == 2)
    batch = stretch.first.batch
    expected = tuple(batch)
    assert all(type(entry) is Entry and entry.phase is DECODE for entry in expected)
    assert len(batch) == 2
    assert batch == expected
    assert expected == batch
    assert batch[0] == expected[0]
    assert batch[-1:] == expected[-1:]
    assert hash(batch) == hash(expected)
    assert repr(batch) == repr(expected)
    assert batch != expected[:1]


def test_batches_can_be_read_in_any_order_and_after_the_run() -> None:
    stepped = {r.start: r.batch for r in run(PATH, D).records}
    for stretch in reversed(list(columns())):
        assert stretch.first.batch == stepped[stretch.first.start]


def test_served_of_an_unfinished_list_is_not_remembered() -> None:
    stretches = columns()
    before = list(stretches.served)
    stretches.rows.extend(stretches.rows[-7:])
    assert stretches.served[: len(before)] == before
    assert len(stretches.served) == len(before) + 1
