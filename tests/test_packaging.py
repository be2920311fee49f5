"""The wheel puts one name into site-packages, and runs the claims from an empty folder."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The python of a clean virtual environment with the wheel in it."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    [wheel] = folder.glob("radproof-*.whl")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    _run(python, "-m", "pip", "install", "-q", wheel, cwd=folder)
    return python


def test_only_radproof_is_added_to_site_packages(installed: Path, tmp_path: Path) -> None:
    listed = _run(installed, "-m", "pip", "show", "-f", "radproof", cwd=tmp_path)
    files = listed.split("Files:\n")[1].split()
    tops = {file.split("/")[0] for file in files if not file.startswith("../")}
    assert {top for top in tops if "dist-info" not in top} == {"radproof"}
    assert "radproof/properties/test_claims.py" in files
    assert "radproof/strategies/paths.py" in files
    assert "radproof/py.typed" in files


def test_the_claims_run_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    output = _run(
        installed, "-m", "pytest", "--pyargs", "radproof.properties", "-m", "claims",
        "--radproof-profile", "dev", "-W", "error", "-p", "no:cacheprovider",
        cwd=tmp_path,
    )  # fmt: skip
    assert "token_rate" in output
    assert "holds" in output
    assert " failed" not in output


def test_a_page_is_drawn_without_any_extra_and_a_png_says_which_it_needs(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "path.json").write_text("[[0, 128, 1]]")
    explain = [installed, "-m", "radproof", "explain", "path.json"]
    _run(*explain, "--html", "path.html", cwd=tmp_path)
    assert "</html>" in (tmp_path / "path.html").read_text("utf-8")
    done = subprocess.run(
        [*map(str, explain), "--png", "path.png"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "radproof: --png needs matplotlib: pip install 'radproof[plot]'.\n"


def test_importing_radproof_imports_neither_z3_nor_hypothesis(tmp_path: Path) -> None:
    program = "import radproof, sys; print([m for m in ('z3', 'hypothesis') if m in sys.modules])"
    assert _run(sys.executable, "-c", program, cwd=tmp_path).strip() == "[]"


def test_the_command_answers(installed: Path, tmp_path: Path) -> None:
    assert "radproof run --rate 20" in _run(
        installed.parent / "radproof", "run", "--help", cwd=tmp_path
    )
