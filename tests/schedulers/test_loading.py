from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from radproof import RULES, BadInput, Rules, rad
from radproof.mutants import MUTANTS
from radproof.schedulers.loading import load, load_object
from radproof.schedulers.protocol import rules_of


def module(folder: Path, text: str) -> str:
    name = f"sched_{uuid.uuid4().hex[:8]}"
    (folder / f"{name}.py").write_text(text)
    return name


def refused(spec: str) -> str:
    with pytest.raises(BadInput) as raised:
        load(spec)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_rad_has_a_name_of_its_own() -> None:
    assert load("rad").call is rad


def test_a_scheduler_is_named_by_module_and_name(here: Path) -> None:
    name = module(here, "def mine(view):\n    return (), None\n")
    assert load(f"{name}:mine").call(None) == ((), None)  # type: ignore[arg-type]
    assert load("radproof.mutants:greater").call is MUTANTS["greater"]
    assert load("radproof.schedulers.rad:rad").call is rad


def test_a_name_may_have_dots(here: Path) -> None:
    name = module(here, "class Box:\n    def mine(view):\n        return (), 7\n")
    assert load(f"{name}:Box.mine").call(None) == ((), 7)  # type: ignore[arg-type]


def test_a_class_is_made_once_without_arguments(here: Path) -> None:
    name = module(
        here,
        "class Mine:\n    made = 0\n    def __init__(self):\n        Mine.made += 1\n"
        "    def __call__(self, view):\n        return (), Mine.made\n",
    )
    assert load(f"{name}:Mine").call(None) == ((), 1)  # type: ignore[arg-type]


KNOWN = "faster_transformer, orca, rad, rad_cycles, sarathi, slai, vllm"


def test_an_unknown_name_suggests_the_nearest() -> None:
    assert refused("rat") == (
        f"unknown scheduler 'rat'. Did you mean 'rad'? Known here: {KNOWN}. Name your own as "
        "module:name, for example my_package.my_module:my_scheduler."
    )


@pytest.mark.parametrize("spec", ["zzzzzz", "", "module:", ":name"])
def test_a_name_that_is_like_none_suggests_none(spec: str) -> None:
    assert refused(spec).startswith(f"unknown scheduler {spec!r}. Known here: {KNOWN}.")


def test_a_missing_module_suggests_the_nearest_file(here: Path) -> None:
    (here / "my_scheduler.py").write_text("")
    assert refused("my_schedular:go") == (
        f"scheduler 'my_schedular:go': no module 'my_schedular' in {here}, and none installed. "
        "Did you mean 'my_scheduler'? The form is module:name, with dots, without .py."
    )


def test_a_missing_submodule_is_missing_and_not_an_import_error() -> None:
    assert "no module 'radproof.nothing'" in refused("radproof.nothing:x")


def test_a_missing_attribute_suggests_the_nearest(here: Path) -> None:
    name = module(here, "def my_scheduler(view):\n    return (), None\n")
    assert refused(f"{name}:my_schedular") == (
        f"scheduler '{name}:my_schedular': {name} has no 'my_schedular'. "
        "Did you mean 'my_scheduler'?"
    )


def test_an_import_that_raises_is_named_with_its_file_and_line(here: Path) -> None:
    name = module(here, "x = 1\n\nraise RuntimeError('not today')\n")
    assert refused(f"{name}:x") == (
        f"scheduler '{name}:x': importing {name} raised RuntimeError: not today "
        f"({here / name}.py, line 3)"
    )


def test_a_syntax_error_is_named_with_its_file_and_line(here: Path) -> None:
    name = module(here, "x = 1\ndef broken(:\n")
    assert refused(f"{name}:x").startswith(
        f"scheduler '{name}:x': importing {name} raised SyntaxError: "
    )
    assert refused(f"{name}:x").endswith(f"({here / name}.py, line 2)")


def test_an_import_that_needs_another_module_says_which(here: Path) -> None:
    name = module(here, "import no_such_library.part\n")
    assert refused(f"{name}:x") == (
        f"scheduler '{name}:x': importing {name} needs the module no_such_library, "
        "which is not installed."
    )


def test_what_cannot_be_called_is_no_scheduler(here: Path) -> None:
    name = module(here, "mine = 7\n")
    assert refused(f"{name}:mine") == (
        f"scheduler '{name}:mine' is of type int, which is not callable. A scheduler takes "
        "a View and returns (batch, memory)."
    )


def test_a_class_that_needs_arguments_says_so(here: Path) -> None:
    name = module(here, "class Mine:\n    def __init__(self, size):\n        pass\n")
    said = refused(f"{name}:Mine")
    assert said.startswith(
        f"scheduler '{name}:Mine': the class cannot be instantiated without arguments ("
    )
    assert said.endswith("Name an instance instead, or give every argument a default.")


def test_a_module_that_exits_is_a_message_and_not_an_exit(here: Path) -> None:
    name = module(here, "import sys\nsys.exit(0)\n")
    assert refused(f"{name}:x").startswith(f"scheduler '{name}:x': importing {name} raised Syst")


def test_other_things_are_loaded_by_the_same_rules() -> None:
    with pytest.raises(BadInput, match=r"^unknown claim 'token_rat'. Did you mean 'token_rate'\?"):
        load_object("token_rat", what="claim", known=["optimal_tiling", "token_rate"])


def test_the_machine_s_rules_are_the_scheduler_s_own_or_rad_s() -> None:
    own = Rules(duration=lambda tokens, d: 1)

    class Mine:
        rules = own

    class Odd:
        rules = "none of the machine's business"

    assert rules_of(rad) is RULES
    assert rules_of(lambda view: ((), None)) is RULES
    assert rules_of(Mine()) is own  # type: ignore[arg-type]
    assert rules_of(Odd()) is RULES  # type: ignore[arg-type]
