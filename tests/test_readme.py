"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_first_failing_scheduler(tmp_path: Path) -> None:
    [program] = re.findall(r"<!-- file: hurry.py -->\n```python\n(.*?)```", README, re.S)
    [(status, session)] = re.findall(
        r"<!-- command, exit (\d) -->\n```console\n(.*?)```", README, re.S
    )
    (tmp_path / "hurry.py").write_text(program)
    command, shown = session.split("\n", 1)
    words = shlex.split(command.removeprefix("$ "))
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == shown
    assert done.returncode == int(status)


def test_the_python_session() -> None:
    [session] = re.findall(r"<!-- doctest -->\n```python\n(.*?)```", README, re.S)
    test = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries >= 6
