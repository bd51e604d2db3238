"""``python -m mbrl list | example | run | plot | judge``: experiments from the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.resources import files
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mbrl.agents.registry import AGENTS, agent_options, check_agent_name
from mbrl.experiments.scenarios import SCENARIOS, find_scenario
from mbrl.experiments.settings import DEFAULT_SEED, Request, make_settings
from mbrl.importing import import_attribute
from theory.console import console, jobs_option, number_of_jobs, print_json, table

if TYPE_CHECKING:
    from mbrl.experiments import runner
    from mbrl.experiments.summary import AgentSummary

# xarray, numba and matplotlib are imported where they are first needed: "list" and a mistyped command answer at once.

json_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


EXAMPLES = {
    "bandit": "bandit.json",
    "learner": "learner.py",
    "scenario": "scenario.py",
    "other-library": "other_library.py",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def mbrl() -> None:
    """Learning in discounted Markovian bandits: run the experiments, draw the figures."""


@mbrl.command("list")
@click.option("--options", is_flag=True, help="The options of each agent, with their defaults.")
@json_option
def list_command(options: bool, as_json: bool) -> None:
    """List scenarios and agents."""
    known = {name: agent_options(name) for name in AGENTS} if options else {}
    if as_json:
        scenarios = [
            {
                "name": scenario.name,
                "title": scenario.title,
                "agents": list(scenario.agents),
                "simulations": scenario.simulations,
                "episodes": scenario.episodes,
            }
            for scenario in SCENARIOS.values()
        ]
        content = {"scenarios": scenarios, "agents": {name: entry.summary for name, entry in AGENTS.items()}}
        print_json(content | ({"options": known} if options else {}))
        return
    if options:
        rows = table("agent", "options and their defaults: agent/option=value/option=value")
        for name, values in known.items():
            rows.add_row(name, "  ".join(f"{key}={value}" for key, value in values.items()))
        console().print(rows)
        return
    rows = table("scenario", "what", "simulations", "episodes", "agents")
    for scenario in SCENARIOS.values():
        sizes = (str(scenario.simulations), str(scenario.episodes))
        rows.add_row(scenario.name, scenario.title, *sizes, ", ".join(scenario.agents))
    console().print(rows)
    names = table("agent", "what")
    for name, entry in AGENTS.items():
        names.add_row(name, entry.summary)
    console().print(names)


@mbrl.command("run")
@click.argument("scenario", metavar="SCENARIO")
@click.option("--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Folder of the results.")
@click.option("--simulations", type=int, metavar="N", help="Number of simulations. [default: the paper's]")
@click.option("--episodes", type=int, metavar="K", help="Episodes per simulation. [default: the paper's]")
@jobs_option
@click.option("--seed", type=int, metavar="S", help=f"Seed of all random draws. [default: {DEFAULT_SEED}]")
@click.option("--agents", metavar="A,B", help="Learners: see below. [default: the scenario's]")
@click.option("--discount", metavar="BETA", help="Another discount than the model's, such as 0.9.")
@click.option("--rewards", metavar="LAW", help="bernoulli, constant or gaussian:DEVIATION. [default: the model's]")
@click.option("--regret", metavar="METHOD", help="expected (exact), or monte-carlo. [default: expected]")
@click.option("--dask", metavar="ADDRESS", help="Compute on the workers of this Dask scheduler.")
@json_option
def run_command(
    scenario: str,
    out: Path,
    simulations: int | None,
    episodes: int | None,
    jobs: int | None,
    seed: int | None,
    agents: str | None,
    discount: str | None,
    rewards: str | None,
    regret: str | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Run an experiment; finish or extend the one in DIR.

    SCENARIO is a name (see "list"), the path of a model file, or your own as module:attribute. Interrupted at any
    moment, the same command goes on where it stopped.

    A run is extended by more learners, simulations or episodes: give its folder, and what it is to have. What it has is
    not computed again, but for learners that are told the number of episodes (mb-ucrl2, mb-ucbvi, ucrl2, ucbvi), which
    begin anew with another one.

    Learners are named as by "list", or module:attribute for your own, with options after slashes:
    --agents mb-psrl,mb-psrl/rewards=gaussian/mean=0.5,mine:Learner/rate=0.1
    """
    from mbrl.experiments.dataset import read_results  # noqa: PLC0415
    from mbrl.experiments.runner import run  # noqa: PLC0415
    from mbrl.experiments.store import read_settings  # noqa: PLC0415
    from mbrl.experiments.summary import summarise  # noqa: PLC0415

    names = tuple(name.strip() for name in agents.split(",")) if agents is not None else ()
    for name in names:
        check_agent_name(name)
    found, settings = make_settings(
        find_scenario(scenario),
        Request(names, simulations, episodes, seed, discount, rewards, regret),
        read_settings(out),
    )
    began = perf_counter()
    with _shown_progress(found.name) as watch:
        progress = run(found, settings, out, jobs=number_of_jobs(jobs), dask=dask, watch=watch)
    seconds = perf_counter() - began
    summaries = summarise(read_results(out), read_results(out, timing=True))
    if as_json:
        print_json(
            {
                "scenario": settings.scenario,
                "results": str(out),
                "computed": progress.total - progress.resumed,
                "resumed": progress.resumed,
                "seconds": seconds,
                "agents": [asdict(summary) for summary in summaries],
            }
        )
    else:
        _print_summary(found.title, settings.episodes, summaries)
        again = f", {progress.resumed} of them saved by an earlier run" if progress.resumed else ""
        console().print(f"{progress.total} simulations in {seconds:.0f} s{again}; results in {out}", soft_wrap=True)


