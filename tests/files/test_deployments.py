from __future__ import annotations

from pathlib import Path

import pytest

from radproof import BadInput, Deployment
from radproof.files.deployments import read_deployment, write_deployment


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    deployment = Deployment(b_col=96, b_row=4, t_lin=10**20, t_nl=0, chunk=7)
    write_deployment(tmp_path / "d.json", deployment, "a note")
    assert read_deployment(tmp_path / "d.json") == deployment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1 column 2: the JSON ends in the middle; the file is truncated."),
        ("[]", "not an object with a schema; this radproof reads 'radproof.deployment/1'."),
        ("{}", 'field "schema" is None; this radproof reads '),
        ("{}", "radproof fit writes such files."),
        (
            '{"schema": "radproof.deployment/1"}',
            'field "deployment" is missing; it has: b_col, b_row, b_red, t_lin, t_nl, chunk.',
        ),
        (
            '{"schema": "radproof.deployment/1", "deployment": {"b_lcm": 4}}',
            "field \"deployment\" has an unknown field 'b_lcm'. Did you mean 'b_col'?",
        ),
        (
            '{"schema": "radproof.deployment/1", "deployment": {"t_nl": 0.5}}',
            "t_nl is 0.5, a float; it must be a natural number",
        ),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "d.json").write_text(text)
    with pytest.raises(BadInput) as raised:
        read_deployment(tmp_path / "d.json")
    assert str(raised.value).startswith(f"{tmp_path / 'd.json'}")
    assert message in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no such file"):
        read_deployment(tmp_path / "d.json")
