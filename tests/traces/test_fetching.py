from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner
from helpers import SHARED

from radproof import BadInput
from radproof.cli.main import main
from radproof.files.paths import read
from radproof.traces.fetching import PUBLISHED, PublishedTrace, fetch, known

pytest.importorskip("pooch", reason="radproof[fetch] is not installed: fetching is NOT tested")

BODY = b"TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:15:46.6805900,374,44"


@attrs.define
class Server:
    url: str
    asked: list[str]
    body: bytes = BODY


@pytest.fixture
def server() -> Iterator[Server]:
    """A file server on loopback: /missing/* is a 404, everything else the body."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            missing = self.path.startswith("/missing")
            self.send_response(404 if missing else 200)
            self.send_header("Content-Length", "0" if missing else str(len(found.body)))
            self.end_headers()
            if not missing:
                self.wfile.write(found.body)

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        found = Server(f"http://127.0.0.1:{http.server_port}", [])
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        yield found
        http.shutdown()
        thread.join()


def published(url: str, body: bytes = BODY) -> PublishedTrace:
    return PublishedTrace("mine", url, hashlib.sha256(body).hexdigest(), "none")


def test_a_trace_is_fetched_once_and_read(server: Server, tmp_path: Path) -> None:
    trace = published(f"{server.url}/data/mine.csv")
    file = fetch(trace, tmp_path)
    assert (file, file.read_bytes()) == (tmp_path / "mine.csv", BODY)
    assert len(read(file).sessions) == 1
    assert fetch(trace, tmp_path) == file
    assert server.asked == ["/data/mine.csv"]


def test_a_cached_file_that_is_damaged_is_fetched_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_bytes(BODY[:-1])
    assert fetch(published(f"{server.url}/mine.csv"), tmp_path).read_bytes() == BODY


def test_other_bytes_are_refused_and_not_kept(server: Server, tmp_path: Path) -> None:
    trace = published(f"{server.url}/mine.csv", BODY + b"0")
    with pytest.raises(BadInput) as raised:
        fetch(trace, tmp_path)
    assert str(raised.value).startswith(
        f"{server.url}/mine.csv does not hold the published mine: its SHA-256 is not {trace.sha256}"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_and_a_dead_server_are_one_message(server: Server, tmp_path: Path) -> None:
    for url in (f"{server.url}/missing/mine.csv", "http://127.0.0.1:9/mine.csv"):
        with pytest.raises(BadInput) as raised:
            fetch(published(url), tmp_path, timeout=2)
        assert str(raised.value).startswith(f"{url} cannot be fetched into {tmp_path}: ")
    assert list(tmp_path.iterdir()) == []


def test_the_command_takes_a_mirror_and_prints_the_file(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = attrs.evolve(published("https://example.invalid/mine.csv"))
    monkeypatch.setitem(PUBLISHED, "mine", trace)
    arguments = ["fetch", "mine", "--to", str(tmp_path), "--mirror", f"{server.url}/mine.csv"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'mine.csv'}\n"
    found = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert found["file"] == str(tmp_path / "mine.csv")
    assert found["sha256"] == trace.sha256


def test_the_azure_hour_comes_through_a_mirror(server: Server, tmp_path: Path) -> None:
    hour = SHARED / "data" / "traces" / "azure_2023_conv.csv"
    if not hour.exists():
        pytest.skip(f"{hour} is not there: its pinned SHA-256 is NOT held against the file")
    server.body = hour.read_bytes()
    file = fetch(known("azure-2023-conv"), tmp_path, f"{server.url}/x")
    assert file.name == "AzureLLMInferenceTrace_conv.csv"
    assert len(read(file).sessions) == 19_366


def test_the_list_names_every_trace_with_its_licence() -> None:
    lines = CliRunner().invoke(main, ["fetch"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(PUBLISHED)
    assert all(trace.licence in line for trace, line in zip(PUBLISHED.values(), lines, strict=True))


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(main, ["fetch", "azure-2023"])
    assert result.exit_code == 2
    assert result.stderr.startswith("radproof: unknown trace 'azure-2023'. There are: azure-2023-c")


def test_every_published_trace_is_pinned_by_commit_and_hash() -> None:
    for trace in PUBLISHED.values():
        assert len(trace.sha256) == 64
        assert any(len(part) == 40 for part in trace.url.split("/"))
