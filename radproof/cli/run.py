"""``radproof run``."""

from __future__ import annotations

import click

from radproof.claims import CLAIMS, check
from radproof.cli.one_path import exit_by, prepare, run_path, show_run
from radproof.cli.options import Time, engine_option, json_option, scheduler_option
from radproof.cli.shaping import shaping_options
from radproof.files.paths import PathFile, read
from radproof.runs import Engine
from radproof.schedulers.loading import load
from radproof.traces import Shape
from radproof.traces.workload import poisson


@click.command("run")
@click.argument("file", required=False)
@click.option("--rate", type=float, help="Draw Poisson arrivals: sessions a second.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the drawn arrivals.")
@click.option("--horizon", type=Time(), help="Stop after this time, inclusive: 100s, 250ms, 1h.")
@scheduler_option
@shaping_options
@engine_option
@json_option
def run_command(
    file: str | None,
    rate: float | None,
    seed: int,
    horizon: int | None,
    scheduler_name: str | None,
    shaping: Shape,
    engine: Engine,
    as_json: bool,
) -> None:
    """Run one path: its claim table and figures.

    FILE is a path file (JSON or CSV: arrive,prompt,output) or a trace (Azure 2023 and 2024,
    Mooncake, Vidur, BurstGPT; recognised by its header). Without FILE, --rate draws the workload of
    the seed page.

    \b
    Examples:
      radproof run --rate 20 --horizon 100s --seed 1
      radproof run AzureLLMInferenceTrace_conv.csv --tile pad
      radproof run conversation_trace.jsonl --tile pad --speed 0.5 --window 10min-20min
      radproof run path.json --scheduler my_module:my_scheduler --json
    """
    if (file is None) == (rate is None):
        raise click.UsageError("give either FILE, or --rate R --horizon T to draw arrivals.")
    if rate is not None:
        if horizon is None:
            raise click.UsageError("--rate draws arrivals up to a horizon: add --horizon 100s.")
        given = PathFile(poisson(rate, horizon, seed))
    else:
        assert file is not None
        given = read(file)
    path, deployment, notes = prepare(given, shaping)
    name = scheduler_name or given.scheduler or "rad"
    horizon = given.horizon if horizon is None else horizon
    result = run_path(path, deployment, load(name).call, horizon, engine)
    verdicts = [check(result, claim) for claim in CLAIMS.values()]
    show_run(result, verdicts, notes, as_json)
    exit_by(verdicts)
