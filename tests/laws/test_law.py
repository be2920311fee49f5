"""A law is declared above its function, and says what stands behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radproof import check, run
from radproof.invariants import prompt_is_positive_tiles
from radproof.laws import LAWS, along
from radproof.laws.law import law, statement_of


def test_a_law_has_the_name_and_the_docstring_of_its_function() -> None:
    @law("rad", at="batch", source="a note", family="positive", proved_by=("rad_batch",))
    def few_tokens(i: Any, d: Any) -> Any:
        """A batch has at most
        b_lcm tokens.

        Why that is so.
        """
        return i.tokens <= d.b_lcm

    assert (few_tokens.name, few_tokens.claim.kind) == ("few_tokens", "every iteration")
    assert few_tokens.statement == "a batch has at most b_lcm tokens"
    assert (few_tokens.group, few_tokens.family, few_tokens.source) == ("rad", "positive", "a note")
    assert few_tokens.claim.given is prompt_is_positive_tiles
    assert few_tokens.evidence == f"proved by rad_batch; tested by {few_tokens.tested}"
    assert few_tokens.symbolic
    assert check(run([(0, 128, 1)]), few_tokens.claim).checked == 2


def test_a_law_along_a_path_has_two_parts_where_it_needs_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(along, "AT_MOMENT", {})
    monkeypatch.setattr(along, "AT_END", {})

    @law("engine", at="moment", source="a note")
    def short(m: along.Moment) -> along.Judgement:
        """A run is short."""
        return True

    @short.at_end
    def _over(m: along.Moment, run: Any) -> along.Judgement:
        return along.Breach("the run is over")

    verdict = check(run([(0, 0, 3)]), short.claim)
    assert (verdict.checked, verdict.failures, verdict.reason) == (4, 1, "the run is over")


@pytest.mark.parametrize(
    ("docstring", "statement"),
    [
        ("A batch lasts.", "a batch lasts"),
        ("`served` is the sum.\n\n    More of it.\n    ", "`served` is the sum"),
        ("b_col start = b_col idle\n    + t_lin.", "b_col start = b_col idle + t_lin"),
        (None, ""),
    ],
)
def test_the_statement_is_the_first_paragraph(docstring: str | None, statement: str) -> None:
    def function() -> None: ...

    function.__doc__ = docstring
    assert statement_of(function) == statement


def test_a_law_s_definition_is_a_formula_where_it_is_about_one_record() -> None:
    symbolic = {name for name, law in LAWS.items() if law.symbolic}
    assert symbolic == {n for n, law in LAWS.items() if law.claim.kind == "every iteration"}
    assert len(symbolic) >= 10


def test_what_stands_behind_a_law_is_said() -> None:
    for known in LAWS.values():
        assert known.statement
        assert known.source
        assert (Path(__file__).parents[2] / known.tested).is_file()
        assert known.evidence.endswith(f"tested by {known.tested}")


def test_the_lemmas_that_a_law_follows_from_are_lemmas() -> None:
    from radproof.lemmas.catalogue import LEMMAS

    names = {lemma.name for lemma in LEMMAS}
    for known in LAWS.values():
        assert set(known.proved_by) <= names
    assert sum(bool(known.proved_by) for known in LAWS.values()) == 14
    assert LAWS["active_bound"].evidence == (
        "proved by decodes_fit, one_part_filled; tested by tests/laws/test_path.py"
    )
