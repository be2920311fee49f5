from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from radproof.cli.main import main

TRACE = """timestamp,input_length,output_length
0,128,1
4,129,1
4,256,1
2000,128,1
"""


@pytest.fixture
def trace(tmp_path: Path) -> str:
    file = tmp_path / "trace.csv"
    file.write_text(TRACE)
    return str(file)


def radproof(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def found(*arguments: str) -> dict[str, Any]:
    result = radproof(*arguments, "--json")
    assert result.exit_code == 0, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    return data


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize(
    ("options", "arrivals", "first_end"),
    [
        (["--tile", "pad"], 4, 4640 + 4005),
        (["--tile", "drop"], 3, 3 * 4640 + 4010),
        (["--tile", "drop", "--limit", "1"], 1, 4640 + 4005),
        (["--tile", "drop", "--window", "1s-3s"], 1, 1_000_000 + 4640 + 4005),
        # at half the speed the second prompt arrives at 8000 us, after the first one has decoded
        (["--tile", "drop", "--speed", "0.5", "--limit", "3"], 2, 4640 + 4005),
    ],
)
def test_a_trace_is_shaped(
    command: str, options: list[str], arrivals: int, first_end: int, trace: str
) -> None:
    data = found(command, trace, *options)
    assert (data["arrivals"], data["ended"]) == (arrivals, arrivals)
    if options != ["--tile", "pad"]:
        assert data["completions"][0] == first_end
    assert data["notes"][0].startswith("a trace, mooncake; 1 of 4 sessions arrive with an earlier")
    assert {claim["result"] for claim in data["claims"].values()} == {"holds"}


def test_kept_prompts_put_the_tiling_claim_out_of_scope_and_it_says_so(trace: str) -> None:
    result = radproof("run", trace, "--tile", "keep")
    assert "out of scope" in result.output
    assert "note: 1 of 4 prompts are off the tile of 128, so optimal_tiling is" in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--speed", "0"], "'0' is not a positive number; write 2, 0.5 or 3/2."),
        (["--speed", "1/0"], "'1/0' is not a positive number"),
        (["--speed", "1e9"], "'1e9' is not a positive number"),
        (["--speed", "nan"], "'nan' is not a positive number"),
        (["--window", "3s"], "'3s' is not a window; write start-end with units: 10min-20min."),
        (["--window", "3s-1s"], "the window ends at 1000000 us, not after its start 3000000 us"),
        (["--limit", "0"], "Invalid value for '--limit'"),
        (["--window", "5s-6s"], "none of the 4 sessions is left"),
    ],
)
def test_bad_options_are_refused(options: list[str], message: str, trace: str) -> None:
    result = radproof("run", trace, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_search_takes_no_shape() -> None:
    result = radproof("check", "--speed", "2")
    assert result.exit_code == 2
    assert "--speed applies to FILE; a search draws its own paths." in result.stderr
