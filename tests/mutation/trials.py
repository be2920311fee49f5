"""Run tests in a process of their own: to see what each covers, or with a fault in a module.

The process is a fork of one that has imported the libraries, so that it starts in a moment. The
fault is in memory alone: no file is changed, whatever ends the run.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType
from typing import Any

import attrs
import coverage
import hypothesis  # noqa: F401  imported here once, for all forks
import numpy  # noqa: F401
import pytest
import z3  # noqa: F401

MEMORY = 6 * 2**30
"""The most bytes of address space of a run, which ends a fault that fills a list for ever."""


@attrs.frozen
class Seen:
    """One test that passed: how long it took, and which lines of the core it ran."""

    seconds: float
    lines: dict[str, list[int]]


def covered(file: str, modules: Sequence[str]) -> dict[str, Seen]:
    """The tests of a file, by node id. Raises RuntimeError where one of them fails."""
    return _forked(_cover, file, modules)


def first_failure(tests: dict[str, float], module: str, code: CodeType) -> str | None:
    """The first of these tests that fails with this code as the module, or None.

    tests: node ids and the seconds of each without a fault, in the order in which they run. A test
    that takes five times as long, and two seconds, fails. A module that cannot be imported, and a
    test file that cannot be, fail as "import".
    """
    return _forked(_try, tests, module, code)


def _forked(function: Callable[..., Any], *arguments: Any) -> Any:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, function, arguments))
    process.start()
    theirs.close()
    try:
        kind, answer = ours.recv()
    except EOFError:  # it was killed: by its own alarm, or for its memory
        kind, answer = "answer", "its end"
    finally:
        process.kill() if process.is_alive() and sys.exc_info()[0] else process.join()
    if kind == "error":
        raise RuntimeError(answer)
    return answer


def _answer(pipe: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        pipe.send(("answer", function(pipe, *arguments)))
    except BaseException as error:
        pipe.send(("error", str(error)))
    os._exit(0)


def _pytest(paths: Iterable[str], plugin: object) -> int:
    # plain: pytest's own importer would read the module's file before the fault is put into it
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain"]
    return int(pytest.main([*options, *paths], plugins=[plugin]))


class _Covering:
    """A plugin that notes the lines and the time of each test."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.modules = {str(Path(module).resolve()): module for module in modules}
        self.coverage = coverage.Coverage(
            data_file=None, include=list(self.modules), config_file=False
        )
        self.seconds: dict[str, float] = {}
        self.failed = ""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def seen(self) -> dict[str, Seen]:
        tests = {test: Seen(seconds, {}) for test, seconds in self.seconds.items()}
        data = self.coverage.get_data()
        for path, module in self.modules.items():
            for line, contexts in data.contexts_by_lineno(path).items():
                # what ran while the file was imported, ran for each of its tests
                for test in tests if "" in contexts else contexts:
                    tests[test].lines.setdefault(module, []).append(line)
        return tests


def _cover(pipe: Connection, file: str, modules: Sequence[str]) -> dict[str, Seen]:
    plugin = _Covering(modules)
    plugin.coverage.start()
    code = _pytest([file], plugin)
    plugin.coverage.stop()
    if code:
        raise RuntimeError(f"the suite fails without a fault: {plugin.failed or code}")
    return plugin.seen()


class _Ordered:
    """A plugin that runs the given tests, in their order, each within its time."""

    def __init__(self, tests: dict[str, float], pipe: Connection) -> None:
        self.tests, self.pipe = tests, pipe
        self.places = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        asked = [item for item in items if item.nodeid in self.places]
        items[:] = sorted(asked, key=lambda item: self.places[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        limit = 2 + 5 * self.tests[item.nodeid]
        signal.signal(signal.SIGVTALRM, lambda *_: self._failed(item.nodeid))
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        result = yield
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed(report.nodeid)

    def _failed(self, test: str) -> None:
        self.pipe.send(("answer", test))
        os._exit(0)


def _try(pipe: Connection, tests: dict[str, float], module: str, code: CodeType) -> str | None:
    # what a whole run may take, where a fault loops outside Python's reach or while importing
    seconds = int(20 + 10 * sum(tests.values()))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    sys.meta_path.insert(0, _Faulty(module, code))
    try:
        ended = _pytest(dict.fromkeys(test.split("::")[0] for test in tests), _Ordered(tests, pipe))
    except Exception:  # the plugin of the package could not be imported
        return "import"
    return None if ended in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else "import"


class _Faulty(importlib.machinery.SourceFileLoader, importlib.abc.MetaPathFinder):
    """Finds and loads one module, with this code in place of what its file says."""

    def __init__(self, path: str, code: CodeType) -> None:
        name = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        super().__init__(name, str(Path(path).resolve()))
        self._code = code

    def find_spec(self, fullname: str, path: object, target: object = None) -> Any:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return self._code
