"""The command line: the group of all commands.

Exit codes: 0 all hold; 1 a claim fails; 2 usage or bad input; 3 not evaluated or unknown.
"""

from __future__ import annotations

import click

from radproof.cli.check import check_command
from radproof.cli.explain import explain_command
from radproof.cli.fetch import fetch_command
from radproof.cli.fit import fit_command
from radproof.cli.lean import lean
from radproof.cli.mutants import mutants_command
from radproof.cli.options import Group
from radproof.cli.prove import prove
from radproof.cli.replay import replay_command
from radproof.cli.run import run_command
from radproof.cli.trace import trace_command


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="radproof")
def main() -> None:
    """Property-based verification of LLM-inference schedulers.

    \b
    Exit codes: 0 all hold; 1 a claim fails; 2 usage or bad input; 3 not evaluated or unknown.

    \b
    Examples:
      radproof run --rate 20 --horizon 100s --seed 1
      radproof check --scheduler my_package.my_module:my_scheduler
      radproof prove
      radproof replay .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json
      radproof explain .radproof/counterexamples/optimal_tiling-0a1b2c3d4e5f.json --html it.html
    """


for command in (
    run_command,
    check_command,
    replay_command,
    explain_command,
    prove,
    lean,
    mutants_command,
    trace_command,
    fit_command,
    fetch_command,
):
    main.add_command(command)