@mbrl.command("example")
@click.argument("name", type=click.Choice(sorted(EXAMPLES)))
def example_command(name: str) -> None:
    """Print an example to start from: a model file, a learner, a scenario, a policy of another library."""
    click.echo(files("mbrl.examples").joinpath(EXAMPLES[name]).read_text(encoding="utf-8"), nl=False)


@mbrl.command("judge")
@click.argument("scenario", metavar="SCENARIO")
@click.argument("policy", metavar="MODULE:ATTRIBUTE")
@click.option("--discount", metavar="BETA", help="Another discount than the model's, such as 0.9.")
@json_option
def judge_command(scenario: str, policy: str, discount: str | None, as_json: bool) -> None:
    """Compute the value and the regret of a policy, exactly: no episode is played.

    MODULE:ATTRIBUTE is a function from a global state (the states of all arms, from 0) to the arm that is played, or an
    IndexPolicy or TablePolicy. SCENARIO is as for "run"; of several models, the first.
    """
    from mbrl.experiments.judging import judge  # noqa: PLC0415

    found, settings = make_settings(find_scenario(scenario), Request(discount=discount))
    judged = judge(found.build(settings.seed, 0, settings.episodes), import_attribute(policy, "policy"))
    if as_json:
        print_json({"scenario": found.name, "policy": policy, **asdict(judged)})
        return
    rows = table("policy", "value", "optimal value", "regret per episode", title=found.title)
    rows.add_row(policy, *(f"{number:.10g}" for number in (judged.value, judged.optimal, judged.regret)))
    console().print(rows)


@mbrl.command("plot")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def plot_command(directory: Path) -> None:
    """Draw the figures of a finished run, from its saved rows, into DIR/figures (PDF, SVG and PNG)."""
    from mbrl.figures import draw  # noqa: PLC0415

    for path in draw(directory):
        click.echo(path)


def _print_summary(title: str, episodes: int, summaries: list[AgentSummary]) -> None:
    rows = table("agent", "mean regret", "standard error", "median", "largest", "over", "ms per episode", title=title)
    for line in summaries:
        unit = f"{line.units} models x {line.simulations // line.units}"
        if line.units == line.simulations:
            unit = f"{line.units} simulation{'' if line.units == 1 else 's'}"
        numbers = (line.final_regret, line.standard_error, line.median, line.largest)
        rows.add_row(
            line.agent,
            *("-" if isnan(number) else f"{number:.1f}" for number in numbers),
            unit,
            f"{line.milliseconds:.3f}",
        )
    console().print(rows)
    console().print(f"regret is cumulated over {episodes} episodes; the time is the learner's median, plan and update")


@contextmanager
def _shown_progress(name: str) -> Iterator[Callable[[runner.Progress], None]]:
    """Show the progress on stderr where that is a terminal."""
    screen = console(stderr=True)
    columns = (
        TextColumn(name),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        shown = bar.add_task(name, total=None)

        def watch(progress: runner.Progress) -> None:
            bar.update(shown, total=progress.total, completed=progress.done)

        yield watch
